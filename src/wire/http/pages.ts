import { WireError } from './errors.ts';

/** How the pages of a listing are read. */
export interface Paging<P, T, C> {
  /** @param cursor `undefined` for the first page */
  readonly fetch: (cursor: C | undefined) => Promise<P>;
  readonly items: (page: P) => readonly T[];
  /** Where the next page begins; undefined on the last one. */
  readonly next: (page: P) => C | undefined;
}

/**
 * All pages, each asked for only when the one before is used up.
 * @throws WireError RESPONSE_INVALID when a service hands out the cursor it was just given, which would never end
 */
export async function* eachPage<P, T, C>({ fetch, next }: Paging<P, T, C>): AsyncGenerator<P, void, undefined> {
  let cursor: C | undefined;
  for (;;) {
    const page = await fetch(cursor);
    yield page;
    const following = next(page);
    if (following === undefined) return;
    if (following === cursor) {
      throw new WireError('RESPONSE_INVALID', 'the listing repeats its cursor and would not end');
    }
    cursor = following;
  }
}

/** The items of all pages. */
export async function* eachItem<P, T, C>(paging: Paging<P, T, C>): AsyncGenerator<T, void, undefined> {
  for await (const page of eachPage(paging)) yield* paging.items(page);
}
