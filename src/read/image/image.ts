import { IbidError } from '../../core/errors.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { hasText, noteOcr, unread, writePages } from '../ocr/lines.ts';
import { readCaptions } from './captions.ts';
import { readExif } from './exif.ts';
import { sizeOf } from './size.ts';

/** More dots are a decompression bomb, or a map; OCR would need gigabytes. */
const MOST_DOTS = 200 * 2 ** 20;

/**
 * A picture: its text by OCR, and what its camera wrote into it. A photo without text is a document when its caption,
 * its date or its place is known.
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
  const { caption: said, ...facts } = readExif(bytes);
  const { title, caption = said, keywords } = readCaptions(bytes);
  if (title !== undefined) builder.title = title;
  Object.assign(builder.metadata, { width, height }, facts);
  const reading = context.recognise?.({});
  if (reading === undefined) throw new IbidError('FILE_SCANNED', `a picture of ${width} × ${height} dots, without OCR`);
  const written = [...new Set([title, caption, keywords && `Keywords: ${keywords}`])].filter(
    (text) => text !== undefined,
  );
  for (const text of written) builder.block({ kind: 'paragraph' }, text);
  writePages(builder, reading.pages);
  noteOcr(builder, [reading]);
  const isText = reading.pages.some(hasText);
  const record = describeFacts(facts);
  if (written.length === 0 && !isText && (reading.failure !== undefined || record === '')) throw unread([reading]);
  // A picture of a text speaks for itself, and its date may be that of its scanner.
  if (written.length > 0 || !isText) builder.block({ kind: 'record' }, record);
  return builder.build();
}

/** What is known of a photo, so that it is found by its date, place and camera. */
function describeFacts({ taken, latitude, longitude, camera, author }: ReturnType<typeof readExif>): string {
  const lines: string[] = [];
  if (taken !== undefined) lines.push(`Taken: ${taken}`);
  if (latitude !== undefined && longitude !== undefined) lines.push(`Place: ${latitude}, ${longitude}`);
  if (lines.length === 0) return ''; // of a picture that is no photo
  if (author !== undefined) lines.push(`Author: ${author}`);
  if (camera !== undefined) lines.push(`Camera: ${camera}`);
  return lines.join('\n');
}
