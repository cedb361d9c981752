/**
 * The demo collection from its files to cited answers, through the public API: 46 files in, 70 questions asked.
 *
 *     node bench/quality/demo.ts [--misses]
 *
 * `--misses` shows the questions that were answered wrongly.
 * answer cited: a cited quote and a gold span of the same document share text, letter for letter. refused: share of
 * the questions that were declined; right for the kinds lookalike and offtopic only. AUROC: of support, answerable
 * questions against each kind of unanswerable ones. The set is small, and its questions were known while the code was
 * written. So this bench shows that nothing broke, not how good ibid is.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DemoQuestion } from '../../datasets/make-demo.ts';
import { evaluateRun } from '../../src/eval.ts';
import { type Answer, openIndex } from '../../src/index.ts';
import { auroc, bootstrapInterval } from '../../src/internal.ts';
import { readFlags } from '../support/flags.ts';
import { ingestWhole } from '../support/ingest.ts';
import { isCited } from './demo-collection.ts';

const datasets = resolve(import.meta.dirname, '../../datasets');
const demo = join(datasets, 'demo');
const { values: flags } = readFlags(import.meta.filename, { options: { misses: { type: 'boolean', default: false } } });
const questions = (await readFile(join(datasets, 'demo-questions/questions.jsonl'), 'utf8'))
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as DemoQuestion); // our own file; test/unit/datasets checks its fields

const temporary = await mkdtemp(join(tmpdir(), 'ibid-bench-demo-'));
try {
  await using index = await openIndex(join(temporary, 'index'), { create: true, base: demo });
  await ingestWhole(index, [demo]);
  const run = new Map<string, string[]>();
  const answers = new Map<string, Answer>();
  for (const { id, question } of questions) {
    const { hits } = await index.search(question, { limit: 50 });
    run.set(id, [...new Set(hits.map(({ chunk }) => chunk.uri))]);
    answers.set(id, await index.ask(question));
  }
  const answerable = questions.filter((question) => question.answerable);
  const gold = new Map(answerable.map(({ id, spans }) => [id, new Map(spans.map(({ uri }) => [uri, 1]))]));
  const documents = evaluateRun(gold, run, ['nDCG@10', 'recall@1', 'recall@3', 'MRR@10']);
  for (const [name, value] of Object.entries(documents.metrics)) print(`document ${name}`, value.toFixed(3));

  const cited = answerable.map((question) => (isCited(question, answers.get(question.id)!) ? 1 : 0));
  const { mean, low, high } = bootstrapInterval(cited);
  print('answer cited', `${mean.toFixed(3)}  [${low.toFixed(3)}, ${high.toFixed(3)}]  of ${cited.length}`);
  const supportOf = (kind: 'answerable' | 'lookalike' | 'offtopic'): number[] =>
    questions
      .filter((question) => (kind === 'answerable' ? question.answerable : question.kind === kind))
      .map(({ id }) => answers.get(id)!.support);
  for (const kind of ['answerable', 'lookalike', 'offtopic'] as const) {
    const those = questions.filter((question) =>
      kind === 'answerable' ? question.answerable : question.kind === kind,
    );
    const refused = those.filter(({ id }) => answers.get(id)!.abstained).length;
    const area = kind === 'answerable' ? '' : `  AUROC ${auroc(supportOf('answerable'), supportOf(kind))?.toFixed(3)}`;
    print(`refused, ${kind}`, `${(refused / those.length).toFixed(3)}  ${refused} of ${those.length}${area}`);
  }
  if (flags.misses) {
    for (const question of questions) {
      const answer = answers.get(question.id)!;
      if (question.answerable ? isCited(question, answer) : answer.abstained) continue;
      console.log(
        `\n${question.id} ${question.question}\n  wanted: ${question.answers.join('; ') || 'a refusal'}\n  ${answer.answer.replaceAll('\n', ' ')}`,
      );
    }
  }
} finally {
  await rm(temporary, { recursive: true, force: true });
}

function print(what: string, value: string): void {
  console.log(`${what.padEnd(24)}${value}`);
}
