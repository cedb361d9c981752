import { basename, extname } from 'node:path';
import type { ManifestEntry } from '../store/contract.ts';
import type { SourceItem } from './contract.ts';

/** Documents of the index that are looked for under other uris, by their content. */
export class SameContent {
  readonly #sizes = new Set<number>();
  readonly #byContent = new Map<string, ManifestEntry[]>();

  /** @param entries of documents, in the order in which those with one content are given */
  constructor(entries: readonly ManifestEntry[]) {
    for (const entry of entries) {
      this.#sizes.add(entry.sizeBytes);
      const key = keyOf(entry.contentHash, entry.uri);
      const list = this.#byContent.get(key);
      if (list) list.push(entry);
      else this.#byContent.set(key, [entry]);
    }
  }

  /**
   * The document that an item has the content of; each is given once, one of the same name first.
   * @returns undefined where there is none, and where the item cannot be read
   */
  async take(
    item: SourceItem,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly entry: ManifestEntry; readonly contentHash: string } | undefined> {
    if (!this.#sizes.has(item.sizeBytes)) return undefined;
    const contentHash = await hashOf(item, signal);
    const list = contentHash === undefined ? undefined : this.#byContent.get(keyOf(contentHash, item.uri));
    if (contentHash === undefined || !list?.length) return undefined;
    const named = list.findIndex(({ uri }) => basename(uri) === basename(item.uri));
    const [entry] = list.splice(Math.max(named, 0), 1);
    return { entry: entry!, contentHash }; // there is one at that place
  }
}

/** Another extension may mean another format and so another text: that is a new document. */
function keyOf(contentHash: string, uri: string): string {
  return `${contentHash} ${extname(uri)}`;
}

/**
 * The hash of an item; `undefined` when the content cannot be read. The item is then loaded as changed, and `load`
 * reports the error.
 */
export async function hashOf(item: SourceItem, signal: AbortSignal | undefined): Promise<string | undefined> {
  signal?.throwIfAborted();
  try {
    return await item.hash({ signal });
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}
