import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorCodes, type IngestFailure, openIndex, type SearchIndex } from '../../../src/index.ts';
import { badDocuments, missing, shared } from './helpers.ts';

const root = join(shared, 'docs-bad');
const rows = badDocuments();

/** Other readers find these broken; pdf.js rebuilds them, and says nothing of it. */
const rebuilt = new Set(
  ['PDFBOX-3148-2-fuzzed', 'bomb_giant', 'issue9418', 'poppler-67295-0', 'poppler-91414-0-53'].map(
    (name) => `pdf/pdfjs-${name}.pdf`,
  ),
);

describe.skipIf(missing)('shared/docs-bad from folder to search (skipped without that folder)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ibid-docs-bad-'));
  let index: SearchIndex;
  let failed: readonly IngestFailure[] = [];
  const warned = new Set<string>();
  beforeAll(async () => {
    index = await openIndex(join(folder, '.ibid'), { create: true, base: root });
    for await (const event of index.ingest([root], { hidden: true })) {
      if (event.type === 'warning') warned.add(event.uri);
      if (event.type === 'done') failed = [...event.summary.failed, ...event.summary.skipped];
    }
  }, 120_000);
  afterAll(async () => {
    await index.close();
    rmSync(folder, { recursive: true });
  });

  test.each(rows)('$file: $expected', async ({ file, expected, text }) => {
    const failure = failed.find(({ uri }) => uri === file);
    if (failure) {
      expect(Object.keys(errorCodes)).toContain(failure.code);
      expect(failure.code).toMatch(/^FILE_/);
      expect(
        expected.some((outcome) => outcome !== 'ingest'),
        `${failure.code}: ${failure.message}`,
      ).toBe(true);
      return;
    }
    if (!expected.includes('ingest')) {
      expect(expected, 'taken in, though it must be refused').toContain('partial');
      if (!rebuilt.has(file)) expect([...warned]).toContain(file);
      return;
    }
    if (text === '') return;
    const where = `uri = '${file.replaceAll("'", "''")}'`;
    const { hits } = await index.search(text, { mode: 'lexical', where, distinct: false, limit: 20 });
    expect(hits.map(({ chunk }) => chunk.uri)).toContain(file);
  });
});
