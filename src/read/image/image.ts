import { IbidError } from '../../core/errors.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { hasText, noteOcr, unread, writePages } from '../ocr/lines.ts';
import { readExif } from './exif.ts';
import { sizeOf } from './size.ts';

/** More dots are a decompression bomb, or a map; OCR would need gigabytes. */
const MOST_DOTS = 200 * 2 ** 20;

/**
 * A picture: its text by OCR, and what its camera wrote into it. A photo without text is a document when its caption or
 * its camera says something.
 * @throws IbidError FILE_SCANNED before OCR; FILE_EMPTY without text; FILE_TOO_LARGE, FILE_DAMAGED
 */
export async function parseImage(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const builder = new DocumentBuilder('image', context);
  const size = sizeOf(bytes);
  if (size === undefined) throw new IbidError('FILE_DAMAGED', 'the picture has no size: it is cut short');
  const [width, height] = size;
  if (width * height > MOST_DOTS) {
    throw new IbidError('FILE_TOO_LARGE', `a picture of ${width} × ${height} dots`, { hint: 'Scale it down.' });
  }
  const { caption, ...facts } = readExif(bytes);
  Object.assign(builder.metadata, { width, height }, facts);
  const reading = context.recognise?.({});
  if (reading === undefined) throw new IbidError('FILE_SCANNED', `a picture of ${width} × ${height} dots, without OCR`);
  if (caption !== undefined) builder.block({ kind: 'paragraph' }, caption);
  writePages(builder, reading.pages);
  noteOcr(builder, [reading]);
  if (caption === undefined && !reading.pages.some(hasText)) {
    if (reading.failure !== undefined || facts.taken === undefined) throw unread([reading]);
    builder.block({ kind: 'record' }, describeFacts(facts));
  }
  return builder.build();
}

/** What is known of a photo without any text, so that it is found by its date, place and camera. */
function describeFacts({ taken, latitude, longitude, camera }: ReturnType<typeof readExif>): string {
  const lines = [`Taken: ${taken}`];
  if (latitude !== undefined && longitude !== undefined) lines.push(`Place: ${latitude}, ${longitude}`);
  if (camera !== undefined) lines.push(`Camera: ${camera}`);
  return lines.join('\n');
}
