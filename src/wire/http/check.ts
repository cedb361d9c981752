import { IbidError } from '../../core/errors.ts';

/**
 * Checks of a request before it is sent, for what a service would bill, lose or refuse late. Each names the field and the limit.
 * A `Check` passes `undefined`; `required(check)` does not.
 * @throws IbidError INVALID_ARGUMENT
 */
export type Check = (field: string, value: unknown) => void;

/** The checks of an object's fields by their names: `{ page_size: integer(1, 100), name: required(text) }`. */
export type Fields = Readonly<Record<string, Check>>;

/** INVALID_ARGUMENT: the field as a path, and what is wrong with it. */
export function refuse(field: string, problem: string, hint?: string): never {
  throw new IbidError('INVALID_ARGUMENT', `${field}: ${problem}`, { hint });
}

/** How a value looks in a message: short, and never a whole text. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return value.length > 60 ? `"${value.slice(0, 60)}…"` : `"${value}"`;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The path of a field inside another: `tools[0].name`; at the top its name alone. */
export const within = (where: string, field: string): string => (where === '' ? field : `${where}.${field}`);

/** A string with something other than white space in it. */
export function requireText(field: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') refuse(field, `must be a string, got ${shown(value)}`);
  if (value.trim() === '') refuse(field, 'must not be empty or only white space');
}

export function requireRecord(field: string, value: unknown): asserts value is Record<string, unknown> {
  if (!isRecord(value)) refuse(field, `must be an object, got ${shown(value)}`);
}

/** An id for a path: an empty one, or a dot segment, would lead to another operation. */
export function requireId(field: string, value: unknown): string {
  requireText(field, value);
  if (value === '.' || value === '..') refuse(field, `must be an id, got "${value}"`);
  return value;
}

/** A check as it is, for `undefined` too. */
export function required(check: Check): Check {
  return (field, value) => (value === undefined ? refuse(field, 'is required') : check(field, value));
}

/** A check of every value but `undefined`. */
const optional =
  (check: Check): Check =>
  (field, value) => {
    if (value !== undefined) check(field, value);
  };

/** Any value: a field that is known, and left to the service. */
export const anything: Check = () => {};
export const text: Check = optional(requireText);
export const record: Check = optional(requireRecord);

export const boolean: Check = optional((field, value) => {
  if (typeof value !== 'boolean') refuse(field, `must be true or false, got ${shown(value)}`);
});

/** A whole number, both ends included. */
export function integer(least: number, most: number = Number.MAX_SAFE_INTEGER): Check {
  const range = most === Number.MAX_SAFE_INTEGER ? `at least ${least}` : `from ${least} to ${most}`;
  return optional((field, value) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return;
    refuse(field, `must be a whole number ${range}, got ${shown(value)}`);
  });
}

/** A number, both ends included. */
export function number(least: number, most: number): Check {
  return optional((field, value) => {
    if (typeof value === 'number' && value >= least && value <= most) return;
    refuse(field, `must be a number from ${least} to ${most}, got ${shown(value)}`);
  });
}

export function oneOf(choices: readonly string[], hint?: string): Check {
  return optional((field, value) => {
    if (typeof value === 'string' && choices.includes(value)) return;
    const names = choices.map((choice) => `"${choice}"`).join(', ');
    refuse(field, `must be one of ${names}, got ${shown(value)}`, hint);
  });
}

/** A string of so many characters (code points). */
export function characters(least: number, most: number): Check {
  return optional((field, value) => {
    if (typeof value !== 'string') refuse(field, `must be a string, got ${shown(value)}`);
    const { length } = [...value];
    if (length < least || length > most) refuse(field, `has ${length} characters, allowed are ${least} to ${most}`);
  });
}

/** A list of so many entries, each checked. */
export function list(entry: Check, most: number = Number.MAX_SAFE_INTEGER, least = 0): Check {
  return optional((field, value) => {
    if (!Array.isArray(value)) refuse(field, `must be a list, got ${shown(value)}`);
    if (value.length < least) refuse(field, `holds ${value.length} entries, at least ${least} needed`);
    if (value.length > most) refuse(field, `holds ${value.length} entries; the limit is ${most}`);
    for (const [index, one] of value.entries()) required(entry)(`${field}[${index}]`, one);
  });
}

/** An address with one of these schemes. */
export function url(schemes: readonly ('http' | 'https')[] = ['http', 'https']): Check {
  return optional((field, value) => {
    const scheme = typeof value === 'string' && URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : '';
    if (!schemes.some((one) => one === scheme)) refuse(field, `must be an ${schemes.join(' or ')} address`);
  });
}

/** An object with these fields and no others. */
export function fields(known: Fields): Check {
  return optional((field, value) => checkFields(field, value, known));
}

/** As `fields`, at once; `where` is `''` for a request as a whole. */
export function checkFields(where: string, value: unknown, known: Fields): asserts value is Record<string, unknown> {
  requireRecord(where === '' ? 'request' : where, value);
  checkKnown(where, value, Object.keys(known));
  for (const [name, check] of Object.entries(known)) check(within(where, name), value[name]);
}

/** Refuses fields nobody knows: a misspelt option must not be dropped, or billed without effect. */
export function checkKnown(where: string, value: object, known: Iterable<string>): void {
  let names: Set<string> | undefined;
  for (const [key, entry] of Object.entries(value)) {
    if (entry === undefined) continue;
    names ??= known instanceof Set ? known : new Set(known);
    if (names.has(key)) continue;
    const plain = (name: string): string => name.replace(/[_-]/g, '').toLowerCase();
    const near = [...names].find((name) => plain(name) === plain(key));
    const hint = near === undefined ? `Known here: ${[...names].join(', ')}.` : `Did you mean "${near}"?`;
    refuse(within(where, key), 'is not a field of this request', hint);
  }
}

/** Exactly one of the fields of `value` is set. */
export function exactlyOne(value: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(value);
  const set = names.filter((name) => value[name] !== undefined);
  if (set.length === 1) return;
  const problem = set.length === 0 ? 'one of them is needed' : `only one is allowed, given are ${set.join(', ')}`;
  refuse(names.join(', '), problem);
}

/** A change that names nothing is a mistake of the caller. */
export function requireChange(value: unknown): void {
  requireRecord('request', value);
  if (Object.values(value).every((entry) => entry === undefined)) refuse('request', 'names nothing to change');
}
