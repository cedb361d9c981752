import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { IbidError } from '../../../../src/core/errors.ts';
import { Meter } from '../../../../src/core/meter.ts';
import type { SendTexts } from '../../../../src/embed/service/contract.ts';
import { ServiceEmbedder } from '../../../../src/embed/service/embedder.ts';
import { countTokens } from '../../../../src/text/tokens/tokens.ts';
import { chunksOf, document, FakeService, MemoryCache, many, model, setUp, vectorOf } from './fake-service.ts';

describe('the paid embedder', () => {
  it('gives each chunk its own vector, nested and ordered as the documents', async () => {
    const { embedder } = setUp();
    const vectors = await embedder.embedDocuments(many);
    expect(vectors).toEqual(many.map(({ chunks }) => chunks.map(({ text }) => vectorOf(text))));
  });

  it('sends a document whole, and no chunk alone when its document has more', async () => {
    const { embedder, service } = setUp();
    await embedder.embedDocuments(many);
    const whole = service.sent.flat().map((texts) => texts.join('\n'));
    expect(new Set(whole)).toEqual(new Set(many.map(({ chunks }) => chunks.map(({ text }) => text).join('\n'))));
  });

  it('fills requests to the binding limit', async () => {
    const { embedder } = setUp({ model: { ...model, limits: { ...model.limits, documents: 1000, chunks: 1000 } } });
    await embedder.embedDocuments(Array.from({ length: 300 }, (_, i) => document(`file ${i}`, 1 + (i % 7))));
    expect(embedder.usage.requests).toBeGreaterThan(10);
    expect(embedder.usage.fill).toBeGreaterThan(0.9);
  });

  it('bills every chunk exactly once though one request in three fails and the run is repeated until it ends well', async () => {
    const { embedder, service } = setUp();
    service.fail = (request) => (request % 3 === 2 ? new IbidError('SERVICE_FAILED', 'no luck') : undefined);
    let runs = 0;
    for (let done = false; !done; runs++) {
      expect(runs).toBeLessThan(50);
      done = await embedder.embedDocuments(many).then(
        () => true,
        () => false,
      );
    }
    expect(runs).toBeGreaterThan(1);
    expect(service.billed.size).toBe(chunksOf(many));
    expect([...service.billed.values()].every((times) => times === 1)).toBe(true);
  });

  it('leaves nothing on the signal of the run', async () => {
    const { signal } = new AbortController();
    await setUp().embedder.embedDocuments(many, { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('keeps what was under way when the run is stopped', async () => {
    const { embedder, service } = setUp();
    const abort = new AbortController();
    service.fail = (request) => {
      if (request === 2) abort.abort(new Error('stop'));
      return undefined;
    };
    await expect(embedder.embedDocuments(many, { signal: abort.signal })).rejects.toThrow('stop');
    const paid = service.billed.size;
    expect(paid).toBeGreaterThan(0);
    await embedder.embedDocuments(many);
    expect(service.billed.size).toBe(chunksOf(many));
    expect([...service.billed.values()].every((times) => times === 1)).toBe(true);
  });

  it('stops before the budget is exceeded, and pays only for the rest with a larger one', async () => {
    const service = new FakeService();
    const cache = new MemoryCache();
    const make = (meter: Meter) => new ServiceEmbedder({ model, send: service.send, cache, meter, concurrency: 1 });
    const all = await make(new Meter()).estimate(many);
    const small = new Meter(all.costUsd / 2);
    await expect(make(small).embedDocuments(many)).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
    expect(small.spentUsd).toBeGreaterThan(0);
    expect(small.spentUsd).toBeLessThanOrEqual(all.costUsd / 2);
    const rest = await make(new Meter()).estimate(many);
    expect(rest.costUsd).toBeCloseTo(all.costUsd - small.spentUsd, 6);
    const large = new Meter(rest.costUsd);
    await make(large).embedDocuments(many);
    expect(large.spentUsd).toBeCloseTo(rest.costUsd, 6);
  });

  it('foretells exactly what is sent', async () => {
    const { embedder } = setUp();
    const estimate = await embedder.estimate(many);
    await embedder.embedDocuments(many);
    const { requests, chunks, tokens, costUsd } = embedder.usage;
    expect(estimate).toEqual({ chunks, cachedChunks: 0, tokens, requests, costUsd });
    expect(await embedder.estimate(many)).toMatchObject({ chunks: 0, tokens: 0, requests: 0, cachedChunks: chunks });
  });

  it('embeds a document again as a whole when one chunk is edited, and no other', async () => {
    const { embedder, service } = setUp();
    await embedder.embedDocuments(many);
    const [first, ...others] = many.slice(5);
    const edited = { ...first!, chunks: [{ text: 'now it says otherwise', headings: [] }, ...first!.chunks.slice(1)] };
    service.sent.length = 0;
    await embedder.embedDocuments([edited, ...others]);
    expect(service.sent).toEqual([[edited.chunks.map(({ text }) => text)]]);
  });

  it('sends in halves what the service finds too long', async () => {
    const { embedder, service } = setUp();
    service.mostTokens = 60;
    const vectors = await embedder.embedDocuments(many);
    expect(vectors).toEqual(many.map(({ chunks }) => chunks.map(({ text }) => vectorOf(text))));
    expect(Math.max(...service.sent.map((texts) => texts.flat().length))).toBeLessThan(9);
  });

  it('tells the first chunk title and headings, and sends no blank chunk', async () => {
    const { embedder, service } = setUp();
    const chunks = [
      { text: 'Rent is due monthly.', headings: ['Terms', 'Rent'] },
      { text: ' \n', headings: [] },
      { text: 'It ends in May.', headings: ['Terms', 'End'] },
    ];
    const vectors = await embedder.embedDocuments([{ title: 'Lease', chunks }]);
    expect(service.sent).toEqual([[['Lease › Terms › Rent\n\nRent is due monthly.', 'It ends in May.']]]);
    expect(vectors[0]![1]).toEqual(new Int8Array(4));
    expect(vectors[0]![2]).toEqual(vectorOf('It ends in May.'));
  });

  it('sends each text by itself, with its headings, to a model that knows no context', async () => {
    const { embedder, service } = setUp({ model: { ...model, contextual: false } });
    const chunks = [
      { text: 'Rent is due monthly.', headings: ['Rent'] },
      { text: 'It ends in May.', headings: ['End'] },
    ];
    await embedder.embedDocuments([{ title: 'Lease', chunks }]);
    expect(service.sent).toEqual([[['Lease › Rent\n\nRent is due monthly.'], ['Lease › End\n\nIt ends in May.']]]);
  });

  it('windows a document that is longer than the service takes', async () => {
    const { embedder, service } = setUp();
    const long = document('a long report', 200);
    const vectors = await embedder.embedDocuments([long]);
    expect(vectors[0]).toEqual(long.chunks.map(({ text }) => vectorOf(text)));
    expect(service.sent.flat().length).toBeGreaterThan(4);
    for (const texts of service.sent.flat()) {
      expect(texts.length).toBeGreaterThan(1);
      expect(texts.reduce((sum, text) => sum + countTokens(text), 0)).toBeLessThanOrEqual(400);
    }
  });

  it('cuts a chunk that is longer than a document may be, at a whole character', async () => {
    const { embedder, service } = setUp();
    await embedder.embedDocuments([{ title: '', chunks: [{ text: '🙂 word '.repeat(900), headings: [] }] }]);
    const [[[text]]] = service.sent as [[[string]]];
    expect(countTokens(text)).toBeLessThanOrEqual(400);
    expect(countTokens(text)).toBeGreaterThan(350);
    expect(text.isWellFormed()).toBe(true);
  });

  it('refuses vectors of another number or length, and keeps none of them', async () => {
    const cache = new MemoryCache();
    const send: SendTexts = async (texts) => ({ vectors: texts.map((d) => d.slice(1).map(vectorOf)) });
    const embedder = new ServiceEmbedder({ model, send, cache });
    await expect(embedder.embedDocuments(many)).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
    expect(cache.entries.size).toBe(0);
  });

  it('asks for a query once, and again after it failed', async () => {
    const { embedder, service } = setUp();
    service.fail = (request) => (request === 0 ? new IbidError('SERVICE_FAILED', 'no luck') : undefined);
    await expect(embedder.embedQuery('rent')).rejects.toThrow('no luck');
    expect(await embedder.embedQuery('rent')).toEqual(vectorOf('rent'));
    await embedder.embedQuery('rent');
    expect(service.sent).toEqual([[['rent']]]);
    expect(await embedder.embedQuery('  ')).toEqual(new Int8Array(4));
  });

  it('embeds the beginning of a query that is longer than a text may be', async () => {
    const { embedder, service } = setUp();
    const long = 'rent and lease '.repeat(1000);
    await embedder.embedQuery(long);
    await embedder.embedQueries([`${long}!`]);
    for (const [text] of service.sent.flat()) {
      expect(long.startsWith(text!)).toBe(true);
      expect(countTokens(text!)).toBeLessThanOrEqual(model.limits.tokensPerDocument);
      expect(countTokens(text!)).toBeGreaterThan(0.9 * model.limits.tokensPerDocument);
    }
    expect(service.sent).toHaveLength(2);
  });

  it('asks again for a query whose first asker gave up, or had no money', async () => {
    const { embedder, service } = setUp();
    const gone = new AbortController();
    const first = embedder.embedQuery('rent', { signal: gone.signal });
    const second = embedder.embedQuery('rent', { signal: new AbortController().signal });
    service.fail = (request) => (request === 0 ? (gone.signal.reason as Error) : undefined);
    gone.abort(new Error('the reader left'));
    await expect(first).rejects.toThrow('the reader left');
    expect(await second).toEqual(vectorOf('rent'));

    const poor = embedder.withMeter(new Meter(0)).embedQuery('lease');
    const rich = embedder.embedQuery('lease');
    await expect(poor).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
    expect(await rich).toEqual(vectorOf('lease'));
    expect(service.sent).toEqual([[['rent']], [['lease']]]);
  });

  it('waits no longer than its own signal for a query that another asked', async () => {
    const { embedder } = setUp({ send: () => new Promise(() => {}) });
    embedder.embedQuery('rent').catch(() => {});
    const reader = new AbortController();
    setTimeout(() => reader.abort(new Error('the reader left')), 10);
    await expect(embedder.embedQuery('rent', { signal: reader.signal })).rejects.toThrow('the reader left');
  }, 2000);
});

describe('a service whose tokenizer is not ours', () => {
  /** Counts this many tokens where we count one. */
  const counting = (service: FakeService, ratio: number, most: number): SendTexts => {
    return async (texts, options) => {
      const own = texts.flat().reduce((sum, text) => sum + countTokens(text), 0);
      if (own * ratio > most) throw new IbidError('REQUEST_TOO_LARGE', 'too many tokens');
      return { ...(await service.send(texts, options)), tokens: Math.ceil(own * ratio) };
    };
  };

  it('is refused a few times, for nothing, and then packed by what it counts', async () => {
    const wide = { ...model, limits: { documents: 1000, chunks: 1000, tokens: 1000, tokensPerDocument: 400 } };
    const service = new FakeService();
    const cache = new MemoryCache();
    let refused = 0;
    const inner = counting(service, 1.3, 1000);
    const send: SendTexts = (texts, options) =>
      inner(texts, options).catch((error: unknown) => {
        refused++;
        throw error;
      });
    const documents = Array.from({ length: 400 }, (_, i) => document(`file ${i}`, 1 + (i % 7)));
    const embedder = new ServiceEmbedder({ model: wide, send, cache });
    const vectors = await embedder.embedDocuments(documents);
    expect(vectors).toEqual(documents.map(({ chunks }) => chunks.map(({ text }) => vectorOf(text))));
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(10); // of 30 requests and more: the first in flight, and no more
    expect([...service.billed.values()].every((times) => times === 1)).toBe(true);
    expect(embedder.usage.fill).toBeGreaterThan(0.85);
    // the next run knows it from the receipts, and foretells what the service will count
    const next = Array.from({ length: 200 }, (_, i) => document(`new file ${i}`, 1 + (i % 7)));
    refused = 0;
    const later = new ServiceEmbedder({ model: wide, send, cache });
    const estimate = await later.estimate(next);
    await later.embedDocuments(next);
    expect(refused).toBe(0);
    expect(Math.abs(estimate.tokens / later.usage.tokens - 1)).toBeLessThan(0.02);
    expect(estimate.requests).toBe(later.usage.requests);
  });

  it('loses nothing of a refused request when one of its halves fails: the other is kept', async () => {
    const service = new FakeService();
    const cache = new MemoryCache();
    let answers = 0;
    const inner = counting(service, 1, 60);
    const send: SendTexts = async (texts, options) => {
      const reply = await inner(texts, options);
      if (++answers === 3) throw new IbidError('SERVICE_FAILED', 'no luck');
      return reply;
    };
    const one = [document('a document', 12)];
    await expect(new ServiceEmbedder({ model, send, cache }).embedDocuments(one)).rejects.toThrow('no luck');
    const before = new Set(service.sent.slice(0, 2).flat(2)); // the third was billed, but never arrived
    service.sent.length = 0;
    const vectors = await new ServiceEmbedder({ model, send, cache }).embedDocuments(one);
    expect(vectors[0]).toEqual(one[0]!.chunks.map(({ text }) => vectorOf(text)));
    const again = service.sent.flat(2).filter((text) => before.has(text));
    expect(again.length).toBeLessThanOrEqual(3); // context of the next half, and nothing else
  });

  it('cuts a document on chunk borders with shared context, and no chunk stands alone while there are three', async () => {
    const service = new FakeService();
    const send = counting(service, 1, 45);
    await new ServiceEmbedder({ model, send, cache: new MemoryCache() }).embedDocuments([document('a document', 9)]);
    const parts = service.sent.flat();
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) expect(part.length).toBeGreaterThan(1);
  });

  it('cuts a chunk whose characters take several tokens each', async () => {
    const service = new FakeService();
    const text = 'Ꮳ'.repeat(300);
    expect(countTokens(text)).toBeGreaterThan(model.limits.tokensPerDocument);
    await new ServiceEmbedder({ model, send: service.send }).embedDocuments([
      { title: '', chunks: [{ text, headings: [] }] },
    ]);
    const sent = service.sent.flat(2).join('');
    expect(text.startsWith(sent)).toBe(true);
    expect(countTokens(sent)).toBeLessThanOrEqual(model.limits.tokensPerDocument);
    expect(countTokens(sent)).toBeGreaterThan(0.9 * model.limits.tokensPerDocument);
  });

  it('embeds a chunk it finds too long by its beginning', async () => {
    const service = new FakeService();
    const send = counting(service, 2, 400);
    const text = 'word '.repeat(390);
    const vectors = await new ServiceEmbedder({ model, send }).embedDocuments([
      { title: '', chunks: [{ text, headings: [] }] },
    ]);
    const [[[sent]]] = service.sent as [[[string]]];
    expect(text.startsWith(sent)).toBe(true);
    expect(sent.length).toBeGreaterThan(text.length / 3);
    expect(vectors[0]![0]).toEqual(vectorOf(sent));
  });
});

describe('attempts without an answer', () => {
  it('count against the budget in full, and are said', async () => {
    const service = new FakeService();
    const send: SendTexts = async (texts, options) => {
      options.onUnanswered?.(); // cut off, and sent again
      return await service.send(texts, options);
    };
    const one = [document('a document', 3)];
    const meter = new Meter(1000);
    const embedder = new ServiceEmbedder({ model, send, meter });
    await embedder.embedDocuments(one);
    const { costUsd, unanswered } = embedder.usage;
    expect(unanswered).toEqual({ attempts: 1, maxUsd: costUsd });
    expect(meter.spentUsd).toBeCloseTo(2 * costUsd, 6);
  });

  it('are not repeated where the budget would not cover both', async () => {
    const service = new FakeService();
    const send: SendTexts = async (texts, options) => {
      options.onUnanswered?.();
      options.signal?.throwIfAborted();
      return await service.send(texts, options);
    };
    const one = [document('a document', 3)];
    const price = (await new ServiceEmbedder({ model, send }).estimate(one)).costUsd;
    for (const [budget, sent] of [
      [1.5 * price, 0],
      [2 * price, 1],
    ] as const) {
      service.sent.length = 0;
      const meter = new Meter(budget);
      const run = new ServiceEmbedder({ model, send, meter }).embedDocuments(one);
      if (sent === 0) await expect(run).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
      else await run;
      expect(service.sent.length).toBe(sent);
      expect(meter.spentUsd).toBeCloseTo((1 + sent) * price, 9);
    }
  });

  it('count where the call fails for good, and where an answer could not be read', async () => {
    const lost: SendTexts = async (_, options) => {
      options.onUnanswered?.();
      options.onUnanswered?.();
      throw new IbidError('CONNECTION_FAILED', 'reset');
    };
    const unread: SendTexts = async () => {
      throw new IbidError('RESPONSE_INVALID', 'not JSON');
    };
    const refused: SendTexts = async () => {
      throw new IbidError('RATE_LIMITED', 'later');
    };
    for (const [send, attempts] of [
      [lost, 2],
      [unread, 1],
      [refused, 0],
    ] as const) {
      const meter = new Meter(1000);
      const embedder = new ServiceEmbedder({ model, send, meter });
      await expect(embedder.embedDocuments([document('a document', 3)])).rejects.toThrow();
      expect(embedder.usage.unanswered.attempts).toBe(attempts);
      expect(meter.spentUsd).toBeCloseTo(embedder.usage.unanswered.maxUsd, 9);
      expect(meter.leftUsd).toBeCloseTo(1000 - meter.spentUsd, 9); // nothing stays set aside
    }
  });
});
