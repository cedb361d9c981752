/** The formats whose reading is measured: how ibid reads a file, and how others do. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { findPageLines, parseBytes, readHtml, readPdf } from '../../../src/internal.ts';
import { htmlText } from './html.ts';
import { docxText, epubText, odpText, odsText, odtText, pptxText, xlsxText } from './office.ts';
import {
  decodeText,
  hasPython,
  jsonText,
  mailText,
  markdownText,
  notebookText,
  plainText,
  subtitleText,
} from './plain.ts';

/** Text of a whole file by another way, as its pages or, for formats without pages, as one text. */
export interface Extraction {
  readonly pages: readonly string[];
  /** Reason → text that may be absent. */
  readonly apart: ReadonlyMap<string, string>;
}

export interface Reading {
  readonly text: string;
  /** Pages that have text; absent for formats without pages. */
  readonly pages?: ReadonlySet<number>;
  /** Reason → text that is left out on purpose. */
  readonly leftOut: readonly (readonly [reason: string, text: string])[];
}

export interface MeasuredFormat {
  readonly name: string;
  /** With the dot, in lower case. */
  readonly extensions: readonly string[];
  /** Why this format cannot be measured here; absent when it can. */
  missing?(): string | undefined;
  /** @throws IbidError FILE_* for a file that ibid refuses */
  read(path: string): Promise<Reading>;
  /**
   * Independent extractions of the file.
   * @returns undefined when the other program cannot read the file
   */
  extract(path: string): readonly Extraction[] | undefined;
}

const LIMITS = { maxTextChars: 1 << 27, maxUnpackedBytes: 1 << 29 };
const inner = (): never => {
  throw new Error('a file is read without what is attached to it');
};

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
      ...LIMITS,
      depth: 0,
      parseInner: inner,
    });
    return {
      text: document.text,
      pages: pagesOf(document.locators),
      leftOut: [['running header, footer, number of a page or line', leftOut.join('\n')]],
    };
  },
  extract: (path) => {
    const found: Extraction[] = [];
    for (const mode of ['-raw', '-layout']) {
      const { stdout, status } = spawnSync('pdftotext', [mode, '-enc', 'UTF-8', path, '-'], {
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
        timeout: 60_000,
        killSignal: 'SIGKILL',
      });
      if (status !== 0) return undefined;
      found.push({ pages: stdout.split('\f'), apart: new Map() });
    }
    return found;
  },
};

function pagesOf(locators: readonly { readonly page?: number }[]): Set<number> {
  return new Set(locators.flatMap(({ page }) => (page === undefined ? [] : [page])));
}

const html: MeasuredFormat = {
  name: 'html',
  extensions: ['.html', '.htm', '.xhtml'],
  read: async (path) => {
    const { document, leftOut } = readHtml(decodeText(readFileSync(path)) ?? '', LIMITS);
    return { text: document.text, leftOut: leftOut() };
  },
  extract: (path) => {
    const source = decodeText(readFileSync(path));
    return source === undefined ? undefined : [htmlText(source)];
  },
};

/** A format that ibid reads by its ordinary way, beside a walk of ours over the bytes. */
function walked(
  name: string,
  extensions: readonly string[],
  walk: (bytes: Buffer) => Extraction | undefined,
  paged = false,
): MeasuredFormat {
  return {
    name,
    extensions,
    read: async (path) => {
      const { text, locators } = await parseBytes(basename(path), readFileSync(path), LIMITS);
      return { text, leftOut: [], ...(paged ? { pages: pagesOf(locators) } : {}) };
    },
    extract: (path) => {
      const found = walk(readFileSync(path));
      return found && [found];
    },
  };
}

const plain = walked('text', ['.txt', '.ts', '.js', '.py', '.css', '.rst', '.org', '.yaml'], plainText);
const text: MeasuredFormat = {
  ...plain,
  read: async (path) => {
    const lines = (decodeText(readFileSync(path)) ?? '').replace(/\r\n?/gu, '\n').split('\n');
    const gone = path.endsWith('.txt') ? findPageLines(lines.join('\n'))?.gone : undefined;
    const running = [...(gone ?? [])].map((line) => lines[line]!).join('\n');
    return { ...(await plain.read(path)), leftOut: [['header, footer or number of a page', running]] };
  },
};

export const measuredFormats: readonly MeasuredFormat[] = [
  pdf,
  html,
  walked('docx', ['.docx'], docxText),
  walked('pptx', ['.pptx'], pptxText, true),
  walked('xlsx', ['.xlsx'], xlsxText),
  walked('odt', ['.odt'], odtText),
  walked('ods', ['.ods'], odsText),
  walked('odp', ['.odp'], odpText, true),
  walked('epub', ['.epub'], epubText),
  walked('markdown', ['.md', '.markdown'], markdownText),
  text,
  walked('csv', ['.csv', '.tsv'], plainText),
  walked('json', ['.json', '.ndjson', '.jsonl'], jsonText),
  walked('notebook', ['.ipynb'], notebookText),
  walked('subtitles', ['.srt', '.vtt'], subtitleText),
  {
    ...walked('mail', ['.eml'], plainText),
    missing: () => (hasPython ? undefined : 'python3 is not on the path'),
    extract: (path) => {
      const found = mailText(path);
      return found && [found];
    },
  },
];
