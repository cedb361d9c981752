/**
 * WebAssembly as expressions, which leave one value on the stack, and statements, which leave none. `float-kernels.ts`
 * writes its loops with them.
 */
import { type Code, op, type ValueType } from './wasm.ts';

export const constant: (value: number) => Code = op.i32;
export const get: (local: number) => Code = op.get;
export const set = (local: number, value: Code): Code => [...value, ...op.set(local)];
export const add = (a: Code, b: Code): Code => [...a, ...b, ...op.add];
export const mul = (a: Code, b: Code): Code => [...a, ...b, ...op.multiply];
/** The 32-bit integer at `address + offset`. */
export const loadI32 = (address: Code, offset = 0): Code => [...address, ...op.loadI32(offset)];
/** Four floats from `address + offset` on. */
export const loadF32x4 = (address: Code, offset = 0): Code => [...address, ...op.loadV128(offset)];
/** One float in all four lanes. */
export const splatF32 = (address: Code): Code => [...address, ...op.splatF32];
export const storeF32x4 = (address: Code, value: Code, offset = 0): Code => [
  ...address,
  ...value,
  ...op.storeV128(offset),
];
export const addF32x4 = (a: Code, b: Code): Code => [...a, ...b, ...op.addF32x4];
export const mulF32x4 = (a: Code, b: Code): Code => [...a, ...b, ...op.mulF32x4];
export const zeroF32x4: Code = op.zeroV128;
/** `if (condition) { … }` */
export const when = (condition: Code, body: Code): Code => [...condition, 0x04, 0x40, ...body, 0x0b];

/** `for (; counter < limit; counter += step) { … }` over signed integers; the caller sets the counter before. */
export const loop = (counter: number, limit: Code, step: number, body: readonly Code[]): Code => [
  ...[0x02, 0x40, 0x03, 0x40], // block, loop
  ...[...get(counter), ...limit, ...op.atLeast, 0x0d, 1], // counter >= limit → leave the block
  ...body.flat(),
  ...set(counter, add(get(counter), constant(step))),
  ...[0x0c, 0, 0x0b, 0x0b],
];

/** Types of the locals after the parameters: integers first. */
export function locals(integers: number, vectors: number): ValueType[] {
  return [...new Array<ValueType>(integers).fill('i32'), ...new Array<ValueType>(vectors).fill('v128')];
}
