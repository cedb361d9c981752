import { crc32 } from 'node:zlib';
import type { Table as ArrowTable, RecordBatch, Vector } from 'apache-arrow';
import { IbidError } from '../core/errors.ts';
import type { Chunk, Locator, Metadata, ReadWarning, StoredChunk } from '../core/types.ts';
import { hasSigns, signBytes } from '../vector/sign-code.ts';
import { signsOf } from '../vector/signs.ts';
import { buildTable } from './columns.ts';
import type { ChunkRow, DocumentRecord, FileState } from './contract.ts';
import { chunksSchema } from './schema.ts';

/** Data about a document that is stored on its first row only. */
export interface RowSource extends FileState {
  readonly warnings: readonly ReadWarning[];
  /** Of the document, and a CRC-32 of its chunks and vectors; absent in rows of earlier versions. */
  readonly chunks?: number | undefined;
  readonly sum?: number | undefined;
}

/** The columns that make a `StoredChunk`. */
export const chunkColumns: readonly string[] = [
  'uri',
  'position',
  'start',
  'end',
  'tokens',
  'title',
  'format',
  'text',
  'headings',
  'context',
  'locators',
  'firstLine',
  'metadata',
];

/**
 * One Arrow table with the chunks of all records; `seq` counts from `firstSeq`.
 * @throws IbidError INVALID_ARGUMENT when a record contradicts itself
 */
export function chunkRows(records: readonly DocumentRecord[], dimensions: number, firstSeq: number): ArrowTable {
  for (const record of records) checkRecord(record, dimensions);
  const chunks = records.flatMap((record) => record.chunks);
  const owners = records.flatMap((record) => record.chunks.map(() => record));
  const metadata = new Map(records.map((record) => [record, JSON.stringify(record.metadata)]));
  const vectors = new Int8Array(chunks.length * dimensions);
  let at = 0;
  for (const record of records) {
    for (const vector of record.vectors) {
      vectors.set(vector, at);
      at += dimensions;
    }
  }
  return buildTable(chunksSchema(dimensions), chunks.length, {
    seq: BigInt64Array.from(chunks, (_, i) => BigInt(firstSeq + i)),
    uri: owners.map((record) => record.uri),
    position: Int32Array.from(chunks, (chunk) => chunk.position),
    start: Int32Array.from(chunks, (chunk) => chunk.span.start),
    end: Int32Array.from(chunks, (chunk) => chunk.span.end),
    tokens: Int32Array.from(chunks, (chunk) => chunk.tokens),
    title: owners.map((record) => record.title),
    format: owners.map((record) => record.format),
    text: chunks.map((chunk) => chunk.text),
    headings: chunks.map((chunk) => JSON.stringify(chunk.headings)),
    context: chunks.map((chunk) => chunk.context ?? null),
    locators: chunks.map((chunk) => JSON.stringify(chunk.locators)),
    firstLine: {
      values: Int32Array.from(chunks, (chunk) => chunk.firstLine ?? 0),
      valid: chunks.map((chunk) => chunk.firstLine !== undefined),
    },
    metadata: owners.map((record) => metadata.get(record)!),
    source: owners.map((record, i) => (record === owners[i - 1] ? null : sourceOf(record))),
    vector: { list: vectors },
    ...(hasSigns(dimensions) ? { signs: { list: signsOf(vectors, dimensions, signBytes(dimensions)) } } : {}),
  });
}

function sourceOf({ title, format, source, warnings, chunks, vectors }: DocumentRecord): string {
  const value: RowSource = {
    sizeBytes: source.sizeBytes,
    mtimeMs: source.mtimeMs,
    contentHash: source.contentHash,
    warnings,
    chunks: chunks.length,
    sum: documentSum(
      { title, format },
      chunks.map((chunk, i) => chunkSum(chunk, vectors[i]!)),
    ),
  };
  return JSON.stringify(value);
}

/** A CRC-32 of a chunk and its vector. */
export function chunkSum(chunk: Chunk, vector: Int8Array): number {
  const { position, span, tokens, headings, locators, context, firstLine, text } = chunk;
  const rest = JSON.stringify([position, span.start, span.end, tokens, firstLine, headings, locators, context]);
  return crc32(vector, crc32(text, crc32(rest)));
}

/** A CRC-32 of a document without its uri, which a rename changes. @param sums of its chunks, in order */
export function documentSum({ title, format }: { title: string; format: string }, sums: readonly number[]): number {
  return crc32(JSON.stringify([title, format, sums]));
}

function checkRecord({ uri, chunks, vectors }: DocumentRecord, dimensions: number): void {
  const fail = (what: string): never => {
    throw new IbidError('INVALID_ARGUMENT', `document ${JSON.stringify(uri)} ${what}`);
  };
  if (uri === '') fail('has no uri');
  if (vectors.length !== chunks.length) fail(`has ${chunks.length} chunks but ${vectors.length} vectors`);
  for (const vector of vectors) {
    if (vector.length !== dimensions) fail(`has a vector of ${vector.length} dimensions; the index has ${dimensions}`);
  }
}

/** Decodes all chunks of an Arrow table or batch that has `chunkColumns`. */
export function readChunks(rows: ArrowTable | RecordBatch): StoredChunk[] {
  const read = chunkReader(rows);
  return Array.from({ length: rows.numRows }, (_, i) => read(i));
}

/** The row of a decoded chunk. */
export function rowOf(chunk: StoredChunk): ChunkRow {
  const { title, text, headings } = chunk;
  return { title, text, headings, chunk };
}

/** Decodes single rows of an Arrow table or batch that has `chunkColumns`. */
export class ChunkReader {
  /** Decodes one row. Neighbouring rows with equal metadata share one metadata object. */
  readonly chunk: (row: number) => StoredChunk;
  readonly #title: Vector;
  readonly #text: Vector;
  readonly #headings: Vector;

  constructor(rows: ArrowTable | RecordBatch) {
    this.chunk = chunkReader(rows);
    this.#title = rows.getChild('title')!;
    this.#text = rows.getChild('text')!;
    this.#headings = rows.getChild('headings')!;
  }

  /** The row with title, text and headings decoded; `chunk` is decoded when it is read. */
  row(row: number): ChunkRow {
    const { chunk } = this;
    return {
      title: this.#title.get(row) as string, // the schema defines the column types
      text: this.#text.get(row) as string,
      headings: JSON.parse(this.#headings.get(row) as string) as string[],
      get chunk() {
        return chunk(row);
      },
    };
  }
}

function chunkReader(rows: ArrowTable | RecordBatch): (row: number) => StoredChunk {
  const columns = Object.fromEntries(chunkColumns.map((name) => [name, rows.getChild(name)!]));
  let last: { readonly json: string; readonly metadata: Metadata } | undefined;
  return (row) => {
    const string = (name: string): string => columns[name]!.get(row) as string; // the schema defines the column types
    const number = (name: string): number => columns[name]!.get(row) as number;
    const json = string('metadata');
    if (last?.json !== json) last = { json, metadata: JSON.parse(json) as Metadata };
    const context = columns.context!.get(row) as string | null;
    const firstLine = columns.firstLine!.get(row) as number | null;
    return {
      uri: string('uri'),
      title: string('title'),
      format: string('format'),
      metadata: last.metadata,
      position: number('position'),
      span: { start: number('start'), end: number('end') },
      text: string('text'),
      headings: JSON.parse(string('headings')) as string[],
      tokens: number('tokens'),
      locators: JSON.parse(string('locators')) as Locator[],
      ...(context === null ? {} : { context }),
      ...(firstLine === null ? {} : { firstLine }),
    };
  };
}

/** The chunk without the fields of its document. */
export function plainChunk({
  uri: _uri,
  title: _title,
  format: _format,
  metadata: _metadata,
  ...chunk
}: StoredChunk): Chunk {
  return chunk;
}
