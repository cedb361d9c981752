// Checks at the doors of the library: callers in JavaScript may pass any type. All throw INVALID_ARGUMENT.
import { IbidError } from './errors.ts';
import { isRecord } from './records.ts';

function wrong(name: string, wanted: string, value: unknown): IbidError {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value;
  const given = kind === 'number' ? String(value) : kind;
  return new IbidError('INVALID_ARGUMENT', `${name} must be ${wanted}, not ${given}`, {
    hint: `Give ${wanted}; what is optional may be left out.`,
  });
}

export function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw wrong(name, 'a string', value);
}

/** A query or a question. */
export function wordsOf(value: unknown, name: string): string {
  const text = textOf(value, name);
  if (text.trim() !== '') return text;
  throw new IbidError('INVALID_ARGUMENT', `${name} is empty`, { hint: 'Write what you want to know, in words.' });
}

/** Names of the properties that a value must have. */
type Needed<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K }[keyof T] & string;

/** @param fields those that are looked for */
export function objectOf<T>(value: T, name: string, ...fields: readonly Needed<T>[]): T {
  if (!isRecord(value)) throw wrong(name, 'an object', value);
  const missing = fields.find((field) => value[field] === undefined);
  if (missing === undefined) return value;
  throw new IbidError('INVALID_ARGUMENT', `${name} must have \`${missing}\``, { hint: `Give ${missing}.` });
}

export function textsOf<T>(value: T, name: string): T {
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    throw wrong(name, 'a list of strings', value);
  return value;
}

/** A whole number, both ends included. */
export function wholeOf(value: unknown, name: string, least: number, most: number = Number.MAX_SAFE_INTEGER): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw wrong(name, `a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`, value);
}

/**
 * A number, both ends included; NaN is none.
 * @param most `Infinity` lets an infinite one through
 * @param unit as in `a number of USD`
 */
export function numberOf(
  value: unknown,
  name: string,
  least: number,
  most: number = Number.MAX_VALUE,
  unit?: string,
): number {
  if (typeof value === 'number' && value >= least && value <= most) return value;
  const number = unit === undefined ? 'a number' : `a number of ${unit}`;
  throw wrong(name, `${number} from ${least}${most >= Number.MAX_VALUE ? '' : ` to ${most}`}`, value);
}

/** A number above 0, `Infinity` too. */
export function positiveOf(value: unknown, name: string): number {
  if (typeof value === 'number' && value > 0) return value;
  throw wrong(name, 'a number above 0', value);
}

/** One of a few words. */
export function wordOf<T extends string>(value: unknown, name: string, words: readonly T[]): T {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  if (typeof value !== 'string') throw wrong(name, words.join(', '), value);
  throw new IbidError('INVALID_ARGUMENT', `there is no ${name} "${value}"`, { hint: `Use ${words.join(', ')}.` });
}

export function listOf<T>(value: T, name: string): T {
  if (!Array.isArray(value)) throw wrong(name, 'a list', value);
  return value;
}

type Values<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;

/** What an option must be by its type alone; `true` for one that the call checks itself. */
type OptionKind<V> = [V] extends [boolean | undefined]
  ? 'flag'
  : [V] extends [((...given: never) => unknown) | undefined]
    ? 'function'
    : [V] extends [string | undefined]
      ? 'text'
      : true;

/** All options of a call, by their names: the compiler asks for each of `T`, and for its kind. */
export interface KnownOptions<T extends object = never> {
  readonly of: string;
  readonly names: { readonly [K in T extends unknown ? keyof T : never]: OptionKind<Values<T, K>> };
}

const kinds: Readonly<Record<string, readonly [is: string, wanted: string]>> = {
  flag: ['boolean', 'true or false'],
  function: ['function', 'a function'],
  text: ['string', 'a string'],
};

/**
 * Options of a call, with a signal that can be listened to.
 * @param known refuses all others, as a misspelt option would be passed over, and values of another kind
 */
export function optionsOf<T extends object>(options: T, known?: KnownOptions): T {
  const { signal } = objectOf<T & { readonly signal?: unknown }>(options, 'the options');
  // a signal of another realm, as test runners have it, is no instance of our class
  if (signal !== undefined && typeof (signal as AbortSignal | null)?.throwIfAborted !== 'function')
    throw wrong('signal', 'an AbortSignal', signal);
  if (known === undefined) return options;
  const names: Readonly<Record<string, unknown>> = known.names;
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(names, name)) throw unknownName(`${known.of} has no option "${name}"`, name, Object.keys(names));
    const kind = kinds[String(names[name])];
    // any other value would count as true, or fail where it is used
    if (kind && typeof value !== kind[0]) throw wrong(name, kind[1], value);
  }
  return options;
}

/**
 * Checks options that are objects.
 * @param of the option that these are parts of
 */
export function objectsOf<T extends object>(options: T, names: readonly (keyof T & string)[], of?: string): void {
  for (const name of names)
    if (options[name] !== undefined && !isRecord(options[name]))
      throw wrong(of === undefined ? name : `${of}.${name}`, 'an object', options[name]);
}

/** Checks options that are lists. */
export function listsOf<T extends object>(options: T, names: readonly (keyof T & string)[]): void {
  for (const name of names) if (options[name] !== undefined) listOf(options[name], name);
}

/** Checks options that are functions. */
export function functionsOf<T extends object>(options: T, names: readonly (keyof T & string)[]): void {
  for (const name of names)
    if (options[name] !== undefined && typeof options[name] !== 'function')
      throw wrong(name, 'a function', options[name]);
}

/** An option that is true, false, or an object of options: any other value would count as true. */
export function checkChoice(value: unknown, name: string): void {
  if (value !== undefined && typeof value !== 'boolean' && !isRecord(value))
    throw wrong(name, 'true, false or an object', value);
}

/** Refuses a name that is none of an object's own: a misspelt one would be passed over. */
export function namedOf<T extends object>(options: T, names: readonly (keyof T & string)[], of: string): T {
  const unknown = Object.keys(options).find((name) => !names.some((one) => one === name));
  if (unknown === undefined) return options;
  throw unknownName(`${of} has no "${unknown}"`, unknown, names);
}

function unknownName(message: string, name: string, known: readonly string[]): IbidError {
  const nearest = nearestName(name, known);
  return new IbidError('INVALID_ARGUMENT', message, {
    hint: `${nearest === undefined ? '' : `Did you mean "${nearest}"? `}There are: ${known.join(', ')}.`,
  });
}

/** One text, or a list with at least one text. */
export function atLeastOne(value: unknown, name: string): readonly string[] {
  const list = typeof value === 'string' ? [value] : value;
  if (Array.isArray(list) && list.length > 0 && list.every((one) => typeof one === 'string' && one !== '')) return list;
  throw new IbidError('INVALID_ARGUMENT', `no ${name} was given`, { hint: 'Give a string, or a list of strings.' });
}

/** Letters to add, leave out or change on the way from one word to the other (Levenshtein 1966). */
export function slipsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (const [i, letter] of [...from].entries()) {
    const above = row;
    row = [i + 1];
    for (let j = 1; j <= to.length; j++)
      row.push(Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (letter === to[j - 1] ? 0 : 1)));
  }
  return row[to.length]!;
}

/**
 * The known name that a misspelt one is most likely meant to be; undefined where none is near.
 * @throws IbidError INVALID_ARGUMENT for what are no names
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const written = textOf(name, 'the name').toLowerCase();
  const [nearest] = textsOf(known, 'the known names')
    .map((other) => ({ other, slips: slipsBetween(written, other.toLowerCase()) }))
    .filter(({ other, slips }) => slips <= Math.max(2, other.length / 2))
    .sort((a, b) => a.slips - b.slips);
  return nearest?.other;
}
