import { extname } from 'node:path';
import { known } from '../core/known.ts';
import { markupIn } from './markup-signs.ts';
import { type Format, formatOfName } from './names.ts';
import { afterComments } from './prolog.ts';
import { recordingType } from './recording/kinds.ts';

export type Detection =
  | {
      readonly format: Format;
      /** Set when the content decides against the name: what the name says, for a warning. */
      readonly mismatch?: string;
    }
  | {
      readonly format: undefined;
      /** The kind of file, for the message. */
      readonly reason: string;
    };

/** Number of bytes that `detectFormat` reads. */
export const HEAD_BYTES = 4096;

/**
 * Detects the format of a file by content, then by name. A zip container gets the format of its name, or `docx`;
 * `zipKind` decides later.
 * @param name file name, any case
 * @param head the first `HEAD_BYTES` bytes, or all of a shorter file
 */
export function detectFormat(name: string, head: Uint8Array): Detection {
  const extension = extname(name).slice(1).toLowerCase();
  const named = formatOfName(name);
  const magic = magicOf(head);
  if (magic !== undefined) return byMagic(magic, named, extension);
  if (named === 'pdf') {
    if (looksBinary(head)) return { format: 'pdf' }; // no header, but the parser may still find objects
    return looksLikePdf(head)
      ? { format: 'pdf' }
      : { format: looksLikeHtml(head) ? 'html' : 'text', mismatch: 'named .pdf' };
  }
  if (named === 'arrow' && head.length > 8 && head.subarray(0, 4).every((byte) => byte === 0xff))
    return { format: 'arrow' };
  if (named !== undefined && OPEN_DOCUMENT.has(named)) {
    const flat = flatKind(head, named);
    if (flat !== undefined)
      return flat === named ? { format: flat } : { format: flat, mismatch: `named .${extension}` };
  }
  if (extension === 'pot' && MESSAGES.test(narrow(head))) return { format: 'po' }; // a template, of PowerPoint too
  const other = named !== undefined && OLE.has(named) ? writtenAs(head, named) : undefined;
  if (other !== undefined) return { format: other, mismatch: `named .${extension}` };
  if (named !== undefined && (OFFICE.has(named) || BINARY.has(named))) {
    return { format: undefined, reason: `named .${extension}, but the content is not` };
  }
  if (looksBinary(head)) return { format: undefined, reason: 'binary data' };
  if (named === undefined || named === 'text') {
    const sniffed = sniffText(head, named);
    if (sniffed !== undefined) return { format: sniffed };
    return { format: 'text' };
  }
  if (named === 'ics' || named === 'vcf') {
    const begun = /^BEGIN:(VCALENDAR|VCARD)\s/i.exec(narrow(head))?.[1]?.toUpperCase();
    const format = begun === 'VCALENDAR' ? 'ics' : begun === 'VCARD' ? 'vcf' : named;
    return format === named ? { format } : { format, mismatch: `named .${extension}` };
  }
  if (named === 'man' && !looksLikeManual(head)) return { format: 'text' };
  if (named === 'xml' && looksLikeHtml(head)) return { format: 'html' };
  return { format: named };
}

const OPEN_DOCUMENT: ReadonlySet<string> = new Set(['odt', 'ods', 'odp']);
/** Formats that are packages. */
export const OFFICE: ReadonlySet<string> = new Set(['docx', 'pptx', 'xlsx', ...OPEN_DOCUMENT, 'epub']);
/** Messages of gettext, below comments. */
const MESSAGES = /^(?:#[^\n]*\n|\s)*msg(?:id|ctxt) "/;
const OLE: ReadonlySet<string> = new Set(['doc', 'xls', 'ppt', 'msg']);
/** What programs write as text and name as a file of old Office, which opens it; undefined for other content. */
function writtenAs(head: Uint8Array, named: Format): Format | undefined {
  if (head.length === 0 || looksBinary(head)) return undefined;
  const text = narrow(head);
  const sniffed = sniffText(head, undefined);
  if (sniffed === undefined && /^\s*<(?:table|meta|style|div)[\s>]/i.test(text)) return 'html';
  if (sniffed !== undefined && ['html', 'xml', 'eml', 'mbox'].includes(sniffed)) return sniffed;
  if (/^MIME-Version:/i.test(text)) return 'eml'; // a page with its pictures
  if (named === 'xls') return /^[^\t\n,;]*[\t,;]/.test(text) ? 'csv' : undefined;
  return named === 'doc' ? 'text' : undefined;
}

/** Formats that are known by their first bytes; other content under such a name is none. */
const BINARY: ReadonlySet<string> = new Set([...OLE, 'image', 'recording', 'sqlite', 'parquet', 'arrow', 'archive']);
/** Signatures that say the format. */
const SURE: ReadonlySet<string> = new Set([
  'rtf',
  'eml',
  'image',
  'recording',
  'sqlite',
  'parquet',
  'arrow',
  'archive',
]);

/** Formats by the last word of their media type. */
const KINDS: Readonly<Record<string, Format>> = {
  text: 'odt',
  spreadsheet: 'ods',
  presentation: 'odp',
  graphics: 'odp',
};

/** The format of an OpenDocument file in one file of XML; undefined for other content. */
function flatKind(head: Uint8Array, named: Format): Format | undefined {
  const text = narrow(head);
  if (!/<office:document[\s>]/.test(text)) return undefined;
  return known(KINDS, /\bmimetype="application\/vnd\.oasis\.opendocument\.(\w+)/.exec(text)?.[1]) ?? named;
}

/** The format that a package says in its first entry, which is not compressed; undefined for other packages. */
export function packageKind(head: Uint8Array): Format | undefined {
  // A local header of 30 bytes, the name, at times an extra field, the content.
  const said =
    /^.{30}mimetype.{0,64}?application\/(?:(epub)\+zip|vnd\.oasis\.opendocument\.(text|spreadsheet|presentation|graphics))/s.exec(
      ascii(head.subarray(0, 200)),
    );
  return said?.[1] === undefined ? KINDS[said?.[2] ?? ''] : 'epub';
}

function byMagic(magic: Magic, named: Format | undefined, extension: string): Detection {
  if (magic === 'pdf')
    return named === undefined || named === 'pdf'
      ? { format: 'pdf' }
      : { format: 'pdf', mismatch: `named .${extension}` };
  if (magic === 'zip' && named === 'archive') return { format: 'archive' };
  if (magic === 'zip')
    return {
      format: named !== undefined && OFFICE.has(named) ? named : 'docx',
      ...(named === undefined || !OFFICE.has(named) ? { mismatch: `named .${extension}` } : {}),
    };
  if (magic === 'ole') {
    if (named !== undefined && OFFICE.has(named)) return { format: named }; // encrypted; its parser reports that
    return named !== undefined && OLE.has(named)
      ? { format: named }
      : { format: undefined, reason: 'an old binary Office file' };
  }
  if (SURE.has(magic)) {
    const format = magic as Format; // the signatures in `SURE` are named after formats
    if (format === 'archive' && named !== undefined && named !== format) {
      return { format: undefined, reason: `an archive named .${extension}` };
    }
    return named === format || named === undefined || format === 'rtf'
      ? { format }
      : { format, mismatch: `named .${extension}` };
  }
  return { format: undefined, reason: magic };
}

/** Apple's photos. Their codec is under patents, and tesseract does not read it. */
const HEIC = 'a HEIC picture; save it as JPEG';

type Magic = 'pdf' | 'zip' | 'ole' | 'rtf' | (string & {});

const signatures: readonly (readonly [string, readonly number[]])[] = [
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['zip', [0x50, 0x4b, 0x05, 0x06]],
  ['ole', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
  ['archive', [0x1f, 0x8b]],
  ['image', [0x89, 0x50, 0x4e, 0x47]],
  ['image', [0xff, 0xd8, 0xff]],
  ['image', [0x47, 0x49, 0x46, 0x38]],
  ['image', [0x49, 0x49, 0x2a, 0x00]],
  ['image', [0x4d, 0x4d, 0x00, 0x2a]],
  ['image', [0x00, 0x00, 0x00, 0x0c, 0x6a, 0x50, 0x20, 0x20]], // JPEG 2000, and without its boxes
  ['image', [0xff, 0x4f, 0xff, 0x51]],
  ['a RIFF file, such as AVI', [0x52, 0x49, 0x46, 0x46]],
  ['a 7-Zip archive', [0x37, 0x7a, 0xbc, 0xaf]],
  ['an xz file', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['a Zstandard file', [0x28, 0xb5, 0x2f, 0xfd]],
  ['a RAR archive', [0x52, 0x61, 0x72, 0x21, 0x1a]],
  ['an ELF program', [0x7f, 0x45, 0x4c, 0x46]],
  ['arrow', [0x41, 0x52, 0x52, 0x4f, 0x57, 0x31]],
  ['eml', [0x78, 0x9f, 0x3e, 0x22]], // `winmail.dat`, in which Outlook wraps mails
  ['a WebAssembly module', [0x00, 0x61, 0x73, 0x6d]],
  ['sqlite', [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66]],
  ['parquet', [0x50, 0x41, 0x52, 0x31]],
];

function magicOf(head: Uint8Array): Magic | undefined {
  const start = ascii(head.subarray(0, PROSE_BYTES));
  const binary = isProse(start) ? undefined : binaryMagicOf(head);
  if (binary !== undefined) return binary;
  if (start.startsWith('{\\rtf')) return 'rtf';
  if (/^BZh[1-9]1AY/.test(start)) return 'a bzip2 file';
  if (ascii(head.subarray(257, 262)) === 'ustar') return 'archive'; // its first bytes are a name
  // The PDF specification allows the header anywhere in the first 1,024 bytes.
  const at = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 1024)).indexOf('%PDF-', 0, 'latin1');
  if (at === 0 || (at > 0 && looksLikePdf(head))) return 'pdf';
  return undefined;
}

/** Every binary format has a control character in so many first bytes. */
const PROSE_BYTES = 32;

/** Words may begin as a signature does: "The widespread" is no QuickTime, "ID3 tags" is no MP3. */
function isProse(start: string): boolean {
  return /^[ -~]/.test(start) && !/[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/.test(start);
}

function binaryMagicOf(head: Uint8Array): Magic | undefined {
  if (ascii(head.subarray(0, 4)) === 'RIFF' && ascii(head.subarray(8, 12)) === 'WEBP') return 'image';
  if (recordingType(head) !== undefined) return 'recording';
  // A bitmap, with the size of its second header: an old one or one of the newer.
  if (/^BM.{12}[\x0c\x28\x34\x38\x40\x6c\x7c]\0\0\0/s.test(ascii(head.subarray(0, 18)))) return 'image';
  for (const [name, bytes] of signatures) {
    if (bytes[0] === head[0] && bytes.every((byte, i) => head[i] === byte)) return name;
  }
  if (ascii(head.subarray(4, 8)) === 'ftyp') {
    return /^(?:hei|hev|mif1|msf1)/.test(ascii(head.subarray(8, 12))) ? HEIC : 'an AVIF or a raw picture';
  }
  return undefined;
}

/** A `%PDF-` in running text is no PDF: the header is on a line of its own, and objects follow. */
function looksLikePdf(head: Uint8Array): boolean {
  const text = ascii(head);
  return /^%PDF-\d\.\d/m.test(text)
    ? /\d+ \d+ obj/.test(text) || /[\x80-\xff]/.test(text)
    : /^\s*\d+ \d+ obj\b/m.test(text);
}

function ascii(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/**
 * Whether the bytes are no text in any known encoding: many control characters besides white space and escape, or NULs
 * without the pattern of UTF-16 and UTF-32.
 */
export function looksBinary(head: Uint8Array): boolean {
  if (head.length === 0) return false;
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return false;
  let zeros = 0;
  let controls = 0;
  const zerosAt = [0, 0, 0, 0];
  for (let i = 0; i < head.length; i++) {
    const byte = head[i]!;
    if (byte === 0) {
      zeros++;
      zerosAt[i & 3]!++;
    } else if (byte === 8 && head[i - 1]! > 32 && head[i + 1]! > 32) {
      // A letter is printed over another, as printed manuals do for bold letters.
    } else if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127) controls++;
  }
  if (controls > head.length * 0.02 + 2) return true;
  if (zeros <= head.length * 0.02 + 2) return false;
  const even = zerosAt[0]! + zerosAt[2]!;
  const odd = zerosAt[1]! + zerosAt[3]!;
  const wide = Math.max(even, odd) > head.length * 0.15 && Math.min(even, odd) < head.length * 0.02 + 1;
  const wider = zeros > head.length * 0.6 && zeros < head.length * 0.8;
  return !wide && !wider;
}

function looksLikeHtml(head: Uint8Array): boolean {
  const text = narrow(head);
  const from = afterComments(text);
  return /^<(?:!doctype html|html[\s>]|head[\s>]|body[\s>])/i.test(text.slice(from, from + 20));
}

/**
 * A manual page begins with a comment or a request of roff. Its title, or the name of the page that it stands for,
 * follows; behind a long comment or definitions of macros it is not in the head.
 */
function looksLikeManual(head: Uint8Array): boolean {
  const text = narrow(head);
  if (!/^\s*(?:[.'][ \t]*(?:\\["#]|[A-Za-z]{1,3}\b|$)|\\")/.test(text)) return false;
  return /^[.'][ \t]*(?:TH|Dd|SH|Sh)\s|^\.so \S+\.\d|^[.']\\".*\bPod::Man\b|^(?:[.']\\"[^\n]*\n){20}/m.test(text);
}

/** The head as ASCII, from any width: without NULs and byte order marks. */
function narrow(head: Uint8Array): string {
  return ascii(head)
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replaceAll('\0', '');
}

/** An element that says which kind of XML begins. */
const NAMESPACE = /^<[A-Za-z_][\w.:-]*\s(?:[^<>]*\s)?xmlns(?::[\w.-]+)?\s*=\s*["']/;

/** The format of a text whose name does not tell it. Only clear cases: a `.txt` that holds some JSON is text. */
function sniffText(head: Uint8Array, named: Format | undefined): Format | undefined {
  const text = narrow(head);
  if (looksLikeHtml(head)) return 'html';
  if (/^BEGIN:VCALENDAR\s/.test(text)) return 'ics';
  if (/^BEGIN:VCARD\s/.test(text)) return 'vcf';
  if (/^WEBVTT[ \t\r\n]/.test(text)) return 'subtitles';
  if (/^From (?:\S+ .*\d{4}|- *)?\r?\n(?:[\w-]+: .*\r?\n)/.test(text)) return 'mbox';
  if (looksLikeMail(text, named === 'text')) return 'eml';
  const markup = markupIn(text);
  if (markup !== undefined || named === 'text') return markup;
  if (looksLikeManual(head)) return 'man';
  if (/^<\?xml[\s]/.test(text) || NAMESPACE.test(text.slice(afterComments(text)))) return 'xml';
  if (/^\s*\{\s*"(?:cells|nbformat)"/.test(text)) return 'notebook';
  if (/^#!.*\b(?:sh|bash|python3?|node|perl|ruby)\b/.test(text)) return 'code';
  return undefined;
}

/** Fields of mail among which others may stand, such as `X-Spam-Level`. */
const MAIL_FIELD =
  /^(?:return-path|received|delivered-to|delivery-date|envelope-to|x-original-to|from|to|cc|subject|date|message-id|in-reply-to|mime-version|content-type):/i;

/** Fields that programs write and people do not. */
const MADE_FIELD = /^(?:received|message-id|mime-version):$/;

/**
 * Whether a text begins with fields alone, and three of them, of two kinds at least, are of mail.
 * @param isMade whether a program must have written one of them, and a body follow: what somebody sent and saved as
 * text is text, and heads alone are
 */
function looksLikeMail(text: string, isMade: boolean): boolean {
  if (isMade && !/\n\r?\n\s*\S/.test(text) && text.length < HEAD_BYTES) return false;
  const names = new Set<string>();
  let count = 0;
  for (const line of text.split(/\r?\n/)) {
    if (/^[ \t]/.test(line) && count > 0) continue;
    if (!/^[\w-]+:(?:[ \t]|$)/.test(line)) break;
    const name = MAIL_FIELD.exec(line)?.[0].toLowerCase();
    if (name === undefined) continue;
    names.add(name);
    count++;
    if (count >= 3 && names.size >= 2 && (!isMade || [...names].some((one) => MADE_FIELD.test(one)))) return true;
  }
  return false;
}
