import { IbidError } from '../../core/errors.ts';
import { isRecord } from '../../core/records.ts';

/**
 * A check of a request before it is sent, for what a service would bill, lose or refuse late. It names the field and
 * the limit. The checks here let a field that is not there pass, unless they are `required`.
 * @throws IbidError INVALID_ARGUMENT
 */
export interface Check {
  (field: string, value: unknown): void;
  /** Lets `undefined` pass, so that a field that is not there need not be looked at. */
  readonly optional?: true;
}

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

/** The path of a field inside another: `tools[0].name`; at the top its name alone. */
export const within = (where: string, field: string): string => (where === '' ? field : `${where}.${field}`);

/** A string with something other than white space in it. */
export function requireText(field: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') refuse(field, `must be a string, got ${shown(value)}`);
  if (value.trim() === '') refuse(field, 'must not be empty or only white space');
}

export function requireRecord(field: string, value: unknown): asserts value is Record<string, unknown> {
  if (!isRecord(value)) refuse(field === '' ? 'request' : field, `must be an object, got ${shown(value)}`);
}

/** An id for a path, a text or a whole number: an empty one, or a dot segment, would lead to another operation. */
export function requireId(field: string, value: unknown): string {
  if (Number.isSafeInteger(value)) return String(value);
  requireText(field, value);
  if (value === '.' || value === '..') refuse(field, `must be an id, got "${value}"`);
  return value;
}

/** The same check of a field that may not be left out. */
export function required(check: Check, hint?: string): Check {
  return (field, value) => (value === undefined ? refuse(field, 'is required', hint) : check(field, value));
}

/** A check of every value but `undefined`; a request itself, which has no name, must be there. */
export function optional(check: Check): Check {
  const whole = (field: string, value: unknown): void => {
    if (value !== undefined || field === '') check(field, value);
  };
  return Object.assign(whole, { optional: true } as const);
}

/** Any value: a field that is known, and left to the service. */
export const anything: Check = optional(() => {});
/** Any string, an empty one too. */
export const string: Check = optional((field, value) => {
  if (typeof value !== 'string') refuse(field, `must be a string, got ${shown(value)}`);
});
/** A string with something other than white space in it. */
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
    if (choices.includes(value as string)) return; // what is no string is not among them
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
  const each = required(entry);
  return optional((field, value) => {
    if (!Array.isArray(value)) refuse(field, `must be a list, got ${shown(value)}`);
    if (value.length < least) refuse(field, `holds ${value.length} entries, at least ${least} needed`);
    if (value.length > most) refuse(field, `holds ${value.length} entries; the limit is ${most}`);
    for (let i = 0; i < value.length; i += 1) each(`${field}[${i}]`, value[i]);
  });
}

/** As `list`, with at least one entry. */
export const filled = (entry: Check): Check => list(entry, Number.MAX_SAFE_INTEGER, 1);

/** `null` passes too. */
export const nullable = (check: Check): Check =>
  optional((field, value) => {
    if (value !== null) check(field, value);
  });

/** A string that fits; `meaning` follows on "must be". */
export function pattern(fits: RegExp, meaning: string): Check {
  return optional((field, value) => {
    if (typeof value !== 'string' || !fits.test(value)) refuse(field, `must be ${meaning}, got ${shown(value)}`);
  });
}

/** A string with something in it, or what `check` allows. */
export function textOr(check: Check, other: 'a list' | 'an object' = 'a list'): Check {
  return optional((field, value) => {
    if (typeof value === 'string') text(field, value);
    else if (other === 'a list' ? Array.isArray(value) : isRecord(value)) check(field, value);
    else refuse(field, `must be a string or ${other}, got ${shown(value)}`);
  });
}

/** An address with one of these schemes. */
export function url(schemes: readonly ('http' | 'https')[] = ['http', 'https']): Check {
  return optional((field, value) => {
    const scheme = typeof value === 'string' && URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : '';
    if (!schemes.some((one) => one === scheme)) refuse(field, `must be an ${schemes.join(' or ')} address`);
  });
}

/** An object with these fields and no others; the path `''` is the request as a whole. */
export function fields(known: Fields): Check {
  const look = looking(known, false);
  return optional((field, value) => {
    requireRecord(field === '' ? 'request' : field, value);
    look(field, value);
  });
}

/** An object of which these fields are looked at; others pass. */
export function partly(known: Fields): Check {
  const look = looking(known, true);
  return optional((field, value) => {
    requireRecord(field, value);
    look(field, value);
  });
}

/** Looks at what is there, and at what may be needed: a request has few of the fields it may have. */
function looking(known: Fields, open: boolean): (field: string, value: Readonly<Record<string, unknown>>) => void {
  const checks = new Map(Object.entries(known));
  const needed = [...checks].filter(([, check]) => !check.optional);
  return (field, value) => {
    for (const name of Object.keys(value)) {
      const entry = value[name];
      if (entry === undefined) continue;
      const check = checks.get(name);
      if (check !== undefined) check(within(field, name), entry);
      else if (!open) refuseUnknown(within(field, name), name, checks.keys());
    }
    for (const [name, check] of needed) if (value[name] === undefined) check(within(field, name), undefined);
  };
}

/** An object whose `type` says which fields are looked at; others pass, or are refused with `look: fields`. */
export function kinds(byType: Readonly<Record<string, Fields>>, look: (known: Fields) => Check = partly): Check {
  const oneKind = required(oneOf(Object.keys(byType)));
  const checks = new Map<unknown, Check>(
    Object.entries(byType).map(([name, known]) => [name, look({ ...known, type: anything })]),
  );
  return optional((field, value) => {
    requireRecord(field, value);
    const check = checks.get(value.type);
    if (check === undefined) oneKind(within(field, 'type'), value.type);
    else check(field, value);
  });
}

/** As `fields`, at once, for a table that is used in one place. */
export function checkFields(where: string, value: unknown, known: Fields): asserts value is Record<string, unknown> {
  requireRecord(where, value);
  fields(known)(where, value);
}

/** Refuses fields nobody knows: a misspelt option must not be dropped, or billed without effect. */
export function checkKnown(where: string, value: object, known: Iterable<string>): void {
  const names = new Set(known);
  for (const [key, entry] of Object.entries(value)) {
    if (entry !== undefined && !names.has(key)) refuseUnknown(within(where, key), key, names);
  }
}

function refuseUnknown(field: string, name: string, known: Iterable<string>): never {
  const plain = (one: string): string => one.replace(/[_-]/g, '').toLowerCase();
  const names = [...known];
  const near = names.find((one) => plain(one) === plain(name));
  const hint = near === undefined ? `Known here: ${names.join(', ')}.` : `Did you mean "${near}"?`;
  return refuse(field, 'is not a field of this request', hint);
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
