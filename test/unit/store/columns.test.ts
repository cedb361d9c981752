import {
  Field,
  Int64,
  type RecordBatch,
  Schema,
  Table,
  tableFromIPC,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { textBytes, wholeNumbers } from '../../../src/store/columns.ts';

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

describe('wholeNumbers', () => {
  const numbers = (values: (bigint | null)[]): RecordBatch => {
    const schema = new Schema([new Field('n', new Int64(), true)]);
    const table = new Table(schema, { n: vectorFromArray(values, new Int64()) });
    return tableFromIPC(tableToIPC(table)).batches[0]!;
  };

  it('says so where there is none, also in a part of a batch', () => {
    const batch = numbers([null, 1n, 2n ** 53n, null, -5n, ...Array<bigint>(9).fill(7n), null]);
    const expected = [-1, 1, 2 ** 53, -1, -5, ...Array<number>(9).fill(7), -1];
    expect([...wholeNumbers(batch, 'n', -1)]).toEqual(expected);
    expect([...wholeNumbers(batch.slice(3, 15), 'n', -1)]).toEqual(expected.slice(3));
    expect([...wholeNumbers(numbers([3n, 0n]), 'n', -1)]).toEqual([3, 0]);
  });
});
