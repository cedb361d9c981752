/** A PDF of some pages of a PDF, for a service that reads pages. */
import { getDocumentProxy } from 'unpdf';
import { IbidError } from '../../core/errors.ts';
import { CMapFactory } from './cmaps.ts';

/**
 * A PDF of these pages alone, with the fonts and pictures they use: the same bytes whenever it is made.
 * @param pages from 1, ascending
 * @throws IbidError INVALID_ARGUMENT for a page that is not there; FILE_DAMAGED where pdf.js cannot write it
 */
export async function pdfOfPages(bytes: Uint8Array, pages: readonly number[]): Promise<Uint8Array> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes), {
    verbosity: 0,
    isOffscreenCanvasSupported: false,
    useWorkerFetch: false,
    cMapPacked: false,
    BinaryDataFactory: CMapFactory,
  });
  try {
    const wrong = pages.find((page) => !Number.isSafeInteger(page) || page < 1 || page > pdf.numPages);
    if (wrong !== undefined)
      throw new IbidError('INVALID_ARGUMENT', `there is no page ${wrong}; the file has ${pdf.numPages}`);
    const cut = await pdf.extractPages([{ document: null, includePages: pages.map((page) => page - 1) }]);
    if (!cut) throw new IbidError('FILE_DAMAGED', 'its pages cannot be taken out');
    return withoutTime(cut);
  } finally {
    await pdf.loadingTask.destroy();
  }
}

/**
 * pdf.js writes when it wrote, and an id made of that; a service reads from its cache only what is the same to the byte.
 * An encrypted file needs its id. Nothing that an offset points to moves: the id stands behind all objects.
 */
function withoutTime(cut: Uint8Array): Uint8Array {
  const pdf = Buffer.from(cut).toString('latin1');
  const table = pdf.lastIndexOf('/Type /XRef');
  if (table < 0 || pdf.includes('/Encrypt')) return cut;
  const objects = pdf
    .slice(0, table)
    .replace(/\/CreationDate \(\d{14}\) \/Creator \(PDF\.js\)/, (info) => info.replace(/\d{14}/, '20000101000000'));
  const string = String.raw`\((?:\\.|[^\\()])*\)`;
  const end = pdf.slice(table).replace(new RegExp(`/ID \\[${string} ${string}\\]`, 's'), '');
  return new Uint8Array(Buffer.from(objects + end, 'latin1'));
}
