import type { Recognition } from '../../core/types.ts';

/** A page or a picture without text, as a parser finds it. */
export interface Scan {
  /** The file with the picture when it is inside another file; absent: the file that is read. */
  readonly file?: Uint8Array;
  /** Of a PDF, from 1; absent: the file is a picture. */
  readonly page?: number;
  /** Of a picture with several pages, from 1; absent: all of them. */
  readonly frame?: number;
  /** Longer side of the page, in inches. */
  readonly inches?: number;
}

export interface ReadLine extends Recognition {
  readonly text: string;
  /** Of a row of a table, its cells with ` | ` between them: whether they name the columns. */
  readonly row?: 'title' | 'data';
}

export interface ReadPage {
  /** Each a list of lines, in reading order; all lines of a table are rows. */
  readonly paragraphs: readonly (readonly ReadLine[])[];
  /** The middle of each part without words, as a share of the height of the page. */
  readonly pictures?: readonly number[];
}

/** The text of one scan: its pages, or why there is none. */
export interface ReadScan {
  readonly pages: readonly ReadPage[];
  readonly failure?: string;
}

export interface OcrOptions {
  /** Name or path of tesseract. @default 'tesseract' */
  readonly program?: string | undefined;
  /**
   * Environment of tesseract and `pdftoppm`; they are looked for on its `PATH`. @default the usual folders of programs:
   * the library reads no environment
   */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /**
   * Languages as tesseract names them, e.g. `['deu', 'eng']`. @default found from the text, among those that are
   * installed
   */
  readonly languages?: readonly string[] | undefined;
  /** Longest time for one page, in milliseconds. @default 60_000 */
  readonly pageTimeoutMs?: number | undefined;
  /** Pages of one file that are read; the others are left out with a warning. @default 1000 */
  readonly maxPages?: number | undefined;
  /** Pages that are read at a time, over all files. @default half of the processors, at most 4 */
  readonly concurrency?: number | undefined;
  /** Called after each page. */
  readonly onPage?: ((progress: OcrProgress) => void) | undefined;
}

/** How far a file has come; pages count from 1. */
export interface OcrProgress {
  readonly uri: string;
  readonly page: number;
  readonly pages: number;
}
