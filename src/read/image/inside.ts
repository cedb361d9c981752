/** Pictures inside other files: on slides without text, in documents of pictures alone, attached to mails. */
import { IbidError, messageOf } from '../../core/errors.ts';
import type { DocumentBuilder } from '../builder.ts';
import type { ParseContext } from '../contract.ts';
import { sizeOf } from './size.ts';

/** Fewer dots, 200 × 200, are a logo, a rule or a button. */
const FEWEST_DOTS = 40_000;
/** Fewer, 500 × 500, of a picture that the text of a mail shows are the logo of who wrote it. */
const FEWEST_SHOWN = 250_000;
const NAMES = /\.(?:png|jpe?g|jfif|gif|bmp|tiff?|webp|jp2)$/i;

/** Whether a file is a picture that may hold a text. @param isShown in the text of a mail, not attached to it */
export function mayHoldText(name: string, bytes: Uint8Array, isShown = false): boolean {
  const [width, height] = (NAMES.test(name) && sizeOf(bytes)) || [0, 0];
  return width * height >= (isShown ? FEWEST_SHOWN : FEWEST_DOTS);
}

/** Whether a picture waits for OCR, which the reader of the file says, or OCR found no text in it. */
export function hasNoText(error: unknown): boolean {
  if (!(error instanceof IbidError)) return false;
  return error.code === 'FILE_EMPTY' || (error.code === 'FILE_SCANNED' && error.cause === undefined);
}

/** Text beside pictures that names and describes them, for each: more speaks for itself. */
const MOST_BESIDE = 100;

/** Whether a document or a slide has no more text than its pictures would be described by. */
export function isOfPictures(chars: number, pictures: number): boolean {
  return chars < MOST_BESIDE * pictures;
}

export interface InnerPicture {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Writes what OCR finds in the pictures of a document or a slide, where it is one of pictures.
 * @param chars of its text
 * @param place of all of them; several have their number as `part`
 * @returns whether one of them waits for OCR
 * @throws IbidError FILE_TOO_LARGE
 */
export async function includePictures(
  pictures: Iterable<InnerPicture>,
  chars: number,
  builder: DocumentBuilder,
  context: ParseContext,
  place: { readonly page?: number } = {},
): Promise<boolean> {
  const large = [...pictures].filter(({ name, bytes }) => mayHoldText(name, bytes));
  if (!isOfPictures(chars, large.length)) return false;
  let waits = false;
  for (const [index, { name, bytes }] of large.entries()) {
    const part = large.length > 1 ? { part: `picture ${index + 1}` } : {};
    try {
      builder.include(await context.parseInner(name, bytes), { ...place, ...part });
    } catch (error) {
      if (!(error instanceof IbidError) || error.code === 'FILE_TOO_LARGE') throw error;
      waits ||= error.code === 'FILE_SCANNED';
      if (!hasNoText(error)) builder.warn('PICTURE_UNREAD', `${name}: ${messageOf(error)}`);
    }
  }
  return waits;
}

/** The error of a file without text: it waits where it has pictures. */
export function withoutText(what: string, waits: boolean): IbidError {
  return waits
    ? new IbidError('FILE_SCANNED', `${what} holds pictures alone, without OCR`)
    : new IbidError('FILE_EMPTY', `${what} holds no text`);
}
