import type { Table } from '@lancedb/lancedb';
import type * as Arrow from 'apache-arrow';
import { hasSigns, signBytes } from '../vector/sign-code.ts';
import { Binary, Field, FixedSizeList, Float64, Int8, Int32, Int64, Schema, Uint8, Utf8 } from './arrow.ts';

/** Raised with every change of the table layout. An index with another version is refused. */
export const schemaVersion = 1;

export const metaTable = 'meta';
export const tableNames = (generation: number): GenerationTables => ({
  chunks: `chunks_${generation}`,
  lexical: `lexical_${generation}`,
  documents: `documents_${generation}`,
  blobs: `blobs_${generation}`,
});

export interface GenerationTables {
  readonly chunks: string;
  readonly lexical: string;
  readonly documents: string;
  readonly blobs: string;
}

/** The number of the generation that a table belongs to; undefined for a table beside the generations. */
export function generationOf(table: string): number | undefined {
  const [, number] = /^(?:chunks|lexical|documents|blobs)_(\d+)$/.exec(table) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** The open tables of one generation. */
export interface Tables {
  readonly chunks: Table;
  readonly lexical: Table;
  readonly documents: Table;
  readonly blobs: Table;
}

const string = (name: string, nullable = false): Arrow.Field => new Field(name, new Utf8(), nullable);
const int = (name: string, nullable = false): Arrow.Field => new Field(name, new Int32(), nullable);

export const metaSchema: Arrow.Schema = new Schema([string('key'), string('value')]);

/**
 * One row per chunk. Only `uri` is ever updated. `seq` identifies the row: given once, ascending, consecutive in a
 * document. `source` (JSON: state of the file, warnings) is on the first row of a document, so that the manifest can be
 * rebuilt.
 */
export function chunksSchema(dimensions: number): Arrow.Schema {
  const fields = [
    new Field('seq', new Int64(), false),
    string('uri'),
    int('position'),
    int('start'),
    int('end'),
    int('tokens'),
    string('title'),
    string('format'),
    string('text'),
    string('headings'),
    string('context', true),
    string('locators'),
    int('firstLine', true),
    // The database stores this extension type as binary JSON, and its filters can read that.
    new Field('metadata', new Utf8(), false, new Map([['ARROW:extension:name', 'arrow.json']])),
    string('source', true),
    new Field('vector', new FixedSizeList(dimensions, new Field('item', new Int8(), false)), false),
  ];
  if (hasSigns(dimensions)) {
    const bytes = signBytes(dimensions);
    fields.push(new Field('signs', new FixedSizeList(bytes, new Field('item', new Uint8(), false)), false));
  }
  return new Schema(fields);
}

/** The columns that a rename writes. */
export const renameSchema: Arrow.Schema = new Schema([new Field('seq', new Int64(), false), string('uri')]);

/**
 * Segments of the inverted index. Block -1 is the header, with the rows of the segment as `[[seq, count], …]` in
 * `runs`.
 */
export const lexicalSchema: Arrow.Schema = new Schema([
  int('segment'),
  int('block'),
  string('runs', true),
  new Field('bytes', new Binary(), false),
]);

/** The manifest. `first` is the `seq` of the document's first chunk. */
export const documentsSchema: Arrow.Schema = new Schema([
  string('uri'),
  string('title', true),
  string('format', true),
  int('chunks'),
  new Field('first', new Int64(), true),
  new Field('sizeBytes', new Float64(), false),
  new Field('mtimeMs', new Float64(), false),
  string('contentHash'),
  string('failureCode', true),
  string('failureMessage', true),
  string('warnings', true),
]);

export const blobsSchema: Arrow.Schema = new Schema([
  string('name'),
  int('part'),
  new Field('bytes', new Binary(), false),
]);

/** Columns that a filter may name, for error messages. */
export const filterColumns: readonly string[] = [
  'uri',
  'title',
  'format',
  'position',
  'text',
  'tokens',
  'metadata.<name>',
];
