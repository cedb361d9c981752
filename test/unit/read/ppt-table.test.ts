import { expect, test } from 'vitest';
import { type Atom, atoms } from '../../../src/read/office/ppt-atoms.ts';
import { tableRows } from '../../../src/read/office/ppt-table.ts';

const atom = (type: number, data: Buffer, instance = 0, version = 0): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt16LE((instance << 4) | version, 0);
  head.writeUInt16LE(type, 2);
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data]);
};
const numbers = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) bytes.writeInt32LE(value, i * 4);
  return bytes;
};
const TEXT = 0x0fa8;
const cell = (left: number, top: number, right: number, bottom: number, text = ''): Buffer =>
  atom(0xf004, Buffer.concat([atom(0xf00f, numbers(left, top, right, bottom)), atom(TEXT, Buffer.from(text))]), 0, 15);
/** A group whose own shape says with property 0x39f whether it is a table. */
const group = (isTable: number, ...shapes: readonly Buffer[]): Atom => {
  const property = Buffer.from([0x9f, 0x03, isTable, 0, 0, 0]);
  const self = atom(0xf004, atom(0xf122, property, 1, 3), 0, 15);
  return [...atoms(atom(0xf003, Buffer.concat([self, ...shapes]), 0, 15))][0]!;
};
const textOf = (shape: Buffer): string => [...atoms(shape)].find(({ type }) => type === TEXT)!.data.toString('latin1');

test('cells stand in rows by their edges, in whichever order; lines are no cells; a cell over two rows is said in both', () => {
  const shapes = [
    cell(100, 0, 200, 1, 'Master'),
    cell(0, 0, 100, 1, 'Boat'),
    cell(0, 1, 100, 3, 'Falke'),
    cell(100, 1, 200, 2, 'Gerda'),
    cell(100, 2, 200, 3, 'Ivo'),
    cell(0, 1, 200, 1),
  ];
  expect(tableRows(group(1, ...shapes), textOf)).toEqual([
    ['Boat', 'Master'],
    ['Falke', 'Gerda'],
    ['Falke', 'Ivo'],
  ]);
  expect(tableRows(group(0, ...shapes), textOf)).toBeUndefined();
});
