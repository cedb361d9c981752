/**
 * The worth of the service's prompt cache in a conversation, by the layout of the conversation.
 *
 *     node bench/quality/grounded-cache.ts [--write]
 *
 * Layout `words`: earlier turns are sent as words, and sources stand beside the last question only. Layout `kept`:
 * every question keeps its sources, no source is sent twice, and the end of each request is marked.
 *
 * Conversations: the dialogues over the demo collection, joined two by two (six turns or more, one change of subject);
 * one dialogue asked twice (six turns on one subject, the second half finds nothing new); and, where `IBID_SHARED` has
 * clapnq, eight of its questions without any relation, the worst case.
 *
 * The stand-in keeps the service's rules: prefixes below a model's minimum are not cached, writes cost 1.25 times the
 * input, reads 0.1 times; no pause between turns. hit rate = tokens read from the cache / all input tokens. "without"
 * is the price of the same requests without any mark.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type HistoryTurn, type Hit, openIndex } from '../../src/index.ts';
import {
  answerAsAgent,
  answerGrounded,
  collectAnswer,
  defaultInstructions,
  search,
  serviceLanguageModel,
} from '../../src/internal.ts';
import { createMessagesService, messages as wire } from '../../src/wire.ts';
import { extractiveAnswerer } from '../../test/wire/service/messages/extractive.ts';
import { toolUser } from '../../test/wire/service/messages/tool-user.ts';
import { startService } from '../../test/wire/service/service.ts';
import { readFlags } from '../support/flags.ts';
import { ingestWhole } from '../support/ingest.ts';
import { writeResults } from '../support/report.ts';
import { storedSnapshot } from '../support/stored-snapshot.ts';
import { loadCollection } from './collections.ts';
import { type DialogueTurn, dialogues } from './dialogues.ts';

const { values: flags } = readFlags(import.meta.filename, { options: { write: { type: 'boolean', default: false } } });
const demo = resolve(import.meta.dirname, '../../datasets/demo');
const models = ['assistant-medium-4-6', 'assistant-small-4-5'] as const;

interface Turn {
  readonly question: string;
  readonly hits: readonly Hit[];
}

interface Use {
  requests: number;
  input: number;
  read: number;
  written: number;
  output: number;
  usd: number;
}

const hasSix = ({ length }: readonly DialogueTurn[]): boolean => length >= 6;
const joined = dialogues.flatMap((dialogue, i) => (i % 2 === 1 ? [[...dialogues[i - 1]!, ...dialogue]] : []));
const twiceOver = dialogues.map((dialogue) => [...dialogue, ...dialogue]);
const LIMIT = 20;

/** Eight questions a conversation. */
async function unrelated(): Promise<Turn[][]> {
  const folder = join(process.env.IBID_SHARED ?? '../shared', 'data/clapnq-dev');
  if (!existsSync(folder)) return [];
  const collection = await loadCollection(folder, { maxQueries: 64 });
  const snapshot = await storedSnapshot(collection.documents);
  const turns: Turn[] = [];
  for (const { text } of collection.queries)
    turns.push({ question: text, hits: await search(snapshot, undefined, text, { limit: LIMIT }) });
  return Array.from({ length: Math.floor(turns.length / 8) }, (_, i) => turns.slice(8 * i, 8 * i + 8));
}

const temporary = await mkdtemp(join(tmpdir(), 'ibid-bench-cache-'));
const results: Record<string, unknown> = {};
try {
  await using index = await openIndex(join(temporary, 'index'), { create: true, base: demo });
  await ingestWhole(index, [demo]);
  await using service = await startService({ only: ['messages'], messages: { model: extractiveAnswerer().model } });
  await using messages = createMessagesService({ apiKey: 'test-key', baseUrl: service.url });

  const found = async (list: readonly (readonly DialogueTurn[])[]): Promise<Turn[][]> => {
    const turns: Turn[][] = [];
    for (const dialogue of list.filter(hasSix)) {
      const own: Turn[] = [];
      for (const { question, alone } of dialogue)
        own.push({ question, hits: (await index.search(alone, { limit: LIMIT })).hits });
      turns.push(own);
    }
    return turns;
  };
  const conversations: Readonly<Record<string, Turn[][]>> = {
    'two subjects': await found(joined),
    'one subject, twice over': await found(twiceOver),
    unrelated: await unrelated(),
  };
  for (const [kind, list] of Object.entries(conversations)) {
    if (list.length === 0) {
      console.log(`\n${kind}: left out, IBID_SHARED has no clapnq-dev`);
      continue;
    }
    const turns = list.reduce((sum, turnsOf) => sum + turnsOf.length, 0);
    console.log(`\n${kind}: ${list.length} conversations, ${turns} questions`);
    for (const model of models) {
      for (const sourceTokens of [2000, 4000, 12_000]) {
        for (const layout of ['words', 'kept'] as const) {
          const use: Use = { requests: 0, input: 0, read: 0, written: 0, output: 0, usd: 0 };
          for (const [c, conversation] of list.entries()) {
            const history: HistoryTurn[] = [];
            for (const { question, hits } of conversation) {
              const answer = await collectAnswer(
                answerGrounded(
                  question,
                  hits,
                  { confidence: 'high', support: 1 },
                  serviceLanguageModel(messages, { model }),
                  {
                    history,
                    sourceTokens,
                    continues: layout === 'kept',
                    // a conversation begins without what another has left in the cache
                    instructions: `${defaultInstructions} (${kind} ${layout} ${sourceTokens} ${c})`,
                  },
                ),
              );
              count(use, answer.grounding!);
              history.push(
                { role: 'user', text: question, ...(layout === 'kept' ? { hits } : {}) },
                { role: 'assistant', text: answer.answer },
              );
            }
          }
          print(
            `${model.split('-')[1]!.padEnd(7)}${String(sourceTokens).padStart(6)} ${layout}`,
            use,
            model,
            results,
            kind,
          );
        }
      }
    }
  }
  console.log('\nan agent that searches six times, then answers');
  for (const model of models) {
    const use: Use = { requests: 0, input: 0, read: 0, written: 0, output: 0, usd: 0 };
    for (const dialogue of twiceOver.filter(hasSix)) {
      service.messages.model = toolUser({
        rounds: dialogue.slice(0, 6).map(({ alone }) => [{ name: 'search_index', input: { query: alone } }]),
        answer: extractiveAnswerer().model,
      });
      const tools = {
        search: async (query: string, options: { limit: number }) => (await index.search(query, options)).hits,
        read: async () => [],
      };
      const events = answerAsAgent(dialogue[0]!.question, tools, messages, { model, preset: 'deep-research' });
      count(use, (await collectAnswer(events)).grounding!);
    }
    print(`${model.split('-')[1]!.padEnd(7)}`, use, model, results, 'agent');
  }
} finally {
  await rm(temporary, { recursive: true, force: true });
}
if (flags.write) writeResults('grounded-cache', 'node bench/quality/grounded-cache.ts --write', results);

function count(
  use: Use,
  {
    usage,
    costUsd,
  }: {
    usage: { inputTokens: number; outputTokens: number; cacheReadTokens: number; cacheWriteTokens: number };
    costUsd: number;
  },
): void {
  use.requests += 1;
  use.input += usage.inputTokens;
  use.read += usage.cacheReadTokens;
  use.written += usage.cacheWriteTokens;
  use.output += usage.outputTokens;
  use.usd += costUsd;
}

function print(name: string, use: Use, model: string, into: Record<string, unknown>, kind: string): void {
  const price = wire.modelPrices[model]!;
  const without = (use.input * price.input + use.output * price.output) / 1e6;
  const hitRate = use.read / use.input;
  const perQuestion = use.usd / use.requests;
  into[`${kind}, ${name.trim().replace(/\s+/g, ' ')}`] = {
    ...use,
    hitRate,
    perQuestion,
    without: without / use.requests,
  };
  console.log(
    `${name.padEnd(20)}hit rate ${hitRate.toFixed(3)}  input ${String(Math.round(use.input / use.requests)).padStart(6)}  ` +
      `${perQuestion.toFixed(5)} USD a question  without ${(without / use.requests).toFixed(5)}`,
  );
}
