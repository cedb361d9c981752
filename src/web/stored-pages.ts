import type { Database } from '../store/database.ts';
import { KeyValues } from '../store/key-values.ts';

const PAGES_AT_ONCE = 64;

/**
 * Pages of the web as they were when they were shown or cited, by the id of their content, beside the index and outside
 * its generations. What a page is, is decided above; here it is bytes by key.
 */
export class StoredPages {
  readonly #values: KeyValues;

  constructor(database: Database) {
    this.#values = new KeyValues(database, 'web_snapshots');
  }

  /** By key, or by a beginning of one that fits no other; undefined when there is none. */
  async get(key: string): Promise<{ readonly key: string; readonly bytes: Uint8Array } | undefined> {
    const exact = await this.#values.get([key]);
    const found = exact.size > 0 ? exact : await this.#values.list(key);
    const [first, ...others] = [...found];
    return first && others.length === 0 ? { key: first[0], bytes: first[1] } : undefined;
  }

  /** Keeps what is not kept yet. In one commit: when it returns, the pages outlive a crash. */
  async put(pages: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const known = await this.#values.get([...pages.keys()]);
    await this.#values.put(new Map([...pages].filter(([key]) => !known.has(key))));
  }

  /** All kept pages, a few at a time. */
  async *all(): AsyncGenerator<ReadonlyMap<string, Uint8Array>> {
    const keys = await this.#values.keys();
    for (let at = 0; at < keys.length; at += PAGES_AT_ONCE)
      yield await this.#values.get(keys.slice(at, at + PAGES_AT_ONCE));
  }

  /** Deletes pages and frees their bytes. */
  async remove(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await this.#values.delete(keys);
    await this.#values.compact();
  }

  count(): Promise<number> {
    return this.#values.count();
  }

  /** On disk; 0 where the index is in no local folder. */
  bytes(): Promise<number> {
    return this.#values.bytes();
  }
}
