import { expect, test } from 'vitest';
import { listPlaceIn, readLists } from '../../../src/read/office/doc-lists.ts';

const u16 = (value: number): Buffer => Buffer.from([value & 255, value >> 8]);
const i32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
};
/** A level (2.9.150): its format, where it begins, and what it shows, `\0` for the number of the first level. */
const level = (format: number, text: string, start = 1): Buffer =>
  Buffer.concat([
    i32(start),
    Buffer.from([format, 0]),
    Buffer.alloc(18),
    Buffer.from([1, 2, 0, 0]), // bytes of properties that stand before the text
    Buffer.alloc(3),
    u16(text.length),
    Buffer.from(text, 'utf16le'),
  ]);
const list = (id: number, isSimple = false): Buffer =>
  Buffer.concat([i32(id), Buffer.alloc(22), Buffer.from([isSimple ? 1 : 0, 0])]);
const use = (id: number, changed = 0): Buffer =>
  Buffer.concat([i32(id), Buffer.alloc(8), Buffer.from([changed, 0, 0, 0])]);

const lists = Buffer.concat([
  u16(2),
  list(70),
  list(-5, true),
  level(0, '\0.'),
  level(4, '\x01)'),
  level(0, '\0.\x02'),
  ...Array.from({ length: 6 }, () => level(23, '•')),
  level(23, '•'),
]);
/** The third use is of the first list, and begins anew at 4. */
const uses = Buffer.concat([i32(3), use(70), use(-5), use(70, 1), i32(-1), i32(-1), i32(-1), i32(4), i32(0x10)]);

test('lists of Word before 2007 count their levels, with formats, starts and bullets', () => {
  const numbering = readLists(lists, uses);
  const marks = [
    [1, 0],
    [1, 0],
    [1, 1],
    [1, 1],
    [1, 2],
    [1, 0],
    [1, 1],
    [2, 0],
    [3, 0],
    [3, 0],
    [9, 0],
  ] as const; // prettier-ignore
  expect(marks.map(([id, depth]) => numbering.next(String(id), depth))).toEqual([
    '1.',
    '2.',
    'a)',
    'b)',
    '2.1',
    '3.',
    'a)',
    '-',
    '4.',
    '5.',
    '',
  ]); // prettier-ignore
});

test('tables that are cut short number what stands before', () => {
  for (let length = 0; length < lists.length; length += 7)
    expect(readLists(lists.subarray(0, length), uses).next('1', 0)).toMatch(/^(?:1\.)?$/);
  for (let length = 0; length < uses.length; length += 3)
    expect(readLists(lists, uses.subarray(0, length)).next('1', 0)).toMatch(/^(?:1\.)?$/);
});

test('the place of a paragraph in its list', () => {
  const properties = Buffer.concat([u16(0x260a), Buffer.from([2]), u16(0x460b), u16(7)]);
  expect(listPlaceIn(properties)).toEqual({ list: 7, level: 2 });
  expect(listPlaceIn(Buffer.alloc(0))).toEqual({});
});
