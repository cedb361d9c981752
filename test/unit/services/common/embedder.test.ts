import { describe, expect, it } from 'vitest';
import { Meter } from '../../../../src/core/meter.ts';
import type { EmbedDocument } from '../../../../src/embed/contract.ts';
import { identifiedEmbedder } from '../../../../src/embed/own.ts';
import { storedDimensions } from '../../../../src/embed/spread.ts';
import { ownModels } from './support.ts';

const document = (title: string, ...texts: string[]): EmbedDocument => ({
  title,
  chunks: texts.map((text) => ({ text, headings: ['Times'] })),
});
const inputs = ({ requests }: { readonly requests: readonly { readonly body: unknown }[] }): string[] =>
  requests.flatMap(({ body }) => (body as { readonly input: string[] }).input);

describe('an embedder of an own server', () => {
  it.each([1, 7, 20, 100, 513])('has any number of dimensions: %i', async (dimensions) => {
    const { server, models } = await ownModels({ dimensions });
    const own = await identifiedEmbedder(models.embedder({ model: 'embedder' }), undefined);
    expect(own.id).toBe(`own:embedder@${dimensions}`);
    expect(own.dimensions).toBe(Math.ceil(storedDimensions(dimensions) / 8) * 8);
    const [[vector]] = (await own.embedDocuments([document('Ferry', 'It leaves at seven.')])) as [[Int8Array]];
    expect(vector.length).toBe(own.dimensions);
    expect(server.requests).toHaveLength(2); // one to learn, one for the text
  });

  it('asks nothing when the index says what it is', async () => {
    const { server, models } = await ownModels();
    const own = await identifiedEmbedder(models.embedder({ model: 'embedder' }), 'own:embedder@20');
    expect(own.id).toBe('own:embedder@20');
    const given = await identifiedEmbedder(models.embedder({ model: 'embedder', dimensions: 20 }), undefined);
    expect([given.id, server.requests.length]).toEqual(['own:embedder@20', 0]);
  });

  it('has the same id wherever its server stands', async () => {
    const [one, two] = [await ownModels(), await ownModels({ prefix: '' })];
    const ids = await Promise.all(
      [one, two].map(
        async ({ models }) => (await identifiedEmbedder(models.embedder({ model: 'embedder' }), undefined)).id,
      ),
    );
    expect(ids[0]).toBe(ids[1]);
  });

  it('puts its prefixes before texts and queries, and no more than the model reads', async () => {
    const { server, models } = await ownModels({ maxTokens: 40 });
    const embedder = models.embedder({
      ...{ model: 'embedder', dimensions: 20, maxTokens: 40 },
      ...{ queryPrefix: 'query: ', documentPrefix: 'passage: ' },
    });
    await embedder.embedQuery('ferry');
    await embedder.embedDocuments([document('Ferry', 'word '.repeat(200))]);
    const [query, text] = inputs(server);
    expect(query).toBe('query: ferry');
    expect(text).toMatch(/^passage: Ferry › Times\n\nword word/);
    expect(text!.length).toBeLessThan(250); // 40 tokens
  });

  it.each([
    ['none', ['one', 'two', 'three']],
    ['headings', ['T › Times\n\none', 'T › Times\n\ntwo', 'T › Times\n\nthree']],
    ['neighbours', ['T › Times\n\none\n\ntwo', 'one\n\nT › Times\n\ntwo\n\nthree', 'two\n\nT › Times\n\nthree']],
  ] as const)('sends a text with its context: %s', async (context, expected) => {
    const { server, models } = await ownModels();
    await models
      .embedder({ model: 'embedder', dimensions: 20, context })
      .embedDocuments([document('T', 'one', 'two', 'three')]);
    expect(inputs(server).toSorted()).toEqual([...expected].sort());
  });

  it('cuts what its server finds too long although it is not by our count', async () => {
    const { server, models } = await ownModels({ maxTokens: 30 });
    const embedder = models.embedder({ model: 'embedder', dimensions: 20, maxTokens: 60 });
    const [[long, short]] = (await embedder.embedDocuments([document('T', 'word '.repeat(60), 'short')])) as [
      Int8Array[],
    ];
    expect(long!.some((component) => component !== 0)).toBe(true);
    expect(short!.length).toBe(80);
    expect(server.requests.filter(({ status }) => status === 413).length).toBeGreaterThan(0);
  });

  it('leaves out what its server refuses by its name, and says so once', async () => {
    const { server, models } = await ownModels({ refuses: ['dimensions', 'encoding_format'], dimensions: 20 });
    const embedder = models.embedder({ model: 'embedder', dimensions: 20 });
    await expect(embedder.embedQuery('ferry')).rejects.toThrow('encoding_format');
    expect(server.requests.length).toBeGreaterThan(0);
    expect(models.unable.join()).toContain('"embedder" does not shorten its vectors');
  });

  it('takes numbers where the server gives no base64', async () => {
    const { server, models } = await ownModels({ dimensions: 20 });
    server.script({
      match: { body: (body) => (body as { encoding_format?: string }).encoding_format === 'base64' },
      fault: { kind: 'status', status: 400, message: 'encoding_format: only float is known' },
      times: 9,
    });
    const embedder = models.embedder({ model: 'embedder' });
    await embedder.embedQuery('ferry');
    await embedder.embedQuery('harbour');
    expect(server.requests.map(({ status }) => status)).toEqual([400, 200, 200, 200]);
    expect(models.unable).toEqual(['"embedder" does not send vectors as base64: they travel as numbers']);
  });

  it('says when a model gives other vectors than it gave', async () => {
    const { models } = await ownModels({ dimensions: 24, refuses: ['dimensions'] });
    const embedder = models.embedder({ model: 'embedder', dimensions: 20 });
    await expect(embedder.embedQuery('ferry')).rejects.toMatchObject({
      code: 'RESPONSE_INVALID',
      hint: expect.stringContaining('dimensions: 24'),
    });
  });

  it('spends from a budget, where it has a price', async () => {
    const { models } = await ownModels();
    const meter = new Meter(0.01);
    const embedder = models.embedder({ model: 'embedder', dimensions: 20, usdPerMillionTokens: 1000 }).withMeter!(
      meter,
    );
    await embedder.embedQuery('ferry');
    expect(meter.spentUsd).toBeCloseTo(0.001 * 2, 1);
    expect(meter.spentUsd).toBeGreaterThan(0);
    const long = embedder.embedDocuments([document('T', 'word '.repeat(100))]);
    await expect(long).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
  });

  it('with a key and no price it refuses a budget for documents before it sends them; a query needs no price', async () => {
    const { server, models } = await ownModels({ apiKey: 'k' });
    const meter = new Meter(1);
    const unpriced = models.embedder({ model: 'embedder', dimensions: 20 }).withMeter!(meter);
    await unpriced.embedQuery('ferry');
    const sent = server.requests.length;
    const refused = unpriced.embedDocuments([document('T', 'one')]);
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', hint: expect.stringContaining('price') });
    expect(server.requests).toHaveLength(sent);
    for (const free of [
      models.embedder({ model: 'embedder', dimensions: 20 }),
      (await ownModels()).models.embedder({ model: 'embedder', dimensions: 20 }).withMeter!(meter),
    ]) {
      expect(await free.embedDocuments([document('T', 'one')])).toHaveLength(1);
    }
  });

  it.each([
    [{ model: '' }, 'model'],
    [{ model: 'm', dimensions: 0 }, 'dimensions'],
    [{ model: 'm', batch: 0.5 }, 'batch'],
    [{ model: 'm', usdPerMillionTokens: -1 }, 'usdPerMillionTokens'],
  ])('refuses %j', async (options, name) => {
    const { models } = await ownModels();
    expect(() => models.embedder(options)).toThrow(name);
  });
});
