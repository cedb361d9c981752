import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openIndex, type SearchIndex } from '../../../src/index.ts';
import { readSettings, writeSettings } from '../../../src/search-index/settings.ts';
import { tempFolder } from '../../support/temp.ts';

const words = 'anchor buoy cable diver engine fender gauge hull ladder mast needle oar pump quay rope sail'.split(' ');
const docs = Object.fromEntries(
  Array.from({ length: 12 }, (_, i) => {
    const sentence = (n: number): string =>
      `The ${words[(i + n) % 16]} of boat ${i} meets the ${words[(i * 3 + n) % 16]} and the ${words[(i * 5 + n) % 16]}.`;
    return [`docs/boat-${i}.md`, `# Boat ${i}\n\n${Array.from({ length: 30 }, (_, n) => sentence(n)).join(' ')}`];
  }),
);

async function ingest(index: SearchIndex, folder: string, rebuild = false): Promise<number> {
  for await (const event of index.ingest([join(folder, 'docs')], { rebuild })) {
    if (event.type === 'done') return event.summary.chunks;
  }
  throw new Error('ingest ended without a receipt');
}

const listsOf = async (index: SearchIndex, options = {}): Promise<Record<string, number>> => {
  const {
    hits: [hit],
  } = await index.search('anchor and cable', { explain: true, ...options });
  return Object.fromEntries(hit!.trace.map(({ list, weight }) => [list, weight]));
};

describe('settings of an index', () => {
  it('come from its file, give way to openIndex, which gives way to the search itself', async () => {
    const folder = tempFolder(docs);
    const address = join(folder, '.ibid');
    {
      await using index = await openIndex(address, { create: true, base: folder });
      await ingest(index, folder);
      expect(await listsOf(index)).toMatchObject({ window: 1.8, body: 0.6 });
    }
    writeSettings(address, { search: { weights: { window: 0.25 } } });
    await using tuned = await openIndex(address);
    expect(await listsOf(tuned)).toMatchObject({ window: 0.25, body: 0.6 });
    await using told = await openIndex(address, { tuning: { weights: { body: 0 } } });
    expect(await listsOf(told)).toMatchObject({ window: 1.8, body: 0 });
    expect(await listsOf(told, { weights: { window: 3 } })).toMatchObject({ window: 3, body: 0.6 });
    expect(await listsOf(told, { weights: undefined, candidates: undefined })).toMatchObject({ window: 1.8, body: 0 });
  });

  it('a weight turns the order, and a count of candidates bounds what is found', async () => {
    const folder = tempFolder({
      'docs/a.md': '# Harbour\n\nNothing here but ships.',
      'docs/b.md': '# Ships\n\nThe harbour, harbour, harbour.',
      'docs/c.md': '# Other\n\nA harbour too.',
    });
    await using index = await openIndex(join(folder, '.ibid'), { create: true, base: folder });
    await ingest(index, folder);
    const first = async (weights: Record<string, number>): Promise<string | undefined> =>
      (await index.search('harbour', { mode: 'lexical', weights })).hits[0]?.chunk.uri;
    const none = {
      window: 0,
      titleShare: 0,
      mention: 0,
      phrase: 0,
      characters: 0,
      length: 0,
      heading: 0,
      headingShare: 0,
    };
    expect(await first({ ...none, body: 0, title: 5 })).toBe('docs/a.md');
    expect(await first({ ...none, body: 5, title: -5 })).toBe('docs/b.md');
    const counts = { body: 1, window: 1, dense: 1 };
    expect((await index.search('harbour', { mode: 'lexical', candidates: counts })).hits.length).toBeLessThanOrEqual(2);
    expect((await index.search('harbour', { mode: 'lexical' })).hits).toHaveLength(3);
  });

  it('new chunk options wait for a rebuild; until then the folder is cut as it was', async () => {
    const folder = tempFolder(docs);
    const address = join(folder, '.ibid');
    let chunks: number;
    {
      await using index = await openIndex(address, { create: true, base: folder });
      chunks = await ingest(index, folder);
    }
    writeSettings(address, { chunking: { maxTokens: 60 } });
    await using tuned = await openIndex(address);
    expect(await ingest(tuned, folder)).toBe(chunks);
    await tuned.repair(); // of nothing; it opens the index anew
    expect(await ingest(tuned, folder)).toBe(chunks);
    const finer = await ingest(tuned, folder, true);
    expect(finer).toBeGreaterThan(2 * chunks);
    await using again = await openIndex(address);
    expect(await ingest(again, folder)).toBe(finer);
  });

  it('are refused by name where they are wrong, and absent where there is no file', async () => {
    const folder = tempFolder(docs);
    expect(readSettings(folder)).toBeUndefined();
    const path = writeSettings(folder, { search: { candidates: { body: 7 } }, chunking: { maxTokens: 99 } });
    expect(readSettings(folder)).toEqual({ search: { candidates: { body: 7 } }, chunking: { maxTokens: 99 } });
    for (const [settings, said] of [
      [{ search: { weights: { windw: 1 } } }, 'there is no weight "windw"'],
      [{ search: { weights: { window: '1' } } }, 'the weight "window" must be a number, not "1"'],
      [{ search: { candidates: { read: 0 } } }, 'the candidate count "read" must be a whole number'],
      [{ search: { weights: 3 } }, 'weights must be an object, not '],
      [{ chunking: { maxTokens: 0 } }, 'maxTokens must be an integer'],
      [{ search: [] }, 'search must be an object, not a list'],
      [{ chunkings: {} }, 'a file of settings has no "chunkings"'],
    ] as const) {
      writeFileSync(path, JSON.stringify({ format: 1, ...settings }));
      expect(() => readSettings(folder)).toThrow(said);
      expect(() => readSettings(folder)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
      expect(() => writeSettings(folder, settings as never)).toThrow(said); // else the index could not be opened again
    }
    writeFileSync(path, JSON.stringify({ format: 9 }));
    expect(() => readSettings(folder)).toThrow('format 9');
    await expect(openIndex('memory://', { create: true, tuning: { weights: { body: Number.NaN } } })).rejects.toThrow(
      'the weight "body" must be a finite number',
    );
  });

  it('with any bit flipped are the same, or refused', () => {
    const folder = tempFolder();
    const settings = { search: { weights: { window: 0.25, body: 1 } }, chunking: { maxTokens: 99 } };
    const path = writeSettings(folder, settings);
    const written = readFileSync(path);
    let refused = 0;
    for (let bit = 0; bit < written.length * 8; bit++) {
      const flipped = Buffer.from(written);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      writeFileSync(path, flipped);
      try {
        expect(readSettings(folder)).toEqual(settings);
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^INDEX_DAMAGED$|^INVALID_ARGUMENT$/) });
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(written.length * 4);
    writeFileSync(path, `${written}`.replace('0.25', '0.5').replace(/,\s*"sum": "\w+"/, ''));
    expect(readSettings(folder)?.search?.weights).toEqual({ window: 0.5, body: 1 });
  });
});
