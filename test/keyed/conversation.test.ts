import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { citationOf } from '../../src/answer/citation.ts';
import { answerGrounded, collectAnswer } from '../../src/answer/grounded/grounded.ts';
import type { HistoryTurn } from '../../src/answer/grounded/request.ts';
import type { Hit } from '../../src/core/types.ts';
import { serviceLanguageModel } from '../../src/services/language-model.ts';
import { copyIndex, demo } from '../support/made-index.ts';
import { tempFolder } from '../support/temp.ts';
import { chunkOf, hitOf } from '../unit/answer/hits.ts';
import { catalogue } from '../wire/service/messages/catalogue.ts';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';
import { type StandIn, textDraft } from '../wire/service/messages/model.ts';
import type { ModelRequest } from '../wire/service/messages/request.ts';
import { keyed } from './support.ts';

const judged = { confidence: 'high', support: 1 } as const;
const answerer = extractiveAnswerer({ sentences: 1 }).model;

/** Writes questions again as it is told to, answers everything else from its sources. */
const rewriter =
  (query: string): StandIn =>
  (request) =>
    request.question.includes('Question to write again:') ? textDraft(query) : answerer(request);

describe('a conversation with an index', () => {
  it('searches for what a follow-up question means, as a model writes it out', async () => {
    const query = 'How much fuel does the workboat Kittiwake burn per hour?';
    const { service, open } = await keyed({ messages: { model: rewriter(query) } });
    const address = join(tempFolder(), 'index');
    await copyIndex(demo, address);
    const index = await open(address, { base: demo });
    const history: HistoryTurn[] = [
      { role: 'user', text: 'Above which wave height does the Kittiwake stay in harbour?' },
      { role: 'assistant', text: 'Above 1.2 metres. [1]' },
    ];
    const answer = await index.ask('And how many litres does it burn?', { mode: 'grounded', history });
    expect(answer.grounding!.query).toBe(query);
    expect(answer.citations.map(({ quote }) => quote).join()).toContain('28 litres an hour');
    expect(answer.question).toBe('And how many litres does it burn?');
    // the model that answers reads the question as it was asked, behind the conversation
    const { turns, question } = service.messages.received.at(-1)!;
    expect(question).toBe('And how many litres does it burn?');
    expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(service.requests.filter(({ path }) => path === '/v1/models')).toHaveLength(1);

    // asked again after the same conversation, it is not written out again, nor paid for
    const before = service.messages.received.length;
    const again = await index.ask('And how many litres does it burn?', { mode: 'grounded', history });
    expect(service.messages.received).toHaveLength(before + 1);
    expect(again.grounding!.query).toBe(query);
    expect(again.grounding!.costUsd).toBeLessThan(answer.grounding!.costUsd);
    expect(again.grounding!.usage.outputTokens).toBeLessThan(answer.grounding!.usage.outputTokens);
    // another conversation makes it another question
    const other: HistoryTurn[] = [{ role: 'user', text: 'Which fuel does the generator take?' }, history[1]!];
    await index.ask('And how many litres does it burn?', { mode: 'grounded', history: other });
    expect(service.messages.received).toHaveLength(before + 3);
  });
});

const named = (name: string, text: string): Hit => hitOf(chunkOf(text, { uri: `${name}.md`, title: name }));
const pump = named('pump', `The pump is cooled by water from the sea. ${'It says more about pumps. '.repeat(400)}`);
const boat = named('boat', `The boat burns 28 litres an hour. ${'It says more about boats. '.repeat(400)}`);

describe('a conversation whose questions keep their sources', () => {
  it('reads them from the cache, and can still cite them', async () => {
    const { service, services } = await keyed({ messages: { model: answerer } });
    const model = serviceLanguageModel(services.messages!);
    const history: HistoryTurn[] = [];
    const ask = async (question: string, hits: readonly Hit[]) => {
      const answer = await collectAnswer(answerGrounded(question, hits, judged, model, { history, continues: true }));
      history.push({ role: 'user', text: question, hits }, { role: 'assistant', text: answer.answer });
      return answer;
    };
    const first = await ask('How is the pump cooled?', [pump]);
    expect(first.grounding!.usage).toMatchObject({ cacheReadTokens: 0 });
    const second = await ask('How many litres does the boat burn?', [boat]);
    const third = await ask('How was the pump cooled, with water?', [boat]);
    // all of the request before is read again, except for what is newer than it
    expect(second.grounding!.usage.cacheReadTokens).toBe(first.grounding!.usage.inputTokens);
    expect(third.grounding!.usage.cacheReadTokens).toBe(second.grounding!.usage.inputTokens);
    expect(third.citations.map(({ uri, quote }) => [uri, quote])).toEqual([
      ['pump.md', 'The pump is cooled by water from the sea.'],
    ]);
    expect(third.grounding!.dropped).toEqual([]);
    const cost = [first, second, third].reduce((sum, { grounding }) => sum + grounding!.costUsd, 0);
    expect(cost).toBeCloseTo(service.ledger.totals().usd, 12);
  });

  it('stays within the window that the listing of models tells, not the one in the table', async () => {
    const models = catalogue.map((model) => ({ ...model, window: 14_000 }));
    const { service, services } = await keyed({ messages: { model: answerer, models } });
    const model = serviceLanguageModel(services.messages!);
    expect(model.contextTokens).toBe(1_000_000);
    const history: HistoryTurn[] = Array.from({ length: 6 }, (_, i) => [
      {
        role: 'user' as const,
        text: `How is pump ${i} cooled?`,
        hits: [named(`p${i}`, `Pump ${i}. ${`Much of pump ${i}. `.repeat(300)}`)],
      },
      { role: 'assistant' as const, text: 'By water. [1]' },
    ]).flat();
    // the stand-in refuses a prompt that is longer than the window
    const answer = await collectAnswer(
      answerGrounded('How much does the boat burn?', [boat], judged, model, { history }),
    );
    expect(answer.citations[0]!.uri).toBe('boat.md');
    const { turns } = service.messages.received.at(-1)!;
    expect(turns.length).toBeGreaterThan(1);
    expect(turns.length).toBeLessThan(13);
  });
});

describe('a conversation that is kept in a file', () => {
  const asked = 'Above which wave height does the Kittiwake stay in harbour?';
  const followUp = 'At which wave height does the Kittiwake stay in harbour?';
  // prefixes below the minimum of a model are not cached
  const models = catalogue.map((model) => ({ ...model, minCacheTokens: 100 }));

  async function opened() {
    const { service, open } = await keyed({ messages: { model: answerer, models } });
    const address = join(tempFolder(), 'index');
    await copyIndex(demo, address);
    return { service, index: await open(address, { base: demo }) };
  }

  it('reads its passages again from the index, hits the cache, cites them, and says what that has saved', async () => {
    const { service, index } = await opened();
    const first = await index.ask(asked, { mode: 'grounded', continues: true });
    const history: HistoryTurn[] = [
      { role: 'user', text: asked, passages: first.hits.map(citationOf) },
      { role: 'assistant', text: first.answer },
    ];
    const again = await index.ask(followUp, { mode: 'grounded', history, continues: true });
    const sourcesOf = (request: ModelRequest | undefined) => request!.turns[0]!.blocks.slice(0, -1); // behind them the question
    expect(sourcesOf(service.messages.received.at(-1))).toEqual(sourcesOf(service.messages.received[0]));
    expect(sourcesOf(service.messages.received[0]).length).toBeGreaterThan(3);
    const { usage, savedUsd } = again.grounding!;
    expect(usage.cacheReadTokens).toBe(first.grounding!.usage.inputTokens);
    expect(again.citations.map(({ uri }) => uri)).toEqual(first.citations.map(({ uri }) => uri));
    // a token of input costs 3 USD per million: reading saves nine tenths of it, writing costs a quarter of it more
    const million = (0.9 * usage.cacheReadTokens - 0.25 * usage.cacheWriteTokens) * 3;
    expect(savedUsd).toBeCloseTo(million / 1e6, 9);
    expect(first.grounding!.savedUsd).toBeLessThan(0);
    expect(first.grounding!.savedUsd! + savedUsd!).toBeGreaterThan(0);
    // without the passages the same question reads less from the cache, and cannot cite what stood beside the first
    const words = history.map(({ role, text }) => ({ role, text }));
    const plain = await index.ask(followUp, { mode: 'grounded', history: words, continues: true });
    expect(plain.grounding!.usage.cacheReadTokens).toBeLessThan(usage.cacheReadTokens);
  });

  it('leaves out a passage that does not stand there any more, and refuses what is no reference', async () => {
    const { service, index } = await opened();
    const [hit] = (await index.search(asked, { limit: 1 })).hits;
    const { uri, span } = hit!.chunk;
    const history: HistoryTurn[] = [
      {
        role: 'user',
        text: asked,
        passages: ['gone.md#0-10', `${uri}#${span.start}-${span.end - 1}`, 'https://example.org/#0-5@0123456789abcdef'],
      },
      { role: 'assistant', text: 'Above 1.2 metres.' },
    ];
    const { citations } = await index.ask(followUp, { mode: 'grounded', history });
    expect(citations.length).toBeGreaterThan(0);
    expect(service.messages.received.at(-1)!.turns[0]!.blocks.map(({ type }) => type)).toEqual(['text']);
    const broken: HistoryTurn[] = [{ ...history[0]!, passages: ['manual.md#1-x'] }, history[1]!];
    await expect(index.ask(followUp, { mode: 'grounded', history: broken })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('is kept for an hour where that is asked for, at the price of that', async () => {
    const { service, index } = await opened();
    const { grounding } = await index.ask(asked, { mode: 'grounded', continues: true, model: { cache: '1h' } });
    const { usage, savedUsd } = grounding!;
    expect(usage.cacheWriteTokens).toBeGreaterThan(0);
    expect(savedUsd).toBeCloseTo((-1 * usage.cacheWriteTokens * 3) / 1e6, 9); // an hour's writing costs twice the input
    expect(grounding!.costUsd).toBeCloseTo(service.ledger.totals().usd, 9);
  });
});
