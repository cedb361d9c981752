/** The picture of a scanned page, for OCR where nothing renders the page. */
import { extractImages, getDocumentProxy } from 'unpdf';
import { IbidError } from '../../core/errors.ts';
import { CMapFactory } from './cmaps.ts';

/** Larger pictures are left out, in dots. */
const MOST_DOTS = 64 * 2 ** 20;
/** Smaller pictures hold no text, in dots of the shorter side. */
const LEAST_SIDE = 24;

/**
 * The largest picture on a page, as PNM.
 * @param page from 1
 * @throws IbidError FILE_EMPTY without a picture; FILE_DAMAGED
 */
export async function pictureOnPage(bytes: Uint8Array, page: number): Promise<Uint8Array> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes), {
    verbosity: 0,
    maxImageSize: MOST_DOTS,
    isOffscreenCanvasSupported: false,
    useWorkerFetch: false,
    cMapPacked: false,
    BinaryDataFactory: CMapFactory,
  });
  try {
    const pictures = await extractImages(pdf, page);
    const [largest] = pictures
      .filter(({ width, height }) => Math.min(width, height) >= LEAST_SIDE)
      .sort((a, b) => b.width * b.height - a.width * a.height);
    if (!largest) throw new IbidError('FILE_EMPTY', `no picture on page ${page}`);
    return toPnm(largest);
  } finally {
    await pdf.loadingTask.destroy();
  }
}

/** @see https://netpbm.sourceforge.net/doc/pnm.html */
function toPnm({
  width,
  height,
  channels,
  data,
}: {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Uint8ClampedArray | Uint8Array;
}): Uint8Array {
  const head = Buffer.from(`${channels === 1 ? 'P5' : 'P6'} ${width} ${height} 255\n`, 'latin1');
  if (channels !== 4) return Buffer.concat([head, Buffer.from(data.buffer, data.byteOffset, data.byteLength)]);
  const colours = Buffer.allocUnsafe(width * height * 3);
  for (let from = 0, to = 0; to < colours.length; from += 4) {
    for (let c = 0; c < 3; c++) colours[to++] = data[from + c]!;
  }
  return Buffer.concat([head, colours]);
}
