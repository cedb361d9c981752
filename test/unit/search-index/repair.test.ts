import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openIndex, type RepairEvent, type SearchIndex } from '../../../src/index.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
import { tempFolder, writeFiles } from '../../support/temp.ts';

const options = { create: true, embedder: fakeEmbedder(16) };
const files = {
  'harbour.md': '# Harbour\n\nBoats stay in the harbour in winter.',
  'orchard.md': '# Orchard\n\nThe orchard is pruned in March.',
};
const note = { uri: 'note:1', title: 'Ferry', text: 'The ferry leaves at seven.' };

/** A folder with an index of its files and of a note. */
async function indexed(): Promise<{ folder: string; address: string }> {
  const folder = tempFolder(files);
  const address = join(folder, '.ibid');
  await using index = await openIndex(address, options);
  await index.ingest(folder);
  await index.add([note]);
  return { folder, address };
}

/** Changes one byte of the newest file of a part of a table that holds `text`, or of the first file. */
function flip(address: string, table: string, part: string, text?: string): string {
  const folder = join(address, 'lance', `${table}.lance`, part);
  for (const name of readdirSync(folder).sort()) {
    const bytes = readFileSync(join(folder, name));
    const at = text === undefined ? bytes.length >> 1 : bytes.indexOf(text);
    if (at < 0 || name.endsWith('.json')) continue;
    bytes[at]! ^= 1;
    writeFileSync(join(folder, name), bytes);
    return `lance/${table}.lance/${part}/${name}`;
  }
  throw new Error(`no file of ${table} holds it`);
}

const texts = async (index: SearchIndex): Promise<string[]> =>
  (await Array.fromAsync(index.export())).map(({ text }) => text).sort();

describe('an index with a damaged file', () => {
  it('never gives a changed text: it says which file is damaged', async () => {
    const { address } = await indexed();
    const file = flip(address, 'chunks_1', 'data', 'orchard is pruned');
    await using index = await openIndex(address, options);
    const damaged = {
      code: 'INDEX_DAMAGED',
      message: expect.stringContaining(file),
      hint: expect.stringContaining('repair()'),
    };
    await expect(index.search('orchard')).rejects.toMatchObject(damaged);
    await expect(index.ask('When is the orchard pruned?')).rejects.toMatchObject(damaged);
    await expect(Array.fromAsync(index.export())).rejects.toMatchObject(damaged);
    await expect(index.status()).rejects.toMatchObject(damaged);
    await expect(index.ingest(address.replace(/\.ibid$/, ''))).rejects.toMatchObject(damaged);
  });

  it('is told by `check`, with the documents in the damage', async () => {
    const { address } = await indexed();
    const file = flip(address, 'chunks_1', 'data', 'orchard is pruned');
    await using index = await openIndex(address, options);
    const bad = (await index.check()).filter(({ ok }) => !ok);
    expect(bad).toEqual([
      { check: 'checksums', ok: false, detail: `${file} has other bytes than were written` },
      { check: 'documents', ok: false, detail: '1 damaged: orchard.md' },
    ]);
  });

  it.each([
    ['a row', (address: string) => flip(address, 'chunks_1', 'data', 'orchard is pruned')],
    ['the manifest', (address: string) => flip(address, 'documents_1', 'data', 'harbour.md')],
    ['the inverted index', (address: string) => flip(address, 'lexical_1', 'data')],
    ['a version of a table', (address: string) => flip(address, 'documents_1', '_versions')],
    ['a record of a commit', (address: string) => flip(address, 'meta', '_transactions')],
    ['the notes', (address: string) => flip(address, 'meta', 'data', 'state')],
    ['the copy of the notes', (address: string) => truncateSync(join(address, 'checksums/notes'), 20)],
    ['the checksums of the rows', (address: string) => truncateSync(join(address, 'checksums/chunks_1.json'), 0)],
    ['the checksums of the notes', (address: string) => truncateSync(join(address, 'checksums/meta.json'), 30)],
    [
      'the name of the newest version',
      (address: string) => truncateSync(join(address, 'lance/chunks_1.lance/_versions/latest_version_hint.json'), 3),
    ],
  ])('is made whole by `repair`: %s', async (_, damage) => {
    const { address } = await indexed();
    damage(address);
    await using index = await openIndex(address, options);
    expect((await index.check()).some(({ ok }) => !ok)).toBe(true);
    expect(await index.repair()).toMatchObject({ damaged: [{}], lost: [], dropped: [] });
    expect((await index.check()).filter(({ ok }) => !ok)).toEqual([]);
    expect(await texts(index)).toEqual([...Object.values(files), note.text].sort());
    // still known: what the index was made from
    expect(await index.check()).toContainEqual({ check: 'files', ok: true, detail: 'none has changed' });
    await using again = await openIndex(address, options);
    expect(await texts(again)).toEqual([...Object.values(files), note.text].sort());
  });

  it('loses a document only when the damage is in its rows and it has no file', async () => {
    const { folder, address } = await indexed();
    flip(address, 'chunks_1', 'data', 'ferry leaves');
    rmSync(join(folder, 'orchard.md'));
    await using index = await openIndex(address, options);
    const run = index.repair();
    const events: RepairEvent[] = await Array.fromAsync(run);
    expect(events[0]).toMatchObject({ type: 'damaged', files: [{ what: 'has other bytes than were written' }] });
    expect(await run).toMatchObject({ reread: 1, kept: 1, lost: ['note:1'] });
    expect(await texts(index)).toEqual(Object.values(files).sort());
    expect((await index.search('orchard', { limit: 1 })).hits[0]!.chunk.uri).toBe('orchard.md');
  });

  it.each([
    ['a folder', (path: string) => writeFiles(path, { 'inner.md': 'Nobody has asked for this.' })],
    ['no text', (path: string) => writeFileSync(path, Buffer.alloc(100))],
    ['empty', (path: string) => writeFileSync(path, '')],
  ])('keeps what it had of a file that is %s by now, or says that it is lost', async (_, change) => {
    for (const [damage, kept, lost] of [
      ['ferry leaves', ['orchard.md'], ['note:1']],
      ['orchard is pruned', ['note:1'], ['orchard.md']],
    ] as const) {
      const { folder, address } = await indexed();
      flip(address, 'chunks_1', 'data', damage);
      rmSync(join(folder, 'orchard.md'));
      change(join(folder, 'orchard.md'));
      await using index = await openIndex(address, options);
      expect(await index.repair()).toMatchObject({ reread: 1, kept: kept.length, lost });
      const uris = (await Array.fromAsync(index.documents())).map(({ uri }) => uri).sort();
      expect(uris).toEqual(['harbour.md', ...kept].sort());
    }
  });

  it('is as it was after a repair that cannot end', async () => {
    const { address } = await indexed();
    flip(address, 'chunks_1', 'data', 'orchard is pruned');
    await using index = await openIndex(address, { create: true }); // without the embedder of the index
    await expect(index.repair()).rejects.toMatchObject({ code: 'INDEX_MISMATCH' });
    await using again = await openIndex(address, options);
    expect(await again.repair()).toMatchObject({ lost: [] });
  });
});

describe('an index without one of its files', () => {
  it('never gives an older state for the newest: the newest version of a table is gone', async () => {
    const { address } = await indexed();
    const versions = join(address, 'lance/chunks_1.lance/_versions');
    const [newest] = readdirSync(versions).sort();
    rmSync(join(versions, newest!));
    await using index = await openIndex(address, options);
    await expect(index.search('ferry')).rejects.toMatchObject({
      code: 'INDEX_DAMAGED',
      message: expect.stringContaining(newest!),
    });
    expect(await index.repair()).toMatchObject({ reread: 2, lost: ['note:1'] }); // whose rows that version named
  });

  it('is told by `check`', async () => {
    const { address } = await indexed();
    rmSync(join(address, 'lance/lexical_1.lance/_transactions'), { recursive: true });
    await using index = await openIndex(address, options);
    expect((await index.check())[0]).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/_transactions.* is gone/),
    });
  });
});

describe('an index without damage', () => {
  it('is left alone by `repair`', async () => {
    const { address } = await indexed();
    await using index = await openIndex(address, options);
    expect(await index.repair()).toMatchObject({ damaged: [], reread: 0, kept: 0, lost: [], dropped: [] });
    expect(await index.check()).toContainEqual({
      check: 'checksums',
      ok: true,
      detail: expect.stringMatching(/^\d+ files/),
    });
  });

  it('from before there were checksums is read, and gets them with the next ingest', async () => {
    const { folder, address } = await indexed();
    rmSync(join(address, 'checksums'), { recursive: true });
    await using index = await openIndex(address, options);
    expect(await texts(index)).toHaveLength(3);
    expect(await index.check()).toContainEqual({
      check: 'checksums',
      ok: true,
      detail: expect.stringContaining('none yet'),
    });
    await index.ingest(folder);
    flip(address, 'chunks_1', 'data', 'orchard is pruned');
    await using after = await openIndex(address, options);
    await expect(after.search('orchard')).rejects.toMatchObject({ code: 'INDEX_DAMAGED' });
  });
});
