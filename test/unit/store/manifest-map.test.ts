import { describe, expect, it } from 'vitest';
import { hash32 } from '../../../src/core/hash.ts';
import type { DocumentEntry } from '../../../src/store/contract.ts';
import { ManifestMap } from '../../../src/store/manifest-map.ts';
import type { PageOptions } from '../../../src/store/manifest-pages.ts';
import { tempFolder } from '../../support/temp.ts';
import { type RandomSource, randomSource } from '../vector/random.ts';

const alphabet = ['a', 'b', '/', '.', 'ä', '日', '𝄞', '\0', ' ', '%'];
const textOf = (random: RandomSource, most: number): string =>
  Array.from({ length: random.integer(0, most) }, () => alphabet[random.integer(0, alphabet.length - 1)]).join('');

function entryOf(random: RandomSource, uri: string): DocumentEntry {
  const chance = (share: number): boolean => random.next() < share;
  return {
    uri,
    sizeBytes: random.integer(0, 2 ** 40),
    mtimeMs: random.next() * 2e12,
    contentHash: textOf(random, 64),
    chunks: random.integer(0, 9),
    ...(chance(0.2) && { failure: { code: 'FILE_DAMAGED', message: textOf(random, 30) } }),
    ...(chance(0.7) && { title: textOf(random, 40) }),
    ...(chance(0.7) && { format: 'markdown' }),
    ...(chance(0.2) && { warnings: [{ code: 'W', message: textOf(random, 200) }] }),
    ...(chance(0.7) && { first: random.integer(0, 2 ** 33) }),
  };
}

/** Pages for a few lines each, of which two or three stay in memory. */
const smallPages = (): PageOptions => {
  const folder = tempFolder();
  return { pageBytes: 1500, keptBytes: 4000, folder: () => folder };
};

describe('a manifest in memory', () => {
  it.each([
    ['in memory', (): PageOptions => ({})],
    ['with most lines in a file', smallPages],
  ])('does what a Map does, through replacing, deleting and adding again, %s', (_, pages) => {
    for (let seed = 0; seed < 12; seed++) {
      const random = randomSource(seed);
      const uris = Array.from({ length: 120 }, (_, i) => `${textOf(random, 12)}${i}`);
      const map = new ManifestMap([], pages());
      const truth = new Map<string, DocumentEntry>();
      for (let step = 0; step < 900; step++) {
        const uri = uris[random.integer(0, uris.length - 1)]!;
        if (random.next() < 0.3) expect(map.delete(uri)).toBe(truth.delete(uri));
        else {
          const entry = entryOf(random, uri);
          map.set(uri, entry);
          truth.set(uri, entry);
        }
      }
      expect(map.size).toBe(truth.size);
      expect([...map]).toEqual([...truth]);
      expect([...map.keys()]).toEqual([...truth.keys()]);
      for (const uri of uris) {
        expect(map.get(uri)).toEqual(truth.get(uri));
        expect(map.has(uri)).toBe(truth.has(uri));
      }
      const visited: string[] = [];
      map.forEach(({ contentHash }, uri) => {
        visited.push(`${uri} ${contentHash}`);
      });
      expect(visited).toEqual([...truth.values()].map(({ uri, contentHash }) => `${uri} ${contentHash}`));
    }
  });

  it('has the same lines, sums and diff with most of them in a file, also after the file was written anew', () => {
    const random = randomSource(11);
    const inMemory = new ManifestMap();
    const inFile = new ManifestMap([], smallPages());
    const uris = Array.from({ length: 4000 }, (_, i) => `${textOf(random, 12)}${i}`);
    for (let round = 0; round < 4; round++)
      for (const uri of uris) {
        const entry = { ...entryOf(random, uri), title: textOf(random, random.integer(0, 40) === 0 ? 2000 : 90) };
        for (const map of [inMemory, inFile]) map.set(uri, entry);
      }
    expect(inMemory.sizeBytes).toBeLessThan(2 * 4000 * 400); // what was replaced is gone
    const lines = (map: ManifestMap): [string, number][] =>
      Array.from(map.lines(), ([bytes, hash]) => [bytes.toString('latin1'), hash]);
    expect(lines(inFile)).toEqual(lines(inMemory));
    expect([...inFile.lines()].map(([bytes]) => bytes.toString('latin1'))).toEqual(
      lines(inMemory).map(([line]) => line),
    );
    expect(inFile.sums()).toEqual(inMemory.sums());
    const [one, other] = [inFile.diff(), inMemory.diff()];
    for (const uri of uris.slice(7)) {
      const { sizeBytes, mtimeMs } = inMemory.get(uri)!;
      expect(one.compare(uri, sizeBytes, mtimeMs)).toBe(other.compare(uri, sizeBytes, mtimeMs));
    }
    expect([...one.missing()]).toEqual([...other.missing()]);
  });

  it('counts documents and chunks without files that never were documents', () => {
    const random = randomSource(5);
    const entries = Array.from({ length: 200 }, (_, i) => entryOf(random, `u${i}`));
    const documents = entries.filter(({ failure, chunks }) => !(failure && chunks === 0));
    expect(documents.length).toBeLessThan(entries.length);
    expect(new ManifestMap(entries).totals()).toEqual({
      documents: documents.length,
      chunks: entries.reduce((sum, { chunks }) => sum + chunks, 0),
    });
  });

  it('knows a document as unchanged only with its size and time, and only when it could be read', () => {
    const entry: DocumentEntry = { uri: 'a', contentHash: 'h', chunks: 0, sizeBytes: 10, mtimeMs: 5.25 };
    const failed = { ...entry, uri: 'b', failure: { code: 'FILE_DAMAGED', message: '' } };
    const map = new ManifestMap([entry, failed]);
    const standing = (uri: string, sizeBytes: number, mtimeMs: number): string =>
      map.diff().compare(uri, sizeBytes, mtimeMs);
    expect(standing('a', 10, 5.25)).toBe('unchanged');
    expect(standing('a', 11, 5.25)).toBe('known');
    expect(standing('a', 10, 5)).toBe('known');
    expect(standing('a', 10, Number.NaN)).toBe('known');
    expect(standing('b', 10, 5.25)).toBe('known');
    expect(standing('c', 10, 5.25)).toBe('new');
  });

  it('compares with a source as a set of names would: items that come twice, lines without an item', () => {
    const random = randomSource(6);
    const map = new ManifestMap(Array.from({ length: 300 }, (_, i) => entryOf(random, `u${i}`)));
    for (let i = 0; i < 300; i += 7) map.delete(`u${i}`);
    const diff = map.diff();
    const named = new Set<string>();
    for (let i = 0; i < 500; i++) {
      const uri = `u${random.integer(0, 399)}`;
      const { sizeBytes, mtimeMs, failure } = map.get(uri) ?? {};
      const known = failure ? 'known' : 'unchanged';
      const expected = !map.has(uri) ? 'new' : named.has(uri) ? 'repeated' : known;
      expect(diff.compare(uri, sizeBytes ?? 1, mtimeMs ?? 1)).toBe(expected);
      named.add(uri);
    }
    const absent = [...map.keys()].filter((uri) => !named.has(uri));
    expect(absent.length).toBeGreaterThan(10);
    expect([...diff.missing()]).toEqual(absent);
  });

  it('signs the documents with chunks, in any order', () => {
    const random = randomSource(2);
    const entries = Array.from({ length: 50 }, (_, i) => ({
      ...entryOf(random, `docs/${i}.md`),
      contentHash: `hash ${i}`,
      chunks: i % 5,
    }));
    const sum = entries
      .filter(({ chunks }) => chunks > 0)
      .reduce((total, { uri, contentHash }) => (total + hash32(contentHash, hash32(uri))) >>> 0, 0);
    const signature = new ManifestMap(entries).signature();
    expect(signature).toBe(`50 100 ${sum}`);
    expect(new ManifestMap(entries.toReversed()).signature()).toBe(signature);
    const changed = entries.map((entry, i) => (i === 7 ? { ...entry, contentHash: 'other' } : entry));
    expect(new ManifestMap(changed).signature()).not.toBe(signature);
  });

  it('does not grow when the same documents change again and again', () => {
    const random = randomSource(3);
    const map = new ManifestMap();
    const put = (): void => {
      for (let i = 0; i < 2000; i++) map.set(`docs/document-${i}.md`, entryOf(random, `docs/document-${i}.md`));
    };
    put();
    put();
    const after2 = map.sizeBytes;
    for (let round = 0; round < 20; round++) put();
    expect(map.sizeBytes).toBeLessThan(3 * after2);
    for (let round = 0; round < 50; round++) {
      for (let i = 0; i < 2000; i++) map.delete(`docs/document-${i}.md`);
      put();
    }
    expect(map.sizeBytes).toBeLessThan(3 * after2);
  });
});
