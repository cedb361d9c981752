import type { ReadWarning } from '../core/types.ts';
import { WAITS_FOR_OCR, WAITS_FOR_TRANSCRIPT } from '../core/waiting.ts';
import type { DocumentEntry, Manifest, ManifestDiff } from './contract.ts';
import {
  bytesOf,
  CHUNKS_AT,
  CODE,
  FIRST_AT,
  HASH,
  hashBytes,
  hasText,
  LENGTHS_AT,
  LineBytes,
  lengthOf,
  lineTexts,
  MTIME_AT,
  TEXTS_AT,
  textOf,
  URI,
  WARNINGS,
} from './manifest-line.ts';
import { type LinePlace, ManifestPages, type PageOptions } from './manifest-pages.ts';

/** Bytes of replaced lines that are left where they are. */
const LEAST_WASTED = 2 ** 19;
/** Values of a slot in the hash table, besides line numbers. */
const EMPTY = -1;
const DELETED = -2;
/** Failures of files that wait for OCR, or for a transcript. */
const WAITING: ReadonlySet<string> = new Set(['FILE_SCANNED', 'FILE_UNTRANSCRIBED']);
/** `#page` of a deleted line. */
const GONE = 0xffff_ffff;

/** The facts about a manifest that need no line. */
export interface ManifestSums {
  readonly totals: { readonly documents: number; readonly chunks: number };
  readonly signature: string;
}

/**
 * The manifest of a whole index in memory, by uri. A line takes its bytes and about 90 more, in buffers outside the
 * JavaScript heap, and of many lines most bytes are in a file (`PageOptions`): on the heap a line costs at least twice
 * as much, because garbage may grow to a multiple of the live data. Each request for a line makes a new object.
 * Iterates in insertion order, as Map does.
 */
export class ManifestMap implements Manifest {
  #pages: ManifestPages;
  /** Bytes of replaced and deleted lines. */
  #wasted = 0;
  /** By line number: page, offset in the page, hash of the uri. */
  #page = new Uint32Array(64);
  #at = new Uint32Array(64);
  #hash = new Uint32Array(64);
  #lines = 0;
  #size = 0;
  /** Hash table of uris with open addressing. A slot holds a line number, `EMPTY` or `DELETED`. */
  #slots = new Int32Array(256).fill(EMPTY);
  /** Number of slots that are not `EMPTY`. */
  #used = 0;
  #encoded = Buffer.allocUnsafe(1024);
  readonly #line = new LineBytes();
  /** Until the next change. */
  #sums: ManifestSums | undefined;

  /** @param entries a later entry replaces an earlier one with the same uri */
  constructor(entries: Iterable<DocumentEntry> = [], pages: PageOptions = {}) {
    this.#pages = new ManifestPages(pages);
    for (const entry of entries) this.set(entry.uri, entry);
  }

  /**
   * A map over lines as `lines` gave them, joined. Nothing is copied.
   * @param at where each line begins in `bytes`
   */
  static over(
    bytes: Buffer,
    at: Uint32Array<ArrayBuffer>,
    hash: Uint32Array<ArrayBuffer>,
    sums: ManifestSums,
    pages: PageOptions = {},
  ): ManifestMap {
    const map = new ManifestMap([], pages);
    if (at.length === 0) return map;
    map.#pages.take(bytes);
    map.#page = new Uint32Array(at.length);
    map.#at = at;
    map.#hash = hash;
    map.#lines = at.length;
    map.#size = at.length;
    map.#rehash(at.length - 1);
    map.#sums = sums;
    return map;
  }

  get size(): number {
    return this.#size;
  }

  /** Approximate memory, in bytes. */
  get sizeBytes(): number {
    return this.#pages.bytes + 12 * this.#page.length + 4 * this.#slots.length;
  }

  has(uri: string): boolean {
    return this.#find(uri) >= 0;
  }

  get(uri: string): DocumentEntry | undefined {
    const line = this.#find(uri);
    return line < 0 ? undefined : entryAt(this.#look(line));
  }

  diff(): ManifestDiff {
    const given = new Uint8Array(this.#lines);
    return {
      compare: (uri, sizeBytes, mtimeMs) => {
        const line = this.#find(uri);
        if (line < 0) return 'new';
        if (given[line] === 1) return 'repeated';
        given[line] = 1;
        return this.#standing(line, sizeBytes, mtimeMs);
      },
      missing: () => this.#uris((line) => given[line] === 0),
    };
  }

  #standing(line: number, sizeBytes: number, mtimeMs: number): 'unchanged' | 'waiting' | 'known' {
    const { page, at } = this.#look(line);
    if (page.readDoubleLE(at) !== sizeBytes || page.readDoubleLE(at + MTIME_AT) !== mtimeMs) return 'known';
    if (hasText(page, at, CODE)) return WAITING.has(textOf(page, at, CODE)) ? 'waiting' : 'known';
    if (!hasText(page, at, WARNINGS)) return 'unchanged';
    const warnings = textOf(page, at, WARNINGS);
    return [WAITS_FOR_OCR, WAITS_FOR_TRANSCRIPT].some((code) => warnings.includes(`"${code}"`))
      ? 'waiting'
      : 'unchanged';
  }

  totals(): { readonly documents: number; readonly chunks: number } {
    return this.sums().totals;
  }

  signature(): string {
    return this.sums().signature;
  }

  sums(): ManifestSums {
    this.#sums ??= { totals: this.#totals(), signature: this.#signature() };
    return this.#sums;
  }

  #totals(): ManifestSums['totals'] {
    let documents = 0;
    let chunks = 0;
    for (const { page, at } of this.#places()) {
      const count = page.readInt32LE(at + CHUNKS_AT);
      if (count === 0 && hasText(page, at, CODE)) continue;
      documents++;
      chunks += count;
    }
    return { documents, chunks };
  }

  #signature(): string {
    let sum = 0;
    let chunks = 0;
    for (const { page, at } of this.#places()) {
      const count = page.readInt32LE(at + CHUNKS_AT);
      if (count === 0) continue;
      chunks += count;
      const uriEnd = at + TEXTS_AT + lengthOf(page, at, URI);
      const ofUri = hashBytes(page, at + TEXTS_AT, uriEnd);
      sum = (sum + hashBytes(page, uriEnd, uriEnd + lengthOf(page, at, HASH), ofUri)) >>> 0;
    }
    return `${this.#size} ${chunks} ${sum}`;
  }

  set(uri: string, entry: DocumentEntry): this {
    const { contentHash, title, format, warnings, failure, chunks, sizeBytes, mtimeMs, first = -1 } = entry;
    const json = warnings && JSON.stringify(warnings);
    const texts = [uri, contentHash, title, format, json, failure?.code, failure?.message];
    this.#reserve(texts.reduce((sum, text) => sum + 3 * (text?.length ?? 0), 0));
    const line = Object.assign(this.#line, { chunks, sizeBytes, mtimeMs, first });
    let end = 0;
    for (const [t, text] of texts.entries()) {
      line.bytes[t] = this.#encoded;
      line.from[t] = text === undefined ? -1 : end;
      if (text !== undefined) end += this.#encoded.write(text, end);
      line.to[t] = end;
    }
    this.setLine(line);
    return this;
  }

  /** Same as `set`, for a line that is already bytes. */
  setLine(line: LineBytes): void {
    this.#sums = undefined;
    const [bytes, from, to] = [line.bytes[URI]!, line.from[URI]!, line.to[URI]!];
    const hash = hashBytes(bytes, from, to);
    const known = this.#lookUp(bytes, from, to, hash);
    if (known >= 0) this.#discard(known);
    const number = known >= 0 ? known : this.#append(hash);
    this.#write(number, line);
    if (this.#wasted > LEAST_WASTED && this.#wasted * 2 > this.#pages.bytes) this.#compact();
  }

  delete(uri: string): boolean {
    const line = this.#find(uri);
    if (line < 0) return false;
    this.#sums = undefined;
    this.#discard(line);
    this.#page[line] = GONE;
    const mask = this.#slots.length - 1;
    let slot = this.#hash[line]! & mask;
    while (this.#slots[slot] !== line) slot = (slot + 1) & mask;
    this.#slots[slot] = DELETED;
    this.#size--;
    return true;
  }

  keys(): MapIterator<string> {
    return this.#uris(() => true);
  }

  *#uris(wanted: (line: number) => boolean): Generator<string, undefined> {
    for (let line = 0; line < this.#lines; line++) {
      if (this.#page[line] === GONE || !wanted(line)) continue;
      const { page, at } = this.#walk(line);
      yield page.toString('utf8', at + TEXTS_AT, at + TEXTS_AT + lengthOf(page, at, URI));
    }
  }

  *values(): MapIterator<DocumentEntry> {
    for (let line = 0; line < this.#lines; line++) if (this.#page[line] !== GONE) yield entryAt(this.#walk(line));
  }

  *entries(): MapIterator<[string, DocumentEntry]> {
    for (const entry of this.values()) yield [entry.uri, entry];
  }

  [Symbol.iterator](): MapIterator<[string, DocumentEntry]> {
    return this.entries();
  }

  forEach(visit: (entry: DocumentEntry, uri: string, map: ReadonlyMap<string, DocumentEntry>) => void): void {
    for (const entry of this.values()) visit(entry, entry.uri, this);
  }

  /** The bytes and the hash of each line, as stored. */
  *lines(): Generator<readonly [bytes: Buffer, hash: number]> {
    for (let line = 0; line < this.#lines; line++) {
      if (this.#page[line] === GONE) continue;
      const { page, at } = this.#walk(line);
      yield [page.subarray(at, at + bytesOf(page, at)), this.#hash[line]!];
    }
  }

  *#places(): Generator<LinePlace> {
    for (let line = 0; line < this.#lines; line++) if (this.#page[line] !== GONE) yield this.#walk(line);
  }

  #look(line: number): LinePlace {
    return this.#pages.look(this.#page[line]!, this.#at[line]!);
  }

  /** The same, for whoever goes through all lines. */
  #walk(line: number): LinePlace {
    return this.#pages.walk(this.#page[line]!, this.#at[line]!);
  }

  #find(uri: string): number {
    this.#reserve(3 * uri.length);
    const end = this.#encoded.write(uri);
    return this.#lookUp(this.#encoded, 0, end, hashBytes(this.#encoded, 0, end));
  }

  #reserve(bytes: number): void {
    if (bytes > this.#encoded.length) this.#encoded = Buffer.allocUnsafe(2 * bytes);
  }

  /** Number of the line with this uri; -1 when there is none. */
  #lookUp(bytes: Uint8Array, from: number, to: number, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const line = this.#slots[slot]!;
      if (line === EMPTY) return -1;
      if (line !== DELETED && this.#hash[line] === hash && this.#isOf(line, bytes, from, to)) return line;
    }
  }

  #isOf(line: number, bytes: Uint8Array, from: number, to: number): boolean {
    const { page, at } = this.#look(line);
    if (lengthOf(page, at, URI) !== to - from) return false;
    for (let i = from, own = at + TEXTS_AT; i < to; i++, own++) if (page[own] !== bytes[i]) return false;
    return true;
  }

  #append(hash: number): number {
    if (this.#lines === this.#page.length) {
      this.#page = twice(this.#page);
      this.#at = twice(this.#at);
      this.#hash = twice(this.#hash);
    }
    const line = this.#lines++;
    this.#hash[line] = hash;
    this.#size++;
    if (2 * ++this.#used > this.#slots.length) this.#rehash(line);
    else this.#place(line);
    return line;
  }

  /** Enlarges the hash table and removes deleted slots. */
  #rehash(last: number): void {
    let length = this.#slots.length;
    while (length < 4 * this.#size) length *= 2;
    this.#slots = new Int32Array(length).fill(EMPTY);
    for (let line = 0; line < last; line++) if (this.#page[line] !== GONE) this.#place(line);
    this.#place(last);
    this.#used = this.#size;
  }

  #place(line: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.#hash[line]! & mask;
    while (this.#slots[slot] !== EMPTY) slot = (slot + 1) & mask;
    this.#slots[slot] = line;
  }

  #write(number: number, { bytes, from, to, chunks, sizeBytes, mtimeMs, first }: LineBytes): void {
    let length = TEXTS_AT;
    for (let t = 0; t < lineTexts.length; t++) if (from[t]! >= 0) length += to[t]! - from[t]!;
    const { page, at } = this.#pages.room(length);
    this.#page[number] = this.#pages.last;
    this.#at[number] = at;
    page.writeDoubleLE(sizeBytes, at);
    page.writeDoubleLE(mtimeMs, at + MTIME_AT);
    page.writeDoubleLE(first, at + FIRST_AT);
    page.writeInt32LE(chunks, at + CHUNKS_AT);
    let end = at + TEXTS_AT;
    for (let t = 0; t < lineTexts.length; t++) {
      const isThere = from[t]! >= 0;
      page.writeUInt32LE(isThere ? to[t]! - from[t]! + 1 : 0, at + LENGTHS_AT + 4 * t);
      if (!isThere) continue;
      const text = bytes[t]!;
      for (let i = from[t]!; i < to[t]!; i++) page[end++] = text[i]!;
    }
  }

  #discard(line: number): void {
    const { page, at } = this.#look(line);
    this.#wasted += bytesOf(page, at);
  }

  /** Moves live lines to new pages. Lines keep their numbers, so a running iteration stays valid. */
  #compact(): void {
    const before = this.#pages;
    this.#pages = before.anew();
    this.#wasted = 0;
    for (let line = 0; line < this.#lines; line++) {
      if (this.#page[line] === GONE) continue;
      const from = before.walk(this.#page[line]!, this.#at[line]!);
      const length = bytesOf(from.page, from.at);
      const { page, at } = this.#pages.room(length);
      from.page.copy(page, at, from.at, from.at + length);
      this.#page[line] = this.#pages.last;
      this.#at[line] = at;
    }
    before.close();
  }
}

function twice(values: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * values.length);
  larger.set(values);
  return larger;
}

function entryAt({ page, at }: LinePlace): DocumentEntry {
  let end = at + TEXTS_AT;
  const [uri, contentHash, title, format, warnings, code, message] = lineTexts.map((_, t) => {
    if (!hasText(page, at, t)) return undefined;
    const from = end;
    end += lengthOf(page, at, t);
    return page.toString('utf8', from, end);
  });
  const first = page.readDoubleLE(at + FIRST_AT);
  return {
    uri: uri!,
    chunks: page.readInt32LE(at + CHUNKS_AT),
    sizeBytes: page.readDoubleLE(at),
    mtimeMs: page.readDoubleLE(at + MTIME_AT),
    contentHash: contentHash ?? '',
    ...(code !== undefined && { failure: { code, message: message ?? '' } }),
    ...(title !== undefined && { title }),
    ...(format !== undefined && { format }),
    // written by `set` or `writeEntries`
    ...(warnings !== undefined && { warnings: JSON.parse(warnings) as ReadWarning[] }),
    ...(first >= 0 && { first }),
  };
}
