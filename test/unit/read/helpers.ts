import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { locate } from '../../../src/core/location.ts';
import type { Block, Document } from '../../../src/core/types.ts';
import type { ParsedDocument } from '../../../src/read/contract.ts';
import { asFileError, parseBytes } from '../../../src/read/parse.ts';

export const shared: string = resolve(process.env.IBID_SHARED ?? '../shared');
export const missing: boolean = !existsSync(join(shared, 'docs')) || !existsSync(join(shared, 'docs-bad'));

/**
 * The lines of the manifest of `docs-bad`: a file, the codes it may end with, and what its text must hold. Empty
 * without that folder.
 */
export function badDocuments(): { readonly file: string; readonly expected: string[]; readonly text: string }[] {
  if (missing) return [];
  const [, ...lines] = readFileSync(join(shared, 'docs-bad/manifest.tsv'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [file, , expected, text] = line.split('\t') as [string, string, string, string]; // the manifest's four columns
    return { file, expected: expected.split('|'), text };
  });
}

const limits = { maxTextChars: 1e8, maxUnpackedBytes: 1e8 };

/** Parses in this thread, and checks what holds for every document. */
export async function parse(name: string, content: string | Uint8Array): Promise<ParsedDocument> {
  const document = await parseBytes(name, typeof content === 'string' ? Buffer.from(content) : content, limits);
  expectSound(document);
  return document;
}

/** What every document promises, whatever it came from. */
export function expectSound(document: ParsedDocument | Document): void {
  const { text, blocks, locators, title, warnings } = document;
  expect(text.trim()).not.toBe('');
  for (const value of [text, title]) {
    expect(value.isWellFormed()).toBe(true);
    expect(value).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\ufeff]/);
  }
  if (text.includes('\ufffd')) expect(warnings.map((warning) => warning.code)).not.toEqual([]);
  // One assertion a list: a document may have a hundred thousand blocks.
  for (const list of [blocks, locators]) {
    const wrong = list.findIndex(
      ({ start, end }, i) => start < (list[i - 1]?.end ?? 0) || end <= start || end > text.length,
    );
    expect(list[wrong]).toBeUndefined();
  }
  for (const { header, start, end } of blocks) {
    if (header === undefined) continue;
    expect(header.start).toBeGreaterThanOrEqual(start);
    expect(header.end).toBeLessThanOrEqual(end);
  }
  const wrong = locators.find(
    ({ lines, rows, timeMs, page }) =>
      [lines, rows].some((range) => range !== undefined && (range[0] < 1 || range[1] < range[0])) ||
      (timeMs !== undefined && (timeMs[0] < 0 || timeMs[1] < timeMs[0])) ||
      (page !== undefined && page < 1),
  );
  expect(wrong).toBeUndefined();
}

/** Blocks as `[kind, text]`, to compare with what one expects to read. */
export function outline({ text, blocks }: ParsedDocument): [Block['kind'], string][] {
  return blocks.map(({ kind, start, end }) => [kind, text.slice(start, end)]);
}

export function headings(document: ParsedDocument): [number | undefined, string | undefined][] {
  return document.blocks.filter(({ kind }) => kind === 'heading').map(({ level, label }) => [level, label]);
}

export function codes(document: { readonly warnings: readonly { readonly code: string }[] }): string[] {
  return document.warnings.map(({ code }) => code);
}

/** Where the first of some words stand in the source. */
export const placeOf = (document: ParsedDocument, words: string): object => {
  const start = document.text.indexOf(words);
  expect(start).toBeGreaterThan(-1);
  return locate({ ...document, span: { start: 0, end: document.text.length } }, { start, end: start + words.length });
};

/** The code of the error, else the text. */
export const refusal = async (name: string, bytes: Uint8Array | string): Promise<unknown> =>
  await parse(name, bytes).then(
    ({ text }) => text,
    (error: unknown) => asFileError(error).code, // as the parser process does
  );
