/** What Outlook wraps a mail in for other Outlooks, `winmail.dat`: its attachments and its text. @see [MS-OXTNEF] */
import { decodeBytes } from '../encoding.ts';
import { labelOfPage } from '../office/code-pages.ts';
import { unpackRtf } from './compressed-rtf.ts';

const SIGNATURE = 0x223e9f78;
const MOST_FILES = 500;
const ATTRIBUTE = {
  codePage: 0x00069007,
  body: 0x0002800c,
  properties: 0x00069003,
  /** Begins an attachment. */
  begin: 0x00069002,
  title: 0x00018010,
  data: 0x0006800f,
  attachment: 0x00069005,
} as const;
const PROPERTY = { rtf: 0x1009, html: 0x1013, data: 0x3701, shortName: 0x3704, longName: 0x3707 } as const;
const OBJECT = 0x0d;
const WIDE_TEXT = 0x1f;
/** Types whose values say how long they are. */
const LONG = new Set([OBJECT, 0x1e, WIDE_TEXT, 0x102]);
/** Bytes of values of the other types; 4 for all that are not here. */
const SIZES: ReadonlyMap<number, number> = new Map([
  [5, 8],
  [6, 8],
  [7, 8],
  [0x14, 8],
  [0x40, 8],
  [0x48, 16],
]);

interface Wrapped {
  /** The text, as a file of its format; absent where it is not inside. */
  readonly body: WrappedFile | undefined;
  readonly files: readonly WrappedFile[];
}

interface WrappedFile {
  readonly name: string;
  readonly content: Uint8Array;
}

/** @returns undefined for other bytes; what is damaged is left out @param maxBytes of a text that is packed */
export function unwrap(bytes: Uint8Array, maxBytes: number): Wrapped | undefined {
  const stream = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (stream.length < 6 || stream.readUInt32LE(0) !== SIGNATURE) return undefined;
  const files: { name: string; content: Uint8Array }[] = [];
  let charset: string | undefined;
  const bodies: WrappedFile[] = [];
  const text = (raw: Uint8Array, isWide = false): string => {
    if (isWide)
      return Buffer.from(raw)
        .toString('utf16le')
        .replace(/\0[\s\S]*$/, '')
        .trim();
    const end = raw.indexOf(0);
    return decodeBytes(end === -1 ? raw : raw.subarray(0, end), charset).text.trim();
  };
  for (const { id, data } of attributesOf(stream)) {
    const file = files.at(-1);
    if (id === ATTRIBUTE.codePage && data.length >= 4) charset = labelOfPage(data.readUInt32LE(0));
    else if (id === ATTRIBUTE.body) bodies.push({ name: 'body.txt', content: Buffer.from(text(data)) });
    else if (id === ATTRIBUTE.properties) bodies.unshift(...bodyOf(data, maxBytes));
    else if (id === ATTRIBUTE.begin && files.length < MOST_FILES) files.push({ name: '', content: new Uint8Array(0) });
    else if (id === ATTRIBUTE.title && file) file.name ||= text(data);
    else if (id === ATTRIBUTE.data && file) file.content = data;
    else if (id === ATTRIBUTE.attachment && file) {
      for (const { tag, type, value } of propertiesOf(data)) {
        if (tag === PROPERTY.longName) file.name = text(value, type === WIDE_TEXT) || file.name;
        else if (tag === PROPERTY.shortName) file.name ||= text(value, type === WIDE_TEXT);
        // A mail in the mail is wrapped itself, behind the id of its interface.
        else if (tag === PROPERTY.data && type === OBJECT) file.content = value.subarray(16);
        else if (tag === PROPERTY.data && file.content.length === 0) file.content = value;
      }
    }
  }
  return {
    body: bodies.find(({ content }) => content.length > 0),
    files: files.filter(({ content }) => content.length > 0),
  };
}

function bodyOf(data: Buffer, maxBytes: number): WrappedFile[] {
  const bodies: WrappedFile[] = [];
  for (const { tag, value } of propertiesOf(data)) {
    if (tag === PROPERTY.html) bodies.unshift({ name: 'body.html', content: value });
    else if (tag === PROPERTY.rtf) {
      try {
        bodies.push({ name: 'body.rtf', content: unpackRtf(value, maxBytes) });
      } catch {
        // The attachments are read all the same.
      }
    }
  }
  return bodies;
}

/** Behind a key of two bytes: a level, the kind, the length, the data, a checksum. */
function* attributesOf(stream: Buffer): Generator<{ id: number; data: Buffer }> {
  for (let at = 6; at + 9 <= stream.length; ) {
    const length = stream.readUInt32LE(at + 5);
    yield { id: stream.readUInt32LE(at + 1), data: stream.subarray(at + 9, at + 9 + length) };
    at += length + 11;
  }
}

/** Values stand at multiples of four bytes. */
function* propertiesOf(data: Buffer): Generator<{ tag: number; type: number; value: Buffer }> {
  let at = 4;
  const whole = (length: number): number => Math.ceil(length / 4) * 4;
  const number = (): number => {
    const read = at + 4 <= data.length ? data.readUInt32LE(at) : 0;
    at += 4;
    return read;
  };
  for (let left = data.length >= 4 ? data.readUInt32LE(0) : 0; left > 0 && at + 4 <= data.length; left--) {
    const said = number();
    const tag = said >>> 16;
    const type = said & 0xfff;
    if (tag >= 0x8000) {
      at += 16; // a property with a name: its space, then a number or a text
      const isNumbered = number() === 0;
      const length = isNumbered ? 4 : number();
      at += whole(length);
    }
    const isLong = LONG.has(type);
    const count = isLong || (said & 0x1000) !== 0 ? number() : 1;
    for (let i = 0; i < count && at < data.length; i++) {
      const length = isLong ? number() : (SIZES.get(type) ?? 4);
      yield { tag, type, value: data.subarray(at, at + length) };
      at += whole(length);
    }
  }
}
