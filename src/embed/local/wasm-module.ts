/**
 * A minimal WebAssembly assembler: just what `kernels.ts` needs to say its loops in SIMD.
 * Expressions are byte arrays that leave one value on the stack; statements leave none.
 * @see https://webassembly.github.io/spec/core/binary/ (module layout and opcodes)
 */
export type Code = readonly number[];

/** Unsigned LEB128. */
export function uleb(value: number): number[] {
  const out: number[] = [];
  let rest = value >>> 0;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    out.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return out;
}

/** Signed LEB128 of a 32-bit integer. */
export function sleb(value: number): number[] {
  const out: number[] = [];
  let rest = value | 0;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) {
      out.push(low);
      return out;
    }
    out.push(low | 0x80);
  }
}

const I32 = 0x7f;
const V128 = 0x7b;
const simd = (opcode: number): number[] => [0xfd, ...uleb(opcode)];

export const constant = (value: number): Code => [0x41, ...sleb(value)];
export const get = (local: number): Code => [0x20, ...uleb(local)];
export const set = (local: number, value: Code): Code => [...value, 0x21, ...uleb(local)];
export const add = (a: Code, b: Code): Code => [...a, ...b, 0x6a];
export const mul = (a: Code, b: Code): Code => [...a, ...b, 0x6c];
export const and = (a: Code, b: Code): Code => [...a, ...b, 0x71];
/** The 32-bit integer at `address + offset`. */
export const loadI32 = (address: Code, offset = 0): Code => [...address, 0x28, 2, ...uleb(offset)];
/** Four floats from `address + offset`. */
export const loadF32x4 = (address: Code, offset = 0): Code => [...address, ...simd(0x00), 2, ...uleb(offset)];
/** One float, four times. */
export const splatF32 = (address: Code, offset = 0): Code => [...address, ...simd(0x09), 2, ...uleb(offset)];
export const storeF32x4 = (address: Code, value: Code, offset = 0): Code => [
  ...address,
  ...value,
  ...simd(0x0b),
  2,
  ...uleb(offset),
];
export const addF32x4 = (a: Code, b: Code): Code => [...a, ...b, ...simd(0xe4)];
export const mulF32x4 = (a: Code, b: Code): Code => [...a, ...b, ...simd(0xe6)];
export const zeroF32x4: Code = [...simd(0x0c), ...new Array<number>(16).fill(0)];
/** `if (condition) { … }` */
export const when = (condition: Code, body: Code): Code => [...condition, 0x04, 0x40, ...body, 0x0b];

/** `for (; counter < limit; counter += step) { … }` over signed integers; the counter is set before. */
export const loop = (counter: number, limit: Code, step: number, body: readonly Code[]): Code => [
  ...[0x02, 0x40, 0x03, 0x40], // block, loop
  ...[...get(counter), ...limit, 0x4e, 0x0d, 1], // counter >= limit → leave the block
  ...body.flat(),
  ...set(counter, add(get(counter), constant(step))),
  ...[0x0c, 0, 0x0b, 0x0b],
];

export interface WasmFunction {
  readonly name: string;
  /** All parameters are 32-bit integers, numbered from 0; then come the locals, integers first. */
  readonly parameters: number;
  readonly integers: number;
  readonly vectors: number;
  readonly body: readonly Code[];
}

/** A module that imports its memory as `env.memory` and exports the functions. */
export function assembleModule(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const text = (s: string): number[] => [...uleb(s.length), ...new TextEncoder().encode(s)];
  const list = (items: readonly Code[]): number[] => [...uleb(items.length), ...items.flat()];
  const section = (id: number, content: Code): number[] => [id, ...uleb(content.length), ...content];
  const types = functions.map((f) => [0x60, ...list(new Array<Code>(f.parameters).fill([I32])), 0]);
  const bodies = functions.map((f) => {
    const code = [
      ...list([
        [...uleb(f.integers), I32],
        [...uleb(f.vectors), V128],
      ]),
      ...f.body.flat(),
      0x0b,
    ];
    return [...uleb(code.length), ...code];
  });
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list(types)),
    ...section(2, list([[...text('env'), ...text('memory'), 0x02, 0x00, ...uleb(1)]])),
    ...section(3, list(functions.map((_, i) => uleb(i)))),
    ...section(7, list(functions.map((f, i) => [...text(f.name), 0x00, ...uleb(i)]))),
    ...section(10, list(bodies)),
  ]);
}
