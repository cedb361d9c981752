import { ByteReader, ByteWriter, damaged } from './bytes.ts';

const MAGIC = 0x4c444249; // "IBDL"
const VERSION = 2;

/** One entry of the block directory. */
export interface BlockEntry {
  readonly firstTerm: string;
  /** CRC-32 of the stored bytes. */
  readonly checksum: number;
}

export interface SegmentHeader {
  /** Rows of each document; their sum is the row count. */
  readonly documentRows: Uint32Array;
  /** Tokens per row. */
  readonly textLengths: Uint32Array;
  readonly titleLengths: Uint32Array;
  readonly headingLengths: Uint32Array;
  readonly directory: readonly BlockEntry[];
}

/**
 * Layout: magic, version, number of rows, documents and blocks; document sizes, text lengths, title lengths, heading
 * lengths; block directory. Sizes and lengths that repeat from row to row (all but text lengths) are run-length coded.
 * Integers are LEB128, terms UTF-8.
 */
export function encodeHeader(header: SegmentHeader): Uint8Array {
  const out = new ByteWriter();
  out.uint32(MAGIC);
  out.varint(VERSION);
  out.varint(header.textLengths.length);
  out.varint(header.documentRows.length);
  out.varint(header.directory.length);
  writeRuns(out, header.documentRows);
  for (const length of header.textLengths) out.varint(length);
  writeRuns(out, header.titleLengths);
  writeRuns(out, header.headingLengths);
  const encoder = new TextEncoder();
  for (const { firstTerm, checksum } of header.directory) {
    const term = encoder.encode(firstTerm);
    out.varint(term.length);
    out.append(term);
    out.uint32(checksum);
  }
  return out.copy();
}

/** @throws IbidError INDEX_DAMAGED when the bytes are not a complete header of this version */
export function decodeHeader(bytes: Uint8Array): SegmentHeader {
  const input = new ByteReader(bytes);
  if (bytes.length < 8 || input.uint32() !== MAGIC) throw damaged('the header has a wrong beginning');
  const version = input.varint();
  if (version !== VERSION) throw damaged(`version ${version} instead of ${VERSION}`);
  const rows = input.varint();
  const documents = input.varint();
  const blocks = input.varint();
  if (rows > bytes.length || blocks > bytes.length) throw damaged('the header is cut short'); // before allocating
  const documentRows = readRuns(input, documents);
  const textLengths = new Uint32Array(rows);
  for (let row = 0; row < rows; row++) textLengths[row] = input.varint();
  const titleLengths = readRuns(input, rows);
  const headingLengths = readRuns(input, rows);
  const decoder = new TextDecoder();
  const directory: BlockEntry[] = [];
  for (let block = 0; block < blocks; block++) {
    directory.push({ firstTerm: decoder.decode(input.take(input.varint())), checksum: input.uint32() });
  }
  if (!input.done) throw damaged('bytes follow the header');
  if (documentRows.reduce((sum, n) => sum + n, 0) !== rows) throw damaged('documents and rows disagree');
  return { documentRows, textLengths, titleLengths, headingLengths, directory };
}

/** Writes the first row, and one past the last, of the document of each row; the first of all rows is `base`. */
export function setDocumentBounds(
  documentRows: Uint32Array,
  base: number,
  documentFirst: Uint32Array,
  documentEnd: Uint32Array,
): void {
  let first = base;
  for (const count of documentRows) {
    documentFirst.fill(first, first, first + count);
    documentEnd.fill(first + count, first, first + count);
    first += count;
  }
}

function writeRuns(out: ByteWriter, values: Uint32Array): void {
  for (let i = 0; i < values.length; ) {
    const value = values[i]!;
    let end = i + 1;
    while (end < values.length && values[end] === value) end++;
    out.varint(value);
    out.varint(end - i);
    i = end;
  }
}

function readRuns(input: ByteReader, count: number): Uint32Array {
  const values = new Uint32Array(count);
  for (let i = 0; i < count; ) {
    const value = input.varint();
    const run = input.varint();
    if (run === 0 || i + run > count) throw damaged('a run is longer than its rows');
    values.fill(value, i, i + run);
    i += run;
  }
  return values;
}
