import { invalidAnswer } from '../http/answer.ts';
import { type Check, type Fields, fields, integer, text } from '../http/check.ts';
import type { Call, Operation } from '../http/contract.ts';
import { object, type Sent } from '../http/endpoint.ts';
import { eachItem, eachPage } from '../http/pages.ts';
import type { MessagesProfile } from './profile.ts';

/** The header that switches beta features on, where there are any. */
export function withBetas(profile: MessagesProfile, betas: readonly string[]): Pick<Call, 'headers'> {
  return betas.length === 0 ? {} : { headers: { [`${profile.headerPrefix}beta`]: betas.join(',') } };
}

export interface ListParams {
  /** Items per page, 1 to 1,000; the iteration goes on over all pages. */
  readonly limit?: number | undefined;
  readonly after_id?: string | undefined;
  /** Walks backwards. Not together with `after_id`. */
  readonly before_id?: string | undefined;
  /** Where the listing pages by token: the `next_page` of an earlier page. */
  readonly page?: string | undefined;
}

/** One page as the service sends it; which of the cursors is there depends on the listing. */
export interface ListPage<T> {
  readonly data: readonly T[];
  readonly has_more?: boolean;
  readonly first_id?: string | null;
  readonly last_id?: string | null;
  readonly next_page?: string | null;
}

/** All items, pages fetched as they are needed: `for await (const item of listing)`. */
export interface Listing<T> extends AsyncIterable<T> {
  /** The first page only. */
  page(): Promise<ListPage<T>>;
  pages(): AsyncIterable<ListPage<T>>;
}

/** The check of a listing's query, with the fields that are its own. */
export const listed = (more: Fields = {}): Check =>
  fields({ limit: integer(1, 1000), after_id: text, before_id: text, page: text, ...more });

/** The reader of a listing: all items, by id or by page token. */
export function pages<T>(sent: Sent<MessagesProfile>): Listing<T> {
  const { operation, call } = sent;
  const backwards = call.query?.before_id !== undefined;
  const paging = {
    fetch: (cursor: string | undefined) => {
      const query = { ...call.query, ...fromCursor(cursor) };
      return object<ListPage<T>, MessagesProfile>({ ...sent, call: { ...call, query } }, { data: 'array' });
    },
    items: ({ data }: ListPage<T>) => data,
    next: (page: ListPage<T>) => cursorAfter(page, backwards, operation),
  };
  return {
    page: () => paging.fetch(undefined),
    pages: () => eachPage(paging),
    [Symbol.asyncIterator]: () => eachItem(paging),
  };
}

/** The next page's query parameter and its value: `after_id=msgbatch_7`. */
function cursorAfter(page: ListPage<unknown>, backwards: boolean, operation: Operation): string | undefined {
  if (typeof page.next_page === 'string' && page.next_page !== '' && page.has_more !== false) {
    return `page=${page.next_page}`;
  }
  if (page.has_more !== true) return undefined;
  const id = backwards ? page.first_id : page.last_id;
  if (typeof id === 'string' && id !== '') return `${backwards ? 'before_id' : 'after_id'}=${id}`;
  throw invalidAnswer({ operation }, 'there are more pages and no cursor to them');
}

function fromCursor(cursor: string | undefined): Record<string, string> {
  if (cursor === undefined) return {};
  const at = cursor.indexOf('=');
  return { [cursor.slice(0, at)]: cursor.slice(at + 1) };
}
