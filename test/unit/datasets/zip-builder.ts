import { crc32, deflateRawSync } from 'node:zlib';

export interface TestEntry {
  readonly name: string;
  readonly data: Uint8Array | string;
  readonly deflate?: boolean;
  readonly zip64?: boolean;
  /** Lies for the headers. */
  readonly crc?: number;
  readonly statedSize?: number;
  readonly flags?: number;
  readonly method?: number;
}

/** An archive as a packer would write it, or as nobody should. Field by field, so that a test can bend each. */
export function buildZip(
  entries: readonly TestEntry[],
  { zip64 = false, comment = '' }: { zip64?: boolean; comment?: string } = {},
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const data = Buffer.from(entry.data as string); // Buffer.from takes either; its overloads do not say so
    const packed = entry.deflate ? deflateRawSync(data) : data;
    const name = Buffer.from(entry.name);
    const size = entry.statedSize ?? data.length;
    const sizes = (wide: boolean): number[] => (wide ? [0xffffffff, 0xffffffff] : [packed.length, size]);
    const common = (wide: boolean): Buffer =>
      Buffer.concat([
        u16(20, entry.flags ?? 0x800, entry.method ?? (entry.deflate ? 8 : 0), 0, 0x21),
        u32(entry.crc ?? crc32(data), ...sizes(wide)),
      ]);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common(false), u16(name.length, 0), name]);
    const wide = entry.zip64 ?? false;
    const extra = wide ? Buffer.concat([u16(1, 24), u64(size, packed.length, offset)]) : Buffer.alloc(0);
    directory.push(
      Buffer.concat([
        Buffer.from('PK\x01\x02'),
        u16(20),
        common(wide),
        u16(name.length, extra.length, 0, 0, 0),
        u32(0, wide ? 0xffffffff : offset),
        name,
        extra,
      ]),
    );
    parts.push(local, packed);
    offset += local.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const note = Buffer.from(comment);
  const end64 = zip64
    ? Buffer.concat([
        Buffer.from('PK\x06\x06'),
        u64(44),
        u16(45, 45),
        u32(0, 0),
        u64(entries.length, entries.length, list.length, offset),
        Buffer.from('PK\x06\x07'),
        u32(0),
        u64(offset + list.length),
        u32(1),
      ])
    : Buffer.alloc(0);
  const small = zip64 ? [0xffff, 0xffff] : [entries.length, entries.length];
  const wide = zip64 ? [0xffffffff, 0xffffffff] : [list.length, offset];
  const end = Buffer.concat([Buffer.from('PK\x05\x06'), u16(0, 0, ...small), u32(...wide), u16(note.length), note]);
  return Buffer.concat([...parts, list, end64, end]);
}

function u16(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 2);
  for (const [i, value] of values.entries()) buffer.writeUInt16LE(value, i * 2);
  return buffer;
}

function u32(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) buffer.writeUInt32LE(value, i * 4);
  return buffer;
}

function u64(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 8);
  for (const [i, value] of values.entries()) buffer.writeBigUInt64LE(BigInt(value), i * 8);
  return buffer;
}
