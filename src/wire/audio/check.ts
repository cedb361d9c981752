import { IbidError } from '../../core/errors.ts';
import type { Operation, Reply } from '../http/contract.ts';
import { WireError } from '../http/errors.ts';

/** INVALID_ARGUMENT that begins with the field's name. */
export function invalid(field: string, problem: string, hint?: string): IbidError {
  return new IbidError('INVALID_ARGUMENT', `${field}: ${problem}`, { hint });
}

/** RESPONSE_INVALID that begins with the operation's name. */
export function badAnswer(operation: Pick<Operation, 'name'>, problem: string, hint?: string): WireError {
  return new WireError('RESPONSE_INVALID', `${operation.name}: ${problem}`, {
    service: 'audio',
    operation: operation.name,
    hint,
  });
}

/** A string with something other than white space in it. */
export function requireText(field: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw invalid(field, 'is missing or not a string');
  if (value.trim() === '') throw invalid(field, 'is empty');
}

/** An id for a path. */
export function requireId(field: string, value: unknown): string {
  requireText(field, value);
  return value;
}

/** Inclusive range; `undefined` passes. */
export function checkRange(field: string, value: unknown, low: number, high: number, whole = false): void {
  if (value === undefined) return;
  const fits = typeof value === 'number' && value >= low && value <= high && (!whole || Number.isInteger(value));
  if (fits) return;
  throw invalid(field, `${String(value)} is not ${whole ? 'a whole number' : 'a number'} from ${low} to ${high}`);
}

/** `undefined` passes. */
export function checkChoice(field: string, value: unknown, choices: readonly string[]): void {
  if (value === undefined || (typeof value === 'string' && choices.includes(value))) return;
  throw invalid(field, `"${String(value)}" is none of ${choices.join(', ')}`);
}

/** `undefined` passes. */
export function checkLength(field: string, value: string | undefined, low: number, high: number): void {
  if (value === undefined) return;
  const { length } = [...value];
  if (length < low || length > high) throw invalid(field, `has ${length} characters, allowed are ${low} to ${high}`);
}

/** `undefined` passes. */
export function checkList(field: string, value: readonly unknown[] | undefined, most: number, least = 0): void {
  if (value === undefined) return;
  if (!Array.isArray(value)) throw invalid(field, 'is not a list');
  if (value.length > most) throw invalid(field, `has ${value.length} entries, the limit is ${most}`);
  if (value.length < least) throw invalid(field, `has ${value.length} entries, at least ${least} needed`);
}

/** Exactly one of the named fields is set. */
export function checkOneOf(fields: Readonly<Record<string, unknown>>): void {
  const set = Object.keys(fields).filter((name) => fields[name] !== undefined);
  if (set.length === 1) return;
  const names = Object.keys(fields).join(', ');
  throw invalid(names, set.length === 0 ? 'one of them is needed' : `only one is allowed, given are ${set.join(', ')}`);
}

export function checkUrl(field: string, value: string | undefined, httpsOnly = false): void {
  if (value === undefined) return;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const fits = url !== undefined && (url.protocol === 'https:' || (!httpsOnly && url.protocol === 'http:'));
  if (!fits) throw invalid(field, `is not an ${httpsOnly ? 'https' : 'http or https'} address`);
}

type Kind = 'string' | 'number' | 'boolean' | 'array' | 'object';
/** Field → kind; a `?` at the end lets it be absent or null. */
export type Shape = Readonly<Record<string, Kind | `${Kind}?`>>;

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : value === undefined ? 'nothing' : typeof value;

/**
 * The body as `T`, after its essential fields were checked. Unknown fields stay; optional fields that are not in `shape`
 * are taken as documented.
 * @throws IbidError RESPONSE_INVALID naming operation and field
 */
export function shaped<T>(body: unknown, operation: Pick<Operation, 'name'>, shape: Shape, at = 'body'): T {
  if (kindOf(body) !== 'object') {
    throw badAnswer(operation, `${at} is ${kindOf(body)}, an object was expected`);
  }
  const fields = body as Readonly<Record<string, unknown>>; // checked above
  for (const [name, kind] of Object.entries(shape)) {
    const found = kindOf(fields[name]);
    if (kind.endsWith('?') && (found === 'nothing' || found === 'null')) continue;
    const wanted = kind.replace('?', '');
    if (found === wanted) continue;
    throw badAnswer(operation, `${at}.${name} is ${found}, ${wanted} was expected`);
  }
  return body as T; // the fields the caller relies on are checked above, the rest is optional in `T`
}

/** Every entry of a list field as `T`. */
export function shapedList<T>(list: unknown, operation: Pick<Operation, 'name'>, shape: Shape, at: string): T[] {
  if (!Array.isArray(list)) {
    throw badAnswer(operation, `${at} is ${kindOf(list)}, array was expected`);
  }
  return list.map((item, index) => shaped<T>(item, operation, shape, `${at}[${index}]`));
}

/** `{"status":"ok"}` and its like: an object, an empty body, or nothing at all. */
export function acknowledged(reply: Reply<unknown>): { readonly status: string } {
  const status = kindOf(reply.body) === 'object' ? (reply.body as { status?: unknown }).status : undefined;
  return { ...(reply.body as object | undefined), status: typeof status === 'string' ? status : 'ok' };
}
