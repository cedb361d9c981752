import type { Int8Kernels, SignKernels } from './kernels.ts';
import type { Memory } from './webassembly.ts';

/** The int8 kernels in plain TypeScript: for machines without WebAssembly SIMD, and as the reference in tests. */
export function scalarInt8Kernels(memory: Memory, stride: number): Int8Kernels {
  const dotOf = (row: number, query: number): number => {
    const rows = new Int8Array(memory.buffer, row, stride);
    const other = new Int16Array(memory.buffer, query, stride);
    let sum = 0;
    for (let i = 0; i < stride; i++) sum += rows[i]! * other[i]!;
    return sum;
  };
  return {
    dot(rows, count, query, out) {
      const sums = new Int32Array(memory.buffer, out, count);
      for (let i = 0; i < count; i++) sums[i] = dotOf(rows + i * stride, query);
    },
    dotAt(rows, ids, count, query, out) {
      const sums = new Int32Array(memory.buffer, out, count);
      const list = new Uint32Array(memory.buffer, ids, count);
      for (let i = 0; i < count; i++) sums[i] = dotOf(rows + list[i]! * stride, query);
    },
    squares(rows, count, out) {
      const sums = new Int32Array(memory.buffer, out, count);
      for (let i = 0; i < count; i++) {
        let sum = 0;
        for (const value of new Int8Array(memory.buffer, rows + i * stride, stride)) sum += value * value;
        sums[i] = sum;
      }
    },
    negatives(rows, count, out) {
      const values = new Int8Array(memory.buffer, rows, count * stride);
      const bits = new Uint8Array(memory.buffer, out, values.length / 8).fill(0);
      for (let i = 0; i < values.length; i++) if (values[i]! < 0) bits[i >> 3]! |= 1 << (i & 7);
    },
  };
}

const bitCounts = Uint8Array.from({ length: 256 }, (_, byte) => {
  let count = 0;
  for (let rest = byte; rest > 0; rest &= rest - 1) count++;
  return count;
});

/** The bit kernels in plain TypeScript. */
export function scalarSignKernels(memory: Memory, bytes: number): SignKernels {
  const distance = (row: number, query: number): number => {
    const all = new Uint8Array(memory.buffer);
    let sum = 0;
    for (let i = 0; i < bytes; i++) sum += bitCounts[all[row + i]! ^ all[query + i]!]!;
    return sum;
  };
  /** @param rowOf address of the row at a position */
  const scan = (count: number, query: number, bar: number, out: number, rowOf: (place: number) => number): void => {
    const entries = new Uint32Array(memory.buffer, out, count + 1);
    let to = 1;
    for (let i = 0; i < count; i++) {
      const near = distance(rowOf(i), query);
      if (near < bar) entries[to++] = i * 2 ** 16 + near;
    }
    entries[0] = out + 4 * to;
  };
  return {
    hamming: (rows, count, query, bar, out) => scan(count, query, bar, out, (i) => rows + i * bytes),
    hammingAt(rows, ids, count, query, bar, out) {
      const list = new Uint32Array(memory.buffer, ids, count);
      scan(count, query, bar, out, (i) => rows + list[i]! * bytes);
    },
  };
}
