import { isRecord } from '../../core/records.ts';
import { invalidAnswer, shaped, type Where } from '../http/answer.ts';

/** Fields this client does not know survive: they are there, untyped. */
export interface Open {
  readonly [field: string]: unknown;
}

/**
 * An absent or null array counts as empty; entries that are no objects are left out of what is read (the body keeps
 * them).
 */
export function records(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];
}

export function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function optionalNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A count or an amount of money: what is negative or beyond all measure is not one. */
export function optionalQuantity(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined;
}

/** JSON of a stream event. @throws WireError RESPONSE_INVALID */
export function jsonOf(where: Where, data: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    throw invalidAnswer(where, 'an event of the stream is not JSON');
  }
  return shaped(where, value, {}, 'an event of the stream');
}
