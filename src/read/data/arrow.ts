import { IbidError } from '../../core/errors.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { RowWriter } from './rows.ts';

const MAX_ROWS = 1_000_000;

/**
 * An Arrow file or stream (Feather 2) as lines: the names of the columns, then a line for each row.
 * @see https://arrow.apache.org/docs/format/Columnar.html
 * @throws IbidError FILE_DAMAGED, FILE_EMPTY, FILE_TOO_LARGE, FILE_UNSUPPORTED (compressed buffers)
 */
export async function parseArrow(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const { DataType, RecordBatchReader } = await import('apache-arrow');
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
        table.write(
          columns.map(({ type, values }) => {
            const value: unknown = values?.get(row);
            const isTime = typeof value === 'number' && (DataType.isTimestamp(type) || DataType.isDate(type));
            return isTime ? new Date(value) : value;
          }),
        );
      }
    }
  } catch (cause) {
    if (cause instanceof IbidError) throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
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
