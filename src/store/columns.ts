import type { Data, DataType, Field, FixedSizeList, RecordBatch, Schema, Table } from 'apache-arrow';
import * as arrow from './arrow.ts';

/** The values of a column, in the form that is cheapest to convert. */
type ColumnValues =
  | readonly (string | null)[]
  | readonly (Uint8Array | null)[]
  | Int32Array
  | BigInt64Array
  | Float64Array
  | { readonly values: Int32Array | BigInt64Array; readonly valid: readonly boolean[] }
  | { readonly list: Int8Array | Uint8Array };

/** An Arrow table of one batch, built from typed arrays. The schema gives names and order of the columns. */
export function buildTable(schema: Schema, rows: number, columns: Readonly<Record<string, ColumnValues>>): Table {
  const children = schema.fields.map((field) => columnData(field, rows, columns[field.name]!));
  return new arrow.Table(
    schema,
    new arrow.RecordBatch(schema, arrow.makeData({ type: new arrow.Struct(schema.fields), length: rows, children })),
  );
}

function columnData(field: Field, rows: number, values: ColumnValues): Data {
  const type = field.type as DataType;
  if (Array.isArray(values)) return variableData(type, rows, values as readonly (string | Uint8Array | null)[]);
  if ('list' in values) {
    const list = type as FixedSizeList;
    // one of two list types
    const child = arrow.makeData({
      type: list.children[0]!.type,
      length: values.list.length,
      data: values.list,
    } as never);
    return arrow.makeData({ type: list, length: rows, child });
  }
  if ('valid' in values) {
    const nullBitmap = bitmap(values.valid);
    const nullCount = values.valid.filter((valid) => !valid).length;
    return arrow.makeData({ type, length: rows, data: values.values, nullBitmap, nullCount } as never); // int32 or int64
  }
  return arrow.makeData({ type, length: rows, data: values } as never); // number type as in the schema
}

/** Strings or byte strings: one buffer of bytes with 32-bit offsets. */
function variableData(type: DataType, rows: number, values: readonly (string | Uint8Array | null)[]): Data {
  const offsets = new Int32Array(rows + 1);
  // strings: one byte a code unit as a first estimate; byte strings: the exact size, so that they are copied once
  let bytes = new Uint8Array(values.reduce((sum, value) => sum + (value?.length ?? 0), 3));
  let length = 0;
  const reserve = (more: number): void => {
    if (length + more <= bytes.length) return;
    const larger = new Uint8Array(Math.max(length + more, Math.ceil(bytes.length * 1.5)));
    larger.set(bytes);
    bytes = larger;
  };
  for (let i = 0; i < rows; i++) {
    const value = values[i]!;
    if (typeof value === 'string') {
      let { read, written } = encoder.encodeInto(value, bytes.subarray(length));
      if (read < value.length) {
        reserve(value.length * 3);
        ({ read, written } = encoder.encodeInto(value, bytes.subarray(length)));
      }
      length += written;
    } else if (value !== null) {
      reserve(value.length);
      bytes.set(value, length);
      length += value.length;
    }
    offsets[i + 1] = length;
  }
  const valid = values.map((value) => value !== null);
  const nullCount = valid.filter((present) => !present).length;
  const nulls = nullCount === 0 ? {} : { nullBitmap: bitmap(valid), nullCount };
  // utf8 or binary
  return arrow.makeData({
    type,
    length: rows,
    valueOffsets: offsets,
    data: bytes.subarray(0, length),
    ...nulls,
  } as never);
}

const encoder = new TextEncoder();

function bitmap(valid: readonly boolean[]): Uint8Array {
  const bits = new Uint8Array(Math.ceil(valid.length / 64) * 8);
  for (let i = 0; i < valid.length; i++) if (valid[i]) bits[i >> 3]! |= 1 << (i & 7);
  return bits;
}

/**
 * The components of a fixed-size list column of one batch. The child array holds the values of all batches, so the
 * batch's offset must be added.
 */
export function listValues(batch: RecordBatch, column: string): Int8Array | Uint8Array {
  const data = batch.getChild(column)!.data[0]!;
  const width = (data.type as FixedSizeList).listSize;
  const all = data.children[0]!.values as Int8Array | Uint8Array; // the schema has one of these types
  return all.subarray(data.offset * width, (data.offset + data.length) * width);
}

/** The values of an int64 or uint64 column as numbers, exact up to 2^53. A null becomes `absent`. */
export function wholeNumbers(batch: RecordBatch, column: string, absent = 0): Float64Array {
  const vector = batch.getChild(column)!;
  const big = vector.toArray() as BigInt64Array | BigUint64Array;
  // both halves of each number: a bigint is an object, and a million of them take a tenth of a second
  const halves = new Int32Array(big.buffer, big.byteOffset, 2 * big.length);
  const isThere = validity(vector.data[0]!);
  const out = new Float64Array(big.length);
  for (let i = 0; i < out.length; i++) {
    out[i] = isThere(i) ? halves[2 * i + 1]! * 2 ** 32 + (halves[2 * i]! >>> 0) : absent;
  }
  return out;
}

/** Returns a test for null values. Arrow's own `isValid` takes four times as long. */
function validity({ nullBitmap, nullCount, offset }: Data): (row: number) => boolean {
  if (nullCount === 0) return () => true;
  return (row) => (nullBitmap[(offset + row) >> 3]! & (1 << ((offset + row) & 7))) !== 0;
}

/** A string column of a batch, not decoded: the UTF-8 text of row `i` is `bytes` from `ends[i]` to `ends[i + 1]`. */
interface TextBytes {
  readonly bytes: Uint8Array;
  readonly ends: ArrayLike<number>;
  isThere(row: number): boolean;
}

/** @see TextBytes */
export function textBytes(batch: RecordBatch, name: string): TextBytes {
  const column = batch.getChild(name)!;
  const [data] = column.data;
  // Utf8: 32-bit offsets
  const { values, valueOffsets } = data as unknown as { values?: Uint8Array; valueOffsets?: Int32Array };
  if (column.nullCount === column.length) {
    // for a column of nulls, some writers leave the buffers out
    return { bytes: new Uint8Array(0), ends: new Int32Array(column.length + 1), isThere: () => false };
  }
  if (column.data.length === 1 && values !== undefined && valueOffsets !== undefined) {
    return { bytes: values, ends: valueOffsets, isThere: validity(data!) };
  }
  const texts = Array.from(column, (text: string | null) => encoder.encode(text ?? ''));
  const ends = new Int32Array(texts.length + 1);
  for (const [i, text] of texts.entries()) ends[i + 1] = ends[i]! + text.length;
  return { bytes: Buffer.concat(texts), ends, isThere: (row) => column.isValid(row) };
}
