import { WireError } from './errors.ts';

/** One page of a listing, and where the next begins. */
export interface Page<T, C> {
  readonly items: readonly T[];
  /** Undefined on the last page. */
  readonly next: C | undefined;
}

/**
 * The items of all pages, one page asked for only when the one before is used up.
 * @param fetchPage gets `undefined` for the first page
 * @throws WireError RESPONSE_INVALID when a service hands out the cursor it was just given, which would never end
 */
export async function* eachItem<T, C>(
  fetchPage: (cursor: C | undefined) => Promise<Page<T, C>>,
): AsyncGenerator<T, void, undefined> {
  for await (const page of eachPage(fetchPage)) yield* page.items;
}

/** As `eachItem`, page by page. */
export async function* eachPage<T, C>(
  fetchPage: (cursor: C | undefined) => Promise<Page<T, C>>,
): AsyncGenerator<Page<T, C>, void, undefined> {
  let cursor: C | undefined;
  for (;;) {
    const page = await fetchPage(cursor);
    yield page;
    if (page.next === undefined) return;
    if (page.next === cursor)
      throw new WireError('RESPONSE_INVALID', 'the listing repeats its cursor and would not end');
    cursor = page.next;
  }
}
