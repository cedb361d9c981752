import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeVector } from '../../../src/wire/search/embedding-decode.ts';
import {
  cosineSimilarity,
  type EncodingFormat,
  estimateTokens,
  hammingDistance,
  referenceProfile,
  searchOperations,
} from '../../../src/wire/search/index.ts';
import { prepared } from './fake.ts';
import { loopback } from './loopback.ts';

const { harness, service, script } = await loopback();

const where = { operation: searchOperations(referenceProfile.paths)['embeddings.create'] };
const decode = (text: unknown, dimensions: number, encoding: EncodingFormat = 'base64_int8') =>
  decodeVector(where, 'v', text, dimensions, encoding);

describe('decoding a vector', () => {
  it('reads the two examples of the reference', () => {
    expect([...decode('AQID/w==', 4)]).toEqual([1, 2, 3, -1]);
    expect([...decode('gH8A/g==', 4)]).toEqual([-128, 127, 0, -2]);
  });

  it('gives back any bytes, in memory of its own', () => {
    fc.assert(
      fc.property(fc.int8Array({ minLength: 1, maxLength: 64 }), (vector) => {
        const decoded = decode(
          Buffer.from(vector.buffer, vector.byteOffset, vector.length).toString('base64'),
          vector.length,
        );
        expect(decoded).toBeInstanceOf(Int8Array);
        expect([...decoded]).toEqual([...vector]);
        expect(decoded.buffer.byteLength).toBe(vector.length);
      }),
    );
  });

  it('packs bits least significant first', () => {
    // Components 0, 3 and 9 are set: byte 0 = 2^0 + 2^3, byte 1 = 2^(9 − 8).
    const bits = decode(Buffer.from([9, 2]).toString('base64'), 16, 'base64_binary');
    expect(bits).toBeInstanceOf(Uint8Array);
    const set = Array.from({ length: 16 }, (_, i) => (bits[i >> 3]! >> (i & 7)) & 1);
    expect(set.flatMap((bit, i) => (bit === 1 ? [i] : []))).toEqual([0, 3, 9]);
  });

  it.each([
    [undefined, 4, 'is not a base64 string'],
    [[1, 2, 3, 4], 4, 'is not a base64 string'],
    ['AQID', 4, 'has 3 bytes; 4 were asked for'],
    ['AQID/wA=', 4, 'has 5 bytes; 4 were asked for'],
    ['!!!!!!==', 4, 'is not base64'],
    ['', 4, 'has 0 bytes'],
  ])('refuses %j', (text, dimensions, message) => expect(() => decode(text, dimensions)).toThrow(message));
});

describe('comparing vectors', () => {
  it('cosine by hand', () => {
    // (1·2 + 2·0 + 3·−1) / (√14 · √5)
    expect(cosineSimilarity(Int8Array.of(1, 2, 3), Int8Array.of(2, 0, -1))).toBeCloseTo(-1 / Math.sqrt(70), 12);
    expect(cosineSimilarity(new Int8Array(3), Int8Array.of(1, 2, 3))).toBe(0);
  });
  it('Hamming against counting digits', () => {
    const bytes = fc.uint8Array({ minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        const slow = [...a].reduce((sum, byte, i) => sum + (byte ^ b[i]!).toString(2).replaceAll('0', '').length, 0);
        expect(hammingDistance(a, b)).toBe(slow);
      }),
    );
  });
  it.each([cosineSimilarity, hammingDistance])('refuses different lengths', (compare) => {
    expect(() => compare(new Int8Array(2) as never, new Int8Array(3) as never)).toThrow(RangeError);
  });
});

describe('estimating tokens', () => {
  it.each([
    ['', 0],
    ['a', 1],
    ['hello world', 2],
    ['internationalisation', 4],
    ['camelCase', 2],
    ['2026', 4],
    ['x = y;', 4],
    ['日本語', 3],
    ['Привет', 3],
  ])('%j is %d', (text, tokens) => expect(estimateTokens(text)).toBe(tokens));

  it('is above the true count for English prose, by less than half', async () => {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
    const prose =
      'Contextual embeddings place every chunk of a document into the light of the chunks around it, which is why a pronoun in the third paragraph can still be found by the name it stands for. '.repeat(
        20,
      );
    const truth = countTokens(prose);
    expect(estimateTokens(prose)).toBeGreaterThanOrEqual(truth);
    expect(estimateTokens(prose)).toBeLessThan(truth * 1.5);
  });
});

const vector = (value: number): string => Buffer.alloc(128, value).toString('base64');

describe('the order and count of an answer', () => {
  const ask = (data: unknown, usage?: object) =>
    prepared({}, { data, ...(usage === undefined ? {} : { usage }), extra: 1 }).service.embeddings.create({
      model: 'embed-v1-0.6b',
      input: ['a', 'b', 'c'],
      dimensions: 128,
    });
  const entry = (index: unknown, value: number): object => ({ object: 'embedding', index, embedding: vector(value) });

  it('sorts by index and keeps unknown fields', async () => {
    const { vectors, responses } = await ask([entry(2, 2), entry(0, 0), entry(1, 1)]);
    expect(vectors.map((own) => own[0])).toEqual([0, 1, 2]);
    expect(responses).toEqual([{ extra: 1 }]);
  });
  it.each<[unknown, string]>([
    [undefined, 'data is nothing, array was expected'],
    [[entry(0, 0), entry(1, 1)], 'data holds no index 2; 2 of 3 entries came'],
    [[entry(0, 0), entry(1, 1), entry(1, 2)], 'data holds index 1 twice'],
    [[entry(0, 0), entry(1, 1), entry(3, 2)], 'data[2].index is 3'],
    [[entry(0, 0), entry('1', 1), entry(2, 2)], 'data[1].index is string, number was expected'],
    [[entry(0, 0), null, entry(2, 2)], 'data[1] is null, object was expected'],
    [[entry(0, 0), { index: 1, embedding: 'AQID' }, entry(2, 2)], 'data[1].embedding has 3 bytes; 128'],
  ])('refuses %#', async (data, message) => {
    await expect(ask(data)).rejects.toMatchObject({
      code: 'RESPONSE_INVALID',
      message: expect.stringContaining(message),
    });
  });
  it('costs what the service says, else the list price of what it counted, else of the estimate', async () => {
    const data = [entry(0, 0), entry(1, 1), entry(2, 2)];
    expect((await ask(data, { total_tokens: 9, cost: { total_cost: 0.5 } })).cost).toMatchObject({
      usd: 0.5,
      source: 'service',
    });
    expect((await ask(data, { total_tokens: 1_000_000 })).cost).toMatchObject({ usd: 0.004, source: 'table' });
    expect((await ask(data)).cost.usd).toBeCloseTo((3 * 0.004) / 1e6, 15);
  });
});

describe('embeddings over the loopback service', () => {
  const input = [['Doc A, part 1', 'Doc A, part 2', 'Doc A, part 3'], ['Doc B, only part']];
  const request = { model: 'embed-context-v1-0.6b', input, dimensions: 128 } as const;

  it('keeps documents and chunks in order when the service shuffles them', async () => {
    const plain = await service.embeddings.contextual(request);
    script.embeddings = { shuffle: true, outerObject: 'contextualized_embedding' };
    const shuffled = await service.embeddings.contextual(request);
    expect(shuffled.vectors).toEqual(plain.vectors);
    expect(plain.vectors.map((document) => document.length)).toEqual([3, 1]);
    expect(new Set(plain.vectors.flat().map((own) => own.join())).size).toBe(4);
    expect(harness.requests[0]?.body).toEqual({ ...request, encoding_format: 'base64_int8' });
  });

  it.each([{ duplicate: true }, { missing: true }, { shortVectors: true }])(
    'refuses an answer with %j',
    async (fault) => {
      script.embeddings = fault;
      await expect(service.embeddings.contextual(request)).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
      const texts = { model: 'embed-v1-0.6b', input: ['a', 'b'], dimensions: 128 };
      await expect(service.embeddings.create(texts)).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
    },
  );

  it('sets the bit of a component that is not negative', async () => {
    const texts = { model: 'embed-v1-4b', input: 'tower', dimensions: 256 };
    const [int8] = (await service.embeddings.create(texts)).vectors;
    const [bits] = (await service.embeddings.create({ ...texts, encoding_format: 'base64_binary' })).vectors;
    expect(Array.from(int8!, (component) => Number(component >= 0))).toEqual(
      Array.from(int8!, (_, i) => (bits![i >> 3]! >> (i & 7)) & 1),
    );
  });

  it('refuses a model of unknown dimensions before it is paid for, and takes them from the request', async () => {
    const model = { name: 'embed-v9', wireName: 'embed-v9', kind: 'embedding', contextTokens: 32_000 } as const;
    const embedding = Buffer.alloc(256).toString('base64');
    const { service: own, sent } = prepared({ profile: { models: [model] } }, { data: [{ index: 0, embedding }] });
    const request = { model: 'embed-v9', input: ['ferry'] };
    await expect(own.embeddings.create(request)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('dimensions: is required'),
    });
    expect(sent).toEqual([]);
    expect((await own.embeddings.create({ ...request, dimensions: 256 })).vectors[0]!.length).toBe(256);
  });

  it('refuses bits that fill no whole byte before they are paid for', async () => {
    const request = {
      model: 'embed-v1-0.6b',
      input: 'tower',
      dimensions: 132,
      encoding_format: 'base64_binary',
    } as const;
    await expect(service.embeddings.create(request)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: 'dimensions: must be a multiple of 8 with base64_binary, got 132',
    });
    expect(harness.requests).toHaveLength(0);
  });

  it('halves a request the service finds too long, on demand, and adds up the bill', async () => {
    const texts = {
      model: 'embed-v1-0.6b',
      input: Array.from({ length: 6 }, (_, i) => `${i} ${'word '.repeat(24_000)}`),
    };
    const countTokens = (): number => 100; // a counter that is wrong
    await expect(service.embeddings.create(texts, { countTokens })).rejects.toMatchObject({ code: 'REQUEST_REJECTED' });
    harness.clear();
    const { vectors, usage, cost, infos } = await service.embeddings.create(texts, { countTokens, halve: true });
    expect(harness.requests.map(({ status }) => status)).toEqual([400, 200, 200]);
    const single = await Promise.all(
      texts.input.map(async (text) => (await service.embeddings.create({ ...texts, input: text })).vectors[0]),
    );
    expect(vectors).toEqual(single);
    expect(infos).toHaveLength(2);
    expect(usage.total_tokens).toBeGreaterThan(6 * 24_000);
    expect(cost.usd).toBeCloseTo(((usage.total_tokens ?? 0) * 0.004) / 1e6, 10);
  });

  it('does not halve what is refused for another reason', async () => {
    harness.script({ fault: { kind: 'status', status: 400, message: 'bad model' } });
    const call = service.embeddings.create({ model: 'embed-v1-0.6b', input: ['a', 'b'] }, { halve: true });
    await expect(call).rejects.toMatchObject({ code: 'REQUEST_REJECTED' });
    expect(harness.requests).toHaveLength(1);
  });
});
