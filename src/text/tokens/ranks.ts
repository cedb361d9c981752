/** The arrays of a table, in memory that threads share. */
export interface SharedRanks {
  readonly slots: Int32Array<SharedArrayBuffer>;
  readonly pairs: Int32Array<SharedArrayBuffer>;
  readonly starts: Uint32Array<SharedArrayBuffer>;
  readonly ranks: Uint32Array<SharedArrayBuffer>;
  readonly bytes: Uint8Array<SharedArrayBuffer>;
}

const shared = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes);

/**
 * Rank of each token of an encoding, by its bytes, in flat arrays. A map of 200,000 strings takes several times the
 * memory and needs a string for each lookup.
 */
export class TokenRanks {
  /**
   * Open addressing by hash. A slot holds 1 + the entry's number in its lower bits and the rest of the hash in its
   * upper bits, so most lookups of a sequence that is no token end here.
   */
  #slots: Int32Array<SharedArrayBuffer>;
  /** Mask of the lower bits. */
  #mask: number;
  /** Ranks of tokens of two bytes, the first pairs of every merge; -1 = none. */
  #pairs: Int32Array<SharedArrayBuffer> = new Int32Array(shared(4 * 0x10000)).fill(-1);
  #starts: Uint32Array<SharedArrayBuffer>;
  #ranks: Uint32Array<SharedArrayBuffer>;
  #bytes: Uint8Array<SharedArrayBuffer>;
  #size = 0;

  constructor(expected = 1024) {
    const entries = 2 ** Math.ceil(Math.log2(Math.max(expected, 16)));
    this.#slots = new Int32Array(shared(entries * 8));
    this.#mask = entries * 2 - 1;
    this.#starts = new Uint32Array(shared((entries + 1) * 4));
    this.#ranks = new Uint32Array(shared(entries * 4));
    this.#bytes = new Uint8Array(shared(entries * 8));
  }

  /** The table for `attach` in other threads, which only read. */
  share(): SharedRanks {
    const [slots, pairs, starts, ranks, bytes] = [this.#slots, this.#pairs, this.#starts, this.#ranks, this.#bytes];
    return { slots, pairs, starts, ranks, bytes };
  }

  static attach({ slots, pairs, starts, ranks, bytes }: SharedRanks): TokenRanks {
    const table = new TokenRanks(0);
    [table.#slots, table.#pairs, table.#starts, table.#ranks, table.#bytes] = [slots, pairs, starts, ranks, bytes];
    table.#mask = slots.length - 1;
    table.#size = ranks.length; // full: nothing is added
    return table;
  }

  /** @param token its first `length` bytes are not in the table yet */
  add(token: ArrayLike<number>, length: number, rank: number): void {
    if (this.#size === this.#ranks.length) throw new RangeError(`more than ${this.#size} tokens`);
    const entry = this.#size++;
    const start = this.#starts[entry]!;
    const end = start + length;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(shared(Math.max(end, this.#bytes.length * 2)));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    for (let i = 0; i < length; i++) this.#bytes[start + i] = token[i]!;
    this.#starts[entry + 1] = end;
    this.#ranks[entry] = rank;
    if (length === 2) this.#pairs[(token[0]! << 8) | token[1]!] = rank;
    const mask = this.#mask;
    const hash = hashBytes(token, 0, length);
    let slot = hash & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = (hash & ~mask) | (entry + 1);
  }

  /** The rank of the token `bytes[start, end)`; -1 if these bytes are no token. */
  rankOf(bytes: Uint8Array, start: number, end: number): number {
    if (end - start === 2) return this.#pairs[(bytes[start]! << 8) | bytes[start + 1]!]!;
    const slots = this.#slots;
    const mask = this.#mask;
    const hash = hashBytes(bytes, start, end);
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const held = slots[slot]!;
      if (held === 0) return -1;
      if (((held ^ hash) & ~mask) !== 0) continue;
      const entry = (held & mask) - 1;
      if (this.#isAt(entry, bytes, start, end)) return this.#ranks[entry]!;
    }
  }

  #isAt(entry: number, bytes: Uint8Array, start: number, end: number): boolean {
    let own = this.#starts[entry]!;
    if (this.#starts[entry + 1]! - own !== end - start) return false;
    for (let at = start; at < end; at++, own++) if (this.#bytes[own] !== bytes[at]) return false;
    return true;
  }
}

/** FNV-1a. */
function hashBytes(bytes: ArrayLike<number>, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash ^ (hash >>> 15);
}

/** Less than the average of o200k_base, so that the table has room. */
const BYTES_PER_LINE = 16;

/** The table of a file of lines, each a token in base64, a space, and its rank. */
export function ranksOf(lines: Uint8Array): TokenRanks {
  const ranks = new TokenRanks(lines.length / BYTES_PER_LINE);
  const token = new Uint8Array(1024);
  const SPACE = 0x20;
  for (let at = 0; at < lines.length; ) {
    let length = 0;
    let bits = 0;
    let held = 0;
    for (; lines[at] !== SPACE; at++) {
      const value = base64[lines[at]!]!;
      if (value === padding) continue;
      held = (held << 6) | value;
      bits += 6;
      if (bits < 8) continue;
      bits -= 8;
      token[length++] = held >> bits;
    }
    let rank = 0;
    for (at++; at < lines.length && lines[at] !== 0x0a; at++) rank = rank * 10 + lines[at]! - 0x30;
    at++;
    ranks.add(token, length, rank);
  }
  return ranks;
}

const padding = 0xff;
const base64 = new Uint8Array(128).fill(padding);
for (const [value, character] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  base64[character.charCodeAt(0)] = value;
