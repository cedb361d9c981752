import { shortText } from '../encoding.ts';
import { BY_CAMERA } from './captions.ts';

/**
 * Date, place, camera and caption of a picture. All are in one TIFF directory, wherever the format keeps it.
 * @see CIPA DC-008 (Exif 2.32), 4.6
 */
interface PictureFacts {
  /** ISO 8601, with an offset where the camera knew it. */
  readonly taken?: string;
  /** Degrees, south and west negative. */
  readonly latitude?: number;
  readonly longitude?: number;
  readonly camera?: string;
  readonly author?: string;
  readonly caption?: string;
  /** How the picture is turned to be seen, 2 to 8; absent: as it is stored. */
  readonly orientation?: number;
}

/** @returns nothing for a picture without such data, or with broken data */
export function readExif(bytes: Uint8Array): PictureFacts {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const block = exifBlock(file);
  if (block === undefined) return {};
  try {
    return factsOf(block);
  } catch (error) {
    if (error instanceof RangeError) return {}; // an offset leads out of the data
    throw error;
  }
}

/** The TIFF data of a JPEG, PNG, WebP or TIFF file. */
function exifBlock(file: Buffer): Buffer | undefined {
  const magic = file.toString('latin1', 0, 4);
  if (magic === 'II*\0' || magic === 'MM\0*') return file;
  if (magic === '\x89PNG')
    return chunk(file, 8, (at) => [file.readUInt32BE(at), file.toString('latin1', at + 4, at + 8), 12], 'eXIf');
  if (magic === 'RIFF') {
    const found = chunk(
      file,
      12,
      (at) => [file.readUInt32LE(at + 4) + (file.readUInt32LE(at + 4) & 1), file.toString('latin1', at, at + 4), 8],
      'EXIF',
    );
    return found?.toString('latin1', 0, 6) === 'Exif\0\0' ? found.subarray(6) : found;
  }
  for (let at = 2; at + 10 <= file.length && file[at] === 0xff; at += 2 + file.readUInt16BE(at + 2)) {
    if (file[at + 1] === 0xda) return undefined; // the picture itself begins
    if (file[at + 1] === 0xe1 && file.toString('latin1', at + 4, at + 10) === 'Exif\0\0') {
      return file.subarray(at + 10, at + 2 + file.readUInt16BE(at + 2));
    }
  }
  return undefined;
}

/** The data of the first chunk with this name. @param read size of the data, name, and bytes around the data */
function chunk(
  file: Buffer,
  from: number,
  read: (at: number) => [size: number, name: string, around: number],
  wanted: string,
): Buffer | undefined {
  for (let at = from; at + 12 <= file.length; ) {
    const [size, name, around] = read(at);
    if (name === wanted) return file.subarray(at + 8, at + 8 + size);
    at += size + around;
  }
  return undefined;
}

const DESCRIPTION = 0x010e;
const ORIENTATION = 0x0112;
const MAKE = 0x010f;
const MODEL = 0x0110;
const CHANGED = 0x0132;
const ARTIST = 0x013b;
const EXIF = 0x8769;
const GPS = 0x8825;
const TAKEN = 0x9003;
const OFFSET = 0x9011;

type Value = string | readonly number[];
const MOST_ENTRIES = 1000;
const MOST_VALUES = 2000;
/** Bytes of a value, by type. */
const sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8] as const;

function factsOf(block: Buffer): PictureFacts {
  const isLittle = block.toString('latin1', 0, 2) === 'II';
  const u16 = (at: number): number => (isLittle ? block.readUInt16LE(at) : block.readUInt16BE(at));
  const u32 = (at: number): number => (isLittle ? block.readUInt32LE(at) : block.readUInt32BE(at));
  const valueAt = (at: number, type: number, count: number): Value => {
    if (type === 2)
      return shortText(block.subarray(at, at + count))
        .replace(/\0[\s\S]*$/u, '')
        .trim();
    return Array.from({ length: Math.min(count, MOST_VALUES) }, (_, i) => {
      const where = at + i * sizes[type]!;
      if (type === 3) return u16(where);
      if (type === 5 || type === 10) return u32(where) / u32(where + 4);
      return type === 4 ? u32(where) : block.readUInt8(where);
    });
  };
  const directory = (at: number): Map<number, Value> => {
    const found = new Map<number, Value>();
    const count = Math.min(u16(at), MOST_ENTRIES);
    for (let i = 0, entry = at + 2; i < count; i++, entry += 12) {
      const type = u16(entry + 2);
      const values = u32(entry + 4);
      const bytes = (sizes[type] ?? 0) * values;
      if (bytes > 0) found.set(u16(entry), valueAt(bytes > 4 ? u32(entry + 8) : entry + 8, type, values));
    }
    return found;
  };
  const main = directory(u32(4));
  const below = (tag: number): Map<number, Value> => {
    const at = main.get(tag)?.[0];
    return typeof at === 'number' ? directory(at) : new Map();
  };
  const exif = below(EXIF);
  const gps = below(GPS);
  const taken = isoTime(text(exif.get(TAKEN)), text(exif.get(OFFSET))) ?? isoTime(text(main.get(CHANGED)), undefined);
  const latitude = degrees(gps.get(2), gps.get(1), 'S', 90);
  const longitude = degrees(gps.get(4), gps.get(3), 'W', 180);
  const make = text(main.get(MAKE));
  const model = text(main.get(MODEL)) ?? '';
  const isNamed = make === undefined || model.toLowerCase().startsWith(make.toLowerCase()); // `Canon EOS R6` of Canon
  const camera = isNamed ? model : `${make} ${model}`.trim();
  const author = text(main.get(ARTIST));
  const description = text(main.get(DESCRIPTION));
  const caption = BY_CAMERA.test(description ?? '') ? undefined : description;
  const [orientation = 1] = [main.get(ORIENTATION) ?? []].flat();
  return {
    ...(typeof orientation === 'number' && orientation > 1 && orientation <= 8 ? { orientation } : {}),
    ...(taken === undefined ? {} : { taken }),
    ...(latitude === undefined || longitude === undefined ? {} : { latitude, longitude }),
    ...(camera === '' ? {} : { camera }),
    ...(author === undefined ? {} : { author }),
    ...(caption === undefined ? {} : { caption }),
  };
}

function text(value: Value | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** `2024:05:17 09:30:00` and `+02:00` → `2024-05-17T09:30:00+02:00` */
function isoTime(value: string | undefined, offset: string | undefined): string | undefined {
  const match = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(value ?? '');
  if (!match || Number.isNaN(Date.parse(`${match[1]}-${match[2]}-${match[3]}T${match[4]}Z`))) return undefined;
  const zone = /^[-+]\d\d:\d\d$/.test(offset ?? '') ? offset : '';
  return `${match[1]}-${match[2]}-${match[3]}T${match[4]}${zone}`;
}

/** Degrees, minutes and seconds as degrees, with five decimals: about a metre. */
function degrees(
  value: Value | undefined,
  side: Value | undefined,
  negative: string,
  most: number,
): number | undefined {
  if (value === undefined || typeof value === 'string' || value.length < 3) return undefined;
  const sum = value[0]! + value[1]! / 60 + value[2]! / 3600;
  if (!(sum <= most)) return undefined;
  return Math.round((text(side)?.startsWith(negative) ? -sum : sum) * 1e5) / 1e5;
}
