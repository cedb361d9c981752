import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../src/store/contract.ts';
import { everyFilter, rewriteFilter } from '../../../src/store/filter.ts';
import { connectDatabase, openStore, openWriter } from '../../../src/store/index.ts';
import { record } from './records.ts';

async function snapshotOf(): Promise<Snapshot> {
  const database = await connectDatabase('memory://');
  const writer = await openWriter(database, { fingerprint: { embedder: 'e', dimensions: 16 } });
  await writer.current.replaceDocuments([
    record('a', ['a0', 'a1'], {
      metadata: { year: 2019, lang: 'de', draft: true, 'due date': '2020-01-01' },
      format: 'pdf',
    }),
    record("it's", ['b0'], { metadata: { year: 2021, lang: 'en', draft: false, size: -1.5 } }),
    record('c;d`$`"x"\\', ['c0'], { metadata: { year: 'unknown', lang: null, note: "metadata.year = 'x'" } }),
    record('データ/日本.md', ['d0'], { metadata: {} }),
  ]);
  return (await openStore(database)).snapshot();
}

describe('filters', async () => {
  const snapshot = await snapshotOf();
  const cases: [where: string, ordinals: number[]][] = [
    ["uri = 'it''s'", [2]],
    ['uri = \'c;d`$`"x"\\\'', [3]],
    ["uri LIKE 'データ/%'", [4]],
    ["format = 'pdf'", [0, 1]],
    ["format = 'pdf' AND position = 1", [1]],
    ["title = 'Title of a' OR position > 5", [0, 1]],
    ['metadata.year = 2021', [2]],
    ['metadata.year >= 2019', [0, 1, 2]],
    ['2020 <= metadata.year', [2]],
    ['metadata.year BETWEEN 2018 AND 2020', [0, 1]],
    ['metadata.year IN (2019, 2021)', [0, 1, 2]],
    ["metadata.year = 'unknown'", [3]],
    ['metadata.size = -1.5', [2]],
    ['metadata.size < 0', [2]],
    ["metadata.lang = 'de'", [0, 1]],
    ["metadata['lang'] IN ('de', 'en')", [0, 1, 2]],
    ["metadata.lang LIKE 'd%'", [0, 1]],
    ['metadata.lang IS NULL', [3, 4]],
    ['metadata.lang IS NOT NULL', [0, 1, 2]],
    ['metadata.draft = true', [0, 1]],
    ['metadata.draft IS FALSE', [2]],
    ['metadata."due date" = \'2020-01-01\'', [0, 1]],
    ["metadata.note = 'metadata.year = ''x'''", [3]],
    ["metadata.nowhere = 'x'", []],
    ["NOT (format = 'pdf') AND metadata.year > 2000", [2]],
    ['position >= 0', [0, 1, 2, 3, 4]],
  ];
  it.each(cases)('%s', async (where, ordinals) => {
    const set = await snapshot.filter(where);
    expect([...set.ordinals]).toEqual(ordinals);
    expect(set.size).toBe(ordinals.length);
    expect([0, 1, 2, 3, 4, 5].filter((ordinal) => set.has(ordinal))).toEqual(ordinals);
  });

  it.each([
    '',
    '  ',
    'nope = 3',
    'uri =',
    "uri = 'open",
    "uri = 'a'; DROP TABLE chunks",
    'position',
    'metadata.year ===',
    "position = 'x'",
    "format = 'pdf' format = 'md'",
  ])('%j is refused with the list of columns', async (where) => {
    await expect(snapshot.filter(where)).rejects.toMatchObject({
      code: 'INVALID_FILTER',
      hint: expect.stringContaining('uri, title, format, position'),
    });
  });

  it('leaves what is not metadata alone', () => {
    for (const where of ["uri = 'metadata.x'", 'position   > 3', '"uri" = \'a\''])
      expect(rewriteFilter(where)).toBe(where);
  });

  it.each([
    ['foo', 'there is no column "foo"'],
    ['foo.bar = 1', 'there is no column "foo"'],
    ['metadata.year = 2019 and vectr = 1', 'there is no column "vectr"'],
    ['nofn(metadata.year) = 1', 'there is no function "nofn"'],
    ['metadata.draft', 'it is not true or false'],
    ['metadata.draft in (1, true)', 'it compares values of different types'],
    ['uri =', 'it is not valid SQL: Expected: an expression'],
  ])('%j is refused in terms of its author', async (where, why) => {
    const error: unknown = await snapshot.filter(where).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'INVALID_FILTER', message: expect.stringContaining(`cannot be used: ${why}`) });
    expect((error as Error).message).not.toMatch(/seq|source|signs|json_|schema error|invalid input/i);
  });

  it.each([
    ['true) OR (true', 'a ")" closes nothing'],
    ['uri = lower(title', 'a "(" is not closed'],
    ['(uri = title]', 'a "]" closes nothing'],
    ["uri = 'a", 'a quote is not closed'],
    ['uri = "a', 'a quote is not closed'],
    ['true /* note', 'a comment is not closed'],
    ["uri = $$)$$ or uri = ''", 'it holds a "$"'],
  ])('%j cannot stand in parentheses', async (where, why) => {
    const refused = expect.objectContaining({ code: 'INVALID_FILTER', message: expect.stringContaining(why) });
    expect(() => everyFilter(['position = 0', where])).toThrow(refused);
    await expect(snapshot.filter(where)).rejects.toEqual(refused);
  });

  it('filters are joined without what would reach beyond them', async () => {
    expect(everyFilter([undefined, undefined])).toBeUndefined();
    for (const where of ['true -- note', 'true /* ) */', "uri <> ')' -- '"])
      expect([...(await snapshot.filter(everyFilter(["format = 'pdf'", where])!)).ordinals]).toEqual([0, 1]);
    // no string of other rules begins here, in which the quotes would pair in another way
    expect(everyFilter(["uri <> N'a'"])).toBe("(uri <> N 'a')");
  });

  it.each([
    ['conditions', Array.from({ length: 40_000 }, (_, i) => `position = ${i}`).join(' or ')],
    ['conditions', 'not true and '.repeat(40_000).concat('true')],
    ['operators', `true${' = true'.repeat(2000)}`],
    ['operators', `position${' + 0'.repeat(2000)} = 0`],
    ['operators', `uri${' is null'.repeat(2000)}`],
    ['operators', `position${' between 0 and 1'.repeat(2000)}`],
    ['operators', `${'('.repeat(20)}position${`${' + 0'.repeat(100)})`.repeat(20)} = 0`],
    ['operators', 'not '.repeat(2000).concat('true')],
  ])('too many %s are refused before they overflow the stack of the database', async (what, where) => {
    const error: unknown = await snapshot.filter(where).catch((error: unknown) => error);
    expect(error).toMatchObject({
      code: 'INVALID_FILTER',
      message: expect.stringMatching(new RegExp(`more than [0-9]+ ${what}$`)),
      hint: expect.stringContaining("uri IN ('a', 'b')"),
    });
    expect((error as Error).message.length).toBeLessThan(500);
  });

  it('as many conditions and operators as may be are no danger', async () => {
    const leaf = `${'('.repeat(12)}position${`${' + 0'.repeat(20)})`.repeat(12)} = 0`;
    const many = Array.from({ length: 4990 }, (_, i) => `metadata.year = ${i + 3000}`).join(' or ');
    expect([...(await snapshot.filter(`${many} or ${leaf}`)).ordinals]).toEqual([0, 2, 3, 4]);
  });
});
