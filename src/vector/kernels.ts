import { advance, assemble, type Code, laneSum, op, type ValueType, whileLoop } from './wasm.ts';

/** Rows per kernel call; also the size of the output area. */
export const batchRows = 4096;

/**
 * Places of a scan that are read in turn, each a part of the rows. A processor fetches ahead within a page or two of a
 * place, so one place leaves memory idle most of the time where rows are in no cache: eight take 0.4 of the time.
 */
const streams = 8;

/** Kernels over int8 rows. Addresses are byte offsets in the memory of the instance. */
export interface Int8Kernels {
  /**
   * `out[i] = dot(row i, query)` for `count` consecutive rows from address `rows` on. The query is int16, `out` is
   * int32.
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

/** Cuts `count` rows into parts of equal length, one for each stream; up to seven rows are left. */
function cut(count: number, part: number): Code {
  return [...op.get(count), ...op.i32(Math.log2(streams)), ...op.shiftRight, ...op.set(part)];
}

/** Sets local `start + w` to where part `w` begins in what begins at `from`, with `bytes` for each row. */
function startOf(w: number, part: number, from: number, bytes: number, start: number): Code {
  return [...op.get(part), ...op.i32(w * bytes), ...op.multiply, ...op.get(from), ...op.add, ...op.set(start + w)];
}

/** The address of the row whose number stands at `id`. */
function rowAt(rows: number, id: number, stride: number): Code {
  return [...op.get(id), ...op.loadI32(), ...op.i32(stride), ...op.multiply, ...op.get(rows), ...op.add];
}

/** Dot products of some rows at once: each part of the query is loaded once for all of them. */
function dotRows(stride: number, rows: readonly number[], query: number, k: number, part: number, sums: number): Code {
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
    for (const [w, row] of rows.entries()) {
      inner.push(...op.get(row), ...op.get(k), ...op.add, ...op.load8x8Signed(at), ...op.get(part));
      inner.push(...op.dotI16x8, ...op.get(sums + w), ...op.addI32x4, ...op.set(sums + w));
    }
  }
  const clear: number[] = [];
  for (let w = 0; w < rows.length; w++) clear.push(...op.zeroV128, ...op.set(sums + w));
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
export function int8Module(stride: number, shared: boolean): Uint8Array<ArrayBuffer> {
  return assemble(
    [
      {
        name: 'dot',
        parameters: 4,
        locals: [...i32s(3 + 2 * streams), ...v128s(1 + streams)],
        code: dotCode(stride, false),
      },
      {
        name: 'dotAt',
        parameters: 5,
        locals: [...i32s(3 + 3 * streams), ...v128s(1 + streams)],
        code: dotCode(stride, true),
      },
      { name: 'squares', parameters: 3, locals: [...i32s(2), ...v128s(2)], code: squaresCode(stride) },
      { name: 'negatives', parameters: 3, locals: i32s(2), code: negativesCode(stride) },
    ],
    shared,
  );
}

/** @param ids true = the rows are named by a list; false = they are consecutive */
function dotCode(stride: number, ids: boolean): Code {
  const parameters = ids ? 5 : 4;
  const [rows, list, count, query, out] = ids ? ([0, 1, 2, 3, 4] as const) : ([0, -1, 1, 2, 3] as const);
  const [i, k, part] = [parameters, parameters + 1, parameters + 2] as const;
  const [row, to, id] = [0, 1, 2].map((n) => part + 1 + n * streams) as [number, number, number];
  const components = (ids ? id : to) + streams;
  const sums = components + 1;
  const all = Array.from({ length: streams }, (_, w) => w);
  const last = streams - 1;
  const find = (w: number): Code => (ids ? [...rowAt(rows, id + w, stride), ...op.set(row + w)] : []);
  const store = (w: number, sum: number): Code => [...op.get(to + w), ...laneSum(sum), ...op.storeI32()];
  const next = (w: number): Code => [
    ...(ids ? advance(id + w, op.i32(4)) : advance(row + w, op.i32(stride))),
    ...advance(to + w, op.i32(4)),
  ];
  return [
    ...cut(count, part),
    ...all.flatMap((w) => [
      ...(ids ? startOf(w, part, list, 4, id) : startOf(w, part, rows, stride, row)),
      ...startOf(w, part, out, 4, to),
    ]),
    ...whileLoop(
      [...op.get(i), ...op.get(part), ...op.lessThanUnsigned],
      [
        ...all.flatMap(find),
        ...dotRows(
          stride,
          all.map((w) => row + w),
          query,
          k,
          components,
          sums,
        ),
        ...all.flatMap((w) => [...store(w, sums + w), ...next(w)]),
        ...advance(i, op.i32(1)),
      ],
    ),
    ...[...op.get(part), ...op.i32(streams), ...op.multiply, ...op.set(i)],
    ...whileLoop(
      [...op.get(i), ...op.get(count), ...op.lessThanUnsigned],
      [
        ...[...find(last), ...dotRows(stride, [row + last], query, k, components, sums)],
        ...[...store(last, sums), ...next(last), ...advance(i, op.i32(1))],
      ],
    ),
  ];
}

function squaresCode(stride: number): Code {
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
}

function negativesCode(stride: number): Code {
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
}

/**
 * How bits are counted: `simd` takes sixteen bytes at a time; `words` takes eight, with an instruction that some
 * processors lack.
 */
type BitCount = 'simd' | 'words';

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
    const [rows, count, query, bar, out, i, near, part, place] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
    const [row, to, start] = [9, 9 + streams, 9 + 2 * streams] as const;
    const sum = start + streams;
    const all = Array.from({ length: streams }, (_, w) => w);
    const last = streams - 1;
    const visit = (w: number): Code => [
      ...[...distance(bytes, row + w, query, sum, counted), ...op.set(near), ...keepBelow(bar, place, near, to + w)],
      ...advance(row + w, op.i32(bytes)),
    ];
    // what a part found moves up to the end of what those before it found
    const joined = all
      .slice(1)
      .flatMap((w) => [
        ...[...op.get(to), ...op.get(start + w), ...op.get(to + w), ...op.get(start + w), ...op.subtract],
        ...[...op.copyMemory, ...advance(to, [...op.get(to + w), ...op.get(start + w), ...op.subtract])],
      ]);
    return [
      ...[...cut(count, part), ...op.get(out), ...op.i32(4), ...op.add, ...op.set(near)],
      ...all.flatMap((w) => [
        ...[...startOf(w, part, rows, bytes, row), ...startOf(w, part, near, 4, start)],
        ...[...op.get(start + w), ...op.set(to + w)],
      ]),
      ...whileLoop(
        [...op.get(i), ...op.get(part), ...op.lessThanUnsigned],
        [
          ...[...op.get(i), ...op.set(place)],
          ...all.flatMap((w) => [...visit(w), ...(w < last ? advance(place, op.get(part)) : [])]),
          ...advance(i, op.i32(1)),
        ],
      ),
      ...[...op.get(part), ...op.i32(streams), ...op.multiply, ...op.set(place)],
      ...whileLoop(
        [...op.get(place), ...op.get(count), ...op.lessThanUnsigned],
        [...visit(last), ...advance(place, op.i32(1))],
      ),
      ...[...joined, ...op.get(out), ...op.get(to), ...op.storeI32()],
    ];
  };
  const hammingAt = (): Code => {
    const [rows, ids, count, query, bar, out, i, row, to, near, sum] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;
    return [
      ...[...op.get(out), ...op.i32(4), ...op.add, ...op.set(to)],
      ...whileLoop(
        [...op.get(i), ...op.get(count), ...op.lessThanUnsigned],
        [
          ...[...rowAt(rows, ids, bytes), ...op.set(row)],
          ...[...distance(bytes, row, query, sum, counted), ...op.set(near), ...keepBelow(bar, i, near, to)],
          ...[...advance(ids, op.i32(4)), ...advance(i, op.i32(1))],
        ],
      ),
      ...[...op.get(out), ...op.get(to), ...op.storeI32()],
    ];
  };
  return assemble(
    [
      { name: 'hamming', parameters: 5, locals: [...i32s(4 + 3 * streams), ...v128s(1)], code: hamming() },
      { name: 'hammingAt', parameters: 6, locals: [...i32s(4), ...v128s(1)], code: hammingAt() },
    ],
    shared,
  );
}
