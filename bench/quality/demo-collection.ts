/** The demo folder through the public API, as a collection: documents found, and gold places cited. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DemoQuestion } from '../../datasets/make-demo.ts';
import { type Answer, openIndex } from '../../src/index.ts';
import { seededRandom } from '../../src/internal.ts';
import { ingestWhole } from '../support/ingest.ts';
import { checksumsOf, type DataSource, type QualityCollection, type QualityVariant } from '../support/run-file.ts';
import { scoreVariant } from './score.ts';
import { shuffled } from './variants.ts';

const datasets = resolve(import.meta.dirname, '../../datasets');
/** Share of the questions that do what they should: cite a gold place where there is an answer. */
const citedMetric = 'answerCited';

export async function measureDemo(): Promise<{ readonly collection: QualityCollection; readonly source: DataSource }> {
  const demo = join(datasets, 'demo');
  const questions = (await readFile(join(datasets, 'demo-questions/questions.jsonl'), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as DemoQuestion); // our own file; test/unit/datasets checks its fields
  const folder = await mkdtemp(join(tmpdir(), 'ibid-bench-demo-'));
  try {
    await using index = await openIndex(join(folder, 'index'), { create: true, base: demo });
    await ingestWhole(index, [demo]);
    const { documents, chunks } = await index.status();
    const answerable = questions.filter((question) => question.answerable);
    const qrels = new Map(answerable.map(({ id, spans }) => [id, new Map(spans.map(({ uri }) => [uri, 1]))]));
    const variants: QualityVariant[] = [];
    let found = new Map<string, string[]>();
    for (const mode of ['lexical', 'dense', 'hybrid'] as const) {
      const run = new Map<string, string[]>();
      for (const { id, question } of answerable) {
        const { hits } = await index.search(question, { limit: 100, mode });
        run.set(id, [...new Set(hits.map(({ chunk }) => chunk.uri))]);
      }
      if (mode === 'hybrid') {
        const cited = new Map<string, number>();
        for (const question of answerable) {
          cited.set(question.id, isCited(question, await index.ask(question.question)) ? 1 : 0);
        }
        variants.push(scoreVariant(mode, 'main', qrels, run, undefined, { [citedMetric]: cited }));
        found = run;
      } else variants.push(scoreVariant(mode, 'main', qrels, run));
    }
    const random = seededRandom(1);
    const control = new Map([...found].map(([id, ranking]) => [id, shuffled(ranking, random)]));
    variants.push(scoreVariant('shuffled', 'control', qrels, control));
    return {
      collection: {
        name: 'demo',
        documents,
        chunks,
        queryIds: [...qrels.keys()],
        variants,
        comparisons: [],
        skipped: [],
      },
      source: {
        name: 'demo',
        sha256: checksumsOf(datasets, ['demo-questions/questions.jsonl']),
        documents,
        queries: qrels.size,
      },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A cited quote and a gold place of the same document overlap letter for letter. */
export function isCited({ spans }: Pick<DemoQuestion, 'spans'>, { citations }: Pick<Answer, 'citations'>): boolean {
  return citations.some(({ uri, quote }) =>
    spans.some((span) => span.uri === uri && (quote.includes(span.quote) || span.quote.includes(quote))),
  );
}
