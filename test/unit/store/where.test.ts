import { describe, expect, it } from 'vitest';
import type { MetadataValue } from '../../../src/core/types.ts';
import { connectDatabase, openStore, openWriter } from '../../../src/store/index.ts';
import { type Condition, type Where, whereSql } from '../../../src/store/where.ts';
import { record } from './records.ts';

/** What a document may have under one name, each in a document of its own; the last has nothing. */
const values: readonly (MetadataValue | undefined)[] = [
  ...[2, '2', '2.0.1', 0, 1, -3, 2.5, 1e21, true, false, 'true', 'yes', '1', 'inf', 'nan', '', "it's", null],
  undefined,
];

async function matcher(): Promise<(where: Where) => Promise<readonly (MetadataValue | undefined)[]>> {
  const database = await connectDatabase('memory://');
  const writer = await openWriter(database, { fingerprint: { embedder: 'e', dimensions: 16 } });
  await writer.current.replaceDocuments(
    values.map((v, i) => record(`${i}`, ['text'], { metadata: v === undefined ? {} : { v, 'a "name"': v } })),
  );
  const snapshot = await (await openStore(database)).snapshot();
  return async (where) => [...(await snapshot.filter(whereSql(where) ?? 'true')).ordinals].map((i) => values[i]);
}

/** A number equals numbers alone, a boolean booleans; a text equals what is written as it. */
function equals(value: MetadataValue | undefined, wanted: MetadataValue): boolean {
  if (value === null || value === undefined) return wanted === null;
  return typeof wanted === 'string' ? String(value) === wanted : value === wanted;
}

describe('a filter with bound values', async () => {
  const matching = await matcher();
  const wanted: readonly MetadataValue[] = [2, 3, -3, 2.5, 1e21, '2', '2.0.1', 'true', '', "it's", true, false, null];

  it.each(wanted)('finds what equals %j, and with `not` all else', async (value) => {
    for (const name of ['metadata.v', 'metadata.a "name"']) {
      const equal = values.filter((one) => equals(one, value));
      expect(await matching({ [name]: value })).toEqual(equal);
      const others = values.filter((one) => !equals(one, value));
      expect(await matching({ [name]: { not: value } })).toEqual(others);
    }
  });

  it.each([[[2, '2.0.1', true, null]], [[1, 0, 2.5]], [[true, false]], [[null]], [['yes', 'it']], [[]]])(
    'finds what equals one of %j',
    async (list) => {
      const some = values.filter((one) => list.some((value) => equals(one, value)));
      expect(await matching({ 'metadata.v': list })).toEqual(some);
    },
  );

  it('compares bounds with numbers alone', async () => {
    expect(await matching({ 'metadata.v': { gt: 1, lte: 2.5 } })).toEqual([2, 2.5]);
    expect(await matching({ 'metadata.v': { gt: 1 } })).toEqual([2, 2.5, 1e21]); // "inf" is a word
  });

  it('takes a list of 45,000 values', async () => {
    const many = Array.from({ length: 45_000 }, (_, i) => `value ${i}`);
    expect(await matching({ 'metadata.v': [...many, '2.0.1'] })).toEqual(['2.0.1']);
    expect(await matching({ uri: [...many, '2'] })).toEqual(['2.0.1']);
  });

  it.each([
    [new Date(0), 'Date'],
    [new Set(['2']), 'Set'],
    [new Map([['not', 2]]), 'Map'],
    [/2/, 'RegExp'],
    [Object('2'), 'String'],
    [[[2]], 'Array'],
    [{ not: [2] }, 'Array'],
    [{}, 'nothing'],
    [undefined, 'nothing'],
    [{ not: undefined, gte: undefined }, 'nothing'],
  ])('%o is no condition that lets all pass', (condition, message) => {
    const refused = expect.objectContaining({
      code: 'INVALID_FILTER',
      message: expect.stringContaining(message),
      hint: expect.stringContaining('a date as its ISO text'),
    });
    expect(() => whereSql({ 'metadata.v': condition as Condition })).toThrow(refused);
  });

  it('is an object, and none of a class', () => {
    const refused = expect.objectContaining({ code: 'INVALID_FILTER' });
    for (const where of [new Map([['uri', 'a']]), new Date(0), null, 3, () => 1])
      expect(() => whereSql(where as never)).toThrow(refused);
    expect(whereSql(Object.assign(Object.create(null), { uri: 'a' }))).toBe("(uri = 'a')");
  });
});

describe('a filter in SQL', async () => {
  const matching = await matcher();
  it.each<[string, (value: MetadataValue | undefined) => boolean]>([
    ['metadata.v in (true, false)', (v) => typeof v === 'boolean'],
    ['metadata.v in (false, true)', (v) => typeof v === 'boolean'],
    ['metadata.v not in (true)', (v) => v === false],
    ['metadata.v is true', (v) => v === true],
    ['metadata.v is not true', (v) => v !== true],
    ['metadata.v is not false', (v) => v !== false],
    ['true = metadata.v', (v) => v === true],
    ['metadata.v <> 2', (v) => typeof v === 'number' && v !== 2],
    ["metadata.v = '2'", (v) => String(v) === '2'],
    ["metadata.v like '2%'", (v) => String(v).startsWith('2')],
    ['metadata.v is null', (v) => v === null || v === undefined],
    ['metadata.v = 2 -- the number', (v) => v === 2],
    ['metadata.v = /* (the number */ 2', (v) => v === 2],
    ["metadata.v like'yes'", (v) => v === 'yes'],
  ])('%s', async (where, passes) => {
    expect(await matching(where)).toEqual(values.filter(passes));
  });
});
