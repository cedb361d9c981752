import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import beirCollection from '../../../pipelines/beir-collection.ts';
import documentFolder from '../../../pipelines/document-folder.ts';
import messageExports from '../../../pipelines/message-exports.ts';
import { createReader, type Document, type Pipeline, type Reader } from '../../../src/index.ts';

const demo = resolve(import.meta.dirname, '../../../datasets/demo');
let base: string;
let reader: Reader;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'ibid-pipelines-'));
  reader = createReader();
});
afterAll(async () => {
  await reader.close();
  await rm(base, { recursive: true, force: true });
});

async function write(path: string, content: string): Promise<void> {
  await mkdir(join(base, path, '..'), { recursive: true });
  await writeFile(join(base, path), content);
}

async function run(pipeline: Pipeline, ...paths: string[]): Promise<Map<string, Document>> {
  const source = await pipeline.source({ paths: paths.map((path) => join(base, path)), base, reader });
  const documents = new Map<string, Document>();
  for await (const item of source.items()) {
    expect(source.covers(item.uri)).toBe(true);
    const { document, contentHash } = await item.load();
    expect(contentHash).toBe(await item.hash());
    documents.set(item.uri, document);
  }
  return documents;
}

describe('document-folder', () => {
  it('reads what the reader reads and adds folder and year', async () => {
    await write('docs/procedures/stop-2025.txt', 'Press the red button.');
    await write('docs/~$open.docx', 'a lock file of a word processor');
    await write('docs/part-20251.md', '# Part 20251');
    const documents = await run(documentFolder, 'docs');
    expect([...documents.keys()].sort()).toEqual(['docs/part-20251.md', 'docs/procedures/stop-2025.txt']);
    expect(documents.get('docs/procedures/stop-2025.txt')!.text).toContain('red button');
    expect(documents.get('docs/procedures/stop-2025.txt')!.metadata).toMatchObject({
      folder: 'procedures',
      year: 2025,
    });
    expect(documents.get('docs/part-20251.md')!.metadata).not.toHaveProperty('year');
  });
});

describe('message-exports', () => {
  it('reads chats, subtitles and text, and leaves the rest', async () => {
    await write('export/users.json', JSON.stringify([{ id: 'U1', real_name: 'Ailsa' }]));
    await write(
      'export/general/2024-11-17.json',
      JSON.stringify([{ type: 'message', user: 'U1', ts: '1731815000.0', text: 'Alarm!' }]),
    );
    await write('export/WhatsApp Chat.txt', '[05/03/2025, 10:14:33] Tom: Is the crane free?');
    await write('export/notes.txt', 'Just a note, no chat.');
    await write('export/picture.png', 'not read');
    await cp(join(demo, 'transcripts/2025-09-02-public-evening.srt'), join(base, 'export/evening.srt'));
    const documents = await run(messageExports, 'export');
    expect([...documents.keys()].sort()).toEqual(
      ['export/WhatsApp Chat.txt', 'export/evening.srt', 'export/general/2024-11-17.json', 'export/notes.txt'].sort(),
    );
    expect(documents.get('export/general/2024-11-17.json')).toMatchObject({
      title: '#general, 2024-11-17',
      text: '2024-11-17\n\nAilsa: Alarm!',
    });
    expect(documents.get('export/WhatsApp Chat.txt')!.text).toContain('Tom: Is the crane free?');
    expect(documents.get('export/notes.txt')!.format).not.toBe('whatsapp');
    expect(documents.get('export/evening.srt')!.locators.some(({ timeMs }) => timeMs !== undefined)).toBe(true);
  });
});

it.each([documentFolder, messageExports])(
  '$name says what the folder leaves out, and what it could not open',
  async (pipeline) => {
    await write('said/a.txt', 'Words.');
    await write('said/.hidden.txt', 'Nobody sees this.');
    const source = await pipeline.source({ paths: [join(base, 'said')], base, reader });
    expect(await Array.fromAsync(source.items(), ({ uri }) => uri)).toEqual(['said/a.txt']);
    expect(source.leftOut?.()).toEqual([{ reason: 'hidden', entries: 1 }]);
    expect(source.unopened?.()).toEqual([]);
    expect(await source.transcribes?.()).toBe(false);
  },
);

describe('beir-collection', () => {
  it('yields one document per entry', async () => {
    await write('set/corpus.jsonl', '{"_id":"a","title":"A","text":"alpha"}\n{"_id":"b","text":"beta"}\n');
    await write('set/queries.jsonl', '{"_id":"q","text":"which?"}\n');
    await write('set/qrels/test.tsv', 'q\ta\t1\n');
    const documents = await run(beirCollection, 'set');
    expect([...documents].map(([uri, { title, text }]) => [uri, title, text])).toEqual([
      ['a', 'A', 'alpha'],
      ['b', '', 'beta'],
    ]);
  });

  it('takes one folder, and one in the layout', async () => {
    await expect(run(beirCollection, 'set', 'set')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(run(beirCollection)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(run(beirCollection, 'docs')).rejects.toMatchObject({ code: 'DATASET_INVALID' });
  });
});
