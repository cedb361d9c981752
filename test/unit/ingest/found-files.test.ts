import { describe, expect, it } from 'vitest';
import { FoundFiles } from '../../../src/ingest/found-files.ts';
import { randomSource } from '../vector/random.ts';

describe('the files of a scan', () => {
  it('come back as they were found: long paths, all scripts, halves of characters, recordings', () => {
    const random = randomSource(9);
    const parts = ['docs', 'größe', '資料', '🗂️', 'a b', '\ud800', 'x'.repeat(9000)];
    const files = Array.from({ length: 4000 }, (_, i) => {
      const depth = Array.from({ length: random.integer(1, 3) }, () => parts[random.integer(0, parts.length - 1)]!);
      const path = `/${i < 2000 ? 'first' : 'second root'}/${depth.join('/')}/${i}.${i % 50 === 0 ? 'mp3' : 'txt'}`;
      const found = {
        path,
        sizeBytes: random.integer(0, 2 ** 31) * 2 ** 10,
        mtimeMs: random.integer(0, 2e9) * 1000 + 0.25,
      };
      return i % 100 === 0 ? { ...found, beside: { ...found, path: `${path}.vtt` } } : found;
    });
    const items = new FoundFiles((uri, file) => ({ uri, ...file }) as never);
    items.below('/first', (path) => `1:${path}`);
    for (const file of files.slice(0, 2000)) items.push(file);
    items.below('/an empty one', () => 'never');
    items.below('/second root', (path) => `2:${path}`);
    for (const file of files.slice(2000)) items.push(file);
    expect(items.length).toBe(files.length);
    for (const [i, file] of files.entries())
      expect(items.at(i)).toEqual({ uri: `${i < 2000 ? 1 : 2}:${file.path}`, ...file });
  });

  it('are found as fast where each has been named', () => {
    const items = new FoundFiles((uri) => ({ uri }) as never);
    const paths = Array.from({ length: 60_000 }, (_, i) => `/folder/${i}.md`);
    for (const path of paths) {
      items.below(path, (one) => `uri of ${one}`);
      items.push({ path, sizeBytes: 1, mtimeMs: 1 });
    }
    const startedAt = performance.now();
    for (const [i, path] of paths.entries()) if (items.at(i).uri !== `uri of ${path}`) throw new Error(path);
    // a look through all roots for each would take half a minute
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});
