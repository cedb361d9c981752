import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { locate } from '../../../src/core/location.ts';
import { createReader } from '../../../src/read/reader.ts';
import { expectSound, missing, shared } from './helpers.ts';

/** What is no document, or has no text: the code it must be refused with. */
const refused: Readonly<Record<string, string>> = {
  'pdf/grayscale-image.pdf': 'FILE_SCANNED',
  'pdf/loremipsum-flat.pdf': 'FILE_SCANNED',
  'pdf/single_table.pdf': 'FILE_SCANNED',
  'pdf/table-multi-row-column-cells.pdf': 'FILE_SCANNED',
};

const root = join(shared, 'docs');
const files = missing
  ? []
  : (readdirSync(root, { recursive: true }) as string[]).filter((file) => statSync(join(root, file)).isFile()).sort();
const folders = [...new Set(files.map((file) => file.split('/')[0]!))];
const reader = createReader();
afterAll(() => reader.close());

describe.skipIf(missing)('every file of shared/docs (skipped without that folder)', () => {
  test.each(folders)('%s is read, with sound blocks and locators', { timeout: 240_000 }, async (folder) => {
    for (const file of files.filter((name) => name.split('/')[0] === folder)) {
      const reading = reader.read({ path: join(root, file), uri: file });
      const code = refused[file];
      if (code !== undefined) {
        await expect(reading, file).rejects.toMatchObject({ code });
        continue;
      }
      const document = await reading.catch((error: unknown) => {
        throw new Error(`${file}: ${String(error)}`, { cause: error });
      });
      expect(document.uri).toBe(file);
      expectSound(document);
    }
  });

  test('a line reported for a place is the line of the file that holds it', { timeout: 60_000 }, async () => {
    const kept = files.filter((file) => /\.(?:md|ts|js|py|txt|rst|org|yaml|css)$/.test(file));
    expect(kept.length).toBeGreaterThan(400);
    for (const file of kept) {
      const document = await reader.read({ path: join(root, file), uri: file });
      // Line ends as Python's universal newlines and every editor see them.
      const lines = readFileSync(join(root, file), 'utf8').split(/\r\n|\r|\n/);
      const chunk = { ...document, span: { start: 0, end: document.text.length } };
      for (const block of [
        document.blocks[0]!,
        document.blocks[document.blocks.length >> 1]!,
        document.blocks.at(-1)!,
      ]) {
        const first = document.text.slice(block.start, block.end).split('\n')[0]!;
        const line = locate(chunk, block).lines![0];
        expect(lines[line - 1]!.replace(/[\u00a0\f\ufeff]/g, ' '), `${file} line ${line}`).toContain(
          first.replace(/[\u00a0\f]/g, ' '),
        );
      }
    }
  });

  test.each([
    [
      'lang_select.html',
      'The SELECT statement is used to query the database',
      ['Choose any three', 'Small. Fast. Reliable'],
    ],
    ['testing.html', 'SQLite', ['Choose any three']],
    ['faq.html', 'AUTOINCREMENT', ['Choose any three']],
    ['uri.html', 'URI filename', ['Choose any three']],
  ])('%s keeps its content and loses the menu', async (file, kept, dropped) => {
    const document = await reader.read({ path: join(root, 'html/sqlite', file), uri: file });
    expect(document.text).toContain(kept);
    for (const words of dropped) expect(document.text).not.toContain(words);
    expect(document.title).not.toBe('');
  });
});
