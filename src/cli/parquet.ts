import { ByteWriter, type ColumnSource, fileWriter, parquetWriteRows, schemaFromColumnData } from 'hyparquet-writer';
import { type ExportedChunk, formatCitation } from '../index.ts';

/** Rows that are in memory at one time: with 1,024 components about 40 MB. */
const ROW_GROUP = 1024;

type Column = Omit<ColumnSource, 'data'>;
export type ParquetWriter = Parameters<typeof parquetWriteRows>[0]['writer'];
type SchemaElement = NonNullable<Parameters<typeof parquetWriteRows>[0]['schema']>[number];

/**
 * Writes chunks as Parquet, a row each. `id` is the reference of the chunk, as `show` takes it. `place` (page, lines,
 * time, …) and `metadata` are JSON. `vector` is a list of floats of length 1, so that a cosine, a dot product and a
 * Euclidean distance give one order; null for a chunk of whose words the embedder knows none, since zeros have no
 * cosine. Format: github.com/apache/parquet-format.
 * @returns how many rows
 */
export async function writeParquet(
  writer: ParquetWriter,
  chunks: AsyncIterable<ExportedChunk>,
  {
    vectors = false,
    metadata = false,
  }: { readonly vectors?: boolean | undefined; readonly metadata?: boolean | undefined },
): Promise<number> {
  const columns: Column[] = [
    { name: 'id', type: 'STRING', nullable: false },
    { name: 'uri', type: 'STRING', nullable: false },
    { name: 'span_start', type: 'INT32', nullable: false },
    { name: 'span_end', type: 'INT32', nullable: false },
    { name: 'title', type: 'STRING', nullable: false },
    { name: 'heading', type: 'STRING' },
    { name: 'text', type: 'STRING', nullable: false },
    { name: 'place', type: 'JSON' },
    ...(metadata
      ? ([
          { name: 'format', type: 'STRING' },
          { name: 'metadata', type: 'JSON' },
        ] satisfies Column[])
      : []),
  ];
  const schema = schemaFromColumnData({ columnData: columns.map((column) => ({ ...column, data: [] })) });
  if (vectors) schema.push(...floatList('vector'));
  schema[0]!.num_children = columns.length + (vectors ? 1 : 0);
  let count = 0;
  const counted = async function* (): AsyncGenerator<Record<string, unknown>, void, undefined> {
    for await (const row of rows(chunks)) {
      count++;
      yield row;
    }
  };
  await parquetWriteRows({
    writer,
    rows: counted(),
    columns: vectors ? [...columns, { name: 'vector' }] : columns,
    schema,
    rowGroupSize: ROW_GROUP,
    createdBy: 'ibid',
  });
  return count;
}

/** Replaces what is there. */
export const parquetFile: (path: string) => ParquetWriter = fileWriter;

/** Gives each group of rows to `write`, and waits for it. */
export function parquetStream(write: (bytes: Uint8Array) => Promise<void>): ParquetWriter {
  const writer = new ByteWriter();
  const flush = async (): Promise<void> => {
    const bytes = writer.getBytes().slice(); // what is written is kept until its reader takes it
    writer.index = 0;
    await write(bytes);
  };
  return Object.assign(writer, { flush, finish: flush });
}

function floatList(name: string): SchemaElement[] {
  return [
    { name, converted_type: 'LIST', num_children: 1, repetition_type: 'OPTIONAL' },
    { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
    { name: 'element', type: 'FLOAT', repetition_type: 'REQUIRED' },
  ];
}

async function* rows(chunks: AsyncIterable<ExportedChunk>): AsyncGenerator<Record<string, unknown>, void, undefined> {
  for await (const { uri, title, span, text, heading, format, metadata, vector, ...place } of chunks) {
    yield {
      id: formatCitation({ uri, span }),
      uri,
      span_start: span.start,
      span_end: span.end,
      title,
      heading,
      text,
      place: Object.keys(place).length > 0 ? place : undefined,
      format,
      metadata,
      vector: vector && unit(vector),
    };
  }
}

/** The components divided by the length of the vector; undefined for a vector of zeros. */
function unit(vector: readonly number[]): number[] | undefined {
  const length = Math.hypot(...vector);
  if (length === 0) return undefined;
  return vector.map((component) => component / length);
}
