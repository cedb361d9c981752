import { isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import type { ReadWarning } from '../core/types.ts';
import { decodeDos, dosLabel } from './dos.ts';
import { decodeEucKr, widened } from './korean.ts';
import { decodeUtf7, isUtf7 } from './utf7.ts';

interface Decoded {
  readonly text: string;
  /** Name in the WHATWG Encoding Standard, lower case; also `utf-7`, `utf-32le`, `utf-32be` and code pages of DOS (`ibm850`). */
  readonly encoding: string;
  readonly warnings: readonly ReadWarning[];
}

/** Bytes that detection reads at most. */
const SAMPLE_BYTES = 48 * 1024;

/**
 * Bytes → string. In this order: byte order mark, UTF-16/32 without a mark, valid UTF-8, the declared charset if it
 * fits, statistics. A guess, a wrong declaration and replacement characters give warnings. The byte order mark is
 * removed.
 * @param declared charset label found in the content (`<meta charset>`, XML declaration, mail header); may be wrong
 */
export function decodeBytes(bytes: Uint8Array, declared?: string | undefined): Decoded {
  const marked = byteOrderMark(bytes);
  if (marked) return { ...decodeAs(bytes.subarray(marked.size), marked.encoding), encoding: marked.encoding };
  const wide = guessWide(bytes);
  if (wide) {
    const { text, warnings } = decodeAs(bytes, wide);
    return { text, encoding: wide, warnings: [guessed(wide), ...warnings] };
  }
  if (declared !== undefined && isUtf7(declared) && bytes.every((byte) => byte < 0x80))
    return { text: decodeUtf7(bytes), encoding: 'utf-7', warnings: [] };
  const named = declared === undefined ? undefined : knownLabel(declared);
  const utf8 = tryDecode(bytes, 'utf-8');
  if (utf8 !== undefined) {
    // Escape-based encodings look like ASCII, so here the declaration counts more than valid UTF-8.
    if (named?.startsWith('iso-2022')) return { ...decodeAs(bytes, named), encoding: named };
    if (named === undefined && utf8.includes('\x1b$')) {
      const japanese = tryDecode(bytes, 'iso-2022-jp');
      if (japanese !== undefined)
        return { text: japanese, encoding: 'iso-2022-jp', warnings: [guessed('iso-2022-jp')] };
    }
    if (named !== undefined && EAST_ASIAN.test(named) && isAccidental(utf8)) {
      const text = tryDecode(bytes, named);
      if (text !== undefined && plausible(text)) return { text, encoding: named, warnings: [] };
    }
    return { text: utf8, encoding: 'utf-8', warnings: [] };
  }
  const warnings: ReadWarning[] = [];
  if (declared !== undefined && named === undefined) {
    warnings.push({ code: 'ENCODING_UNKNOWN', message: `declares the unknown charset "${declared.slice(0, 40)}"` });
  }
  if (named !== undefined && named !== 'utf-8') {
    const text = tryDecode(bytes, named);
    if (text !== undefined && plausible(text)) return { text, encoding: named, warnings };
    warnings.push({ code: 'ENCODING_LIES', message: `declares ${named}, but its bytes are not ${named}` });
  } else if (named === 'utf-8') {
    warnings.push({ code: 'ENCODING_LIES', message: 'declares utf-8, but its bytes are not utf-8' });
  }
  if (mostlyUtf8(bytes)) {
    const { text, warnings: damage } = decodeAs(bytes, 'utf-8');
    return { text, encoding: 'utf-8', warnings: [...warnings, ...damage] };
  }
  const best = guessLegacy(bytes);
  return { ...best, warnings: [...warnings, guessed(best.encoding), ...best.warnings] };
}

/** A text too short to guess its encoding: UTF-8, else that of old Windows. */
export function shortText(bytes: Uint8Array): string {
  return isUtf8(bytes) ? Buffer.from(bytes).toString('utf8') : new TextDecoder('windows-1252').decode(bytes);
}

const EAST_ASIAN = /^(?:gb|big5|euc-|shift_jis)/;

/** Pairs of bytes that East Asian encodings use can be letters of UTF-8, but such letters stand in words with others. */
function isAccidental(utf8: string): boolean {
  return /[\x80-\u07ff]/.test(utf8) && !/[\u0800-\uffff]|[a-z][\x80-\u07ff]|[\x80-\u07ff][a-z]/i.test(utf8);
}

function guessed(encoding: string): ReadWarning {
  return { code: 'ENCODING_GUESSED', message: `encoding guessed: ${encoding}` };
}

function byteOrderMark(b: Uint8Array): { encoding: string; size: number } | undefined {
  if (b[0] === 0xef && b[1] === 0xbb && b[2] === 0xbf) return { encoding: 'utf-8', size: 3 };
  if (b[0] === 0xff && b[1] === 0xfe && b[2] === 0 && b[3] === 0 && b.length % 4 === 0) {
    return { encoding: 'utf-32le', size: 4 };
  }
  if (b[0] === 0 && b[1] === 0 && b[2] === 0xfe && b[3] === 0xff) return { encoding: 'utf-32be', size: 4 };
  if (b[0] === 0xff && b[1] === 0xfe) return { encoding: 'utf-16le', size: 2 };
  if (b[0] === 0xfe && b[1] === 0xff) return { encoding: 'utf-16be', size: 2 };
  return undefined;
}

/**
 * The positions of NULs show UTF-16 and UTF-32 without a mark: the high bytes of blanks, digits and line ends are zero,
 * all on one side.
 */
function guessWide(bytes: Uint8Array): string | undefined {
  const length = Math.min(bytes.length, SAMPLE_BYTES) & ~3;
  if (length < 8) return undefined;
  const zeros = [0, 0, 0, 0];
  for (let i = 0; i < length; i++) if (bytes[i] === 0) zeros[i & 3]!++;
  const quarter = length / 4;
  const [a, b, c, d] = zeros as [number, number, number, number];
  if (d === quarter && c > quarter * 0.9 && a < quarter * 0.1 && bytes.length % 4 === 0) return 'utf-32le';
  if (a === quarter && b > quarter * 0.9 && d < quarter * 0.1 && bytes.length % 4 === 0) return 'utf-32be';
  const even = a + c;
  const odd = b + d;
  const half = length / 2;
  if (odd > half * 0.3 && even < half * 0.02) return wellFormed(bytes.subarray(0, length), 'utf-16le');
  if (even > half * 0.3 && odd < half * 0.02) return wellFormed(bytes.subarray(0, length), 'utf-16be');
  return undefined;
}

function wellFormed(sample: Uint8Array, encoding: string): string | undefined {
  const { text } = decodeAs(sample, encoding);
  return text.isWellFormed() && plausible(text) ? encoding : undefined;
}

/** Whether a text has almost no control characters. A wrong wide or multi-byte decoding has many. */
function plausible(text: string): boolean {
  const sample = text.length > SAMPLE_BYTES ? text.slice(0, SAMPLE_BYTES) : text;
  const bad = sample.match(/[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ufffd-\uffff]/g)?.length ?? 0;
  return bad <= sample.length / 500;
}

/**
 * Whether at least two thirds of the non-ASCII sequences are valid UTF-8, or half if at most four are not: then the
 * text is UTF-8 with damaged bytes.
 */
function mostlyUtf8(bytes: Uint8Array): boolean {
  let valid = 0;
  let invalid = 0;
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i]!;
    const size =
      first < 0x80
        ? 1
        : first >= 0xc2 && first < 0xe0
          ? 2
          : first >= 0xe0 && first < 0xf0
            ? 3
            : first >= 0xf0 && first < 0xf5
              ? 4
              : 0;
    if (size === 1) {
      i++;
      continue;
    }
    let rest = 1;
    while (rest < size && i + rest < bytes.length && (bytes[i + rest]! & 0xc0) === 0x80) rest++;
    if (size > 0 && rest === size) {
      valid++;
      i += size;
    } else {
      invalid++;
      i += Math.max(1, rest);
    }
  }
  // One incomplete character at the end of a text, or a few bad bytes among many good ones.
  return valid > 0 && invalid <= Math.max(1, valid) && (valid >= invalid * 2 || (invalid <= 4 && valid >= invalid));
}

/** The first plausible decoding without errors, most likely encoding first; else the most likely one with damage. */
function guessLegacy(bytes: Uint8Array): Decoded {
  const candidates: string[] = [];
  for (const match of analyse(sampleOf(bytes))) {
    const label = match.confidence >= 10 ? knownLabel(match.name) : undefined;
    if (label !== undefined && !label.startsWith('utf-') && !candidates.includes(label)) candidates.push(label);
    if (candidates.length === 5) break;
  }
  if (!candidates.includes('windows-1252')) candidates.push('windows-1252');
  const fit = candidates.find((encoding) => {
    const text = tryDecode(bytes, encoding);
    return text !== undefined && plausible(text);
  });
  const encoding = lessStrange(bytes, fit ?? candidates[0]!);
  return { ...decodeAs(bytes, encoding), encoding };
}

/** Encodings that statistics do not know; the more common first. */
const UNKNOWN_TO_STATISTICS = ['macintosh', 'ibm850', 'ibm852', 'ibm866', 'koi8-u', 'x-mac-cyrillic'];

/** Fewer characters out of place, of so many beyond ASCII, are slips of the text. */
const SLIPS = 150;

/** An encoding of old Macs or of DOS, if words are words in it and are not in the one that was guessed. */
function lessStrange(bytes: Uint8Array, guess: string): string {
  const sample = sampleOf(bytes);
  const { strange, kinds, beyond } = strangeness(decodeAs(sample, guess).text);
  if (kinds < 2 || strange < beyond / SLIPS) return guess;
  let [best, least] = [guess, strange / 4];
  for (const encoding of UNKNOWN_TO_STATISTICS) {
    const other = strangeness(decodeAs(sample, encoding).text).strange;
    if (other < least) [best, least] = [encoding, other];
  }
  return best;
}

/**
 * Places where a character beyond ASCII is no part of a word but should be: a capital after a small letter (WŸrde),
 * signs between letters (Gr”áe), Latin beside Cyrillic, a control character, a frame.
 */
const STRANGE =
  /\p{Ll}(?=[^\0-\x7f])\p{Lu}|\p{L}\u00ad*(?:(?=[^\0-\x7f‘’×\u2010-\u2015])[\p{S}\p{P}]\u00ad*)+(?=\p{L})|\p{Script=Latin}(?=\p{Script=Cyrillic})|\p{Script=Cyrillic}(?=\p{Script=Latin})|[\x80-\x9f\ufffd\u2500-\u259f]/gu;

/** How many places are strange, by how many characters, and how many characters are beyond ASCII. */
function strangeness(text: string): { readonly strange: number; readonly kinds: number; readonly beyond: number } {
  const places = text.match(STRANGE) ?? [];
  const kinds = new Set(places.map((place) => place.at(-1)));
  return { strange: places.length, kinds: kinds.size, beyond: text.match(/[^\0-\x7f]/g)?.length ?? 0 };
}

function sampleOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= SAMPLE_BYTES) return bytes;
  // ASCII says nothing about the encoding: collect up to 64 bytes from each other byte on.
  const out = new Uint8Array(SAMPLE_BYTES);
  let at = 0;
  for (let i = 0; i < bytes.length && at < SAMPLE_BYTES; i++) {
    if (bytes[i]! < 0x80) continue;
    const end = Math.min(bytes.length, i + 64);
    const piece = bytes.subarray(i, Math.min(end, i + SAMPLE_BYTES - at));
    out.set(piece, at);
    at += piece.length;
    i = end - 1;
  }
  return out.subarray(0, at);
}

/** The standard name of a label; `undefined` when no decoder knows the label. */
export function knownLabel(label: string): string | undefined {
  const trimmed = label.trim().toLowerCase();
  if (trimmed === 'utf-32le' || trimmed === 'utf-32be') return trimmed;
  if (trimmed === ISO_2022_KR || trimmed === 'csiso2022kr') return ISO_2022_KR;
  if (trimmed === 'utf-32' || trimmed === 'utf32') return 'utf-32le';
  try {
    return new TextDecoder(trimmed).encoding;
  } catch {
    return dosLabel(trimmed);
  }
}

function tryDecode(bytes: Uint8Array, encoding: string): string | undefined {
  if (encoding.startsWith('utf-32')) {
    const { text, warnings } = decodeAs(bytes, encoding);
    return warnings.length === 0 ? text : undefined;
  }
  const dos = decodeDos(bytes, encoding);
  if (dos !== undefined) return dos;
  try {
    return decodeIn(bytes, encoding, true);
  } catch {
    return undefined;
  }
}

function decodeAs(bytes: Uint8Array, encoding: string): Omit<Decoded, 'encoding'> {
  const text = encoding.startsWith('utf-32')
    ? decodeUtf32(bytes, encoding === 'utf-32le')
    : (decodeDos(bytes, encoding) ?? decodeIn(bytes, encoding, false));
  const replaced = countReplacements(text);
  if (replaced === 0) return { text, warnings: [] };
  const message = `${replaced} ${replaced === 1 ? 'place is' : 'places are'} not valid ${encoding} and became U+FFFD`;
  return { text, warnings: [{ code: 'ENCODING_DAMAGED', message }] };
}

/** @throws TypeError for bytes that are no text of this encoding, when `fatal` */
function decodeIn(bytes: Uint8Array, encoding: string, fatal: boolean): string {
  if (encoding === 'euc-kr') return decodeEucKr(bytes, fatal);
  if (encoding === ISO_2022_KR) return decodeEucKr(widened(bytes), fatal);
  return new TextDecoder(encoding, { fatal, ignoreBOM: true }).decode(withoutIdleEscapes(bytes, encoding));
}

const ISO_2022_KR = 'iso-2022-kr';

/** One of two escapes that follow each other, as where two encoded words are joined: a decoder takes it for damage. */
function withoutIdleEscapes(bytes: Uint8Array, encoding: string): Uint8Array {
  if (encoding !== 'iso-2022-jp') return bytes;
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return Buffer.from(latin.replace(/\x1b(?:\([BIJ]|\$[@B])(?=\x1b(?:\([BIJ]|\$[@B]))/g, ''), 'latin1');
}

function countReplacements(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\ufffd'); at !== -1; at = text.indexOf('\ufffd', at + 1)) count++;
  return count;
}

function decodeUtf32(bytes: Uint8Array, littleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pieces: string[] = [];
  let codes: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, littleEndian);
    codes.push(code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0xfffd : code);
    if (codes.length === 4096) {
      pieces.push(String.fromCodePoint(...codes));
      codes = [];
    }
  }
  pieces.push(String.fromCodePoint(...codes));
  if (bytes.length % 4 !== 0) pieces.push('\ufffd');
  return pieces.join('');
}
