/** The formats whose reading is measured: how ibid reads a file, and how others do. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { readPdf } from '../../../src/internal.ts';

export interface Reading {
  readonly text: string;
  /** Pages that have text; absent for formats without pages. */
  readonly pages?: ReadonlySet<number>;
  /** Reason → text that is left out on purpose. */
  readonly leftOut: ReadonlyMap<string, string>;
}

export interface MeasuredFormat {
  readonly name: string;
  /** With the dot, in lower case. */
  readonly extensions: readonly string[];
  /** Why this format cannot be measured here; absent when it can. */
  missing(): string | undefined;
  /** @throws IbidError FILE_* for a file that ibid refuses */
  read(path: string): Promise<Reading>;
  /**
   * Independent extractions of the whole file, each as its pages or, for formats without pages, as one text.
   * @returns undefined when the other program cannot read the file
   */
  extract(path: string): readonly (readonly string[])[] | undefined;
}

const pdf: MeasuredFormat = {
  name: 'pdf',
  extensions: ['.pdf'],
  missing: () =>
    spawnSync('pdftotext', ['-v']).error === undefined
      ? undefined
      : 'pdftotext is not on the path (apt-get install poppler-utils)',
  read: async (path) => {
    const { document, leftOut } = await readPdf(readFileSync(path), {
      name: basename(path),
      maxTextChars: 1 << 27,
      maxUnpackedBytes: 1 << 29,
      depth: 0,
      parseInner: () => Promise.reject(new Error('a PDF is read without what is attached to it')),
    });
    return {
      text: document.text,
      pages: new Set(document.locators.flatMap(({ page }) => (page === undefined ? [] : [page]))),
      leftOut: new Map([['running header, footer or page number', leftOut.join('\n')]]),
    };
  },
  extract: (path) => {
    const pages: string[][] = [];
    for (const mode of ['-raw', '-layout']) {
      const { stdout, status } = spawnSync('pdftotext', [mode, '-enc', 'UTF-8', path, '-'], {
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
        timeout: 60_000,
        killSignal: 'SIGKILL',
      });
      if (status !== 0) return undefined;
      pages.push(stdout.split('\f'));
    }
    return pages;
  },
};

export const measuredFormats: readonly MeasuredFormat[] = [pdf];
