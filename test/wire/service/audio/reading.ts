import type { Exchange, Reply, Route } from '../contract.ts';
import { type Check, Misfit } from '../shape.ts';
import { type AudioContext, operation, refuse } from './context.ts';

/** Reads a JSON body of this shape; `keys` are the query's. */
export function reading(shape: Check, keys?: readonly string[]): (exchange: Exchange) => Record<string, unknown> {
  return ({ request }) => {
    if (keys !== undefined) onlyQuery(request.query, keys);
    shape(request.body, ['body']);
    return request.body as Record<string, unknown>; // of the shape
  };
}

/** A route that takes a JSON body of this shape. */
export function taking<T>(
  context: AudioContext,
  method: Route['method'],
  path: string,
  shape: Check,
  handle: (body: T, exchange: Exchange) => Reply | Promise<Reply>,
): Route {
  return operation(context, method, path, {
    read: reading(shape),
    handle: (body, exchange) => handle(body as T, exchange), // of the shape
  });
}

/** What lies under an id; 404 when nothing does. */
export function found<T>(
  context: AudioContext,
  from: ReadonlyMap<string, T>,
  id: string | undefined,
  what: string,
  status = 'not_found',
): T {
  const item = from.get(id ?? '');
  if (item === undefined) refuse(context, 404, 'not_found', `${what} not found`, { status });
  return item;
}

export function onlyQuery(query: URLSearchParams, known: readonly string[]): void {
  for (const key of query.keys()) {
    if (!known.includes(key))
      throw new Misfit(['query', key], 'extra_forbidden', 'Extra inputs are not permitted', query.get(key));
  }
}

/** @throws Misfit for a number out of range */
export function queryNumber(query: URLSearchParams, key: string, fallback: number, min: number, max: number): number {
  const given = query.get(key);
  if (given === null) return fallback;
  const value = Number(given);
  if (!Number.isInteger(value))
    throw new Misfit(['query', key], 'int_parsing', 'Input should be a valid integer', given);
  if (value < min || value > max) {
    throw new Misfit(['query', key], 'less_than_equal', `Input should be between ${min} and ${max}`, given, {
      ge: min,
      le: max,
    });
  }
  return value;
}

/** One page of a listing; its cursor is a position. */
export function pageOf<T>(
  items: readonly T[],
  query: URLSearchParams,
  { size = 30, cursor = 'cursor' }: { size?: number; cursor?: string } = {},
): { readonly shown: readonly T[]; readonly has_more: boolean; readonly next: string | null } {
  const from = Number(query.get(cursor) ?? 0);
  const end = from + queryNumber(query, 'page_size', size, 1, 100);
  const more = end < items.length;
  return { shown: items.slice(from, end), has_more: more, next: more ? String(end) : null };
}
