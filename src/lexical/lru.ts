/** Share of the capacity that is left when entries are dropped. */
const KEPT = 15 / 16;

/** Drops the least recently used entries when their sizes sum to more than `capacity`. */
export class SizedCache<K, V> {
  readonly #entries = new Map<K, { readonly value: V; readonly size: number }>();
  readonly #capacity: number;
  #size = 0;

  /** @param capacity in the unit of the sizes given to `set`; 0 keeps nothing */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#size;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key); // a Map keeps insertion order: the last used entry is last
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: K, value: V, size: number): void {
    const old = this.#entries.get(key);
    if (old !== undefined) {
      this.#entries.delete(key);
      this.#size -= old.size;
    }
    if (size > this.#capacity) return;
    this.#entries.set(key, { value, size });
    this.#size += size;
    if (this.#size <= this.#capacity) return;
    // several at a time: the way to the first entry of a Map leads past those that were deleted
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= KEPT * this.#capacity) break;
      this.#entries.delete(oldest);
      this.#size -= entry.size;
    }
  }
}
