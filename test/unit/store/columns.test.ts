import { Field, type RecordBatch, Schema, Table, tableFromIPC, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { textBytes } from '../../../src/store/columns.ts';

function batchOf(values: (string | null)[]): RecordBatch {
  const schema = new Schema([new Field('t', new Utf8(), true)]);
  const table = new Table(schema, { t: vectorFromArray(values, new Utf8()) });
  return tableFromIPC(tableToIPC(table)).batches[0]!; // as a database hands it over
}

const textValues = (batch: RecordBatch, name: string): (string | null)[] => {
  const { bytes, ends, isThere } = textBytes(batch, name);
  return Array.from({ length: batch.numRows }, (_, i) =>
    isThere(i) ? Buffer.from(bytes.subarray(ends[i], ends[i + 1])).toString() : null,
  );
};

describe('textBytes', () => {
  it.each([
    ['ASCII', ['a', '', 'docs/b.md', 'c']],
    ['ASCII with nulls', [null, 'a', null, '', 'b']],
    ['nulls alone', [null, null]],
    ['other scripts', ['ä', 'b', null, '日本', '']],
    ['one value', ['x']],
  ])('finds %s where the column says, row by row', (_, values) => {
    const batch = batchOf(values);
    expect(textValues(batch, 't')).toEqual(values);
    if (values.length > 2) {
      const part = batch.slice(1, values.length - 1);
      expect(textValues(part, 't')).toEqual(values.slice(1, -1));
    }
  });
});
