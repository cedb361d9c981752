import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openIndex, type SearchIndex } from '../../../src/index.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
import { tempFolder, writeFiles } from '../../support/temp.ts';

const options = { create: true, embedder: fakeEmbedder(16) };
const docs = {
  'docs/harbour.md': '# Harbour\n\nBoats stay in the harbour in winter.',
  'docs/orchard.md': '# Orchard\n\nThe orchard is pruned in March.',
  'docs/low/marsh.md': '# Marsh\n\nThe marsh floods in spring.',
};
const other = { 'letters/ann.md': '# Ann\n\nAnn writes about the pier.' };

async function indexed(files: Record<string, string> = { ...docs, ...other }): Promise<string> {
  const folder = tempFolder(files);
  await using index = await openIndex(join(folder, '.ibid'), options);
  for (const name of new Set(Object.keys(files).map((path) => path.split('/')[0]!)))
    await index.ingest(join(folder, name));
  return folder;
}

const uris = async (index: SearchIndex): Promise<string[]> =>
  (await Array.fromAsync(index.documents(), ({ uri }) => uri)).sort();

const filesFinding = async (index: SearchIndex): Promise<string | undefined> =>
  (await index.check()).find(({ check }) => check === 'files')?.detail;

describe('a folder that is ingested from another place', () => {
  it.each([undefined, 2])('has moved, where the old place has none of its documents: shards %s', async (shards) => {
    const folder = tempFolder({ ...docs, ...other, 'docs/broken.pdf': '%PDF-1.4 broken' });
    await using index = await openIndex(join(folder, '.ibid'), { ...options, shards });
    await index.ingest([join(folder, 'docs'), join(folder, 'letters')]);
    renameSync(join(folder, 'docs'), join(folder, 'papers'));
    const dry = await index.ingest(join(folder, 'papers'), { dryRun: true });
    const summary = await index.ingest(join(folder, 'papers'));
    const moved = [{ from: 'docs', documents: 3, found: 3 }];
    const counts = { added: 0, renamed: 3, removed: 0, documents: 4, moved };
    expect(summary).toMatchObject(counts);
    expect(dry).toMatchObject(counts);
    expect(await uris(index)).toEqual([
      'letters/ann.md',
      'papers/harbour.md',
      'papers/low/marsh.md',
      'papers/orchard.md',
    ]);
    expect((await index.status()).failed.map(({ uri }) => uri)).toEqual(['papers/broken.pdf']);
    expect(await filesFinding(index)).not.toContain('not there');
    const again = await index.ingest(join(folder, 'papers'));
    expect(again).toMatchObject({ added: 0, renamed: 0, unchanged: 3 });
    expect(again).not.toHaveProperty('moved');
  });

  it('has moved, where the index went away from its documents', async () => {
    const folder = await indexed(docs);
    const elsewhere = tempFolder({});
    renameSync(join(folder, '.ibid'), join(elsewhere, '.ibid'));
    await using index = await openIndex(join(elsewhere, '.ibid'), options);
    const summary = await index.ingest(join(folder, 'docs'));
    expect(summary).toMatchObject({ added: 0, renamed: 3, documents: 3 });
    expect((await index.search('marsh')).hits[0]!.chunk.uri).toMatch(/^\.\.\/.*\/docs\/low\/marsh\.md$/);
  });

  it('has moved, where all was ingested as the folder of the index itself', async () => {
    const folder = tempFolder({ 'a.md': 'The anchor.', 'b.md': 'The buoy.' });
    await using index = await openIndex(join(folder, '.ibid'), options);
    await index.ingest(folder);
    mkdirSync(join(folder, 'notes'));
    for (const name of ['a.md', 'b.md']) renameSync(join(folder, name), join(folder, 'notes', name));
    const summary = await index.ingest(join(folder, 'notes'));
    expect(summary).toMatchObject({ added: 0, renamed: 2, moved: [{ from: '.', documents: 2, found: 2 }] });
    expect(await uris(index)).toEqual(['notes/a.md', 'notes/b.md']);
  });

  it('is a copy, where the old place is there', async () => {
    const folder = await indexed();
    writeFiles(folder, { 'copy/harbour.md': docs['docs/harbour.md'], 'copy/orchard.md': docs['docs/orchard.md'] });
    await using index = await openIndex(join(folder, '.ibid'), options);
    rmSync(join(folder, 'docs/low'), { recursive: true });
    const summary = await index.ingest(join(folder, 'copy'));
    expect(summary).toMatchObject({ added: 2, renamed: 0, documents: 6 });
    expect(summary).not.toHaveProperty('moved');
  });

  it('is told, and nothing goes, where the old place is away and only some of its documents are found', async () => {
    const folder = await indexed();
    renameSync(join(folder, 'docs'), join(folder, 'papers'));
    writeFileSync(join(folder, 'papers/orchard.md'), '# Orchard\n\nThe orchard is pruned in April.');
    await using index = await openIndex(join(folder, '.ibid'), options);
    const summary = await index.ingest(join(folder, 'papers'));
    const moved = [{ from: 'docs', documents: 3, found: 2 }];
    expect(await filesFinding(index)).toContain(
      'not there: docs (3 documents, 2 of them stored under other names too)',
    );
    expect(summary).toMatchObject({ added: 3, renamed: 0, removed: 0, documents: 7, moved });
    await index.remove('docs', { force: true });
    expect(await uris(index)).toEqual([
      'letters/ann.md',
      'papers/harbour.md',
      'papers/low/marsh.md',
      'papers/orchard.md',
    ]);
  });

  it('has moved with each of its parts, where these were ingested one by one', async () => {
    const folder = tempFolder({ ...docs, ...other });
    await using index = await openIndex(join(folder, '.ibid'), options);
    for (const name of [...Object.keys(docs), 'letters']) await index.ingest(join(folder, name));
    renameSync(join(folder, 'docs'), join(folder, 'papers'));
    expect(await index.ingest(join(folder, 'papers'))).toMatchObject({ added: 0, renamed: 3, documents: 4 });
    expect(await filesFinding(index)).toBe('none has changed');
  });

  it.each([undefined, 2])('has moved, where a rebuild reads it at its new place: shards %s', async (shards) => {
    const folder = tempFolder({ ...docs, ...other, 'docs/broken.pdf': '%PDF-1.4 broken' });
    await using index = await openIndex(join(folder, '.ibid'), { ...options, shards });
    await index.ingest([join(folder, 'docs'), join(folder, 'letters')]);
    await index.add([{ uri: 'docs/given', text: 'The anchor is lost.' }]);
    renameSync(join(folder, 'docs'), join(folder, 'papers'));
    const dry = await index.ingest(join(folder, 'papers'), { rebuild: true, dryRun: true });
    const summary = await index.ingest(join(folder, 'papers'), { rebuild: true });
    const counts = { documents: 5, moved: [{ from: 'docs', documents: 3, found: 3 }] };
    expect(dry).toMatchObject(counts);
    expect(summary).toMatchObject(counts);
    expect(await uris(index)).toEqual([
      'docs/given',
      'letters/ann.md',
      'papers/harbour.md',
      'papers/low/marsh.md',
      'papers/orchard.md',
    ]);
    expect((await index.status()).failed.map(({ uri }) => uri)).toEqual(['papers/broken.pdf']);
    expect(await filesFinding(index)).not.toContain('not there');
    expect(await index.ingest(join(folder, 'papers'))).toMatchObject({ added: 0, unchanged: 3 });
  });

  it('stays with a rebuild, where only some of its documents are found', async () => {
    const folder = await indexed();
    renameSync(join(folder, 'docs'), join(folder, 'papers'));
    rmSync(join(folder, 'papers/orchard.md'));
    await using index = await openIndex(join(folder, '.ibid'), options);
    const summary = await index.ingest(join(folder, 'papers'), { rebuild: true });
    expect(summary).toMatchObject({ documents: 6, moved: [{ from: 'docs', documents: 3, found: 2 }] });
  });

  it('leaves alone what a program has given', async () => {
    const folder = await indexed({ 'docs/a.md': 'The anchor holds.' });
    await using index = await openIndex(join(folder, '.ibid'), options);
    await index.add([{ uri: 'docs/given', text: 'The anchor is lost.' }]);
    renameSync(join(folder, 'docs'), join(folder, 'papers'));
    await index.ingest(join(folder, 'papers'));
    expect(await uris(index)).toEqual(['docs/given', 'papers/a.md']);
  });

  it('keeps the names of files of one content', async () => {
    const folder = await indexed({ 'docs/a.md': 'One text.', 'docs/b.md': 'One text.', 'docs/c.md': 'One text.' });
    await using index = await openIndex(join(folder, '.ibid'), options);
    renameSync(join(folder, 'docs'), join(folder, 'papers'));
    const events = [];
    for await (const event of index.ingest(join(folder, 'papers'))) if (event.type === 'renamed') events.push(event);
    expect(events.map(({ from, to }) => [from, to]).sort()).toEqual(
      ['a', 'b', 'c'].map((name) => [`docs/${name}.md`, `papers/${name}.md`]),
    );
  });
});
