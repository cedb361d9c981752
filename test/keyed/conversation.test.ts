import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
