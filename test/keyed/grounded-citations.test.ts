import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, AnswerEvent } from '../../src/answer/contract.ts';
import { answerGrounded } from '../../src/answer/grounded/grounded.ts';
import type { Hit } from '../../src/core/types.ts';
import { groupCorpus, readBeirFolder } from '../../src/eval/beir.ts';
import { search } from '../../src/retrieve/search.ts';
import { openIndex } from '../../src/search-index/open-index.ts';
import { serviceLanguageModel } from '../../src/services/language-model.ts';
import { withoutHidden } from '../../src/text/hidden.ts';
import { createMessagesService, type MessagesService } from '../../src/wire/messages/index.ts';
import { copyIndex, demo } from '../support/made-index.ts';
import { memorySnapshot } from '../support/memory-snapshot.ts';
import { makeTempFolder } from '../support/temp.ts';
import type { CitationFault } from '../wire/service/messages/citation-faults.ts';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';
import type { AnswerCitation, StandIn } from '../wire/service/messages/model.ts';
import type { Source } from '../wire/service/messages/request.ts';
import { seededRandom } from '../wire/service/random.ts';
import { type Service, startService } from '../wire/service/service.ts';

const kinds: readonly CitationFault[] = [
  'invented',
  'altered',
  'stitched',
  'wrongSource',
  'outOfRange',
  'unknownSource',
  'reversed',
  'shifted',
  'overlapping',
  'doubled',
];

interface Question {
  readonly text: string;
  readonly hits: readonly Hit[];
}

interface Collection {
  readonly questions: readonly Question[];
  /** uri → the document's text. */
  readonly texts: ReadonlyMap<string, string>;
}

async function demoCollection(folder: string): Promise<Collection> {
  const datasets = join(import.meta.dirname, '../../datasets');
  await copyIndex(demo, join(folder, 'index'));
  await using index = await openIndex(join(folder, 'index'), { base: demo });
  const lines = (await readFile(join(datasets, 'demo-questions/questions.jsonl'), 'utf8')).trimEnd().split('\n');
  const questions: Question[] = [];
  for (const line of lines) {
    const text: string = JSON.parse(line).question;
    questions.push({ text, hits: (await index.search(text, { limit: 12 })).hits });
  }
  const texts = new Map<string, string>();
  for await (const { uri, text } of index.export()) texts.set(uri, (texts.get(uri) ?? '') + text);
  return { questions, texts };
}

const clapnq = join(process.env.IBID_SHARED ?? '../shared', 'data/clapnq-dev');
const hasClapnq = existsSync(clapnq);

async function clapnqCollection(): Promise<Collection> {
  const dataset = await readBeirFolder(clapnq);
  const documents = [];
  for await (const { id: uri, title, chunks } of groupCorpus(dataset)) documents.push({ uri, title, chunks });
  const snapshot = await memorySnapshot(documents);
  const questions: Question[] = [];
  for (const { text } of dataset.queries.slice(0, 120))
    questions.push({ text, hits: await search(snapshot, undefined, text, { limit: 12 }) });
  return {
    questions,
    texts: new Map(documents.map(({ uri, chunks }) => [uri, chunks.map(({ text }) => text).join('')])),
  };
}

const collections: [name: string, load: (folder: string) => Promise<Collection>][] = [
  ['the demo collection', demoCollection],
];
if (hasClapnq) collections.push(['clapnq', clapnqCollection]);

let service: Service;
let messages: MessagesService;
beforeAll(async () => {
  service = await startService({ only: ['messages'] });
  messages = createMessagesService({ apiKey: 'test-key', baseUrl: service.url });
});
afterAll(async () => {
  await messages.close();
  await service.close();
});

async function ask({ text, hits }: Question, standIn: StandIn, citations: boolean): Promise<Answer> {
  service.messages.model = standIn;
  const judged = { confidence: 'high', support: 1 } as const;
  const events: AnswerEvent[] = [];
  for await (const event of answerGrounded(text, hits, judged, serviceLanguageModel(messages, { citations })))
    events.push(event);
  const last = events.at(-1)!;
  if (last.type !== 'done') throw new Error('no answer');
  // what is streamed is the answer: its text, its citations before their numbers, what was left out
  const told = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
  expect(told).toBe(last.answer.answer);
  const cited = events.flatMap((event) => (event.type === 'citation' ? [event.citation] : []));
  expect(cited).toEqual(last.answer.citations);
  const dropped = events.flatMap((event) => (event.type === 'dropped' ? [event.why] : []));
  expect(dropped).toEqual(last.answer.grounding!.dropped);
  return last.answer;
}

/**
 * Every citation is where it says, letter for letter; every number in the text has its citation and the other way
 * round.
 */
function expectProven(answer: Answer, texts: ReadonlyMap<string, string>): void {
  for (const { uri, span, quote } of answer.citations) expect(texts.get(uri)!.slice(span.start, span.end)).toBe(quote);
  const marks = new Set([...answer.answer.matchAll(/\[(\d+)\]/g)].map(([, n]) => Number(n)));
  expect([...marks].sort((a, b) => a - b)).toEqual(answer.citations.map(({ n }) => n));
}

/** Whether the words stand where the citation points, by what the service was sent: the oracle. */
function isTrue(citation: AnswerCitation, sources: readonly Source[]): boolean {
  if (citation.type !== 'search_result_location') return false;
  const source = sources.find((one) => one.kind === 'search' && one.source === citation.source);
  if (source?.kind !== 'search') return false;
  const { start_block_index: start, end_block_index: end, cited_text: text } = citation;
  if (start < 0 || end <= start || end > source.blocks.length) return false;
  return source.blocks.slice(start, end).join('').trim() === text.trim();
}

/** As a model is shown it: without hidden characters, on one line. */
const flat = (text: string): string => withoutHidden(text).replace(/\s+/g, ' ').trim();

describe.each(collections)(
  `citations over ${hasClapnq ? '' : '(clapnq skipped: set IBID_SHARED) '}%s`,
  (_name, load) => {
    const folder = makeTempFolder();
    let collection: Collection;
    beforeAll(async () => {
      collection = await load(folder);
    }, 120_000);

    it('keeps every true one and none of the planted false ones', async () => {
      const seen = new Map<string, number>();
      let kept = 0;
      let dropped = 0;
      for (const [i, question] of collection.questions.entries()) {
        const options = { sentences: 4, plantRandomly: { probability: 0.7, seed: i, kinds } };
        const answerer = extractiveAnswerer(options);
        const answer = await ask(question, answerer.model, true);
        const { sources } = service.messages.received.at(-1)!;
        const places = new Map<string, string>();
        let wrong = 0;
        for (const { kind, verdict, citations } of answerer.planted) {
          seen.set(kind, (seen.get(kind) ?? 0) + 1);
          for (const citation of citations) {
            const right = isTrue(citation, sources);
            if (verdict !== 'misplaced') expect(right).toBe(verdict === 'true'); // the stand-in and the oracle agree
            if (!right) wrong += 1;
            else if (citation.type === 'search_result_location') {
              const { source, start_block_index: start, end_block_index: end, cited_text: text } = citation;
              places.set(`${source} ${start} ${end}`, flat(text));
            }
          }
        }
        expect(answer.citations.map(({ quote }) => flat(quote)).sort()).toEqual([...places.values()].sort());
        expect(answer.grounding!.dropped).toHaveLength(wrong);
        expectProven(answer, collection.texts);
        kept += places.size;
        dropped += wrong;
        // asked again, the same answer: nothing depends on how the stream is cut
        const again = await ask(question, extractiveAnswerer(options).model, true);
        expect({ ...again, grounding: undefined }).toEqual({ ...answer, grounding: undefined });
      }
      // every way of going wrong was met, often
      expect([...seen.keys()].sort()).toEqual([...kinds, 'true'].sort());
      for (const kind of kinds) expect(seen.get(kind)!, kind).toBeGreaterThanOrEqual(5);
      expect(kept).toBeGreaterThan(collection.questions.length);
      expect(dropped).toBeGreaterThan(collection.questions.length);
    }, 120_000);

    it('does the same with marks, where the model cannot cite', async () => {
      let wrong = 0;
      for (const [i, question] of collection.questions.entries()) {
        const planted: Marked[] = [];
        const answer = await ask(question, marker(i, planted), false);
        const quotes = new Set(planted.flatMap(({ mark, quote }) => (quote === undefined ? [] : [`${mark} ${quote}`])));
        expect(answer.citations.map(({ quote }) => flat(quote)).sort()).toEqual(
          [...quotes].map((one) => flat(one.slice(one.indexOf('] ') + 2))).sort(),
        );
        const bad = planted.filter(({ quote }) => quote === undefined).length;
        expect(answer.grounding!.dropped).toHaveLength(bad);
        expect(answer.answer).not.toMatch(/\[\s*s\d/);
        expectProven(answer, collection.texts);
        wrong += bad;
      }
      expect(wrong).toBeGreaterThan(collection.questions.length / 2);
    }, 120_000);
  },
);

interface Marked {
  readonly mark: string;
  /** The passage the mark points at; undefined for one that points nowhere. */
  readonly quote: string | undefined;
}

/** Repeats passages of the sources it reads in the question, each with its mark or one that points nowhere. */
function marker(seed: number, planted: Marked[]): StandIn {
  const random = seededRandom(seed);
  return ({ question }) => {
    const passages = [...question.matchAll(/^\[(s\d+)\.(\d+)\] (.+)$/gm)].map(([, source, n, text]) => ({
      source: source!,
      n: Number(n),
      text: text!,
    }));
    const sentences: string[] = [];
    for (let i = 0; i < 4 && passages.length > 0; i++) {
      const { source, n, text } = passages[Math.floor(random() * passages.length)]!;
      const next = passages.find((other) => other.source === source && other.n === n + 1);
      const made: Marked[] = [
        { mark: `[${source}.${n}]`, quote: text },
        ...(next ? [{ mark: `[${source}.${n}-${n + 1}]`, quote: `${text} ${next.text}` }] : []),
        { mark: '[s999.1]', quote: undefined },
        { mark: `[${source}.9999]`, quote: undefined },
        { mark: `[${source}.${n + 1}-${n}]`, quote: undefined },
        { mark: `[${source}.0]`, quote: undefined },
        { mark: `[${source}]`, quote: undefined },
      ];
      const chosen = made[Math.floor(random() * made.length)]!;
      planted.push(chosen);
      sentences.push(`Claim ${i} says so ${chosen.mark}.`);
    }
    return { content: [{ type: 'text', text: sentences.join(' ') }] };
  };
}
