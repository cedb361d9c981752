import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  type Answer,
  type AnswerEvent,
  type AskOptions,
  fileRunJournal,
  Meter,
  type RunJournal,
  type SearchIndex,
} from '../../src/index.ts';
import { createSearchService } from '../../src/wire/search/index.ts';
import { copyIndex, demo } from '../support/made-index.ts';
import { makeTempFolder } from '../support/temp.ts';
import type { SearchScript } from '../wire/service/search/script.ts';
import type { Service } from '../wire/service/service.ts';
import { keyed } from './support.ts';

const question = 'Above which wave height does the Kittiwake stay in harbour?';
const webQuestion = 'How tall is the Harbour Tower?';
const folder = makeTempFolder();

beforeAll(async () => {
  await copyIndex(demo, join(folder, 'index'));
}, 120_000);

interface Made {
  readonly index: SearchIndex;
  readonly service: Service;
  readonly script: SearchScript;
  journal(): RunJournal;
  readonly path: string;
}

let made = 0;

/** The demo's index, with a search service that is given up after so many ms of silence. */
async function open(idleMs = 90_000): Promise<Made> {
  const { service, open: openIndex } = await keyed();
  const search = createSearchService({
    apiKey: 'test-search-key',
    baseUrl: service.url,
    timeouts: { idleMs },
    maxRetries: 0,
  });
  onTestFinished(() => search.close());
  const index = await openIndex(join(folder, 'index'), { base: demo, services: { search } });
  const path = join(folder, `run-${made++}.jsonl`);
  return { index, service, script: service.search.script, journal: () => fileRunJournal(path), path };
}

interface Told {
  readonly answer: Answer;
  readonly events: readonly AnswerEvent[];
}

async function told(events: AsyncIterable<AnswerEvent>): Promise<Told> {
  const all = await Array.fromAsync(events);
  const last = all.at(-1)!;
  if (last.type !== 'done') throw new Error('the last event is not done');
  expect(all.map((event) => (event.type === 'text' ? event.text : '')).join('')).toBe(last.answer.answer);
  return { answer: last.answer, events: all };
}

const posts = ({ requests }: Service, path = '/v1/responses') =>
  requests.filter((request) => request.method === 'POST' && request.path === path);
const ofRun = /^\/v1\/responses\/resp_\d+$/;
const isStream = ({ query, path }: { query: URLSearchParams; path: string }): boolean =>
  ofRun.test(path) && query.get('stream') === 'true';
const isPoll = ({ method, query, path }: { method: string; query: URLSearchParams; path: string }): boolean =>
  method === 'GET' && ofRun.test(path) && query.get('stream') === null;

const research = { mode: 'research', preset: 'fast-search', pollMs: 2 } as const;
const deep = { mode: 'answer', model: 'answer-deep-research', pollMs: 2 } as const;

/** Begins a run, and leaves it as soon as an event fits. */
async function leave(
  index: SearchIndex,
  options: AskOptions,
  when: (event: AnswerEvent) => boolean = ({ type }) => type === 'started',
): Promise<void> {
  const abort = new AbortController();
  const events = index.ask(options.mode === 'answer' ? webQuestion : question, { ...options, signal: abort.signal });
  await expect(
    (async () => {
      for await (const event of events) if (when(event)) abort.abort(new Error('enough'));
    })(),
  ).rejects.toThrow('enough');
}

describe('research that takes long', () => {
  it('does not die of silence: where no event comes, it is looked at until it is over, and costs what the books say', async () => {
    const { index, service } = await open(60);
    service.script({ match: isStream, fault: { kind: 'stall', afterEvents: 3 } });
    service.script({ match: isStream, fault: { kind: 'stall', afterEvents: 0 }, times: Infinity });
    const meter = new Meter(5);
    const { answer } = await told(index.ask(question, { ...research, preset: 'deep-research', budget: meter }));
    expect(answer.grounding).toMatchObject({ stop: 'end' });
    expect(answer.citations.map(({ quote }) => quote).join()).toContain('1.2 metres');
    expect(service.requests.filter(isPoll).length).toBeGreaterThan(0);
    expect(posts(service).map(({ body }) => (body as { background?: boolean }).background)).toEqual([true, true]);
    expect(answer.grounding!.costUsd).toBeCloseTo(service.ledger.totals().usd, 9);
    expect(meter.spentUsd).toBeCloseTo(service.ledger.totals().usd, 8);
  });

  it('goes on at the event where its stream was cut, and says no word twice', async () => {
    const { index, service, script } = await open();
    script.research = { text: `${'The tide turns at noon and the boats go out. '.repeat(40)}[1]` };
    const whole = await told(index.ask(question, research));
    service.clear();
    service.script({ match: isStream, fault: { kind: 'cut', afterEvents: 40 }, skip: 1 });
    const cut = await told(index.ask(question, research));
    expect(cut.answer.answer).toBe(whole.answer.answer);
    expect(cut.answer.grounding).toMatchObject({ stop: 'end' });
    const resumed = service.requests.filter(({ query }) => query.get('starting_after') !== null);
    expect(resumed.map(({ query }) => Number(query.get('starting_after')) > 0)).toEqual([true]);
  });

  it('bears looks that fail for a time', async () => {
    const { index, service, script } = await open();
    script.research = { expiredCursor: true, polls: 1 };
    service.script({ match: isPoll, fault: { kind: 'status', status: 500 }, times: 5 });
    service.script({ match: isPoll, fault: { kind: 'reset' }, times: 2 });
    const { answer, events } = await told(index.ask(question, research));
    expect(answer.citations.length).toBeGreaterThan(0);
    expect(events.filter((event) => event.type === 'waiting' && event.status === 'unknown')).toHaveLength(7);
    expect(posts(service)).toHaveLength(2);
  });

  it('that the service forgets is an error, and counts as paid', async () => {
    const { index, service, journal } = await open();
    service.script({ match: { path: ofRun }, fault: { kind: 'status', status: 404 }, times: Infinity });
    const meter = new Meter(5);
    await expect(index.ask(question, { ...research, budget: meter, journal: journal() })).rejects.toMatchObject({
      code: 'REMOTE_NOT_FOUND',
    });
    expect(meter.spentUsd).toBeGreaterThan(0.05);
    expect((await journal().read()).at(-1)).toEqual({ type: 'done' });
  });

  it('that fails after it was billed costs what the service says', async () => {
    const { index, service, script, journal } = await open();
    script.research = { expiredCursor: true, polls: 0 };
    const failed = (body: unknown) => ({
      ...(body as object),
      status: 'failed',
      output: [],
      error: { message: 'upstream gave up' },
      usage: { input_tokens: 10, output_tokens: 2, cost: { total_cost: 0.0123 } },
    });
    service.script({ match: isPoll, fault: { kind: 'json', edit: failed } });
    const meter = new Meter(5);
    const asked = index.ask(question, { ...research, budget: meter, journal: journal() });
    await expect(asked).rejects.toMatchObject({ code: 'RUN_FAILED', message: expect.stringContaining('gave up') });
    expect(meter.spentUsd).toBeCloseTo(0.0123, 9);
    // what has failed is not asked again by itself
    service.clear();
    await expect(index.resume(journal())).rejects.toMatchObject({ code: 'RUN_FAILED' });
    expect(service.requests).toEqual([]);
  });

  it('is not sent where its price is over the budget', async () => {
    const { index, service } = await open();
    await expect(index.ask(question, { ...research, budget: 0.01 })).rejects.toMatchObject({
      code: 'BUDGET_EXCEEDED',
    });
    expect(service.requests).toEqual([]);
  });
});

describe('a deep answer', () => {
  it('is queued, waited for and booked as the service bills it', async () => {
    const { index, service, script } = await open();
    script.answer = { polls: 3 };
    service.script({ match: { method: 'GET' }, fault: { kind: 'status', status: 503 } });
    const meter = new Meter(2);
    const { answer, events } = await told(index.ask(webQuestion, { ...deep, budget: meter }));
    expect(events.filter(({ type }) => type === 'waiting').length).toBeGreaterThanOrEqual(3);
    expect(answer.answer).toContain('330');
    expect(answer.answer).not.toContain('compared');
    expect(events.some((event) => event.type === 'thinking' && event.text.includes('compared'))).toBe(true);
    expect(answer.grounding!.links!.length).toBeGreaterThan(0);
    expect(posts(service, '/async/chat/completions')).toHaveLength(1);
    expect(answer.grounding!.costUsd).toBeCloseTo(service.ledger.totals().usd, 9);
    expect(meter.spentUsd).toBeCloseTo(service.ledger.totals().usd, 8);
  });

  it('whose request is lost is asked for again under its key, and billed once', async () => {
    const { index, service, journal } = await open();
    service.script({ match: { path: '/async/chat/completions' }, fault: { kind: 'reset' } });
    const meter = new Meter(5);
    await expect(index.ask(webQuestion, { ...deep, journal: journal(), budget: meter })).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
    });
    expect(meter.spentUsd).toBe(1.3); // it may have been billed, up to this
    const second = new Meter(5);
    const { answer } = await told(index.resume(journal(), { budget: second, pollMs: 2 }));
    expect(posts(service, '/async/chat/completions')).toHaveLength(2);
    expect(service.ledger.totals().requests).toBe(1);
    expect(answer.grounding!.costUsd).toBeCloseTo(service.ledger.totals().usd, 9);
    expect(second.spentUsd).toBeCloseTo(service.ledger.totals().usd, 8);
  });

  it('that fails says why; a retired operation costs nothing', async () => {
    const { index, script } = await open();
    script.answer = { asyncFailure: 'out of luck' };
    const meter = new Meter(2);
    await expect(index.ask(webQuestion, { ...deep, budget: meter })).rejects.toMatchObject({
      code: 'RUN_FAILED',
      message: expect.stringContaining('out of luck'),
    });
    expect(meter.spentUsd).toBe(1.3);
    script.answer = { retired: true };
    const other = new Meter(2);
    await expect(index.ask(webQuestion, { ...deep, budget: other })).rejects.toMatchObject({
      code: 'OPERATION_RETIRED',
    });
    expect(other.spentUsd).toBe(0);
  });

  it('of a model that answers at once is not left to itself', async () => {
    const { index, journal } = await open();
    await expect(index.ask(webQuestion, { mode: 'answer', wait: false, journal: journal() })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });
});

describe('a run that was left', () => {
  it.each([
    ['at its beginning', 1],
    ['between its requests', 2],
  ])('%s is resumed by its journal, answers as if nothing had happened, and is billed once', async (_, starts) => {
    const { index, service, journal } = await open();
    const whole = await told(index.ask(question, research));
    const books = service.ledger.totals();
    service.clear();
    service.ledger.clear();
    let seen = 0;
    await leave(index, { ...research, journal: journal() }, ({ type }) => type === 'started' && ++seen === starts);
    expect(service.requests.some(({ path }) => path.endsWith('/cancel'))).toBe(false);
    const meter = new Meter(5);
    const { answer } = await told(index.resume(journal(), { budget: meter, pollMs: 2 }));
    expect(answer.answer).toBe(whole.answer.answer);
    expect(answer.citations).toEqual(whole.answer.citations);
    expect(answer.grounding!.usage).toEqual(whole.answer.grounding!.usage);
    expect(service.ledger.totals()).toEqual(books);
    expect(answer.grounding!.costUsd).toBeCloseTo(books.usd, 9);
    expect(meter.spentUsd).toBeCloseTo(books.usd, 8);
  });

  it('goes on with the prompt, the language and the notes it began with', async () => {
    const { index, service, journal } = await open();
    const own = { instructions: 'Write for sailors.', language: 'de', metadata: { team: 'ops' } };
    await leave(index, { ...research, ...own, journal: journal() }, ({ type }) => type === 'started');
    await told(index.resume(journal(), { pollMs: 2 }));
    const bodies = posts(service).map(({ body }) => body as Record<string, unknown>);
    expect(bodies.length).toBeGreaterThan(1);
    for (const { instructions, language_preference, metadata } of bodies)
      expect({ instructions, language: language_preference, metadata }).toEqual(own);
  });

  it('begins no journal with words that no service takes', async () => {
    const { index, journal } = await open();
    const many = Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, 'v']));
    for (const own of [{ metadata: many }, { language: 'german' }, { metadata: { n: 1 as unknown as string } }])
      await expect(index.ask(question, { ...research, ...own, journal: journal() })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
    expect(await journal().read()).toEqual([]);
  });

  it('is booked once on a meter that has it already', async () => {
    const { index, service, journal } = await open();
    const meter = new Meter(5);
    await leave(index, { ...research, web: false, journal: journal(), budget: meter });
    const worst = meter.spentUsd;
    expect(worst).toBeGreaterThan(0.05);
    await told(index.resume(journal(), { budget: meter, pollMs: 2 }));
    const [first, second] = service.ledger.entries;
    expect(meter.spentUsd).toBeCloseTo(worst + second!.usd, 8);
    expect(first!.usd).toBeLessThan(worst);
  });

  it('without a journal is ended at the service', async () => {
    const { index, service, script } = await open();
    script.research = { polls: 1000 };
    await leave(index, research);
    expect(service.requests.some(({ path }) => path.endsWith('/cancel'))).toBe(true);
  });

  it('whose request was never answered is sent again, and what it may have cost is counted', async () => {
    const { index, service, journal } = await open();
    service.script({ match: { path: '/v1/responses' }, fault: { kind: 'reset' } });
    await expect(index.ask(question, { ...research, journal: journal() })).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
    });
    const lost = (await journal().read()).flatMap((entry) => (entry.type === 'sending' ? [Number(entry.usd)] : []))[0]!;
    const [first] = service.ledger.entries;
    const meter = new Meter(5);
    const { answer } = await told(index.resume(journal(), { budget: meter, pollMs: 2 }));
    const known = service.ledger.totals().usd - first!.usd;
    expect(answer.grounding!.costUsd).toBeCloseTo(known + lost, 9);
    expect(meter.spentUsd).toBeCloseTo(known + lost, 8);
  });

  it('and is done gives its answer again for nothing', async () => {
    const { index, service, journal } = await open();
    const first = await told(index.ask(question, { ...research, journal: journal() }));
    service.clear();
    const again = await told(index.resume(journal()));
    const { report: _, ...whole } = first.answer; // nothing is searched for it
    expect(again.answer).toEqual(whole);
    expect(service.requests).toEqual([]);
  });

  it('is fetched by one process at a time', async () => {
    const { index, service, script, journal, path } = await open();
    script.research = { expiredCursor: true, polls: 4 };
    await leave(index, { ...research, journal: journal() });
    const first = told(index.resume(journal(), { pollMs: 20 }));
    while (!existsSync(`${path}.lock`) || readdirSync(`${path}.lock`).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 2));
    await expect(index.resume(journal())).rejects.toMatchObject({
      code: 'NOT_READY',
      message: expect.stringMatching(/^process \d+ waits for this run already$/),
    });
    const { answer } = await first;
    expect(posts(service)).toHaveLength(2);
    expect((await told(index.resume(journal()))).answer.answer).toBe(answer.answer);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('keeps to the budget of its question', async () => {
    const { index, journal } = await open();
    await leave(index, { ...research, journal: journal(), budget: 0.2 });
    // the first request may cost 0.19 USD, and was billed less; the second may cost as much again
    const { answer } = await told(index.resume(journal(), { pollMs: 2 }));
    expect(answer.grounding!.stop).toMatch(/^(?:end|budget)$/);
    expect(answer.grounding!.costUsd).toBeLessThan(0.2);
  });

  it('does not wait where nobody wants to, step by step', async () => {
    const { index, service, script, journal } = await open();
    script.research = { expiredCursor: true, polls: 0 };
    const later = { ...research, journal: journal(), wait: false };
    await expect(index.ask(question, later)).rejects.toMatchObject({ code: 'NOT_READY' });
    expect(posts(service)).toHaveLength(1);
    await expect(index.ask(question, { ...research, wait: false })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    const { answer } = await told(index.resume(journal(), { pollMs: 2 }));
    expect(answer.citations.length).toBeGreaterThan(0);
  });

  it('is another one after a fallback to another mode, in the same journal', async () => {
    const { index, service, journal } = await open();
    service.script({ match: { path: '/v1/responses' }, fault: { kind: 'status', status: 402 } });
    const options = { journal: journal(), pollMs: 2 };
    const asked = { ...research, ...options, fallback: [{ ...deep, ...options }] };
    const { answer } = await told(index.ask(webQuestion, asked));
    expect(answer).toMatchObject({ mode: 'answer', skipped: [{ mode: 'research', code: 'BILLING' }] });
    service.clear();
    expect((await told(index.resume(journal()))).answer.answer).toBe(answer.answer);
    expect(service.requests).toEqual([]);
  });

  it('that ran out of money goes on with more', async () => {
    const { index, service, journal } = await open();
    const options = { ...research, web: false } as const;
    const tried = new Meter();
    await leave(index, { ...options, budget: tried }); // booked with the most it may cost
    service.ledger.clear();
    const budget = tried.spentUsd + 1e-6;
    const { answer } = await told(index.ask(question, { ...options, journal: journal(), budget }));
    expect(answer.grounding!.stop).toBe('budget');
    expect(answer.abstained).toBe(true);
    const more = await told(index.resume(journal(), { budget: 1, pollMs: 2 }));
    expect(more.answer).toMatchObject({ abstained: false, grounding: { stop: 'end' } });
    expect(service.ledger.totals('responses').requests).toBe(2);
  });

  it('belongs to its question', async () => {
    const { index, journal } = await open();
    await leave(index, { ...research, journal: journal() });
    await expect(index.ask('Another one?', { ...research, journal: journal() })).rejects.toThrow('another question');
    await expect(index.resume(fileRunJournal(join(folder, 'none.jsonl')))).rejects.toThrow('holds no run');
  });

  it('keeps no key in its journal', async () => {
    const { index, journal, path } = await open();
    await told(index.ask(question, { ...research, journal: journal() }));
    expect(readFileSync(path, 'utf8')).not.toContain('test-search-key');
  });
});
