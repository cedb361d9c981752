import { readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { errorCodes, IbidError } from '../../../src/core/errors.ts';
import type { Document } from '../../../src/core/types.ts';
import { createReader } from '../../../src/read/reader.ts';
import { badDocuments, expectSound, missing, shared } from './helpers.ts';

const root = join(shared, 'docs-bad');
const rows = badDocuments();
const reader = createReader({ timeoutMs: 10_000 });
afterAll(() => reader.close());

/** Poppler and other readers lay words out with different blanks, and ligatures may be resolved. */
const squeezed = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\u00ad]+/g, '')
    .toLowerCase();

describe.skipIf(missing)('shared/docs-bad does what its manifest says (skipped without that folder)', () => {
  const before = missing ? [] : readdirSync(root, { recursive: true }).sort();

  test.each(rows)('$file: $expected', { timeout: 20_000 }, async ({ file, expected, text }) => {
    const started = performance.now();
    let document: Document | undefined;
    let failure: unknown;
    try {
      document = await reader.read({ path: join(root, file), uri: file });
    } catch (error) {
      failure = error;
    }
    expect(performance.now() - started).toBeLessThan(10_000);
    if (document === undefined) {
      expect(failure).toBeInstanceOf(IbidError);
      const { code, message } = failure as IbidError; // checked above
      expect(Object.keys(errorCodes)).toContain(code);
      expect(code).toMatch(/^FILE_/);
      expect(message).not.toBe('');
      expect(
        expected.some((outcome) => outcome === 'refuse' || outcome === 'partial'),
        `refused: ${message}`,
      ).toBe(true);
      return;
    }
    expectSound(document);
    const found = squeezed(document.text).includes(squeezed(text)) || squeezed(document.title).includes(squeezed(text));
    if (expected.includes('ingest')) {
      if (text !== '') expect(found, document.text.slice(0, 300)).toBe(true);
    } else if (expected.includes('partial')) {
      // Whatever text could be had is fine, if it is text.
    } else {
      expect.fail(`must be refused, but gave ${document.text.length} characters`);
    }
    if (file.includes('xxe')) expect(document.text).not.toContain(hostname());
  });

  test('nothing is written into the folder', () => {
    expect(readdirSync(root, { recursive: true }).sort()).toEqual(before);
  });
});
