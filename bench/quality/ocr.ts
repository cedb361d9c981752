/**
 * How many words of a scan are read right? Pages of PDFs with text are rendered at 100, 150 and 300 dots an inch, as
 * they are, skewed by 1.5 degrees, and noisy; what ibid reads from the pictures with tesseract is compared with the
 * text of the PDF, as `pdftotext` has it.
 *
 *   npm run bench:ocr -- [folders] [--pages 12] [--dpi 100,150,300] [--only part of a path] [--seed 1] [--json]
 *
 * Folders default to `docs/pdf` below IBID_SHARED (default `../shared`). The first pages with 100 words or more are
 * taken, one of a file. Without tesseract or poppler-utils it is skipped, with the reason.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createReader, IbidError, type Reader } from '../../src/index.ts';
import { readFlags } from '../support/flags.ts';
import { noise, type Picture, readPgm, skew, toPng } from './ocr/picture.ts';
import { countsOf, wordsOf } from './reading/words.ts';

const LEAST_WORDS = 100;
const SKEW_DEGREES = 1.5;

const conditions: Readonly<Record<string, (picture: Picture, seed: number) => Picture>> = {
  clean: (picture) => picture,
  skewed: (picture) => skew(picture, SKEW_DEGREES),
  noisy: noise,
};

export interface KnownPage {
  readonly file: string;
  readonly words: readonly string[];
  render(dpi: number): Picture;
}

export interface OcrResult {
  readonly dpi: number;
  readonly condition: string;
  readonly pages: number;
  readonly words: number;
  /** Words of the pages that were read, as a share. */
  readonly right: number;
  /** Words that were read and are not on the pages, as a share of the words of the pages. */
  readonly invented: number;
  readonly secondsPerPage: number;
}

export async function measureOcr(
  reader: Reader,
  pages: readonly KnownPage[],
  dpi: number,
  condition: string,
  seed: number,
): Promise<OcrResult> {
  const total = { words: 0, right: 0, read: 0 };
  const startedAt = performance.now();
  for (const page of pages) {
    const picture = conditions[condition]!(page.render(dpi), seed);
    const read = countsOf(wordsOf(await textOf(reader, toPng(picture, dpi))));
    for (const [word, count] of countsOf(page.words)) total.right += Math.min(count, read.get(word) ?? 0);
    total.words += page.words.length;
    for (const count of read.values()) total.read += count;
  }
  return {
    dpi,
    condition,
    pages: pages.length,
    words: total.words,
    right: total.right / total.words,
    invented: (total.read - total.right) / total.words,
    secondsPerPage: (performance.now() - startedAt) / 1000 / Math.max(1, pages.length),
  };
}

async function textOf(reader: Reader, bytes: Uint8Array): Promise<string> {
  try {
    return (await reader.read({ bytes, uri: 'page.png' })).text;
  } catch (error) {
    if (error instanceof IbidError && error.code === 'FILE_EMPTY') return ''; // no word was found
    throw error;
  }
}

function knownPages(folder: string, most: number, only: string): KnownPage[] {
  const pages: KnownPage[] = [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  for (const file of files.filter((name) => name.endsWith('.pdf') && name.includes(only))) {
    if (pages.length >= most) break;
    const path = join(folder, file);
    const { stdout, status } = spawnSync('pdftotext', ['-l', '1', path, '-'], { encoding: 'utf8', timeout: 60_000 });
    const words = wordsOf(status === 0 ? stdout : '');
    if (words.length < LEAST_WORDS) continue;
    const render = (dpi: number): Picture =>
      readPgm(
        execFileSync('pdftoppm', ['-r', String(dpi), '-l', '1', '-gray', path], { maxBuffer: 2 ** 28, stdio: 'pipe' }),
      );
    pages.push({ file, words, render });
  }
  return pages;
}

if (import.meta.main) {
  const { values: flags, positionals } = readFlags(import.meta.filename, {
    allowPositionals: true,
    options: {
      pages: { type: 'string', default: '12' },
      dpi: { type: 'string', default: '100,150,300' },
      only: { type: 'string', default: '' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
    },
  });
  const shared = process.env.IBID_SHARED ?? join(import.meta.dirname, '../../../shared');
  const folder = resolve(positionals[0] ?? join(shared, 'docs/pdf'));
  await using reader = createReader();
  const hasPoppler = spawnSync('pdftotext', ['-v']).error === undefined;
  if (!existsSync(folder)) console.log(`skipped: there is no folder ${folder}`);
  else if (!hasPoppler) console.log('skipped: pdftotext is not on the path (apt-get install poppler-utils)');
  else if (!(await reader.readsPictures?.())) {
    console.log('skipped: tesseract is not on the path (apt-get install tesseract-ocr)');
  } else {
    const pages = knownPages(folder, Number(flags.pages), flags.only);
    const results: OcrResult[] = [];
    for (const dpi of flags.dpi.split(',').map(Number)) {
      for (const condition of Object.keys(conditions)) {
        const result = await measureOcr(reader, pages, dpi, condition, Number(flags.seed));
        results.push(result);
        if (flags.json) continue;
        const share = (value: number): string => `${(100 * value).toFixed(1)} %`;
        console.log(
          `${String(dpi).padStart(3)} dpi ${condition.padEnd(7)} ${share(result.right)} of ${result.words} words right, ${share(result.invented)} invented, ${result.secondsPerPage.toFixed(1)} s a page`,
        );
      }
    }
    if (flags.json) console.log(JSON.stringify(results, null, 2));
  }
}
