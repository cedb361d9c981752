/**
 * Follow-up questions: how well they are found with and without the conversation before them. The dialogues were
 * written for this bench, over the demo collection.
 *
 *     node bench/quality/conversation.ts [--misses]
 *
 * `--misses` shows the questions whose gold words are not among three.
 * found@k: a chunk with the gold words is among the first k hits. `alone` is the question rewritten by hand, as a
 * perfect model would rewrite it. The last lines show the harm: standalone questions, asked after another conversation.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DemoQuestion } from '../../datasets/make-demo.ts';
import { type HistoryTurn, openIndex } from '../../src/index.ts';
import {
  collectionStatistics,
  connectDatabase,
  mean,
  needsRewriting,
  openStore,
  rewriteQuery,
} from '../../src/internal.ts';
import { readFlags } from '../support/flags.ts';
import { ingestWhole } from '../support/ingest.ts';
import { dialogues } from './dialogues.ts';

const datasets = resolve(import.meta.dirname, '../../datasets');
const demo = join(datasets, 'demo');
const { values: flags } = readFlags(import.meta.filename, { options: { misses: { type: 'boolean', default: false } } });
const LIMIT = 10;

const temporary = await mkdtemp(join(tmpdir(), 'ibid-bench-dialogues-'));
try {
  const address = join(temporary, 'index');
  await using index = await openIndex(address, { create: true, base: demo });
  await ingestWhole(index, [demo]);
  const store = await openStore(await connectDatabase(address, { create: false }));
  const { lexical } = await store.snapshot();
  const statistics = (text: string) => collectionStatistics(lexical, text);
  const rankOf = async (query: string, uri: string, quote: string): Promise<number> => {
    const { hits } = await index.search(query, { limit: LIMIT });
    const at = hits.findIndex(({ chunk }) => chunk.uri === uri && flat(chunk.text).includes(flat(quote)));
    return at < 0 ? Infinity : at + 1;
  };
  const ways: Record<string, (question: string, history: readonly HistoryTurn[], alone: string) => Promise<string>> = {
    'as it is': async (question) => question,
    'with the last question': async (question, history) =>
      `${question} ${history.findLast(({ role }) => role === 'user')?.text ?? ''}`,
    'all words carried': async (question, history) => (await rewriteQuery(question, history)).query,
    'rare words carried': async (question, history) => (await rewriteQuery(question, history, { statistics })).query,
    alone: async (_question, _history, alone) => alone,
  };
  const ranks = new Map<string, number[]>(Object.keys(ways).map((way) => [way, []]));
  let leaning = 0;
  for (const dialogue of dialogues) {
    const history: HistoryTurn[] = [];
    for (const [i, { question, alone, uri, quote }] of dialogue.entries()) {
      if (i > 0) {
        if (needsRewriting(question)) leaning += 1;
        for (const [way, queryOf] of Object.entries(ways)) {
          const query = await queryOf(question, history, alone);
          const rank = await rankOf(query, uri, quote);
          ranks.get(way)!.push(rank);
          if (flags.misses && way === 'rare words carried' && rank > 3) console.log(`  ${rank}\t${question}\t${query}`);
        }
      }
      const [hit] = (await index.search(alone, { limit: 1 })).hits;
      history.push({ role: 'user', text: question }, { role: 'assistant', text: hit?.chunk.text.slice(0, 400) ?? '' });
    }
  }
  const followUps = ranks.get('alone')!.length;
  console.log(`${followUps} follow-ups in ${dialogues.length} dialogues, ${leaning} taken to lean on the conversation`);
  for (const [way, list] of ranks) print(way, list);

  const lines = (await readFile(join(datasets, 'demo-questions/questions.jsonl'), 'utf8')).trimEnd().split('\n');
  const questions = lines.map((line) => JSON.parse(line) as DemoQuestion).filter(({ answerable }) => answerable);
  const before: number[] = [];
  const after: number[] = [];
  let touched = 0;
  for (const [i, { question, spans }] of questions.entries()) {
    const other = dialogues[i % dialogues.length]!;
    const history = other.flatMap((turn): HistoryTurn[] => [
      { role: 'user', text: turn.question },
      { role: 'assistant', text: turn.quote },
    ]);
    const made = await rewriteQuery(question, history, { statistics });
    if (made.by !== 'question') touched += 1;
    before.push(await rankOf(question, spans[0]!.uri, spans[0]!.quote));
    after.push(await rankOf(made.query, spans[0]!.uri, spans[0]!.quote));
  }
  console.log(
    `\n${questions.length} questions that stand alone after another conversation: words were added to ${touched}`,
  );
  print('as they are', before);
  print('rare words carried', after);
  await store.close();
} finally {
  await rm(temporary, { recursive: true, force: true });
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function print(way: string, ranks: readonly number[]): void {
  const share = (k: number): string => (ranks.filter((rank) => rank <= k).length / ranks.length).toFixed(3);
  const mrr = mean(ranks.map((rank) => 1 / rank));
  console.log(
    `${way.padEnd(24)}found@1 ${share(1)}  found@3 ${share(3)}  found@10 ${share(10)}  MRR ${mrr.toFixed(3)}`,
  );
}
