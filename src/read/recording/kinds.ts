import { extname } from 'node:path';
import type { ReadWarning } from '../../core/types.ts';

/** The MIME type of each kind of container, as it chooses a parser of its metadata. */
export type RecordingType =
  | 'audio/mpeg'
  | 'audio/aac'
  | 'audio/wav'
  | 'audio/flac'
  | 'audio/ogg'
  | 'audio/mp4'
  | 'video/webm';

/** Extensions by container; all of them are in the table of formats. */
const extensions: Readonly<Record<RecordingType, RegExp>> = {
  'audio/mpeg': /\.mp3$/i,
  'audio/aac': /\.aac$/i,
  'audio/wav': /\.wav$/i,
  'audio/flac': /\.flac$/i,
  'audio/ogg': /\.(?:ogg|oga|opus)$/i,
  'audio/mp4': /\.(?:m4a|m4b|m4p|mp4|m4v|mov)$/i,
  'video/webm': /\.(?:webm|mkv|mka)$/i,
};

/** Says that a recording is named as one of another kind. */
export function misnamed(name: string, type: RecordingType): ReadWarning[] {
  if (extensions[type].test(name)) return [];
  return [{ code: 'TYPE_MISMATCH', message: `named ${extname(name) || name}, but the content is ${type}` }];
}

/** The container by its first bytes; undefined for anything else. @param head the first few thousand bytes */
export function recordingType(head: Uint8Array): RecordingType | undefined {
  const four = ascii(head, 0, 4);
  if ((four === 'RIFF' || four === 'RF64') && ascii(head, 8, 12) === 'WAVE') return 'audio/wav';
  if (four === 'OggS') return 'audio/ogg';
  if (four === 'fLaC') return 'audio/flac';
  if (head[0] === 0x1a && head[1] === 0x45 && head[2] === 0xdf && head[3] === 0xa3) return 'video/webm';
  if (ascii(head, 4, 8) === 'ftyp') return isPicture(ascii(head, 8, 12)) ? undefined : 'audio/mp4';
  if (/^(?:moov|mdat|wide)$/.test(ascii(head, 4, 8))) return 'audio/mp4'; // QuickTime of old
  const at = ascii(head, 0, 3) === 'ID3' ? 10 + syncSafe(head, 6) : 0;
  if (at + 4 > head.length) return at > 0 ? 'audio/mpeg' : undefined; // pictures in the tags
  if (ascii(head, at, at + 4) === 'fLaC') return 'audio/flac';
  if (isAdts(head, at)) return 'audio/aac';
  return at > 0 || isMpeg(head, at) ? 'audio/mpeg' : undefined;
}

/** Photos and raw pictures of cameras share the container of MP4. */
function isPicture(brand: string): boolean {
  return /^(?:hei|hev|mif1|msf1|avi|crx|jxl)/.test(brand);
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}

/** A size of four bytes with seven bits each. */
function syncSafe(bytes: Uint8Array, at: number): number {
  return [0, 1, 2, 3].reduce((sum, i) => sum * 128 + ((bytes[at + i] ?? 0) & 0x7f), 0);
}

/** A frame of AAC, and the next one right behind it. */
function isAdts(head: Uint8Array, at: number): boolean {
  if (!isAdtsSync(head, at)) return false;
  const length = ((head[at + 3]! & 3) << 11) | ((head[at + 4] ?? 0) << 3) | ((head[at + 5] ?? 0) >> 5);
  return length > 7 && (at + length >= head.length || isAdtsSync(head, at + length));
}

function isAdtsSync(head: Uint8Array, at: number): boolean {
  return head[at] === 0xff && ((head[at + 1] ?? 0) & 0xf6) === 0xf0;
}

const bitrates = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const rates = [44_100, 48_000, 32_000] as const;

/** A frame of MPEG layer III, and the next one right behind it: two bytes alone begin many texts. */
function isMpeg(head: Uint8Array, at: number): boolean {
  const length = frameLength(head, at);
  if (length === undefined) return false;
  return at + length === head.length || frameLength(head, at + length) !== undefined;
}

/** Bytes of the frame of layer III at this offset; undefined when there is none. @see ISO 11172-3, 2.4.1.3 */
function frameLength(head: Uint8Array, at: number): number | undefined {
  const [first = 0, second = 0, third = 0] = head.subarray(at, at + 3);
  if (first !== 0xff || (second & 0xe6) !== 0xe2) return undefined;
  const version = (second >> 3) & 3; // 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5
  const rate = rates[(third >> 2) & 3];
  const kbit = bitrates[version === 3 ? 1 : 2][third >> 4];
  if (version === 1 || rate === undefined || !kbit) return undefined;
  const sampleRate = version === 3 ? rate : version === 2 ? rate / 2 : rate / 4;
  return Math.floor(((version === 3 ? 144 : 72) * kbit * 1000) / sampleRate) + ((third >> 1) & 1);
}
