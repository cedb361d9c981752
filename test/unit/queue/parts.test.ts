import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CutFile } from '../../../src/ingest/cut.ts';
import { chunkerOf, cutDocument } from '../../../src/ingest/cut.ts';
import { PartFolder } from '../../../src/queue/parts.ts';
import { createReader } from '../../../src/read/reader.ts';
import { tempFolder } from '../../support/temp.ts';

async function cutOf(text: string): Promise<CutFile> {
  const reader = createReader();
  const document = await reader.read({ bytes: Buffer.from(text), uri: 'note.md' });
  await reader.close();
  return { ...cutDocument(document, chunkerOf(undefined)), contentHash: 'c0ffee' };
}

const shape = { chunking: undefined, reader: {} };

describe('parts beside an index', () => {
  it('come back as they were, also with text outside of the first plane', async () => {
    const folder = tempFolder();
    const parts = new PartFolder(join(folder, 'parts'));
    const cut = await cutOf(`# Sails 🚢\n\n${'The sail — “rød” — is 12 m². '.repeat(400)}`);
    expect(cut.chunks.length).toBeGreaterThan(1);
    expect(await parts.has('ab1')).toBe(false);
    await parts.write('ab1', cut);
    await parts.write('ab1', cut); // another worker was as fast
    expect(await parts.has('ab1')).toBe(true);
    expect(await parts.read('ab1')).toEqual(JSON.parse(JSON.stringify(cut)));
    expect(readdirSync(join(folder, 'parts', 'ab'))).toEqual(['ab1.json.gz']);
    await parts.clear();
    expect(await parts.has('ab1')).toBe(false);
  });

  it('are not there when they are damaged', async () => {
    const folder = tempFolder();
    const parts = new PartFolder(folder);
    await parts.write('ab1', await cutOf('# One\n\nText.'));
    const path = join(folder, 'ab', 'ab1.json.gz');
    writeFileSync(path, readFileSync(path).subarray(0, 40));
    expect(await parts.read('ab1')).toBeUndefined();
    expect(await parts.read('ab2')).toBeUndefined();
  });

  it('have names that follow from uri, content and how they were cut', () => {
    const names = [
      PartFolder.nameOf('a.md', '1', shape),
      PartFolder.nameOf('b.md', '1', shape),
      PartFolder.nameOf('a.md', '2', shape),
      PartFolder.nameOf('a.md', '1', { ...shape, chunking: { maxTokens: 100 } }),
      PartFolder.nameOf('a.md', '1', { ...shape, reader: { ocr: false } }),
    ];
    expect(new Set(names).size).toBe(names.length);
    expect(PartFolder.nameOf('a.md', '1', { ...shape })).toBe(names[0]);
  });
});
