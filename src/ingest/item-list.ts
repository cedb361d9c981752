import type { SourceItem } from './contract.ts';

/**
 * The items of a source that makes all of them at once. Whoever iterates gets them one by one; who wants all is spared a
 * promise for each.
 */
export class ItemList implements AsyncIterable<SourceItem> {
  readonly #make: () => Promise<SourceItem[]>;

  constructor(make: () => Promise<SourceItem[]>) {
    this.#make = make;
  }

  all(): Promise<SourceItem[]> {
    return this.#make();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SourceItem, void, undefined> {
    yield* await this.#make();
  }
}

/** All items of a source, in their order. */
export async function itemsOf(items: AsyncIterable<SourceItem>): Promise<SourceItem[]> {
  return items instanceof ItemList ? await items.all() : await Array.fromAsync(items);
}
