import { IbidError } from '../core/errors.ts';

/**
 * Checks a text given by a caller, because JavaScript callers may pass any type.
 * @throws IbidError INVALID_ARGUMENT
 */
export function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new IbidError('INVALID_ARGUMENT', `${name} must be a string, not ${value === null ? 'null' : typeof value}`);
}

/** One text, or a list with at least one text. @throws IbidError INVALID_ARGUMENT */
export function atLeastOne(value: unknown, name: string): readonly string[] {
  const list = typeof value === 'string' ? [value] : value;
  if (Array.isArray(list) && list.length > 0 && list.every((one) => typeof one === 'string' && one !== '')) return list;
  throw new IbidError('INVALID_ARGUMENT', `no ${name} was given`, { hint: 'Give a string, or a list of strings.' });
}
