import { IbidError } from '../../core/errors.ts';
import { oneLine } from '../../text/one-line.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { hasText, noteOcr, unread, writePages } from '../ocr/lines.ts';
import { readCaptions } from './captions.ts';
import { readExif } from './exif.ts';
import { framesOf, isTiff, sizeOf } from './size.ts';
import { asSeen } from './turned.ts';

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
    // the mail or the archive around it is not too large
    const code = context.depth > 0 ? 'FILE_UNSUPPORTED' : 'FILE_TOO_LARGE';
    throw new IbidError(code, `a picture of ${width} × ${height} dots`, { hint: 'Scale it down.' });
  }
  const { caption: said, orientation = 1, ...facts } = readExif(bytes);
  const { title, caption = said, keywords } = readCaptions(bytes);
  if (title !== undefined) builder.title = title;
  Object.assign(builder.metadata, { width, height }, facts);
  const frames = framesOf(bytes);
  const asked = frames.map((frame) => context.recognise?.(frames.length > 1 ? { frame } : {}));
  const readings = asked.filter((reading) => reading !== undefined);
  if (readings.length === 0) throw new IbidError('FILE_SCANNED', `a picture of ${width} × ${height} dots, without OCR`);
  const turned = isTiff(bytes) ? 1 : orientation; // tesseract turns TIFF files itself
  const pages = readings.map(({ pages: [page = { paragraphs: [] }] }) => asSeen(page, turned));
  const isText = pages.some(hasText);
  const written = lines({ Title: title === caption ? undefined : title, Caption: caption, Keywords: keywords });
  // A picture of a text speaks for itself, and its date may be that of its scanner.
  const record = [...written, ...(isText && written.length === 0 ? [] : factsOf(facts))];
  const hasFailed = readings.some(({ failure }) => failure !== undefined);
  const isUnread = record.length === 0 || (written.length === 0 && hasFailed);
  if (isUnread && !isText) throw unread(readings);
  builder.block({ kind: 'record' }, record.join('\n'));
  writePages(builder, pages);
  noteOcr(builder, readings);
  if (readings.length < frames.length) {
    builder.warn('OCR_PAGES_LEFT_OUT', `read ${readings.length} of ${frames.length} pages, the others are left out`);
  }
  return builder.build();
}

/** What is known of a photo, so that it is found by its date, place and camera. */
function factsOf({ taken, latitude, longitude, camera, author }: ReturnType<typeof readExif>): string[] {
  const place = latitude === undefined || longitude === undefined ? undefined : `${latitude}, ${longitude}`;
  if (taken === undefined && place === undefined) return []; // of a picture that is no photo
  return lines({ Taken: taken, Place: place, Photographer: author, Camera: camera });
}

function lines(values: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const text = oneLine(value ?? '');
    return text === '' ? [] : [`${name}: ${text}`];
  });
}
