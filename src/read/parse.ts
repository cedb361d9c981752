import { IbidError, messageOf } from '../core/errors.ts';
import { known } from '../core/known.ts';
import { lineFeeds } from '../core/location.ts';
import { ownMarks, refuseOwn } from '../core/own-files.ts';
import type { ReadWarning } from '../core/types.ts';
import { boundDocument } from '../text/document-limits.ts';
import type { ParseContext, ParsedDocument, Parser } from './contract.ts';
import { detectFormat, HEAD_BYTES, looksBinary, OFFICE, packageKind } from './detect.ts';
import { decodeBytes } from './encoding.ts';
import { byteParsers, type TextParser, textParsers } from './formats.ts';
import type { Format } from './names.ts';
import type { ReadScan, Scan } from './ocr/contract.ts';
import { openCompoundFile } from './office/compound-file.ts';
import { withWholeCharacters } from './records/content-lines.ts';
import { markReferences } from './references.ts';
import type { Surroundings } from './surroundings.ts';
import { openZip, type ZipArchive } from './zip.ts';

export interface ParseLimits {
  readonly maxTextChars: number;
  readonly maxUnpackedBytes: number;
  readonly surroundings?: Surroundings | undefined;
}

/** The pictures of one file, and what OCR found in them. */
export interface Scans {
  /** Those that parsers asked for. */
  readonly found: Scan[];
  /** Pictures of files inside that are too many or too large. */
  leftOut?: number;
  /** By the index in `found`; absent in the first pass. */
  readonly readings?: readonly ReadScan[] | undefined;
}

/** Mail in mail in mail: files nested deeper are left out. */
const MAX_DEPTH = 4;

/**
 * Bytes of any known format → document, in this thread and without a time limit.
 * @param known result of `formatOf`, if the caller has it
 * @param scans gets what needs OCR, and gives what OCR found
 * @throws IbidError FILE_*
 */
export async function parseBytes(
  name: string,
  bytes: Uint8Array,
  limits: ParseLimits,
  depth = 0,
  known?: FoundFormat,
  scans: Scans = { found: [] },
): Promise<ParsedDocument> {
  if (bytes.length === 0) throw empty('the file has no bytes');
  const { format, warnings } = known ?? formatOf(name, bytes);
  const context: ParseContext = {
    name,
    ...limits,
    depth,
    parseInner: (innerName, innerBytes, surroundings) => {
      if (depth >= MAX_DEPTH) throw new IbidError('FILE_UNSUPPORTED', `nested more than ${MAX_DEPTH} levels deep`);
      return parseBytes(innerName, innerBytes, { ...limits, surroundings }, depth + 1, undefined, scans);
    },
    recognise: (scan) => {
      if (depth > 0 && !takes(scans, bytes)) {
        scans.leftOut = (scans.leftOut ?? 0) + 1;
        return undefined;
      }
      const index = scans.found.push(depth === 0 ? scan : { file: bytes, ...scan }) - 1;
      return scans.readings?.[index];
    },
  };
  const document = await parseAs(format, bytes, context);
  return finish(document, depth === 0 ? [...warnings, ...leftOut(scans)] : warnings, limits);
}

function leftOut({ leftOut: count = 0 }: Scans): ReadWarning[] {
  if (count === 0) return [];
  const most = `${MOST_INNER_SCANS} pictures of ${MOST_INNER_BYTES / 2 ** 20} MB together are read`;
  return [{ code: 'OCR_PAGES_LEFT_OUT', message: `pictures inside the file are left out: ${count}; ${most}` }];
}

/** Pictures inside other files are sent from process to process: an archive of photos must not be sent as a whole. */
const MOST_INNER_SCANS = 500;
const MOST_INNER_BYTES = 64 * 2 ** 20;

/** Whether a picture of a file inside another one is still read. The answer is the same in both passes. */
function takes({ found }: Scans, bytes: Uint8Array): boolean {
  if (found.at(-1)?.file === bytes) return found.length < MOST_INNER_SCANS; // another page
  const files = new Set(found.map(({ file }) => file));
  const sum = [...files].reduce((total, file) => total + (file?.length ?? 0), bytes.length);
  return found.length < MOST_INNER_SCANS && sum <= MOST_INNER_BYTES;
}

interface FoundFormat {
  readonly format: Format;
  readonly warnings: readonly ReadWarning[];
}

/**
 * The format that `parseBytes` uses.
 * @throws IbidError FILE_UNSUPPORTED, FILE_ENCRYPTED
 */
export function formatOf(name: string, bytes: Uint8Array): FoundFormat {
  const detection = detectFormat(name, bytes.subarray(0, HEAD_BYTES));
  const old = isOle(bytes) ? oleKind(bytes) : undefined;
  if (old !== undefined && old !== detection.format) {
    return { format: old, warnings: [{ code: 'TYPE_MISMATCH', message: `${name} is an old .${old} file` }] };
  }
  if (detection.format === undefined) {
    const { reason } = detection;
    throw new IbidError('FILE_UNSUPPORTED', `ibid does not read this kind of file: ${reason}`, {
      hint: PACKED.test(reason)
        ? 'Unpack it into the folder.'
        : 'Convert it to text, HTML, PDF or DOCX, or list it in .ibidignore.',
    });
  }
  const warnings: ReadWarning[] = [];
  let { format } = detection;
  if (isZip(bytes)) format = zipKind(bytes, format, detection.mismatch !== undefined);
  else if (OFFICE.has(format) && isOle(bytes)) refuseOle(bytes, format);
  if (detection.mismatch !== undefined) {
    warnings.push({ code: 'TYPE_MISMATCH', message: `${detection.mismatch}, but the content is ${format}` });
  }
  return { format, warnings };
}

/** Reasons of files that hold others. */
const PACKED = /^an? (?:bzip2|xz|Zstandard|7-Zip|RAR) /;

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);
}

function isOle(bytes: Uint8Array): boolean {
  return bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11 && bytes[3] === 0xe0;
}

/** Stream that only one format has. */
const oleKinds: readonly (readonly [stream: string, format: Format])[] = [
  ['WordDocument', 'doc'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
  ['PowerPoint Document', 'ppt'],
  ['__properties_version1.0', 'msg'],
];

/** The format of a compound file; undefined for another, an encrypted or a damaged one, where the name decides. */
function oleKind(bytes: Uint8Array): Format | undefined {
  try {
    const file = openCompoundFile(bytes);
    if (file.has('EncryptedPackage')) return undefined;
    return oleKinds.find(([stream]) => file.has(stream))?.[1];
  } catch {
    return undefined;
  }
}

const IWORK_PARTS = ['Index/Document.iwa', 'index.apxl'];

function iWork(): IbidError {
  return new IbidError('FILE_UNSUPPORTED', 'a file of Pages, Numbers or Keynote', {
    hint: 'Export it as PDF or in a format of Office.',
  });
}

/** Entry names are not compressed in a zip, so they show the format without unpacking. */
function zipKind(bytes: Uint8Array, named: Format, doubtful: boolean): Format {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // An archive may hold a file of such a program as it is.
  if (named !== 'archive' && IWORK_PARTS.some((part) => zip.includes(part))) throw iWork();
  const said = packageKind(bytes);
  if (said !== undefined) return said;
  if (named === 'archive') return archiveKind(bytes);
  if (zip.includes('word/document.xml')) return 'docx';
  if (zip.includes('ppt/presentation.xml')) return 'pptx';
  if (zip.includes('xl/workbook.bin') && !zip.includes('xl/workbook.xml')) {
    throw new IbidError('FILE_UNSUPPORTED', 'a binary workbook of Excel (.xlsb)', { hint: 'Save it as .xlsx.' });
  }
  if (zip.includes('xl/workbook.')) return 'xlsx';
  if (zip.includes('META-INF/container.xml') && named === 'epub') return 'epub';
  if (!doubtful) return named; // damaged or unusual: its own parser decides
  throw new IbidError('FILE_UNSUPPORTED', 'a ZIP archive, not a document', { hint: 'Unpack it into the folder.' });
}

/** A document that is named as an archive is a document. */
function archiveKind(bytes: Uint8Array): Format {
  let zip: ZipArchive;
  try {
    zip = openZip(bytes, { maxUnpackedBytes: 0 });
  } catch {
    return 'archive'; // damaged: its parser says how
  }
  if (IWORK_PARTS.some((part) => zip.has(part))) throw iWork();
  if (zip.has('word/document.xml')) return 'docx';
  if (zip.has('ppt/presentation.xml')) return 'pptx';
  if (zip.has('xl/workbook.xml')) return 'xlsx';
  return zip.has('META-INF/container.xml') ? 'epub' : 'archive';
}

function refuseOle(bytes: Uint8Array, format: Format): never {
  const ole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (ole.includes(Buffer.from('EncryptedPackage', 'utf16le'))) {
    throw new IbidError('FILE_ENCRYPTED', `the ${format} file is protected with a password`, {
      hint: 'Save it without a password.',
    });
  }
  throw new IbidError('FILE_UNSUPPORTED', `an old binary Office file named .${format}`, {
    hint: `Save it again as .${format}.`,
  });
}

/** Loaded parsers. Even `import` of a loaded module takes longer than parsing a short file. */
const loadedByte = new Map<Format, Parser>();
const loadedText = new Map<Format, TextParser>();

async function loadOnce<T>(
  loaded: Map<Format, T>,
  loaders: Partial<Record<Format, () => Promise<T>>>,
  format: Format,
): Promise<T | undefined> {
  const parser = await loaders[format]?.();
  if (parser !== undefined) loaded.set(format, parser);
  return parser;
}

async function parseAs(format: Format, bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const byteParser =
    byteParsers[format] && (loadedByte.get(format) ?? (await loadOnce(loadedByte, byteParsers, format)));
  if (byteParser) return await byteParser(bytes, context);
  const textParser = loadedText.get(format) ?? (await loadOnce(loadedText, textParsers, format));
  if (!textParser) {
    throw new IbidError('FILE_UNSUPPORTED', `${format} files are not read`, {
      hint: 'Convert it to DOCX, PDF or text.',
    });
  }
  const declared = context.surroundings?.charset ?? (DECLARING.has(format) ? declaredIn(bytes) : undefined);
  const decoded = decodeBytes(FOLDED.has(format) ? withWholeCharacters(bytes) : bytes, declared);
  if (decoded.text.trim() === '') throw empty('the file holds only white space');
  refuseNoise(decoded.text, bytes);
  refuseMachineText(decoded.text, format);
  const mark = OWN_MARKS[format];
  if (mark !== undefined) refuseOwn(decoded.text, mark);
  const document = await textParser(decoded.text, context);
  return decoded.warnings.length === 0
    ? document
    : { ...document, warnings: [...decoded.warnings, ...document.warnings] };
}

/** Of the formats in which ibid writes what documents say. */
const OWN_MARKS: Partial<Record<Format, string>> = {
  html: ownMarks.html,
  subtitles: ownMarks.captions,
  markdown: ownMarks.markdown,
};

/** Formats with long lines folded. */
const FOLDED: ReadonlySet<Format> = new Set<Format>(['ics', 'vcf']);
const DECLARING: ReadonlySet<Format> = new Set<Format>(['html', 'xml']);

function declaredIn(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES)).toString('latin1');
  return (
    /<meta\s[^<>]*?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]+)/i.exec(head)?.[1] ??
    /<\?xml\s[^<>]*?encoding\s{0,9}=\s{0,9}["']([\w.:-]+)["']/i.exec(head)?.[1]
  );
}

/** Refuses bytes that look like text only at their beginning. */
function refuseNoise(text: string, bytes: Uint8Array): void {
  const middle = bytes.length >> 1;
  if (bytes.length <= HEAD_BYTES * 2 || !looksBinary(bytes.subarray(middle, middle + HEAD_BYTES))) return;
  let replaced = 0;
  for (let at = text.indexOf('\ufffd'); at !== -1 && replaced <= text.length / 20; at = text.indexOf('\ufffd', at + 1))
    replaced++;
  if (replaced > text.length / 20) throw new IbidError('FILE_UNSUPPORTED', 'binary data after a beginning of text');
}

const PRIVATE_KEY = /^\s*(?:Bag Attributes[^-]{0,500})?-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/;
/** The format of the indices that Thunderbird keeps beside its mailboxes (`Inbox.msf`). */
const MORK = /^\/\/ <!-- <mdb:mork:z /;
const POSTSCRIPT = /^\x04?%!PS-Adobe-/;
/** Code with longer lines on average is made by a program. */
const CODE_LINE_CHARS = 500;
const FEW_CHARS = 10_000;

/** Refuses text that is not written for people: a private key, an index of mail, a program that draws pages, minified code. */
function refuseMachineText(text: string, format: Format): void {
  if (PRIVATE_KEY.test(text)) throw new IbidError('FILE_UNSUPPORTED', 'a private key');
  if (MORK.test(text)) throw new IbidError('FILE_UNSUPPORTED', 'an index of a mailbox');
  if (POSTSCRIPT.test(text)) {
    throw new IbidError('FILE_UNSUPPORTED', 'pages in PostScript', { hint: 'Convert it to PDF, as `ps2pdf` does.' });
  }
  if (format === 'code' && text.length > FEW_CHARS && text.length > CODE_LINE_CHARS * lineFeeds(text, 0, text.length)) {
    throw new IbidError('FILE_UNSUPPORTED', 'minified code');
  }
}

/** Checks and additions for documents of all formats. */
export function finish(document: ParsedDocument, before: readonly ReadWarning[], limits: ParseLimits): ParsedDocument {
  if (document.text.length > limits.maxTextChars) {
    throw new IbidError('FILE_TOO_LARGE', `the text is longer than ${limits.maxTextChars} characters`, {
      hint: 'Split the file.',
    });
  }
  if (document.text.trim() === '') throw empty('the file holds no text');
  const warnings = [...before, ...document.warnings];
  if (document.text.includes('\ufffd') && warnings.length === 0) {
    warnings.push({ code: 'REPLACED_CHARACTERS', message: 'invalid characters became U+FFFD' });
  }
  const blocks = markReferences(document.text, document.blocks);
  if (blocks === document.blocks && warnings.length === document.warnings.length) return boundDocument(document);
  return boundDocument({ ...document, blocks, warnings });
}

function empty(message: string): IbidError {
  return new IbidError('FILE_EMPTY', message);
}

/** What to do with a file whose parser has no better hint. */
const USUAL_HINTS: Readonly<Record<string, string>> = {
  FILE_DAMAGED: 'Get the file from its source again, or save it again in the program that made it.',
  FILE_EMPTY: 'If that is as it should be, list it in .ibidignore.',
};

/** An error of a parser other than an IbidError means damaged input. */
export function asFileError(error: unknown): IbidError {
  if (error instanceof IbidError) {
    const hint = known(USUAL_HINTS, error.code);
    return error.hint !== undefined || hint === undefined
      ? error
      : new IbidError(error.code, error.message, { cause: error.cause, hint });
  }
  const message = messageOf(error);
  const hint = USUAL_HINTS.FILE_DAMAGED;
  return new IbidError('FILE_DAMAGED', `cannot be parsed: ${message.slice(0, 300)}`, { cause: error, hint });
}

/** The error of a file that cannot be opened. @param cause from `fs`, which gives its errors a code */
export function unreadable(cause: unknown): IbidError {
  const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
  return new IbidError('FILE_UNREADABLE', `cannot be opened: ${code}`, { cause });
}
