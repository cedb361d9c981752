import type { Operation, ReplyInfo } from './contract.ts';
import { WireError, type WireErrorFacts } from './errors.ts';

/** What is known of a call when its answer is looked at. */
export interface Where {
  readonly operation: Pick<Operation, 'service' | 'name'>;
  readonly info?: ReplyInfo | undefined;
}

export function factsOf({ operation, info }: Where): WireErrorFacts {
  return {
    service: operation.service,
    operation: operation.name,
    status: info?.status,
    requestId: info?.requestId,
    attempts: info?.attempts,
  };
}

/** For what goes wrong inside a stream that began with 200: that status says nothing about it. */
export function streamFactsOf(where: Where): WireErrorFacts {
  const { status: _, ...facts } = factsOf(where);
  return facts;
}

/** A reply's facts without its body. */
export function infoOf({ status, headers, requestId, attempts, elapsedMs }: ReplyInfo): ReplyInfo {
  return { status, headers, requestId, attempts, elapsedMs };
}

/** RESPONSE_INVALID: the service answered with something its reference does not allow. */
export function invalidAnswer(where: Where, problem: string, hint?: string): WireError {
  return new WireError('RESPONSE_INVALID', `${where.operation.name}: ${problem}`, { ...factsOf(where), hint });
}

type Kind = 'string' | 'number' | 'boolean' | 'array' | 'object';

/**
 * The fields of an answer that are relied on: `{ id: 'string', name: 'string?', voices: [{ voice_id: 'string' }] }`. A
 * `?` lets a field be absent or null; a shape in brackets is a list of such objects. All other fields are the service's
 * and stay as they are.
 */
export interface Shape {
  readonly [field: string]: Kind | `${Kind}?` | readonly [Shape];
}

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : value === undefined ? 'nothing' : typeof value;

/**
 * The body as `T`, after the fields of `shape` were looked at.
 * @throws WireError RESPONSE_INVALID naming the operation and the field
 */
export function shaped<T>(where: Where, body: unknown, shape: Shape, at = 'the body'): T {
  if (kindOf(body) !== 'object') throw invalidAnswer(where, `${at} is ${kindOf(body)}, object was expected`);
  const values = body as Readonly<Record<string, unknown>>; // an object, as `kindOf` says
  for (const [name, wanted] of Object.entries(shape)) {
    const value = values[name];
    const field = at === 'the body' ? name : `${at}.${name}`;
    if (typeof wanted !== 'string') {
      shapedList(where, value, wanted[0], field);
      continue;
    }
    if (wanted.endsWith('?') && (value === undefined || value === null)) continue;
    const kind = wanted.replace('?', '');
    if (kindOf(value) !== kind) throw invalidAnswer(where, `${field} is ${kindOf(value)}, ${kind} was expected`);
  }
  return body as T; // the fields the caller relies on have been looked at, the rest is optional in `T`
}

/** Every entry of a list as `T`. @throws WireError RESPONSE_INVALID */
export function shapedList<T>(where: Where, value: unknown, shape: Shape, at = 'the body'): readonly T[] {
  if (!Array.isArray(value)) throw invalidAnswer(where, `${at} is ${kindOf(value)}, array was expected`);
  return value.map((entry, index) => shaped<T>(where, entry, shape, `${at}[${index}]`));
}

/**
 * Entries by their `index`, which must be 0 … count − 1, each once.
 * @throws WireError RESPONSE_INVALID
 */
export function byIndex(where: Where, at: string, list: unknown, count: number): readonly Record<string, unknown>[] {
  const sorted: (Record<string, unknown> | undefined)[] = new Array(count).fill(undefined);
  const entries = shapedList<Record<string, unknown>>(where, list, { index: 'number' }, at);
  for (const [position, entry] of entries.entries()) {
    const index = Number(entry.index);
    if (!Number.isInteger(index) || index < 0 || index >= count) {
      throw invalidAnswer(where, `${at}[${position}].index is ${index}; ${count} entries were asked for`);
    }
    if (sorted[index] !== undefined) throw invalidAnswer(where, `${at} holds index ${index} twice`);
    sorted[index] = entry;
  }
  return sorted.map((entry, index) => {
    if (entry !== undefined) return entry;
    throw invalidAnswer(where, `${at} holds no index ${index}; ${entries.length} of ${count} entries came`);
  });
}
