/**
 * Bytes in pieces → text in pieces, the same text however the bytes are cut. `Buffer.toString` is several times faster
 * than a streaming
 * `TextDecoder`; what it cannot do is wait for the rest of a character, so up to three bytes are held back here.
 */
export class Utf8 {
  #rest: Uint8Array | undefined;

  write(chunk: Uint8Array): string {
    const bytes =
      this.#rest === undefined
        ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
        : Buffer.concat([this.#rest, chunk]);
    const end = bytes.length - unfinished(bytes);
    this.#rest = end === bytes.length ? undefined : bytes.subarray(end);
    return bytes.toString('utf8', 0, end);
  }

  /** What an unfinished character at the very end becomes: U+FFFD, or nothing. */
  end(): string {
    const rest = this.#rest;
    this.#rest = undefined;
    return rest === undefined ? '' : Buffer.from(rest).toString('utf8');
  }
}

/** How many bytes at the end begin a character that is not complete: 0 to 3. */
function unfinished(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? back : 0;
    }
  }
  return 0;
}
