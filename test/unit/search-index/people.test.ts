import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { CutterPool } from '../../../src/ingest/cutter-pool.ts';
import { fileItems } from '../../../src/ingest/folder-source.ts';
import { createReader } from '../../../src/read/reader.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
import { tempFolder, writeFiles } from '../../support/temp.ts';

const said = (text: string): string => JSON.stringify([{ type: 'message', ts: '1731832440.0001', user: 'U1', text }]);
const named = (name: string): string => JSON.stringify([{ id: 'U1', real_name: name }]);

it('days of a Slack export are read again when the list of people changes, comes or goes; nothing else is', async () => {
  const base = tempFolder({
    'export/users.json': named('Ailsa'),
    'export/ops/2024-11-17.json': said('Is the crane free?'),
    'export/ops/2024-11-18.json': said('It is.'),
    'export/canvas.json': said('No day of a channel.'),
  });
  const index = await openIndex(join(base, 'index'), { create: true, base, embedder: fakeEmbedder() });
  onTestFinished(() => index.close());
  const uri = 'export/ops/2024-11-17.json';
  const who = async (): Promise<unknown> => (await index.document(uri))!.metadata.from;
  const ingest = async () => await index.ingest(join(base, 'export'));
  expect(await ingest()).toMatchObject({ added: 4 });
  expect(await who()).toBe('Ailsa');
  expect(await ingest()).toMatchObject({ updated: 0, unchanged: 4 });
  expect(await index.sourceFile(uri)).toMatchObject({ uri, format: 'slack' });

  writeFiles(base, { 'export/users.json': named('Ailsa Munro') });
  await expect(index.sourceFile(uri)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await ingest()).toMatchObject({ updated: 3, unchanged: 1 });
  expect(await who()).toBe('Ailsa Munro');

  rmSync(join(base, 'export/users.json'));
  expect(await ingest()).toMatchObject({ updated: 2, unchanged: 1, removed: 1 });
  expect(await who()).toBe('U1');

  writeFiles(base, { 'export/users.json': named('Ailsa') });
  expect(await ingest()).toMatchObject({ updated: 2, added: 1 });
  expect(await who()).toBe('Ailsa');

  renameSync(join(base, 'export/ops'), join(base, 'export/harbour'));
  await ingest();
  const titles = await Array.fromAsync(index.documents(), ({ title }) => title);
  expect(titles).toContain('#harbour, 2024-11-17');
  expect(titles).not.toContain('#ops, 2024-11-17');
});

it('a thread, an item and its loading agree on the content of a day', async () => {
  const base = tempFolder({ 'export/users.json': named('Ailsa'), 'export/ops/2024-11-17.json': said('Free?') });
  const uri = 'export/ops/2024-11-17.json';
  const path = join(base, uri);
  await using reader = createReader();
  const item = fileItems({ reader }).itemOf(uri, { path, sizeBytes: said('Free?').length, mtimeMs: 1 });
  const limits = { maxFileBytes: 2 ** 20, maxTextChars: 2 ** 20, maxUnpackedBytes: 2 ** 20 };
  const pool = new CutterPool({ threads: 1, limits, chunking: undefined });
  onTestFinished(() => pool.close());
  const hashes = new Set<string>();
  for (const name of ['Ailsa', 'Tom']) {
    writeFiles(base, { 'export/users.json': named(name) });
    const cut = await pool.cut({ uri, path }, new AbortController().signal);
    const { contentHash, document } = await item.load();
    expect(document.text).toContain(`${name}: Free?`);
    expect(cut).toMatchObject({ cut: { contentHash, document: { text: document.text } } });
    expect(await item.hash()).toBe(contentHash);
    hashes.add(contentHash);
  }
  expect(hashes.size).toBe(2);
});
