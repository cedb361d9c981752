import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../src/store/contract.ts';
import { rewriteFilter } from '../../../src/store/filter.ts';
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
});
