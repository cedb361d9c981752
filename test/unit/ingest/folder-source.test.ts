import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { folderSource, uriOf, within } from '../../../src/ingest/folder-source.ts';
import type { Reader, ReadSource } from '../../../src/read/contract.ts';
import { createReader } from '../../../src/read/reader.ts';
import { tempFolder } from '../../support/temp.ts';

describe('folderSource', () => {
  it('names files relative to the base, wherever base and folder lie, and takes a file named twice once', async () => {
    const root = tempFolder({ 'project/docs/a.md': 'a', 'project/docs/deep/b.md': 'b', 'elsewhere/c.md': 'c' });
    await using reader = createReader();
    const urisFrom = async (base: string, ...paths: string[]): Promise<string[]> => {
      const source = folderSource({ base, paths, reader });
      const uris: string[] = [];
      for await (const { uri } of source.items()) {
        expect(source.covers(uri)).toBe(true);
        uris.push(uri);
      }
      return uris.sort();
    };
    const docs = join(root, 'project/docs');
    for (const base of [join(root, 'project'), docs, root, join(root, 'elsewhere'), join(docs, 'deep')]) {
      const all = await urisFrom(base, docs, join(root, 'elsewhere'), join(docs, 'a.md'), `${docs}/deep/`);
      // the oracle is the slow and general way
      const paths = [join(docs, 'a.md'), join(docs, 'deep/b.md'), join(root, 'elsewhere/c.md')];
      expect(all).toEqual(paths.map((path) => uriOf(base, path)).sort());
    }
    expect(await urisFrom(docs, join(docs, 'a.md'))).toEqual(['a.md']);
  });

  it('does not compare each path with each: a repair names every document', async () => {
    const paths = Array.from({ length: 3000 }, (_, i) => `${i}.md`);
    await using reader = createReader();
    const base = tempFolder(Object.fromEntries(paths.map((path) => [path, 'a'])));
    const looks = vi.spyOn(String.prototype, 'startsWith');
    onTestFinished(() => looks.mockRestore());
    const source = folderSource({ paths: paths.map((path) => join(base, path)), base, reader });
    expect((await Array.fromAsync(source.items())).map(({ uri }) => uri)).toEqual(paths);
    expect(looks.mock.calls.length).toBeLessThan(10 * paths.length);
  });

  it('is titled by its name when the document has no title', async () => {
    const root = tempFolder({ 'Quarterly report.txt': 'Nothing but a sentence here.' });
    await using reader = createReader();
    for await (const item of folderSource({ base: root, paths: [root], reader }).items()) {
      expect((await item.load()).document.title).toBe('Quarterly report');
    }
  });

  it.each([
    ['longer', 'One sentence. And one that was added while the folder was being walked.'],
    ['shorter', 'One.'],
  ])('reads all of a file that became %s since the walk, and nothing else', async (_, now) => {
    const root = tempFolder({ 'notes.txt': 'One sentence.' });
    await using reader = createReader();
    for await (const item of folderSource({ base: root, paths: [root], reader }).items()) {
      writeFileSync(join(root, 'notes.txt'), now);
      const loaded = await item.load();
      expect(loaded.document.text).toBe(now);
      expect(loaded.contentHash).toBe(createHash('sha256').update(now).digest('hex'));
    }
  });

  it('a large file is read by the parser process alone, with the hash of its bytes', async () => {
    const text = `${'A sentence of a large file. '.repeat(40)}\n`.repeat(9000); // 10 MB
    const root = tempFolder({ 'large.txt': text });
    const reader = createReader();
    const sources: ReadSource[] = [];
    const watched: Reader = {
      ...reader,
      read: async (source, options) => {
        sources.push(source);
        return await reader.read(source, options);
      },
    };
    for await (const item of folderSource({ base: root, paths: [root], reader: watched }).items()) {
      const { contentHash, document } = await item.load();
      expect(contentHash).toBe(createHash('sha256').update(text).digest('hex'));
      expect(contentHash).toBe(await item.hash());
      expect(document.text).toBe(text.trimEnd());
    }
    await reader.close();
    expect(sources).toEqual([{ path: join(root, 'large.txt'), uri: 'large.txt' }]);
  });

  it('refuses a file over the limit without reading it', async () => {
    const root = tempFolder({ 'big.txt': 'x'.repeat(100) });
    await using reader = createReader();
    for await (const item of folderSource({ base: root, paths: [root], reader, maxFileBytes: 99 }).items()) {
      await expect(item.load()).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
    }
  });
});

describe('within', () => {
  it.each([
    ['docs/a.md', 'docs', true],
    ['docs', 'docs', true],
    ['docs2/a.md', 'docs', false],
    ['a.md', '', true],
    ['../a.md', '', false],
    ['..a.md', '', true],
    ['../a.md', '..', true],
    ['a.md', '..', true],
    ['../../a.md', '..', false],
    ['../docs/a.md', '../docs', true],
    ['docs/a.md', '../docs', false],
  ])('%s in %s: %s', (uri, scope, expected) => {
    expect(within(uri, scope)).toBe(expected);
  });
});
