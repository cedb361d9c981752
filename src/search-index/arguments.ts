import { IbidError } from '../core/errors.ts';

/**
 * Checks a text given by a caller, because JavaScript callers may pass any type.
 * @throws IbidError INVALID_ARGUMENT
 */
export function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new IbidError('INVALID_ARGUMENT', `${name} must be a string, not ${value === null ? 'null' : typeof value}`);
}

/**
 * Checks options that are objects, `null` among what JavaScript callers may pass.
 * @param of the option that these are parts of
 * @throws IbidError INVALID_ARGUMENT with the name of the option
 */
export function objectsOf<T extends object>(options: T, names: readonly (keyof T & string)[], of?: string): void {
  for (const part of names) {
    const value: unknown = options[part];
    const name = of === undefined ? part : `${of}.${part}`;
    if (value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value))) continue;
    const given = value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;
    throw new IbidError('INVALID_ARGUMENT', `${name} must be an object, not ${given}`, { hint: `Leave ${name} out.` });
  }
}

/** Checks options that are lists, as `objectsOf` does. @throws IbidError INVALID_ARGUMENT with the name of the option */
export function listsOf<T extends object>(options: T, names: readonly (keyof T & string)[]): void {
  for (const name of names)
    if (options[name] !== undefined && !Array.isArray(options[name]))
      throw new IbidError('INVALID_ARGUMENT', `${name} must be a list`, { hint: `Leave ${name} out.` });
}

/** One text, or a list with at least one text. @throws IbidError INVALID_ARGUMENT */
export function atLeastOne(value: unknown, name: string): readonly string[] {
  const list = typeof value === 'string' ? [value] : value;
  if (Array.isArray(list) && list.length > 0 && list.every((one) => typeof one === 'string' && one !== '')) return list;
  throw new IbidError('INVALID_ARGUMENT', `no ${name} was given`, { hint: 'Give a string, or a list of strings.' });
}
