import { IbidError } from '../core/errors.ts';

/** Append-only byte buffer with LEB128 integers. */
export class ByteWriter {
  #bytes = new Uint8Array(256);
  length = 0;

  #reserve(count: number): void {
    if (this.length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + count));
    larger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = larger;
  }

  /** @param value integer in [0, 2^32) */
  varint(value: number): void {
    this.#reserve(5);
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.length++] = rest;
  }

  uint32(value: number): void {
    this.#reserve(4);
    for (let shift = 0; shift < 32; shift += 8) this.#bytes[this.length++] = (value >>> shift) & 0xff;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  clear(): void {
    this.length = 0;
  }

  /** The bytes written so far, without a copy; valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  copy(): Uint8Array {
    return this.#bytes.slice(0, this.length);
  }
}

/** Reads the format of `ByteWriter`. @throws IbidError INDEX_DAMAGED when the bytes end too early */
export class ByteReader {
  readonly bytes: Uint8Array;
  position = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get done(): boolean {
    return this.position >= this.bytes.length;
  }

  varint(): number {
    const first = this.bytes[this.position++];
    if (first !== undefined && first < 0x80) return first;
    this.position--;
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.bytes[this.position++];
      if (byte === undefined) break;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw damaged('a number is cut short');
  }

  uint32(): number {
    const at = this.position;
    this.take(4);
    const b = this.bytes;
    return (b[at]! | (b[at + 1]! << 8) | (b[at + 2]! << 16) | (b[at + 3]! << 24)) >>> 0;
  }

  take(count: number): Uint8Array {
    const end = this.position + count;
    if (end > this.bytes.length) throw damaged('a run of bytes is cut short');
    const run = this.bytes.subarray(this.position, end);
    this.position = end;
    return run;
  }
}

export function damaged(what: string): IbidError {
  return new IbidError('INDEX_DAMAGED', `lexical segment: ${what}`, { hint: 'Rebuild the index.' });
}
