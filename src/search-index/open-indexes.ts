import type { RemoteIndex } from '../services/shards/remote-shard.ts';
import type { OpenIndexesOptions } from './options.ts';
import { SearchIndex } from './search-index.ts';

/**
 * Opens indexes to be read as one, with the ranking of one: shards of an index, or indexes with the same embedder, in
 * local folders or behind `ibid serve` on other machines. One that is late or gone is named in the report of a search,
 * and the others answer. Documents of one uri with different texts are both found; `show` and `document` refuse them.
 * @throws IbidError INVALID_ARGUMENT, INDEX_MISMATCH, UNSAFE_ADDRESS; when all are gone, the error of the first
 */
export async function openIndexes(
  addresses: readonly (string | RemoteIndex)[],
  options: OpenIndexesOptions = {},
): Promise<SearchIndex> {
  return await SearchIndex.open(addresses, options);
}
