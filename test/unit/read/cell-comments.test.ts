/** Comments on cells of a sheet: each says what its row says. */
import { expect, it } from 'vitest';
import { rowTeller } from '../../../src/read/office/cell-comments.ts';

const rows = [
  ['Rents of 2024'],
  ['Unit', 'Tenant', 'Rent'],
  ['A1', 'Ann Moor', '410'],
  ['A2', 'Bo Lind', '395'],
  undefined,
  ['Total', '805'],
].flatMap((cells, i) => (cells ? [{ number: i + 1, cells, wide: undefined }] : []));

it.each([
  ['C4: raised in May', 'C4 (Unit: A2, Tenant: Bo Lind, Rent: 395): raised in May'],
  ['C4: Ida Kranz:\nraised in May', 'C4 (Unit: A2, Tenant: Bo Lind, Rent: 395): Ida Kranz: raised in May'],
  ['C2: each month', 'C2 (Unit, Tenant, Rent): each month'],
  ['A1: of all units', 'A1: of all units'], // alone in its row
  ['B6: without fees', 'B6 (Total, 805): without fees'], // of another table
  ['D9: far from the table', 'D9: far from the table'],
  ['At 9: the gate opens', 'At 9: the gate opens'],
])('%j', (comment, expected) => {
  expect(rowTeller(rows)(comment)).toBe(expected);
});

it('a long row is said by its first cell and that of the comment', () => {
  const long = { number: 1, cells: ['A1', 'words '.repeat(30), '410'] };
  expect(rowTeller([long])('C1: paid')).toBe('C1 (A1, 410): paid');
});
