import type { Call, QueryValue, Reply, Transport, WireCallOptions } from '../http/contract.ts';
import { WireError } from '../http/errors.ts';
import { eachItem, eachPage } from '../http/pages.ts';
import { operation } from './operations.ts';
import type { MessagesProfile } from './profile.ts';
import { isRecord, mustBeInteger, refuse } from './refuse.ts';

/** What the parts of the service are built on. */
export interface Wiring {
  readonly transport: Transport;
  readonly profile: MessagesProfile;
}

/** The header that switches beta features on; undefined for none. */
export function betaHeader(profile: MessagesProfile, betas: readonly string[]): Record<string, string> | undefined {
  return betas.length === 0 ? undefined : { [`${profile.headerPrefix}beta`]: betas.join(',') };
}

/** An answer that must be an object; its fields are the reference's word. */
export async function callForObject<T>({ transport }: Wiring, name: string, call: Call): Promise<T> {
  return objectOf<T>(await transport.json(operation(name), call), name);
}

export function objectOf<T>(reply: Reply<unknown>, name: string): T {
  if (isRecord(reply.body)) return reply.body as T; // lenient: unknown and missing fields are the service's
  throw new WireError('RESPONSE_INVALID', `${name}: the answer is not an object`, {
    service: 'messages',
    operation: name,
    status: reply.status,
    requestId: reply.requestId,
    attempts: reply.attempts,
  });
}

/** An id as a path segment: an empty one would lead to another operation. */
export function mustBeId(value: unknown, field: string): string {
  if (typeof value !== 'string' || value.trim() === '') refuse(field, 'must be an id, not empty');
  if (value === '.' || value === '..') refuse(field, `must be an id, not "${value}"`);
  return value;
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

export interface ListCall {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  readonly options?: WireCallOptions | undefined;
  readonly maxLimit?: number | undefined;
}

/** @throws IbidError INVALID_ARGUMENT at once, not at the first item */
export function listing<T>(wiring: () => Wiring, name: string, params: ListParams, call: ListCall): Listing<T> {
  if (params.limit !== undefined) mustBeInteger(params.limit, 'limit', 1, call.maxLimit ?? 1000);
  if (params.after_id !== undefined && params.before_id !== undefined) {
    refuse('before_id', 'cannot be combined with after_id');
  }
  const fetchPage = async (cursor: string | undefined): Promise<ListPage<T>> => {
    const page = await callForObject<ListPage<T>>(wiring(), name, {
      ...(call.path === undefined ? {} : { path: call.path }),
      ...(call.headers === undefined ? {} : { headers: call.headers }),
      query: { ...call.query, ...params, ...fromCursor(cursor) },
      options: call.options,
    });
    if (!Array.isArray(page.data)) {
      throw new WireError('RESPONSE_INVALID', `${name}: the page has no data`, {
        service: 'messages',
        operation: name,
      });
    }
    return page;
  };
  const paging = {
    fetch: fetchPage,
    items: (page: ListPage<T>) => page.data,
    next: (page: ListPage<T>) => cursorAfter(page, params.before_id !== undefined, name),
  };
  return {
    page: () => fetchPage(undefined),
    pages: () => eachPage(paging),
    [Symbol.asyncIterator]: () => eachItem(paging),
  };
}

/** The next page's query parameter and its value, `after_id=msgbatch_7`. */
function cursorAfter(page: ListPage<unknown>, backwards: boolean, name: string): string | undefined {
  if (typeof page.next_page === 'string' && page.next_page !== '' && page.has_more !== false)
    return `page=${page.next_page}`;
  if (page.has_more !== true) return undefined;
  const id = backwards ? page.first_id : page.last_id;
  if (typeof id === 'string' && id !== '') return `${backwards ? 'before_id' : 'after_id'}=${id}`;
  throw new WireError('RESPONSE_INVALID', `${name}: there are more pages and no cursor to them`, {
    service: 'messages',
    operation: name,
  });
}

function fromCursor(cursor: string | undefined): Record<string, string> {
  if (cursor === undefined) return {};
  const at = cursor.indexOf('=');
  return { [cursor.slice(0, at)]: cursor.slice(at + 1) };
}
