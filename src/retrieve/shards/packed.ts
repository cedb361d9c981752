import { IbidError } from '../../core/errors.ts';

/** The arrays that travel as base64, little-endian, by the name they have in JSON. */
const kinds = {
  int8: Int8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  float32: Float32Array,
  float64: Float64Array,
  bytes: Uint8Array,
} as const;

type Kind = keyof typeof kinds;
type Packable = InstanceType<(typeof kinds)[Kind]>;

const names = Object.keys(kinds) as Kind[];

/** JSON of a value that holds typed arrays. */
export function pack(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key: string, one: unknown) {
    const held = this[key]; // a Buffer has a `toJSON`, whose result is given to this function
    const kind = names.find((name) => held instanceof kinds[name]);
    if (kind === undefined) return one;
    const { buffer, byteOffset, byteLength } = held as Packable;
    return { [`base64:${kind}`]: Buffer.from(buffer, byteOffset, byteLength).toString('base64') };
  });
}

/** A parsed value, with its typed arrays. @throws IbidError INVALID_ARGUMENT for bytes that are no whole elements */
export function unpack(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unpack);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [name = '', text] = entries[0] ?? [];
  const kind = names.find((one) => name === `base64:${one}`);
  if (entries.length === 1 && kind !== undefined && typeof text === 'string') {
    const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
    const size = kinds[kind].BYTES_PER_ELEMENT;
    if (bytes.length % size !== 0) throw new IbidError('INVALID_ARGUMENT', `a list of ${kind} is cut`);
    return new kinds[kind](bytes.buffer);
  }
  return Object.fromEntries(entries.map(([key, one]) => [key, unpack(one)]));
}
