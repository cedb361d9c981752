import { crc32, deflateRawSync, constants as zlib } from 'node:zlib';

export interface ZipMember {
  readonly name: string;
  readonly bytes: Uint8Array | string;
  /** The bytes this many times. @default 1 */
  readonly repeat?: number;
  /** Stored without compression. @default false */
  readonly stored?: boolean;
}

/** A ZIP archive, in pieces. Repeated bytes are packed once, so that an archive of gigabytes is made in seconds. */
export function* zipOf(members: Iterable<ZipMember>): Generator<Uint8Array> {
  const central: Buffer[] = [];
  let at = 0;
  for (const { name, bytes, repeat = 1, stored = false } of members) {
    const plain = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
    const packed = stored
      ? Array.from({ length: repeat }, () => plain)
      : repeat === 1
        ? [deflateRawSync(plain, { level: 1 })]
        : // a flushed piece may stand any number of times; an empty block ends the stream
          [
            ...Array<Buffer>(repeat).fill(
              deflateRawSync(plain, { level: 9, flush: zlib.Z_FULL_FLUSH, finishFlush: zlib.Z_FULL_FLUSH }),
            ),
            Buffer.from([3, 0]),
          ];
    let sum = 0;
    for (let i = 0; i < repeat; i++) sum = crc32(plain, sum);
    const size = packed.reduce((total, piece) => total + piece.length, 0);
    const label = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(stored ? 0 : 8, 4);
    fields.writeUInt32LE(sum, 10);
    fields.writeUInt32LE(size, 14);
    fields.writeUInt32LE(plain.length * repeat, 18);
    fields.writeUInt16LE(label.length, 22);
    yield Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, label]);
    yield* packed;
    const entry = Buffer.alloc(46);
    entry.write('PK\x01\x02', 'latin1');
    entry.writeUInt16LE(20, 4);
    fields.copy(entry, 6);
    entry.writeUInt32LE(at, 42);
    central.push(entry, label);
    at += 30 + label.length + size;
  }
  const directory = Buffer.concat(central);
  const count = Math.min(0xffff, central.length / 2);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  yield directory;
  yield end;
}
