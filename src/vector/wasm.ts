/**
 * A small assembler for WebAssembly: enough to write SIMD kernels in TypeScript, without a toolchain and without a
 * binary in the repository.
 * @see https://webassembly.github.io/spec/core/binary/
 */

/** Encoded instructions. */
export type Code = readonly number[];

const valueType = { i32: 0x7f, v128: 0x7b } as const;
export type ValueType = keyof typeof valueType;

/** Unsigned LEB128. */
export function unsigned(value: number): number[] {
  const out: number[] = [];
  let rest = value >>> 0;
  while (rest > 127) {
    out.push((rest & 127) | 128);
    rest >>>= 7;
  }
  out.push(rest);
  return out;
}

/** Signed LEB128 of a 32-bit integer. */
export function signed(value: number): number[] {
  const out: number[] = [];
  let rest = value | 0;
  for (;;) {
    const low = rest & 127;
    rest >>= 7;
    const done = (rest === 0 && (low & 64) === 0) || (rest === -1 && (low & 64) !== 0);
    out.push(done ? low : low | 128);
    if (done) return out;
  }
}

const simd = (opcode: number, ...immediate: number[]): Code => [0xfd, ...unsigned(opcode), ...immediate];
const memory = (alignment: number, offset: number): number[] => [alignment, ...unsigned(offset)];

/** The instructions that the kernels use, with names close to the specification. */
interface Instructions {
  get(local: number): Code;
  set(local: number): Code;
  i32(value: number): Code;
  readonly add: Code;
  readonly subtract: Code;
  readonly multiply: Code;
  readonly shiftLeft: Code;
  readonly shiftRight: Code;
  readonly lessThanUnsigned: Code;
  readonly equal: Code;
  /** Copies bytes inside the memory: to, from, number; they may overlap. */
  readonly copyMemory: Code;
  /** Of signed integers. */
  readonly atLeast: Code;
  loadI32(offset?: number): Code;
  /** One byte, unsigned. */
  loadU8(offset?: number): Code;
  storeI32(offset?: number): Code;
  /** Stores the low sixteen bits. */
  storeI16(offset?: number): Code;
  loadI64(offset?: number): Code;
  readonly xorI64: Code;
  readonly popcntI64: Code;
  readonly addI64: Code;
  readonly wrapI64: Code;
  loadV128(offset?: number): Code;
  /** Loads eight bytes into the lower half; the upper one is zero. */
  loadLowV128(offset?: number): Code;
  /** Of an address and a vector: the vector with eight bytes in its upper half. */
  loadHighV128(offset?: number): Code;
  /** Loads eight signed bytes, each widened to sixteen bits. */
  load8x8Signed(offset?: number): Code;
  storeV128(offset?: number): Code;
  /** Loads one 32-bit value into all four lanes. */
  splatF32: Code;
  readonly addF32x4: Code;
  readonly mulF32x4: Code;
  readonly zeroV128: Code;
  readonly xorV128: Code;
  /** The sign bits of sixteen bytes, the first one lowest. */
  readonly signsI8x16: Code;
  readonly popcntI8x16: Code;
  readonly addI8x16: Code;
  readonly addI16x8: Code;
  readonly addI32x4: Code;
  /** Adds neighbouring unsigned bytes to 16-bit lanes. */
  readonly pairsI16x8: Code;
  /** Adds neighbouring unsigned 16-bit lanes to 32-bit lanes. */
  readonly pairsI32x4: Code;
  /** Multiplies signed 16-bit lanes and adds the products in pairs. */
  readonly dotI16x8: Code;
  laneI32x4(lane: number): Code;
}

export const op: Instructions = {
  get: (local: number): Code => [0x20, ...unsigned(local)],
  set: (local: number): Code => [0x21, ...unsigned(local)],
  i32: (value: number): Code => [0x41, ...signed(value)],
  add: [0x6a],
  subtract: [0x6b],
  multiply: [0x6c],
  shiftLeft: [0x74],
  shiftRight: [0x76], // unsigned
  lessThanUnsigned: [0x49],
  equal: [0x46],
  copyMemory: [0xfc, 10, 0, 0],
  atLeast: [0x4e],
  loadU8: (offset = 0): Code => [0x2d, ...memory(0, offset)],
  loadI32: (offset = 0): Code => [0x28, ...memory(2, offset)],
  storeI32: (offset = 0): Code => [0x36, ...memory(2, offset)],
  storeI16: (offset = 0): Code => [0x3b, ...memory(1, offset)],
  loadI64: (offset = 0): Code => [0x29, ...memory(3, offset)],
  xorI64: [0x85],
  popcntI64: [0x7b],
  addI64: [0x7c],
  wrapI64: [0xa7],
  loadV128: (offset = 0): Code => simd(0x00, ...memory(0, offset)),
  loadLowV128: (offset = 0): Code => simd(0x5d, ...memory(0, offset)),
  loadHighV128: (offset = 0): Code => simd(0x57, ...memory(0, offset), 1),
  load8x8Signed: (offset = 0): Code => simd(0x01, ...memory(0, offset)),
  storeV128: (offset = 0): Code => simd(0x0b, ...memory(0, offset)),
  splatF32: simd(0x09, ...memory(0, 0)),
  addF32x4: simd(0xe4),
  mulF32x4: simd(0xe6),
  zeroV128: simd(0x0c, ...new Array<number>(16).fill(0)),
  xorV128: simd(0x51),
  signsI8x16: simd(0x64),
  popcntI8x16: simd(0x62),
  addI8x16: simd(0x6e),
  addI16x8: simd(0x8e),
  addI32x4: simd(0xae),
  pairsI16x8: simd(0x7d),
  pairsI32x4: simd(0x7f),
  dotI16x8: simd(0xba),
  laneI32x4: (lane: number): Code => simd(0x1b, lane),
};

/** Repeats `code` while `condition` leaves a value other than 0; tests the condition first. */
export function whileLoop(condition: Code, code: Code): Code {
  // block { loop { condition; i32.eqz; br_if 1; code; br 0 } }
  return [0x02, 0x40, 0x03, 0x40, ...condition, 0x45, 0x0d, 1, ...code, 0x0c, 0, 0x0b, 0x0b];
}

/** `local += by`. */
export function advance(local: number, by: Code): Code {
  return [...op.get(local), ...by, ...op.add, ...op.set(local)];
}

/** The sum of the four 32-bit lanes of `local`, left on the stack. */
export function laneSum(local: number): Code {
  return [0, 1, 2, 3].flatMap((lane) => [...op.get(local), ...op.laneI32x4(lane), ...(lane > 0 ? op.add : [])]);
}

export interface KernelFunction {
  readonly name: string;
  /** Number of i32 parameters, which are locals 0 … parameters - 1. There is no result. */
  readonly parameters: number;
  /** Types of further locals, in order. */
  readonly locals: readonly ValueType[];
  readonly code: Code;
}

/** Pages of 65,536 bytes in 4 GB: the most that a shared memory may have. */
const maxPages = 65_536;

/**
 * The bytes of a module that imports its memory as `env.memory` and exports `functions`.
 * @param shared the memory is shared by threads
 */
export function assemble(functions: readonly KernelFunction[], shared: boolean = false): Uint8Array<ArrayBuffer> {
  const vector = (items: readonly Code[]): number[] => [...unsigned(items.length), ...items.flat()];
  const section = (id: number, items: readonly Code[]): number[] => {
    const body = vector(items);
    return [id, ...unsigned(body.length), ...body];
  };
  const text = (value: string): number[] => [...unsigned(value.length), ...new TextEncoder().encode(value)];
  const types = functions.map((f) => [
    0x60,
    ...unsigned(f.parameters),
    ...new Array<number>(f.parameters).fill(valueType.i32),
    0,
  ]);
  const limits = shared ? [3, ...unsigned(0), ...unsigned(maxPages)] : [0, ...unsigned(0)];
  const bodies = functions.map((f) => {
    const body = [...vector(f.locals.map((type) => [1, valueType[type]])), ...f.code, 0x0b];
    return [...unsigned(body.length), ...body];
  });
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0], // magic, version
    ...section(1, types),
    ...section(2, [[...text('env'), ...text('memory'), 2, ...limits]]),
    ...section(
      3,
      functions.map((_, i) => unsigned(i)),
    ),
    ...section(
      7,
      functions.map((f, i) => [...text(f.name), 0, ...unsigned(i)]),
    ),
    ...section(10, bodies),
  ]);
}
