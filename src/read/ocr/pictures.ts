import { type ProgramRun, runProgram } from '../../core/program.ts';
import type { Scan } from './contract.ts';

/** Where the pictures of a file come from. */
export interface PictureSource {
  readonly uri: string;
  /** The file that is read. */
  readonly file: { readonly bytes: Uint8Array } | { readonly path: string };
  /** The largest picture on a page of a PDF, from a parser process. */
  extract(
    file: { readonly bytes: Uint8Array } | { readonly path: string },
    page: number,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array>;
}

/** Tesseract reads best at 300 dots an inch. */
const DPI = 300;
/** Longer side of a rendered page, in dots: a poster is rendered at fewer dots an inch. */
const MOST_DOTS = 6000;

/** What tesseract is given: bytes, or the path of a large file, and which of its pages. */
export interface Picture {
  readonly file: PictureSource['file'];
  readonly frame?: number | undefined;
}

/**
 * The picture of a scan: the file itself, or a page of a PDF, rendered by poppler's `pdftoppm` where it is installed;
 * else the largest picture on the page.
 * @throws IbidError FILE_*
 */
export async function pictureOf(
  { file, page, frame, inches }: Scan,
  source: PictureSource,
  run: ProgramRun,
): Promise<Picture> {
  const { signal } = run;
  const holder = file ? { bytes: file } : source.file;
  if (page === undefined) return { file: holder, frame };
  const dpi = Math.max(36, Math.min(DPI, Math.floor(MOST_DOTS / Math.max(inches ?? 0, 1))));
  const name = 'path' in holder ? holder.path : '-';
  const args = ['-r', String(dpi), '-f', String(page), '-l', String(page), '-gray', '-png', name];
  const input = 'bytes' in holder ? holder.bytes : undefined;
  const rendered = await runProgram('pdftoppm', args, { ...run, input });
  if (rendered !== undefined && rendered.length > 0) return { file: { bytes: rendered } };
  return { file: { bytes: await source.extract(holder, page, signal) } };
}
