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
} from './expressions.ts';
import { type Code, type KernelFunction, op } from './wasm.ts';

/** Bits of a component, and where in the tables the components of each byte value begin, in bytes. */
const tiers = [
  { bits: 1, tableAt: 0 },
  { bits: 2, tableAt: 256 * 32 },
  { bits: 4, tableAt: 256 * 48 },
] as const;

const equal = (a: Code, b: Code): Code => [...a, ...b, ...op.equal];

/**
 * `y[r] += Σ value · row[column]`, of rows whose components are packed: 1, 2 or 4 bits each, as the length of a row
 * tells. A table for each of these three has the 8, 4 or 2 components of each byte value. So a row is never unpacked:
 * most rows of a block are used once or twice, and the tables stay in the nearest cache.
 */
export function packedKernel(): KernelFunction {
  const [start, column, value, codes, codeAt, tables, y, rows, rowBytes] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const [r, i, end, at, last, length, to, from, yRow] = [9, 10, 11, 12, 13, 14, 15, 16, 17];
  const [factor, pair] = [18, 19];
  const word = (array: number, index: Code): Code => add(get(array), mul(index, constant(4)));
  const place = (offset: number, bytes: number, tableAt: number): Code =>
    add(add(get(tables!), constant(tableAt)), mul([...get(at!), ...op.loadU8(offset)], constant(bytes)));
  const accumulate = (components: Code, offset: number): Code =>
    storeF32x4(get(to!), addF32x4(loadF32x4(get(to!), offset), mulF32x4(get(factor), components)), offset);
  /** One step reads this many bytes and writes `vectors` times four components. */
  const step = (bits: 1 | 2 | 4, tableAt: number): readonly [bytes: number, vectors: number, body: Code] => {
    if (bits === 4) {
      const halves = [
        ...set(pair, [...place(0, 8, tableAt), ...op.loadLowV128()]),
        ...set(pair, [...place(1, 8, tableAt), ...get(pair), ...op.loadHighV128()]),
      ];
      return [2, 1, [...halves, ...accumulate(get(pair), 0)]];
    }
    const vectors = bits === 1 ? 2 : 1;
    const sums = Array.from({ length: vectors }, (_, n) => accumulate(loadF32x4(get(from!), 16 * n), 16 * n));
    return [1, vectors, [...set(from!, place(0, 16 * vectors, tableAt)), ...sums.flat()]];
  };
  return {
    name: 'packed',
    parameters: 9,
    locals: locals(9, 2),
    code: [
      set(yRow!, get(y!)),
      loop(r!, get(rows!), 1, [
        set(i!, loadI32(word(start!, get(r!)))),
        set(end!, loadI32(word(start!, get(r!)), 4)),
        loop(i!, get(end!), 1, [
          set(at!, loadI32(word(column!, get(i!)))),
          set(last!, add(get(codes!), loadI32(word(codeAt!, get(at!)), 4))),
          set(at!, add(get(codes!), loadI32(word(codeAt!, get(at!))))),
          set(length!, [...get(last!), ...get(at!), ...op.subtract]),
          set(factor, splatF32(word(value!, get(i!)))),
          set(to!, get(yRow!)),
          ...tiers.map(({ bits, tableAt }) => {
            const [bytes, vectors, body] = step(bits, tableAt);
            const isTier = equal(mul(get(length!), constant(32 / bits)), get(rowBytes!));
            const write = [...body, ...set(to!, add(get(to!), constant(16 * vectors)))];
            return when(isTier, loop(at!, get(last!), bytes, [write]));
          }),
        ]),
        set(yRow!, add(get(yRow!), get(rowBytes!))),
      ]),
    ].flat(),
  };
}
