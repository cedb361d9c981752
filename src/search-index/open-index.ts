import type { OpenIndexOptions } from './options.ts';
import { SearchIndex } from './search-index.ts';

/**
 * Opens an index: a local folder, `memory://`, or another address that LanceDB supports. Data is read on demand. With
 * `create`, the index need not exist yet.
 * @throws IbidError INVALID_ARGUMENT, INDEX_NOT_FOUND, INDEX_SCHEMA, INDEX_MISMATCH
 */
export async function openIndex(address: string, options: OpenIndexOptions = {}): Promise<SearchIndex> {
  return await SearchIndex.open(address, options);
}
