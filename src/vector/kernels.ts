import { advance, assemble, type Code, laneSum, op, type ValueType, whileLoop } from './wasm.ts';

/** Rows per kernel call; also the size of the output area. */
export const batchRows = 4096;

/** Kernels over int8 rows. Addresses are byte offsets in the memory of the instance. */
export interface Int8Kernels {
  /**
   * `out[i] = dot(row i, query)` for `count` consecutive rows from address `rows` on. The query is int16, `out` is
   * int32. Reads and writes up to three rows beyond `count`.
   */
  dot(rows: number, count: number, query: number, out: number): void;
  /** The same for the rows numbered `ids[0 … count)` (uint32) of the block that starts at `rows`. */
  dotAt(rows: number, ids: number, count: number, query: number, out: number): void;
  /** `out[i]` = sum of squares of row i. */
  squares(rows: number, count: number, out: number): void;
  /** Writes one bit for each component of consecutive rows, an eighth of their bytes: 1 = below 0. */
  negatives(rows: number, count: number, out: number): void;
}

/**
 * Kernels over bit rows. Distances and row positions in a call are below 2^16, so an entry is `position << 16 |
 * distance`.
 */
export interface SignKernels {
  /**
   * Finds the rows that differ from the query in fewer than `bar` bits, in order. Writes entries (uint32) from `out +
   * 4` on, and at `out` the address after the last entry. Writes one entry beyond that. Only near rows are written
   * because a search for a thousand of a million rows would spend most of its time on the others.
   */
  hamming(rows: number, count: number, query: number, bar: number, out: number): void;
  /** The same for the rows numbered `ids[0 … count)`; the position is the index in `ids`. */
  hammingAt(rows: number, ids: number, count: number, query: number, bar: number, out: number): void;
}

const i32s = (count: number): ValueType[] => new Array<ValueType>(count).fill('i32');
const v128s = (count: number): ValueType[] => new Array<ValueType>(count).fill('v128');

/** The address of row `ids[i]`. */
function rowAt(rows: number, ids: number, i: number, stride: number): Code {
  return [
    ...[...op.get(ids), ...op.get(i), ...op.i32(2), ...op.shiftLeft, ...op.add, ...op.loadI32()],
    ...[...op.i32(stride), ...op.multiply, ...op.get(rows), ...op.add],
  ];
}

/** Dot products of `width` rows at once: each part of the query is loaded once for all of them. */
function dotRows(
  stride: number,
  row: number,
  query: number,
  k: number,
  part: number,
  sums: number,
  width: number,
): Code {
  const step = stride % 64 === 0 ? 64 : 16;
  const inner: number[] = [];
  for (let at = 0; at < step; at += 8) {
    inner.push(
      ...op.get(query),
      ...op.get(k),
      ...op.i32(1),
      ...op.shiftLeft,
      ...op.add,
      ...op.loadV128(at * 2),
      ...op.set(part),
    );
    for (let w = 0; w < width; w++) {
      inner.push(...op.get(row), ...op.get(k), ...op.add, ...op.load8x8Signed(w * stride + at), ...op.get(part));
      inner.push(...op.dotI16x8, ...op.get(sums + w), ...op.addI32x4, ...op.set(sums + w));
    }
  }
  const clear: number[] = [];
  for (let w = 0; w < width; w++) clear.push(...op.zeroV128, ...op.set(sums + w));
  return [
    ...clear,
    ...[...op.i32(0), ...op.set(k)],
    ...whileLoop([...op.get(k), ...op.i32(stride), ...op.lessThanUnsigned], [...inner, ...advance(k, op.i32(step))]),
  ];
}

/**
 * The module of `Int8Kernels` for rows of `stride` bytes, a multiple of 16 (pad with zeros).
 * @param shared the memory is shared by threads
 */
export function int8Module(stride: number, shared: boolean = false): Uint8Array<ArrayBuffer> {
  const dot = (): Code => {
    const [rows, count, query, out, i, k, part, sums] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
    const store: number[] = [];
    for (let w = 0; w < 4; w++) store.push(...op.get(out), ...laneSum(sums + w), ...op.storeI32(w * 4));
    return whileLoop(
      [...op.get(i), ...op.get(count), ...op.lessThanUnsigned],
      [
        ...dotRows(stride, rows, query, k, part, sums, 4),
        ...store,
        ...[...advance(out, op.i32(16)), ...advance(rows, op.i32(4 * stride)), ...advance(i, op.i32(4))],
      ],
    );
  };
  const dotAt = (): Code => {
    const [rows, ids, count, query, out, i, k, row, part, sums] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
    return whileLoop(
      [...op.get(i), ...op.get(count), ...op.lessThanUnsigned],
      [
        ...[...rowAt(rows, ids, i, stride), ...op.set(row)],
        ...dotRows(stride, row, query, k, part, sums, 1),
        ...[...op.get(out), ...laneSum(sums), ...op.storeI32()],
        ...[...advance(out, op.i32(4)), ...advance(i, op.i32(1))],
      ],
    );
  };
  const squares = (): Code => {
    const [rows, count, out, i, k, part, sum] = [0, 1, 2, 3, 4, 5, 6] as const;
    const inner: number[] = [];
    for (let at = 0; at < 16; at += 8) {
      inner.push(...op.get(rows), ...op.get(k), ...op.add, ...op.load8x8Signed(at), ...op.set(part));
      inner.push(...op.get(part), ...op.get(part), ...op.dotI16x8, ...op.get(sum), ...op.addI32x4, ...op.set(sum));
    }
    return whileLoop(
      [...op.get(i), ...op.get(count), ...op.lessThanUnsigned],
      [
        ...[...op.zeroV128, ...op.set(sum), ...op.i32(0), ...op.set(k)],
        ...whileLoop([...op.get(k), ...op.i32(stride), ...op.lessThanUnsigned], [...inner, ...advance(k, op.i32(16))]),
        ...[...op.get(out), ...laneSum(sum), ...op.storeI32()],
        ...[...advance(out, op.i32(4)), ...advance(rows, op.i32(stride)), ...advance(i, op.i32(1))],
      ],
    );
  };
  const negatives = (): Code => {
    const [rows, count, out, i, k] = [0, 1, 2, 3, 4] as const;
    return whileLoop(
      [...op.get(i), ...op.get(count), ...op.lessThanUnsigned],
      [
        ...[...op.i32(0), ...op.set(k)],
        ...whileLoop(
          [...op.get(k), ...op.i32(stride), ...op.lessThanUnsigned],
          [
            ...[...op.get(out), ...op.get(rows), ...op.get(k), ...op.add, ...op.loadV128()],
            ...[...op.signsI8x16, ...op.storeI16()],
            ...[...advance(out, op.i32(2)), ...advance(k, op.i32(16))],
          ],
        ),
        ...[...advance(rows, op.i32(stride)), ...advance(i, op.i32(1))],
      ],
    );
  };
  return assemble(
    [
      { name: 'dot', parameters: 4, locals: [...i32s(2), ...v128s(5)], code: dot() },
      { name: 'dotAt', parameters: 5, locals: [...i32s(3), ...v128s(2)], code: dotAt() },
      { name: 'squares', parameters: 3, locals: [...i32s(2), ...v128s(2)], code: squares() },
      { name: 'negatives', parameters: 3, locals: i32s(2), code: negatives() },
    ],
    shared,
  );
}

/**
 * How bits are counted: `simd` takes sixteen bytes at a time; `words` takes eight, with an instruction that some
 * processors lack.
 */
export type BitCount = 'simd' | 'words';

/** Number of differing bits between the row at `row` and the query, left on the stack. */
function distance(bytes: number, row: number, query: number, sum: number, counted: BitCount): Code {
  if (counted === 'words') {
    const code: number[] = [];
    for (let at = 0; at < bytes; at += 8) {
      code.push(...op.get(row), ...op.loadI64(at), ...op.get(query), ...op.loadI64(at), ...op.xorI64, ...op.popcntI64);
      if (at > 0) code.push(...op.addI64);
    }
    return [...code, ...op.wrapI64];
  }
  const words = bytes / 16;
  const code: number[] = [];
  for (let from = 0; from < words; from += 31) {
    // the sum of 31 popcounts of a byte is at most 248, which fits a byte
    for (let w = from; w < Math.min(words, from + 31); w++) {
      code.push(...op.get(row), ...op.loadV128(w * 16), ...op.get(query), ...op.loadV128(w * 16), ...op.xorV128);
      code.push(...op.popcntI8x16, ...(w > from ? op.addI8x16 : []));
    }
    code.push(...op.pairsI16x8, ...(from > 0 ? op.addI16x8 : []));
  }
  return [...code, ...op.pairsI32x4, ...op.set(sum), ...laneSum(sum)];
}

/**
 * Writes `place << 16 | near` at `to`, and advances `to` if `near < bar`. Without a branch, because the processor could
 * not predict it.
 */
function keepBelow(bar: number, place: number, near: number, to: number): Code {
  return [
    ...[...op.get(to), ...op.get(place), ...op.i32(16), ...op.shiftLeft, ...op.get(near), ...op.add, ...op.storeI32()],
    ...advance(to, [...op.get(near), ...op.get(bar), ...op.lessThanUnsigned, ...op.i32(2), ...op.shiftLeft]),
  ];
}

/**
 * The module of `SignKernels` for rows of `bytes` bytes, a multiple of 16 and at most 8,176 (distances are uint16).
 * @param counted on x64 `words` takes two thirds of the time of `simd`; ARM counts bits only in vector registers
 * @param shared the memory is shared by threads
 */
export function signModule(
  bytes: number,
  counted: BitCount = process.arch === 'x64' ? 'words' : 'simd',
  shared: boolean = false,
): Uint8Array<ArrayBuffer> {
  const hamming = (): Code => {
    const [rows, count, query, bar, out, i, to, near, sum] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
    return [
      ...[...op.get(out), ...op.i32(4), ...op.add, ...op.set(to)],
      ...whileLoop(
        [...op.get(i), ...op.get(count), ...op.lessThanUnsigned],
        [
          ...[...distance(bytes, rows, query, sum, counted), ...op.set(near), ...keepBelow(bar, i, near, to)],
          ...[...advance(rows, op.i32(bytes)), ...advance(i, op.i32(1))],
        ],
      ),
      ...[...op.get(out), ...op.get(to), ...op.storeI32()],
    ];
  };
  const hammingAt = (): Code => {
    const [rows, ids, count, query, bar, out, i, row, to, near, sum] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;
    return [
      ...[...op.get(out), ...op.i32(4), ...op.add, ...op.set(to)],
      ...whileLoop(
        [...op.get(i), ...op.get(count), ...op.lessThanUnsigned],
        [
          ...[...rowAt(rows, ids, i, bytes), ...op.set(row)],
          ...[...distance(bytes, row, query, sum, counted), ...op.set(near), ...keepBelow(bar, i, near, to)],
          ...advance(i, op.i32(1)),
        ],
      ),
      ...[...op.get(out), ...op.get(to), ...op.storeI32()],
    ];
  };
  return assemble(
    [
      { name: 'hamming', parameters: 5, locals: [...i32s(3), ...v128s(1)], code: hamming() },
      { name: 'hammingAt', parameters: 6, locals: [...i32s(4), ...v128s(1)], code: hammingAt() },
    ],
    shared,
  );
}
