/** Tables in JSON whose rows are arrays: answers of services, exports of sheets and data frames. */
import type { Place } from '../../core/types.ts';
import { oneLine } from '../../text/one-line.ts';
import type { DocumentBuilder } from '../builder.ts';
import { joinCells } from '../join-cells.ts';
import type { LineIndex } from '../text/lines.ts';
import type { JsonVisitor } from './json-tokens.ts';

interface Row {
  readonly cells: string[];
  readonly from: number;
  to: number;
}

/** Members that name the columns, beside the member that has the rows. */
const NAMES = /^(?:columns?|headers?|fields|names|column_?names)$/i;
const FIGURE = /^[-+]?\d[\d.,:eE+-]*$/;
const FEWEST_CELLS = 2;
const FEWEST_ROWS = 2;

/** Looks whether a value is an array of rows, or an object with one such array, names for it and single values. */
export class JsonTable implements JsonVisitor {
  readonly #rows: Row[] = [];
  readonly #single: Row[] = [];
  #names: Row | undefined;
  #key = '';
  /** Of the arrays and objects that are open. */
  readonly #open: ('array' | 'object')[] = [];
  #row: Row | undefined;
  /** How deep the array stands that has the rows. */
  #depth = -1;
  #isOther = false;

  key(name: string): void {
    if (this.#open.length === 1) this.#key = name;
  }

  open(kind: 'array' | 'object', start: number): void {
    const depth = this.#open.length;
    const parent = this.#open[depth - 1];
    this.#open.push(kind);
    if (this.#isOther || depth === 0) return;
    if (kind === 'object' || this.#row) this.#isOther = true;
    else if (parent === 'array') {
      // The first array in an array says where the rows are.
      if (this.#depth === -1) this.#depth = depth;
      if (depth !== this.#depth || (depth === 2 && NAMES.test(this.#key))) this.#isOther = true;
      this.#row = { cells: [], from: start, to: start };
    } else if (NAMES.test(this.#key) && this.#names === undefined) this.#row = { cells: [], from: start, to: start };
    else if (this.#rows.length > 0) this.#isOther = true;
  }

  scalar(value: string, _isString: boolean, start: number): void {
    if (this.#isOther) return;
    if (this.#row) this.#row.cells.push(oneLine(value));
    else if (this.#open.length === 1 && this.#open[0] === 'object')
      this.#single.push({ cells: [`${this.#key}: ${oneLine(value)}`], from: start, to: start + 1 });
    else this.#isOther = true;
  }

  comment(): void {
    this.#isOther = true;
  }

  close(_kind: 'array' | 'object', end: number): void {
    this.#open.pop();
    if (!this.#row) return;
    this.#row.to = end;
    if (this.#open.length === this.#depth) this.#rows.push(this.#row);
    else this.#names = this.#row;
    this.#row = undefined;
  }

  /** @returns false where there is no table, and nothing was written */
  write(builder: DocumentBuilder, lines: LineIndex): boolean {
    const rows = this.#names ? [this.#names, ...this.#rows] : this.#rows;
    const [names] = rows;
    if (this.#isOther || !names || rows.length < FEWEST_ROWS || names.cells.length < FEWEST_CELLS) return false;
    if (rows.some(({ cells }) => cells.length !== names.cells.length)) return false;
    // Without names the arrays are pairs, points or lists: below names stand figures.
    const isFigure = (cell: string): boolean => FIGURE.test(cell);
    if (names.cells.some((cell) => cell === '' || isFigure(cell))) return false;
    if (!this.#names && !this.#rows.slice(1).some(({ cells }) => cells.some(isFigure))) return false;
    if (new Set(names.cells).size < names.cells.length) return false;
    const placeOf = ({ from, to }: Row): Place => ({
      lines: [lines.lineOf(from) + 1, lines.lineOf(Math.max(from, to - 1)) + 1],
    });
    const [first, last] = [this.#single[0], this.#single.at(-1)];
    if (first && last)
      builder.block(
        { kind: 'record' },
        this.#single.map(({ cells }) => cells[0]!).join('\n'),
        placeOf({ ...first, to: last.to }),
      );
    if (builder.length > 0) builder.append('\n\n');
    const start = builder.length;
    let header = { start, end: start };
    for (const [i, row] of rows.entries()) {
      if (i > 0) builder.append('\n');
      const span = builder.append(joinCells(row.cells));
      if (i === 0) header = span;
      builder.locate(span, placeOf(row));
    }
    builder.mark({ start, end: builder.length }, { kind: 'table', header });
    return true;
  }
}
