import type { Exchange } from '../contract.ts';
import { refuse, refuseField } from './errors.ts';
import type { ResolvedOptions } from './options.ts';

const betas = new Set([
  'files-api-2025-04-14',
  'compact-2026-01-12',
  'context-management-2025-06-27',
  'output-300k-2026-03-24',
  'interleaved-thinking-2025-05-14',
  'message-batches-2024-09-24',
  'prompt-caching-2024-07-31',
  'token-counting-2024-11-01',
]);

export interface Caller {
  readonly key: string;
  readonly betas: ReadonlySet<string>;
}

export interface DoorRules {
  readonly admin?: boolean;
  /** Content type of the body, where there is one. */
  readonly body?: 'json' | 'multipart' | 'none';
  readonly query?: readonly string[];
  /** The compatible endpoint takes the key as a bearer token and knows no version. */
  readonly bearerOnly?: boolean;
}

/** Key, version, beta names, content type and query, in that order; refuses what does not fit. */
export function enter(exchange: Exchange, options: ResolvedOptions, rules: DoorRules = {}): Caller {
  const { headers, query } = exchange.request;
  const prefix = options.headerPrefix;
  const key = keyOf(headers, rules.bearerOnly === true);
  if (key !== (rules.admin === true ? options.adminKey : options.apiKey))
    refuse(401, `invalid ${rules.bearerOnly === true ? 'bearer token' : 'x-api-key'}`);
  if (rules.bearerOnly !== true) {
    const version = headers[`${prefix}version`];
    if (version === undefined) refuseField(`${prefix}version`, 'header is required');
    if (version !== '2023-06-01') refuseField(`${prefix}version`, `"${version}" is not a valid version`);
  }
  const named = (headers[`${prefix}beta`] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = named.find((name) => !betas.has(name));
  if (unknown !== undefined)
    refuse(
      400,
      `Unexpected value(s) \`${unknown}\` for the \`${prefix}beta\` header. Please consult the documentation.`,
    );
  checkType(exchange, rules.body ?? 'none');
  for (const name of query.keys()) {
    if (!(rules.query ?? []).includes(name) && name !== 'beta')
      refuseField(`query.${name}`, 'Extra inputs are not permitted');
  }
  return { key, betas: new Set(named) };
}

function keyOf(headers: Readonly<Record<string, string>>, bearerOnly: boolean): string {
  const key = headers['x-api-key'];
  const authorization = headers.authorization;
  if (key !== undefined && authorization !== undefined)
    refuse(400, 'only one of x-api-key and Authorization may be sent');
  if (bearerOnly && key !== undefined) refuse(401, 'Authorization: Bearer is required');
  if (key !== undefined && key !== '') return key;
  const bearer = /^Bearer (\S+)$/.exec(authorization ?? '');
  return bearer?.[1] ?? refuse(401, bearerOnly ? 'Authorization header is required' : 'x-api-key header is required');
}

function checkType(exchange: Exchange, want: 'json' | 'multipart' | 'none'): void {
  const { request } = exchange;
  const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  if (want === 'json') {
    if (type !== 'application/json') refuseField('content-type', `must be application/json, not "${type}"`);
    if (request.body === undefined) refuse(400, 'The request body is not valid JSON');
    return;
  }
  if (want === 'multipart') {
    if (type !== 'multipart/form-data') refuseField('content-type', `must be multipart/form-data, not "${type}"`);
    if (request.parts.length === 0) refuse(400, 'The multipart body could not be read');
    return;
  }
  if (request.raw.length > 0 && request.text !== '{}') refuse(400, 'This operation takes no body');
}

/** A page of `items`, newest first, by `limit`, `after_id`, `before_id`. */
export function pageByIds<T extends { readonly id: string }>(
  items: readonly T[],
  query: URLSearchParams,
  most = 1000,
): Record<string, unknown> {
  const limit = limitOf(query, most);
  const after = query.get('after_id');
  const before = query.get('before_id');
  if (after !== null && before !== null) refuse(400, 'only one of after_id and before_id may be given');
  const at = (id: string): number => {
    const found = items.findIndex((item) => item.id === id);
    return found < 0 ? refuse(400, `no item with id ${id}`) : found;
  };
  const end = before === null ? undefined : at(before);
  const start = after !== null ? at(after) + 1 : end === undefined ? 0 : Math.max(0, end - limit);
  const data = items.slice(start, Math.min(end ?? items.length, start + limit));
  const more = before === null ? start + data.length < items.length : start > 0;
  return { data, has_more: more, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}

export function limitOf(query: URLSearchParams, most = 1000): number {
  const text = query.get('limit');
  if (text === null) return 20;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > most)
    refuseField('limit', `Input should be between 1 and ${most}`);
  return limit;
}
