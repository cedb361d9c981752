import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type AskBatchOptions,
  type BatchEvent,
  type BatchJournal,
  type BatchQuestion,
  fileJournal,
  Meter,
  type SearchIndex,
} from '../../src/index.ts';
import type { BatchResult } from '../../src/wire/messages/index.ts';
import { copyIndex, demo } from '../support/made-index.ts';
import { makeTempFolder, tempFolder } from '../support/temp.ts';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';
import type { MessagesOptions } from '../wire/service/messages/options.ts';
import { type Keyed, keyed } from './support.ts';

const questions: readonly BatchQuestion[] = [
  { id: 'waves', question: 'Above which wave height does the Kittiwake stay in harbour?' },
  { id: 'foreign', question: 'Who won the football world cup in 1998?' },
  { id: 'boat', question: 'What does the Kittiwake carry?' },
];

describe('many questions through the batch operation', () => {
  const folder = makeTempFolder();

  beforeAll(async () => {
    await copyIndex(demo, join(folder, 'index'));
  }, 60_000);

  async function demoIndex(messages: MessagesOptions = {}): Promise<Keyed & { readonly index: SearchIndex }> {
    const made = await keyed({ messages: { model: extractiveAnswerer().model, ...messages } });
    return { ...made, index: await made.open(join(folder, 'index'), { base: demo }) };
  }

  const run = async (index: SearchIndex, options: AskBatchOptions = {}, asked = questions): Promise<BatchEvent[]> =>
    await Array.fromAsync(index.askBatch(asked, { pollMs: 5, ...options }));
  /** Loses the entry that says which batch was made. */
  const crashing = (journal: BatchJournal): BatchJournal => ({
    read: () => journal.read(),
    append: async (entries) => {
      if (entries[0]?.type === 'created') throw new Error('crash');
      await journal.append(entries);
    },
  });
  const summaryOf = (events: readonly BatchEvent[]) => {
    const last = events.at(-1)!;
    if (last.type !== 'done') throw new Error('the last event is not done');
    return last.summary;
  };
  const answersOf = (events: readonly BatchEvent[]) =>
    new Map(events.flatMap((event) => (event.type === 'answer' ? [[event.id, event.answer]] : [])));

  it('answers as grounded does, at half the price, refuses without sending, and says the price before', async () => {
    const { index, service } = await demoIndex();
    const meter = new Meter(1);
    const events = await run(index, { budget: meter });
    const answers = answersOf(events);
    expect([...answers.keys()].sort()).toEqual(['boat', 'foreign', 'waves']);
    expect(answers.get('foreign')).toMatchObject({ abstained: true, citations: [] });
    const { requests } = service.messages.batches.all[0]!;
    expect(requests).toHaveLength(2);
    const planned = events.find(({ type }) => type === 'planned');
    expect(planned).toMatchObject({ questions: 3, known: 0, refused: 1, requests: 2 });
    const books = service.ledger.totals();
    const summary = summaryOf(events);
    expect(summary).toMatchObject({ questions: 3, answered: 3, refused: 1, failed: 0, pending: 0 });
    expect(summary.costUsd).toBeCloseTo(books.usd, 9);
    expect(meter.spentUsd).toBeCloseTo(books.usd, 8);
    expect(planned?.type === 'planned' && planned.maxUsd).toBeGreaterThanOrEqual(books.usd);
    service.ledger.clear();
    for (const { id, question } of questions.filter(({ id }) => id !== 'foreign')) {
      const single = await index.ask(question, { mode: 'grounded' });
      const batched = answers.get(id)!;
      expect(batched.answer).toBe(single.answer);
      expect(batched.citations).toEqual(single.citations);
      expect(batched.grounding!.unsupported).toEqual(single.grounding!.unsupported);
    }
  });

  it('verifies citations like everywhere: planted false ones are dropped and counted', async () => {
    const answerer = extractiveAnswerer({ plant: ['invented', 'true', 'shifted'] });
    const { index } = await demoIndex({ model: answerer.model });
    const answers = answersOf(await run(index));
    const dropped = [...answers.values()].flatMap(({ grounding }) => grounding?.dropped ?? []);
    expect(dropped.length).toBe(answerer.planted.filter(({ verdict }) => verdict !== 'true').length);
    expect(dropped.length).toBeGreaterThan(0);
    for (const { citations } of answers.values()) expect(citations.every(({ verified }) => verified)).toBe(true);
  });

  it('goes on by the journal: a second run sends nothing, pays nothing, and gives the same answers', async () => {
    const { index, service } = await demoIndex();
    const journal = fileJournal(join(tempFolder(), 'run.journal'));
    const first = await run(index, { journal });
    service.ledger.clear();
    const second = await run(index, { journal, budget: new Meter(0) });
    expect(service.ledger.entries).toEqual([]);
    expect(service.messages.batches.all).toHaveLength(1);
    expect(second.find(({ type }) => type === 'planned')).toMatchObject({ known: 2, requests: 0, maxUsd: 0 });
    for (const [id, answer] of answersOf(first)) expect(answersOf(second).get(id)!.answer).toBe(answer.answer);
  });

  it.each(['creating', 'created', 'request'] as const)(
    'a crash right after "%s" was written loses nothing and pays for nothing twice',
    async (step) => {
      const { index, service } = await demoIndex();
      const kept = fileJournal(join(tempFolder(), 'run.journal'));
      const crashing: BatchJournal = {
        read: () => kept.read(),
        append: async (entries) => {
          if (step === 'request' && entries.length > 1) {
            await kept.append(entries.slice(0, 1)); // the append itself is cut
            throw new Error('crash');
          }
          if (step === 'creating' && entries[0]?.type === 'created') throw new Error('crash'); // the id is lost
          await kept.append(entries);
          if (step === 'created' && entries[0]?.type === 'created') throw new Error('crash');
        },
      };
      await expect(run(index, { journal: crashing })).rejects.toThrow('crash');
      const events = await run(index, { journal: kept });
      expect(summaryOf(events)).toMatchObject({ answered: 3, failed: 0, pending: 0 });
      expect(service.messages.batches.all).toHaveLength(1);
      const paid = service.ledger.timesPaid();
      expect([...paid.values()]).toEqual([1, 1]);
    },
  );

  it("finds its own batch among others of the same size, and is not fooled by a stranger's", async () => {
    const { index, service, services } = await demoIndex();
    const journal = fileJournal(join(tempFolder(), 'run.journal'));
    const stranger = (id: string) => ({
      custom_id: id,
      params: { model: 'assistant-small-4-5', max_tokens: 5, messages: [{ role: 'user' as const, content: 'hello' }] },
    });
    await services.messages.batches.create([stranger('a'), stranger('b')]);
    await expect(run(index, { journal: crashing(journal) })).rejects.toThrow('crash');
    await services.messages.batches.create([stranger('c'), stranger('d')]);
    await expect(run(index, { journal, wait: false })).rejects.toMatchObject({ code: 'NOT_READY' });
    expect(summaryOf(await run(index, { journal }))).toMatchObject({ answered: 3, pending: 0 });
    expect(service.messages.batches.all).toHaveLength(3);
  });

  it("is not held up by a stranger's batch whose results are gone", async () => {
    const { index, service, services } = await demoIndex();
    const journal = fileJournal(join(tempFolder(), 'run.journal'));
    await expect(run(index, { journal: crashing(journal) })).rejects.toThrow('crash');
    const params = { model: 'assistant-small-4-5', max_tokens: 5, messages: [{ role: 'user' as const, content: 'x' }] };
    const stranger = await services.messages.batches.create([
      { custom_id: 'c', params },
      { custom_id: 'd', params },
    ]);
    await services.messages.batches.wait(stranger.id, { pollMs: 5 });
    service.messages.batches.archive(stranger.id);
    expect(summaryOf(await run(index, { journal }))).toMatchObject({ answered: 3, pending: 0 });
    expect(service.messages.batches.all).toHaveLength(2);
  });

  it('without waiting tells what is pending, and hands it out later', async () => {
    const { index, service } = await demoIndex({ batches: { pollsUntilEnd: 3 } });
    const journal = fileJournal(join(tempFolder(), 'run.journal'));
    const first = summaryOf(await run(index, { journal, wait: false }));
    expect(first).toMatchObject({ answered: 1, pending: 2, costUsd: 0 });
    expect(summaryOf(await run(index, { journal, wait: false }))).toMatchObject({ pending: 2 });
    expect(summaryOf(await run(index, { journal, wait: false }))).toMatchObject({ answered: 3, pending: 0 });
    expect(service.messages.batches.all).toHaveLength(1);
  });

  it('reports what expired or errored, and asks only that again', async () => {
    let spoil = true;
    const { index, service } = await demoIndex({
      batches: { outcome: (id) => (spoil && id.endsWith('-0') ? 'expired' : undefined) },
    });
    const journal = fileJournal(join(tempFolder(), 'run.journal'));
    const events = await run(index, { journal });
    expect(events.filter(({ type }) => type === 'failed')).toEqual([
      { type: 'failed', id: expect.any(String), code: 'RUN_FAILED', message: expect.stringContaining('expired') },
    ]);
    expect(summaryOf(events)).toMatchObject({ answered: 2, failed: 1 });
    spoil = false;
    const again = await run(index, { journal });
    expect(summaryOf(again)).toMatchObject({ answered: 3, failed: 0 });
    expect(service.messages.batches.all.map(({ requests }) => requests.length)).toEqual([1, 2]);
    expect([...service.ledger.timesPaid().values()]).toEqual([1, 1]);
  });

  it('tells of a question that the results leave out, once, and has its answer when they are whole', async () => {
    const { index, service, services } = await demoIndex();
    const journal = fileJournal(join(tempFolder(), 'run.journal'));
    const { batches } = services.messages;
    const whole = batches.results.bind(batches);
    const results = vi.spyOn(batches, 'results').mockImplementation((id, options) => {
      const first = async function* (): AsyncGenerator<BatchResult> {
        for await (const result of whole(id, options)) {
          yield* [result, result]; // and the other one twice
          return;
        }
      };
      return first() as unknown as ReturnType<typeof whole>;
    });
    const events = await run(index, { journal });
    expect(summaryOf(events)).toMatchObject({ questions: 3, answered: 2, failed: 1, pending: 0 });
    expect(events.filter(({ type }) => type === 'failed')).toEqual([
      { type: 'failed', id: expect.any(String), code: 'RESPONSE_INVALID', message: expect.stringContaining('no line') },
    ]);
    results.mockRestore();
    expect(summaryOf(await run(index, { journal }))).toMatchObject({ answered: 3, failed: 0 });
    expect([...service.ledger.timesPaid().values()]).toEqual([1, 1]);
  });

  it('loses no other answer to a result that is none, and does not pay for its question again', async () => {
    const { index, service, services } = await demoIndex();
    const journal = fileJournal(join(tempFolder(), 'run.journal'));
    const { batches } = services.messages;
    const whole = batches.results.bind(batches);
    const results = vi.spyOn(batches, 'results').mockImplementation((id, options) => {
      const spoilt = async function* (): AsyncGenerator<unknown> {
        let isFirst = true;
        for await (const { custom_id, result } of whole(id, options)) {
          yield { custom_id, result: isFirst ? { type: 'succeeded', message: {} } : result };
          isFirst = false;
        }
      };
      return spoilt() as unknown as ReturnType<typeof whole>;
    });
    const events = await run(index, { journal });
    expect(summaryOf(events)).toMatchObject({ answered: 2, failed: 1 });
    expect(events.find(({ type }) => type === 'failed')).toMatchObject({ code: 'RESPONSE_INVALID' });
    results.mockRestore();
    expect(summaryOf(await run(index, { journal }))).toMatchObject({ answered: 3 });
    expect([...service.ledger.timesPaid().values()]).toEqual([1, 1]);
  });

  it('is not run twice at the same time by one journal: two would send and pay twice', async () => {
    const { index, service } = await demoIndex();
    const path = join(tempFolder(), 'run.journal');
    const both = await Promise.allSettled([1, 2].map(() => run(index, { journal: fileJournal(path) })));
    const refused = both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toEqual(refused.map(() => expect.objectContaining({ code: 'NOT_READY' })));
    expect([...service.ledger.timesPaid().values()].every((times) => times === 1)).toBe(true);
    expect(summaryOf(await run(index, { journal: fileJournal(path) }))).toMatchObject({ answered: 3 });
    expect(service.messages.batches.all).toHaveLength(1);
  });

  it('does not ask again what was answered under other options, and has the answers once they are the same', async () => {
    const { index, service } = await demoIndex();
    const journal = fileJournal(join(tempFolder(), 'run.journal'));
    const first = await run(index, { journal, maxTokens: 500 });
    service.ledger.clear();
    const other = await run(index, { journal, maxTokens: 400 });
    expect(summaryOf(other)).toMatchObject({ failed: 2 });
    expect(other.find(({ type }) => type === 'failed')).toMatchObject({
      message: expect.stringMatching(/other options/),
    });
    const again = await run(index, { journal, maxTokens: 500 });
    expect(answersOf(again)).toEqual(answersOf(first));
    expect(service.ledger.entries).toEqual([]);
  });

  it('asks again what the service refused to take, without looking for a batch that cannot be', async () => {
    const { index, service } = await demoIndex();
    const journal = fileJournal(join(tempFolder(), 'run.journal'));
    service.script({ match: { method: 'POST', path: '/v1/messages/batches' }, fault: { kind: 'status', status: 402 } });
    const meter = new Meter(1);
    await expect(run(index, { journal, budget: meter })).rejects.toMatchObject({ code: 'BILLING' });
    expect(meter.spentUsd).toBe(0); // nothing was made that could be billed
    expect(meter.leftUsd).toBe(1);
    const before = service.requests.length;
    expect(summaryOf(await run(index, { journal }))).toMatchObject({ answered: 3 });
    expect(
      service.requests.slice(before).some(({ method, path }) => method === 'GET' && path === '/v1/messages/batches'),
    ).toBe(false);
  });

  it('after an answer that never came it looks before it sends again', async () => {
    const { index, service } = await demoIndex();
    const journal = fileJournal(join(tempFolder(), 'run.journal'));
    service.script({ match: { method: 'POST', path: '/v1/messages/batches' }, fault: { kind: 'reset' } });
    const meter = new Meter(1);
    await expect(run(index, { journal, budget: meter })).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(service.messages.batches.all).toHaveLength(1); // it was made all the same
    expect(meter.spentUsd).toBeGreaterThan(0);
    expect(summaryOf(await run(index, { journal }))).toMatchObject({ answered: 3 });
    expect(service.messages.batches.all).toHaveLength(1);
  });

  it('a budget that does not cover the worst case stops before anything is sent', async () => {
    const { index, service } = await demoIndex();
    await expect(run(index, { budget: new Meter(0.001) })).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
    expect(service.requests).toEqual([]);
  });

  it('refuses questions it could not tell apart', async () => {
    const { index } = await demoIndex();
    const twice = [questions[0]!, { id: 'waves', question: 'Something else?' }];
    await expect(run(index, {}, twice)).rejects.toThrow('used twice');
    await expect(run(index, {}, [{ id: 'x', question: ' ' }])).rejects.toThrow('empty');
  });

  it('a journal that is none is not written over', async () => {
    const { index } = await demoIndex();
    const path = join(tempFolder(), 'answers.jsonl');
    writeFileSync(path, '{"id":"x","answer":"y"}\n');
    await expect(run(index, { journal: fileJournal(path) })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(readFileSync(path, 'utf8')).toBe('{"id":"x","answer":"y"}\n');
  });
});
