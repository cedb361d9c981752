import type { DataType } from 'apache-arrow';
import { IbidError, messageOf } from '../../core/errors.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { decimalText, RowWriter, singleOf, timeText } from './rows.ts';

const MAX_ROWS = 1_000_000;

/**
 * An Arrow file or stream (Feather 2) as lines: the names of the columns, then a line for each row.
 * @see https://arrow.apache.org/docs/format/Columnar.html
 * @throws IbidError FILE_DAMAGED, FILE_EMPTY, FILE_TOO_LARGE, FILE_UNSUPPORTED (compressed buffers)
 */
export async function parseArrow(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const { RecordBatchReader } = await import('apache-arrow');
  const shown = await showing();
  const builder = new DocumentBuilder('arrow', context);
  const reader = RecordBatchReader.from(bytes);
  let table: RowWriter | undefined;
  try {
    reader.open();
    for (const batch of reader) {
      const { fields } = batch.schema;
      table ??= new RowWriter(
        builder,
        fields.map(({ name }) => name),
      );
      const columns = fields.map(({ type }, i) => ({ type, values: batch.getChildAt(i) }));
      for (let row = 0; row < batch.numRows; row++) {
        if (table.rows >= MAX_ROWS) {
          throw new IbidError('FILE_TOO_LARGE', `the file has more than ${MAX_ROWS} rows`, { hint: 'Split it.' });
        }
        table.write(columns.map(({ type, values }) => shown(values?.get(row), type)));
      }
    }
  } catch (cause) {
    if (cause instanceof IbidError) throw cause;
    const message = messageOf(cause);
    if (/compress/i.test(message)) {
      throw new IbidError('FILE_UNSUPPORTED', 'an Arrow file with compressed buffers', {
        cause,
        hint: 'Write it without compression, or as Parquet.',
      });
    }
    if (table === undefined) throw new IbidError('FILE_DAMAGED', `Arrow: ${message}`, { cause });
    builder.warn('ARROW_DAMAGED', `${message}; what follows is left out`);
  }
  if (table === undefined || table.rows === 0) throw new IbidError('FILE_EMPTY', 'the file has no rows');
  table.end();
  builder.metadata.rows = table.rows;
  return builder.build();
}

/** Writes what the library gives as numbers alone: decimals, times and dates, also in lists and structures. */
async function showing(): Promise<(value: unknown, type: DataType) => unknown> {
  const { DataType: Type, Precision } = await import('apache-arrow');
  return function shown(value: unknown, type: DataType): unknown {
    if (value === null || value === undefined) return value;
    if (Type.isDictionary(type)) return shown(value, type.dictionary);
    if (Type.isFloat(type) && type.precision === Precision.SINGLE) return singleOf(value);
    if (Type.isDecimal(type)) return decimalText(unitsOf(value as Uint32Array), type.scale);
    // Units are counted from seconds on, each a thousandth of the one before.
    if (Type.isTime(type)) return timeText(BigInt(value as number | bigint), type.unit * 3);
    if (Type.isTimestamp(type) || Type.isDate(type)) return typeof value === 'number' ? new Date(value) : value;
    if (Type.isList(type) || Type.isFixedSizeList(type))
      return Array.from(value as Iterable<unknown>, (item) => shown(item, type.children[0]!.type));
    if (Type.isStruct(type) || Type.isMap(type)) {
      const fields = new Map(type.children.map((child) => [String(child.name), child.type as DataType]));
      const inner = Type.isMap(type) ? (type.children[0]!.type.children[1]!.type as DataType) : undefined;
      const row = (value as { toJSON(): Readonly<Record<string, unknown>> }).toJSON();
      return Object.fromEntries(
        Object.entries(row).map(([name, one]) => [name, shown(one, inner ?? fields.get(name)!)]),
      );
    }
    return value;
  };
}

/** A whole number in two's complement, the lowest 32 bits first. */
function unitsOf(words: Uint32Array): bigint {
  const units = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
  return BigInt.asIntN(words.length * 32, units);
}
