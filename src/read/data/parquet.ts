import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { IbidError } from '../../core/errors.ts';
import { ownMarks, refuseOwn } from '../../core/own-files.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { shownOf } from './parquet-values.ts';
import { RowWriter } from './rows.ts';

const ROWS_AT_A_TIME = 2000;
const MAX_ROWS = 1_000_000;

/**
 * A Parquet file as lines: the names of the columns, then a line for each row. Compressed with snappy, gzip, brotli or
 * zstd. @see https://parquet.apache.org/docs/file-format/
 * @throws IbidError FILE_DAMAGED, FILE_EMPTY, FILE_TOO_LARGE, FILE_UNSUPPORTED (another compression)
 */
export async function parseParquet(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const { parquetMetadata, parquetReadObjects, parquetSchema } = await import('hyparquet');
  const builder = new DocumentBuilder('parquet', context);
  const file = Uint8Array.from(bytes).buffer; // the buffer of a slice may hold more than it, such as an archive
  const metadata = parquetMetadata(file);
  refuseOwn(metadata.created_by === ownMarks.parquet ? ownMarks.parquet : '', ownMarks.parquet);
  const rows = Number(metadata.num_rows);
  if (rows > MAX_ROWS) {
    throw new IbidError('FILE_TOO_LARGE', `the file has ${rows} rows`, { hint: 'Split it.' });
  }
  const fields = parquetSchema(metadata).children;
  const columns = fields.map(({ element }) => element.name);
  const shows = fields.map(shownOf);
  let left = context.maxUnpackedBytes;
  const inflate =
    (unpack: (packed: Uint8Array, options: { maxOutputLength: number }) => Buffer) =>
    (packed: Uint8Array, length: number): Uint8Array => {
      left -= length;
      if (left < 0) throw new IbidError('FILE_TOO_LARGE', 'it unpacks to more than the limit');
      return unpack(packed, { maxOutputLength: Math.max(1, length) });
    };
  const compressors = {
    GZIP: inflate(gunzipSync),
    BROTLI: inflate(brotliDecompressSync),
    ZSTD: inflate(zstdDecompressSync),
  };
  if (rows === 0 || columns.length === 0) throw new IbidError('FILE_EMPTY', 'the file has no rows');
  const table = new RowWriter(builder, columns);
  for (let rowStart = 0; rowStart < rows; rowStart += ROWS_AT_A_TIME) {
    const rowEnd = Math.min(rows, rowStart + ROWS_AT_A_TIME);
    const read = parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors, utf8: false });
    for (const row of await read.catch(asRefusal)) {
      table.write(columns.map((column, i) => (shows[i] ? shows[i](row[column]) : row[column])));
    }
  }
  table.end();
  builder.metadata.rows = rows;
  builder.metadata.columns = columns.length;
  return builder.build();
}

function asRefusal(cause: unknown): never {
  const [, what] =
    /^parquet (.*\bnot supported|unsupported .*)$/.exec(cause instanceof Error ? cause.message : '') ?? [];
  if (what === undefined) throw cause;
  throw new IbidError('FILE_UNSUPPORTED', `a Parquet file with parts that are not read: ${what}`, {
    cause,
    hint: 'Write it with Snappy, gzip, Brotli or Zstandard, and without columns of BSON and intervals.',
  });
}
