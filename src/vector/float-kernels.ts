import {
  add,
  addF32x4,
  constant,
  get,
  loadF32x4,
  loadI32,
  locals,
  loop,
  mul,
  mulF32x4,
  set,
  splatF32,
  storeF32x4,
  when,
  zeroF32x4,
} from './expressions.ts';
import { packedKernel } from './packed-kernel.ts';
import { assemble, type Code, type KernelFunction } from './wasm.ts';
import { compile, createMemory, instantiate, type Module, pageBytes } from './webassembly.ts';

/** Rows of a sparse matrix: row `i` has the values `value[start[i] … start[i + 1])` in the columns `column[…]`. */
export interface SparseRows {
  readonly rows: number;
  readonly columns: number;
  readonly start: Uint32Array;
  readonly column: Uint32Array;
  readonly value: Float32Array;
}

/** One row of a sparse matrix: distinct columns and their values. A product sums in this order. */
export interface SparseRow {
  readonly terms: Uint32Array;
  readonly values: Float32Array;
}

/** Dense widths are multiples of this many floats, so that the kernels have no remainders. */
export const lane = 32;
const rowTile = 4;
const panel = 8;

/** Addresses of packed rows in the memory of `Kernels`. They stay when the memory grows, as arrays do not. */
export interface PackedAddresses {
  readonly codes: number;
  readonly codeAt: number;
  readonly tables: number;
}

export interface DenseOptions {
  /** `b` is upper triangular: its zeros are not multiplied. @default false */
  readonly triangular?: boolean | undefined;
}

interface Exports {
  sparse(start: number, column: number, value: number, x: number, y: number, rows: number, rowBytes: number): void;
  dense(
    x: number,
    b: number,
    y: number,
    rows: number,
    inner: number,
    width: number,
    columns: number,
    accumulate: number,
    triangular: number,
  ): void;
  scatter(column: number, value: number, count: number, g: number, x: number, rowBytes: number): void;
  packed(
    start: number,
    column: number,
    value: number,
    codes: number,
    codeAt: number,
    tables: number,
    y: number,
    rows: number,
    rowBytes: number,
  ): void;
}

/**
 * Float32 linear algebra in SIMD WebAssembly, over arrays in one memory (bump allocation). Every sum has one fixed
 * order, and WebAssembly does not fuse or reorder arithmetic: equal inputs give equal bits on every machine.
 */
export class Kernels {
  readonly #memory = createMemory(pageBytes, 2 ** 32);
  readonly #call: Exports;
  #top = 64;

  constructor() {
    // the module assembled below has these exports
    this.#call = instantiate(compiled(), this.#memory) as unknown as Exports;
  }

  /** Makes room for `bytes` in total. Growth detaches all earlier arrays: reserve first, then allocate. */
  reserve(bytes: number): void {
    const missing = bytes + 4096 - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / pageBytes));
  }

  /** Address of the next array. `release` with it frees all arrays allocated since. */
  mark(): number {
    return this.#top;
  }

  release(mark = 64): void {
    this.#top = mark;
  }

  /** Allocates floats, set to 0. */
  floats(length: number): Float32Array {
    const array = new Float32Array(this.#memory.buffer, this.#take(length * 4), length);
    return array.fill(0);
  }

  words(length: number): Uint32Array {
    const array = new Uint32Array(this.#memory.buffer, this.#take(length * 4), length);
    return array.fill(0);
  }

  /** Makes one matrix of rows. */
  matrix(rows: readonly SparseRow[], columns: number): SparseRows {
    const entries = rows.reduce((sum, row) => sum + row.terms.length, 0);
    const start = this.words(rows.length + 1);
    const column = this.words(entries);
    const value = this.floats(entries);
    let at = 0;
    rows.forEach(({ terms, values }, row) => {
      column.set(terms, at);
      value.set(values, at);
      at += terms.length;
      start[row + 1] = at;
    });
    return { rows: rows.length, columns, start, column, value };
  }

  /**
   * Copies rows with 1, 2 or 4 bits for each component into the memory.
   * @param codeAt where the codes of each row begin; its last element is the end
   * @param tables the components of each byte value: 256 times 8 for one bit, then 256 times 4, then 256 times 2
   */
  packedRows(codes: Uint8Array, codeAt: Uint32Array, tables: Float32Array): PackedAddresses {
    this.reserve(this.#top + codes.length + 4 * (codeAt.length + tables.length) + 256);
    const at = this.words(codeAt.length);
    at.set(codeAt);
    const components = this.floats(tables.length);
    components.set(tables);
    const bytes = new Uint8Array(at.buffer, this.#take(codes.length), codes.length);
    bytes.set(codes);
    return { codes: bytes.byteOffset, codeAt: at.byteOffset, tables: components.byteOffset };
  }

  /** `y += a · x` of packed rows `x` of `width` components, a multiple of 32. */
  addPacked(a: SparseRows, { codes, codeAt, tables }: PackedAddresses, y: Float32Array, width: number): void {
    const { start, column, value, rows } = a;
    const [from, columns, values] = [start.byteOffset, column.byteOffset, value.byteOffset];
    this.#call.packed(from, columns, values, codes, codeAt, tables, y.byteOffset, rows, width * 4);
  }

  #take(bytes: number): number {
    const at = this.#top;
    this.#top = (at + bytes + 63) & ~63;
    if (this.#top > this.#memory.buffer.byteLength) throw new RangeError('kernel memory was not reserved');
    return at;
  }

  /** `y = a · x`, dense `x` (a.columns × width) and `y` (a.rows × width). */
  sparse(a: SparseRows, x: Float32Array, y: Float32Array, width: number): void {
    this.#call.sparse(
      a.start.byteOffset,
      a.column.byteOffset,
      a.value.byteOffset,
      x.byteOffset,
      y.byteOffset,
      a.rows,
      width * 4,
    );
  }

  /** `y = x · b`; `x` is rows × inner, `packed` is from `packColumns`; `rows` is a multiple of 4. */
  dense(
    x: Float32Array,
    packed: Float32Array,
    y: Float32Array,
    rows: number,
    inner: number,
    width: number,
    { triangular = false }: DenseOptions = {},
  ): void {
    this.#call.dense(x.byteOffset, packed.byteOffset, y.byteOffset, rows, inner, width, width, 0, triangular ? 1 : 0);
  }

  /** `y += x · b` for the first `columns` columns of `y` and `b`; `y` has `width` columns, both are multiples of 8. */
  addDense(
    x: Float32Array,
    packed: Float32Array,
    y: Float32Array,
    rows: number,
    inner: number,
    width: number,
    columns: number = width,
  ): void {
    this.#call.dense(x.byteOffset, packed.byteOffset, y.byteOffset, rows, inner, width, columns, 1, 0);
  }

  /** `x[column[i]] += value[i] · g` for every `i`; `g` is one row. */
  scatter(column: Uint32Array, value: Float32Array, g: Float32Array, x: Float32Array, width: number): void {
    this.#call.scatter(column.byteOffset, value.byteOffset, column.length, g.byteOffset, x.byteOffset, width * 4);
  }
}

/** Writes `b` (inner × width, row-major) in panels of 8 columns, the layout that `dense` reads sequentially. */
export function packColumns(b: Float32Array, packed: Float32Array, inner: number, width: number): void {
  let at = 0;
  for (let j = 0; j < width; j += panel) {
    for (let i = 0; i < inner; i++) {
      const from = i * width + j;
      for (let c = 0; c < panel; c++) packed[at++] = b[from + c]!;
    }
  }
}

/** The same for the transpose of `b` (width × inner, row-major). */
export function packRows(b: Float32Array, packed: Float32Array, inner: number, width: number): void {
  let at = 0;
  for (let j = 0; j < width; j += panel) {
    for (let i = 0; i < inner; i++) for (let c = 0; c < panel; c++) packed[at++] = b[(j + c) * inner + i]!;
  }
}

/** `y[r] = Σ value · x[column]`: 32 columns at a time stay in registers during the loop over the row's entries. */
function sparseKernel(): KernelFunction {
  const [start, column, value, x, y, rows, rowBytes] = [0, 1, 2, 3, 4, 5, 6];
  const [r, tile, i, end, base] = [7, 8, 9, 10, 11];
  const sums = [12, 13, 14, 15, 16, 17, 18, 19];
  const factor = 20;
  const at = (array: number, index: Code): Code => add(get(array), mul(index, constant(4)));
  return {
    name: 'sparse',
    parameters: 7,
    locals: locals(5, 9),
    code: [
      loop(r!, get(rows!), 1, [
        set(end!, loadI32(at(start!, get(r!)), 4)),
        set(tile!, constant(0)),
        loop(tile!, get(rowBytes!), lane * 4, [
          ...sums.map((s) => set(s, zeroF32x4)),
          set(i!, loadI32(at(start!, get(r!)))),
          loop(i!, get(end!), 1, [
            set(base!, add(add(get(x!), get(tile!)), mul(loadI32(at(column!, get(i!))), get(rowBytes!)))),
            set(factor, splatF32(at(value!, get(i!)))),
            ...sums.map((s, n) => set(s, addF32x4(get(s), mulF32x4(get(factor), loadF32x4(get(base!), n * 16))))),
          ]),
          set(base!, add(add(get(y!), get(tile!)), mul(get(r!), get(rowBytes!)))),
          ...sums.map((s, n) => storeF32x4(get(base!), get(s), n * 16)),
        ]),
      ]),
    ].flat(),
  };
}

/**
 * Tiles of 4 rows × 8 columns: eight sums in registers, six loads for sixteen operations. Of a triangular `b`, each
 * panel of columns is read down to its last diagonal element.
 */
function denseKernel(): KernelFunction {
  const [x, b, y, rows, inner, width, columns, accumulate, triangular] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const [i, j, l, xAt, bAt, yAt, step, xRow, yRow, end, panelBytes, panelAt] = [
    9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
  ];
  const sums = [21, 22, 23, 24, 25, 26, 27, 28];
  const [left, right, factor] = [29, 30, 31];
  const rowOf = (base: number, stride: number, row: number): Code => add(get(base), mul(get(stride), constant(row)));
  const eachSum = (run: (sum: number, row: number, half: number) => Code): Code[] =>
    sums.map((s, n) => run(s, n >> 1, n & 1));
  return {
    name: 'dense',
    parameters: 9,
    locals: locals(12, 11),
    code: [
      set(step!, mul(get(inner!), constant(4))),
      set(yRow!, mul(get(width!), constant(4))),
      set(panelBytes!, mul(get(inner!), constant(panel * 4))),
      loop(i!, get(rows!), rowTile, [
        set(panelAt!, get(b!)),
        set(j!, constant(0)),
        loop(j!, get(columns!), panel, [
          set(bAt!, get(panelAt!)),
          set(end!, get(inner!)),
          when(get(triangular!), set(end!, add(get(j!), constant(panel)))),
          set(yAt!, add(add(get(y!), mul(get(i!), get(yRow!))), mul(get(j!), constant(4)))),
          ...sums.map((s) => set(s, zeroF32x4)),
          when(
            get(accumulate!),
            eachSum((s, row, half) => set(s, loadF32x4(rowOf(yAt!, yRow!, row), half * 16))).flat(),
          ),
          set(xAt!, add(get(x!), mul(get(i!), get(step!)))),
          set(l!, constant(0)),
          loop(l!, get(end!), 1, [
            set(left!, loadF32x4(get(bAt!))),
            set(right!, loadF32x4(get(bAt!), 16)),
            set(xRow!, get(xAt!)),
            ...[0, 1, 2, 3].map(
              (row): Code => [
                ...set(factor!, splatF32(get(xRow!))),
                ...set(sums[row * 2]!, addF32x4(get(sums[row * 2]!), mulF32x4(get(factor!), get(left!)))),
                ...set(sums[row * 2 + 1]!, addF32x4(get(sums[row * 2 + 1]!), mulF32x4(get(factor!), get(right!)))),
                ...set(xRow!, add(get(xRow!), get(step!))),
              ],
            ),
            set(bAt!, add(get(bAt!), constant(panel * 4))),
            set(xAt!, add(get(xAt!), constant(4))),
          ]),
          ...eachSum((s, row, half) => storeF32x4(rowOf(yAt!, yRow!, row), get(s), half * 16)),
          set(panelAt!, add(get(panelAt!), get(panelBytes!))),
        ]),
      ]),
    ].flat(),
  };
}

function scatterKernel(): KernelFunction {
  const [column, value, count, g, x, rowBytes] = [0, 1, 2, 3, 4, 5];
  const [i, t, base] = [6, 7, 8];
  const factor = 9;
  return {
    name: 'scatter',
    parameters: 6,
    locals: locals(3, 1),
    code: [
      loop(i!, get(count!), 1, [
        set(base!, add(get(x!), mul(loadI32(add(get(column!), mul(get(i!), constant(4)))), get(rowBytes!)))),
        set(factor, splatF32(add(get(value!), mul(get(i!), constant(4))))),
        set(t!, constant(0)),
        loop(t!, get(rowBytes!), 16, [
          storeF32x4(
            add(get(base!), get(t!)),
            addF32x4(loadF32x4(add(get(base!), get(t!))), mulF32x4(get(factor), loadF32x4(add(get(g!), get(t!))))),
          ),
        ]),
      ]),
    ].flat(),
  };
}

let module: Module | undefined;
function compiled(): Module {
  // every supported version of Node has SIMD
  module ??= compile(assemble([sparseKernel(), denseKernel(), scatterKernel(), packedKernel()]))!;
  return module;
}
