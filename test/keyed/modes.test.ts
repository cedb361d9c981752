import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  type AnswerEvent,
  type AskOptions,
  answerToJson,
  IbidError,
  Meter,
  type SearchIndex,
} from '../../src/index.ts';
import { copyIndex, demo } from '../support/made-index.ts';
import { makeTempFolder } from '../support/temp.ts';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';
import { toolUser } from '../wire/service/messages/tool-user.ts';
import type { ServiceOptions } from '../wire/service/service.ts';
import { type Keyed, keyed } from './support.ts';

const question = 'Above which wave height does the Kittiwake stay in harbour?';
const webQuestion = 'How tall is the Harbour Tower?';

interface Placed {
  readonly inference_geo?: string;
  readonly service_tier?: string;
}

const search = { name: 'search_index', input: { query: 'wave height' } };

interface ResearchBody {
  readonly preset: string;
  readonly tools: readonly { readonly type: string; readonly config?: unknown }[];
}

const folder = makeTempFolder();

beforeAll(async () => {
  await copyIndex(demo, join(folder, 'index'));
}, 60_000);

/**
 * The demo's documents, with stand-in services on which the messages model answers with sentences of what it is given.
 */
async function demoIndex(options: ServiceOptions = {}): Promise<Keyed & { readonly index: SearchIndex }> {
  const made = await keyed({ messages: { model: extractiveAnswerer().model }, ...options });
  return { ...made, index: await made.open(join(folder, 'index'), { base: demo }) };
}

/**
 * All events, with what every answer must keep: the texts joined are the answer, and each quote stands in its document.
 */
async function asked(index: SearchIndex, text: string, options: AskOptions) {
  const events: AnswerEvent[] = [];
  for await (const event of index.ask(text, options)) events.push(event);
  const last = events.at(-1)!;
  if (last.type !== 'done') throw new Error('the last event is not done');
  const { answer } = last;
  expect(events.map((event) => (event.type === 'text' ? event.text : '')).join('')).toBe(answer.answer);
  await proven(index, answer);
  const numbers = [...answer.citations, ...(answer.grounding?.links ?? [])].map(({ n }) => n).sort((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, i) => i + 1));
  for (const n of numbers) expect(answer.answer).toContain(`[${n}]`);
  return { events, answer };
}

async function proven(index: SearchIndex, { citations }: Answer): Promise<void> {
  const texts = new Map<string, string>();
  for await (const { uri, text } of index.export()) texts.set(uri, (texts.get(uri) ?? '') + text);
  for (const { uri, quote, span } of citations) expect(texts.get(uri)?.slice(span.start, span.end)).toBe(quote);
}

describe('the modes of ask', () => {
  it('extractive answers with sentences of the documents and sends nothing', async () => {
    const { index, service } = await demoIndex();
    const { answer } = await asked(index, question, { mode: 'extractive' });
    expect(answer).toMatchObject({ mode: 'extractive', abstained: false });
    expect(service.requests).toEqual([]);
  });

  it.each(['grounded', 'agent'] as const)(
    '%s answers through the messages service, and the bill is the books',
    async (mode) => {
      const answerer = extractiveAnswerer().model;
      const model = toolUser({ rounds: [[{ name: 'search_index', input: { query: question } }]], answer: answerer });
      const { index, service } = await demoIndex({ messages: { model: mode === 'agent' ? model : answerer } });
      const meter = new Meter(1);
      const { answer } = await asked(index, question, { mode, budget: meter });
      expect(answer).toMatchObject({ mode, abstained: false });
      expect(answer.grounding!.costUsd).toBeCloseTo(service.ledger.totals().usd, 9);
      expect(meter.spentUsd).toBeCloseTo(service.ledger.totals().usd, 8);
    },
  );

  it('research looks into the documents and the web: what the documents say is cited and proven, pages are links', async () => {
    const { index, service } = await demoIndex();
    const meter = new Meter(5);
    const { answer, events } = await asked(index, question, { mode: 'research', budget: meter });
    expect(answer.mode).toBe('research');
    expect(answer.citations.map(({ quote }) => quote).join()).toContain('1.2 metres');
    expect(answer.citations.every(({ verified, origin }) => verified && origin === 'local')).toBe(true);
    const links = answer.grounding!.links!;
    expect(links.length).toBeGreaterThan(0);
    expect(links.every(({ url, title }) => url.startsWith('https://') && title !== '')).toBe(true);
    expect(events.filter(({ type }) => type === 'step').map((event) => 'tool' in event && event.tool)).toEqual(
      expect.arrayContaining(['search_index', 'web_search']),
    );
    // what only a page stands behind is not supported
    const { unsupported } = answer.grounding!;
    for (const { n } of links) {
      const at = answer.answer.indexOf(`[${n}]`);
      const sentence = unsupported.find(({ end }) => end <= at && /^[\s[\]\d]*$/.test(answer.answer.slice(end, at)));
      expect(sentence, answer.answer.slice(0, at)).toBeDefined();
    }
    const books = service.ledger.totals('responses');
    expect(books.requests).toBe(2);
    expect(answer.grounding!.costUsd).toBeCloseTo(books.usd, 9);
    expect(meter.spentUsd).toBeCloseTo(books.usd, 8);
    expect(answer.grounding!.usage.inputTokens).toBe(books.inputTokens);
  });

  it('research by the names of its presets, and with a model and pages of its own', async () => {
    const { index, service } = await demoIndex();
    const lastBody = () => service.requests.findLast(({ method }) => method === 'POST')!.body as ResearchBody;
    await asked(index, question, { mode: 'research', preset: 'fast-search' });
    expect(lastBody().preset).toBe('fast-search');
    await asked(index, question, {
      mode: 'research',
      preset: 'fast-search',
      web: { domains: ['example.org'] },
    });
    expect(lastBody().tools.find(({ type }) => type === 'web_search')!.config).toEqual({
      search_domain_filter: ['example.org'],
    });
    const { answer } = await asked(index, question, {
      mode: 'research',
      preset: 'fast-search',
      web: false,
    });
    expect(answer.grounding!.links).toEqual([]);
    expect(answer.citations.length).toBeGreaterThan(0);
  });

  it('research that calls a function for ever, an unknown one, or with broken words, ends in an answer', async () => {
    const { index, service } = await demoIndex();
    const script = service.search.script as { research?: object };
    for (const research of [{ endlessCalls: true }, { unknownFunction: true }, { brokenArguments: true }]) {
      script.research = research;
      const { answer } = await asked(index, question, { mode: 'research', preset: 'fast-search' });
      expect(answer.abstained, JSON.stringify(research)).toBe(false);
    }
  });

  it('research that is cut keeps what was written, and what it cost', async () => {
    const { index, service } = await demoIndex();
    const script = service.search.script as { research?: object };
    script.research = { status: 'incomplete' };
    const cut = await asked(index, question, { mode: 'research', preset: 'fast-search' });
    expect(cut.answer.grounding).toMatchObject({ stop: 'length' });
    script.research = { text: `${'The tide turns at noon and the boats go out. '.repeat(40)}[1]` };
    const path = /\/v1\/responses\/resp_\d+$/;
    // the service forgets the second run while it is heard
    service.script({ match: { path }, fault: { kind: 'cut', afterEvents: 40 }, skip: 1 });
    service.script({ match: { path }, fault: { kind: 'status', status: 404 }, skip: 1, times: 9 });
    const broken = await asked(index, question, { mode: 'research', preset: 'fast-search' });
    expect(broken.answer.grounding).toMatchObject({
      stop: 'broken',
      error: expect.objectContaining({ code: 'REMOTE_NOT_FOUND' }),
    });
    expect(broken.answer.answer).toContain('The tide turns at noon');
    expect(broken.answer.grounding!.costUsd).toBeGreaterThan(0);
  });

  it('answer asks the web alone, sends no document, and calls its sources links', async () => {
    const { index, service } = await demoIndex();
    const meter = new Meter(1);
    const { answer } = await asked(index, webQuestion, { mode: 'answer', budget: meter });
    expect(answer).toMatchObject({ mode: 'answer', abstained: false, confidence: 'low', citations: [], hits: [] });
    expect(answer.answer).toContain('330');
    expect(answer.grounding!.links!.map(({ url }) => url)).toContain('https://example.org/tower');
    expect(answer.grounding!.costUsd).toBeCloseTo(service.ledger.totals().usd, 9);
    expect(meter.spentUsd).toBeCloseTo(service.ledger.totals().usd, 8);
    expect(service.requests.every(({ text }) => !text.includes('Kittiwake'))).toBe(true);
  });

  it('answer tells reasoning as thinking', async () => {
    const { index } = await demoIndex();
    const { answer, events } = await asked(index, webQuestion, {
      mode: 'answer',
      model: 'answer-reasoning-pro',
    });
    const thought = events.map((event) => (event.type === 'thinking' ? event.text : '')).join('');
    expect(thought).toContain('sources are compared');
    expect(answer.answer).not.toContain('compared');
    expect(answer.answer).toContain('330');
  });

  it('answer that is cut keeps its beginning', async () => {
    const { index, service } = await demoIndex();
    service.script({ match: { path: '/chat/completions' }, fault: { kind: 'cut', afterEvents: 6 } });
    const { answer } = await asked(index, webQuestion, { mode: 'answer' });
    expect(answer.grounding).toMatchObject({
      stop: 'broken',
      error: expect.objectContaining({ code: 'STREAM_BROKEN' }),
    });
    expect(answer.answer.length).toBeGreaterThan(5);
  });

  it('a budget below the worst case refuses before anything is sent', async () => {
    const { index, service } = await demoIndex();
    for (const mode of ['grounded', 'research', 'answer'] as const) {
      await expect(index.ask(question, { mode, budget: new Meter(0.0001) })).rejects.toMatchObject({
        code: 'BUDGET_EXCEEDED',
      });
    }
    expect(service.requests).toEqual([]);
  });

  it.each(['grounded', 'agent', 'batch'] as const)(
    '%s says where the model works and at which tier, and pays the price of the place',
    async (mode) => {
      const answerer = extractiveAnswerer().model;
      const { index, service } = await demoIndex({
        messages: { model: mode === 'agent' ? toolUser({ rounds: [[search]], answer: answerer }) : answerer },
      });
      const model = { inferenceGeo: 'us', serviceTier: 'standard_only' } as const;
      const meter = new Meter(1);
      if (mode === 'batch') {
        const asked = [{ id: 'waves', question }];
        await Array.fromAsync(index.askBatch(asked, { model, budget: meter, pollMs: 2 }));
      } else await asked(index, question, { mode, model, budget: meter });
      const sent = service.requests.flatMap(({ method, path, body }): Placed[] => {
        if (method !== 'POST' || path.endsWith('/count_tokens')) return [];
        return path.endsWith('/batches')
          ? (body as { requests: { params: Placed }[] }).requests.map(({ params }) => params)
          : [body as Placed];
      });
      expect(sent.length).toBeGreaterThan(0);
      for (const { inference_geo, service_tier } of sent)
        expect([inference_geo, service_tier]).toEqual(['us', 'standard_only']);
      expect(meter.spentUsd).toBeCloseTo(service.ledger.totals().usd, 8);
      expect(meter.spentUsd).toBeGreaterThan(0);
    },
  );

  it('pays the price of the place that was asked for, where the service leaves out where it worked', async () => {
    const { index, service } = await demoIndex();
    service.script({
      fault: {
        kind: 'events',
        edit: (all) =>
          all.map(({ event, data }) => ({
            event,
            data: JSON.parse(JSON.stringify(data).replaceAll(/,?"inference_geo":"us"/g, '')) as unknown,
          })),
      },
    });
    const { answer } = await asked(index, question, { mode: 'grounded', model: { inferenceGeo: 'us' } });
    expect(answer.grounding!.costUsd).toBeCloseTo(service.ledger.totals().usd, 9);
  });

  it('refuses a place for a model that works anywhere, before anything is sent', async () => {
    const { index, service } = await demoIndex();
    const model = { model: 'assistant-small-4-5', inferenceGeo: 'us' } as const;
    await expect(index.ask(question, { mode: 'grounded', model })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(service.requests).toEqual([]);
  });

  it('answers several questions at once, the first ones asked of a fresh index', async () => {
    const { index } = await demoIndex();
    const answers = await Promise.all([1, 2, 3].map(() => index.ask(question, { mode: 'extractive' })));
    expect(new Set(answers.map(({ answer }) => answer)).size).toBe(1);
  });

  it('refuses an empty question and an unknown mode', async () => {
    const { index } = await demoIndex();
    await expect(index.ask('  ', { mode: 'research' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(index.ask('x', { mode: 'oracle' as 'answer' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(index.ask('x', { mode: 'answer', fallback: ['oracle' as 'answer'] })).rejects.toThrow('oracle');
  });
});

describe('falling over', () => {
  const fallback = ['answer', 'research', 'grounded', 'extractive'] as const;

  it('goes to the next mode when one is retired, overloaded or out of money, and says who wrote it and why not the others', async () => {
    const { index, service } = await demoIndex();
    (service.search.script as { answer?: object }).answer = { retired: true };
    service.script({
      match: { path: '/v1/responses' },
      fault: { kind: 'status', status: 402, message: 'no credit' },
      times: 9,
    });
    const { answer, events } = await asked(index, question, { fallback });
    expect(answer.mode).toBe('grounded');
    expect(answer.skipped!.map(({ mode, code }) => [mode, code])).toEqual([
      ['answer', 'OPERATION_RETIRED'],
      ['research', 'BILLING'],
    ]);
    expect(events.filter(({ type }) => type === 'skipped')).toHaveLength(2);
    expect(service.ledger.byOperation()).toEqual({ 'messages.create': expect.anything() });
  });

  it('counts what a mode that could not answer has cost', async () => {
    const { index, service } = await demoIndex({ messages: { model: () => ({ content: [] }) } });
    const meter = new Meter(1);
    const { answer } = await asked(index, question, { mode: 'grounded', fallback: ['extractive'], budget: meter });
    const { usd } = service.ledger.totals();
    expect(usd).toBeGreaterThan(0);
    expect(meter.spentUsd).toBeCloseTo(usd, 8);
    expect(answer).toMatchObject({ mode: 'extractive', abstained: false });
    expect(answer.skipped).toMatchObject([{ mode: 'grounded', code: 'RESPONSE_INVALID' }]);
    expect(answerToJson(answer).costUsd).toBeCloseTo(usd, 8);
  });

  it('without any key falls over to the sentences of the documents', async () => {
    const { open } = await keyed();
    const index = await open(join(folder, 'index'), { base: demo, services: {} });
    const answer = await index.ask(question, { fallback });
    expect(answer.mode).toBe('extractive');
    expect(answer.skipped!.map(({ code }) => code)).toEqual(['KEY_MISSING', 'KEY_MISSING', 'KEY_MISSING']);
    await expect(index.ask(question, { mode: 'answer', fallback: ['research'] })).rejects.toThrow(
      /answer: .*research: /,
    );
  });

  it('does not fall over after the first word, nor for a wrong filter', async () => {
    const { index, service } = await demoIndex();
    service.script({ match: { path: '/chat/completions' }, fault: { kind: 'cut', afterEvents: 6 } });
    const { answer } = await asked(index, webQuestion, { mode: 'answer', fallback: ['extractive'] });
    expect(answer).toMatchObject({ mode: 'answer', grounding: { stop: 'broken' } });
    const wrong = index.ask(question, { mode: 'grounded', fallback: ['extractive'], where: 'no_such = 1' });
    await expect(wrong).rejects.toBeInstanceOf(IbidError);
    await expect(wrong).rejects.toMatchObject({ code: 'INVALID_FILTER' });
  });

  it("passes the caller's abort through, and falls over to nothing", async () => {
    const { index, service } = await demoIndex();
    service.script({ match: { path: '/chat/completions' }, fault: { kind: 'stall', afterEvents: 3 } });
    const abort = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => abort.abort(reason), 300);
    await expect(index.ask(webQuestion, { fallback, signal: abort.signal })).rejects.toBe(reason);
  });
});
