import { IbidError } from '../core/errors.ts';

/** The part of JSON Schema that requests and answers are described in: it checks requests and stands in OpenAPI. */
export type Schema = TextSchema | NumberSchema | PlainSchema | ListSchema | AnyObjectSchema | AnyOfSchema;

interface Described {
  readonly description?: string;
  readonly default?: string | number | boolean;
}

interface TextSchema extends Described {
  readonly type: 'string';
  readonly anyOf?: undefined;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression; a wrong text is told the description. */
  readonly pattern?: string;
  readonly enum?: readonly string[];
}

interface NumberSchema extends Described {
  readonly type: 'integer' | 'number';
  readonly anyOf?: undefined;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Without a type: any value. */
interface PlainSchema extends Described {
  readonly type?: 'boolean' | 'null';
  readonly anyOf?: undefined;
}

interface ListSchema extends Described {
  readonly type: 'array';
  readonly anyOf?: undefined;
  readonly items: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface AnyObjectSchema extends Described {
  readonly type: 'object';
  readonly anyOf?: undefined;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** @default true */
  readonly additionalProperties?: boolean | Schema;
  readonly maxProperties?: number;
}

interface AnyOfSchema extends Described {
  readonly type?: undefined;
  readonly anyOf: readonly Schema[];
}

/** Names of the keys that must be there. */
type RequiredKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K }[keyof T];

/** The schema of an interface: it has every key, and no other. */
export interface ObjectSchema<T> extends AnyObjectSchema {
  readonly properties: { readonly [K in keyof T]-?: Schema };
  readonly required: readonly (RequiredKeys<T> & string)[];
}

/** Deeper values are refused: nothing of ours is so deep, and a check must not exhaust the stack. */
const DEEPEST = 32;

/**
 * Checks a value, for example a parsed body.
 * @throws IbidError INVALID_ARGUMENT that names the field
 */
export function checkValue(schema: Schema, value: unknown): void {
  const problem = problemOf(schema, value, 'the request', 0);
  if (problem !== undefined) throw new IbidError('INVALID_ARGUMENT', problem);
}

/** What is wrong with a value, as a sentence that names the field; undefined for a right one. */
function problemOf(schema: Schema, value: unknown, field: string, depth: number): string | undefined {
  if (depth > DEEPEST) return `${field} is nested too deeply`;
  if (schema.anyOf) {
    // of a value of the right kind, what is wrong with it is told, and not that it is of no other kind
    const ofKind = schema.anyOf.filter((one) => isOfKind(one, value));
    const problems = (ofKind.length > 0 ? ofKind : schema.anyOf).map((one) => problemOf(one, value, field, depth));
    return problems.includes(undefined)
      ? undefined
      : problems.map((one, i) => (i === 0 ? one : one!.replace(`${field} must be `, ''))).join(', or ');
  }
  switch (schema.type) {
    case undefined:
      return undefined;
    case 'null':
      return value === null ? undefined : `${field} must be null`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `${field} must be true or false`;
    case 'string':
      return problemOfText(schema, value, field);
    case 'array':
      return problemOfList(schema, value, field, depth);
    case 'object':
      return problemOfObject(schema, value, field, depth);
    default:
      return problemOfNumber(schema, value, field);
  }
}

function isOfKind({ type, anyOf }: Schema, value: unknown): boolean {
  if (anyOf) return anyOf.some((one) => isOfKind(one, value));
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return type === undefined || kind === (type === 'integer' ? 'number' : type);
}

function problemOfText(
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, description, enum: choices }: TextSchema,
  value: unknown,
  field: string,
): string | undefined {
  if (typeof value !== 'string') return `${field} must be a string`;
  if (choices) return choices.includes(value) ? undefined : `${field} must be one of ${choices.join(', ')}`;
  if (value.length < minLength) return `${field} must not be empty`;
  if (value.length > maxLength) return `${field} has ${value.length} characters, allowed are ${maxLength}`;
  return pattern === undefined || new RegExp(pattern, 'u').test(value)
    ? undefined
    : `${field} is wrong: ${description}`;
}

function problemOfNumber({ type, minimum, maximum }: NumberSchema, value: unknown, field: string): string | undefined {
  const isRight = type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (!isRight) return `${field} must be ${type === 'integer' ? 'a whole number' : 'a number'}`;
  const number = value as number; // as was checked
  if (minimum !== undefined && number < minimum) return `${field} must be at least ${minimum}`;
  return maximum !== undefined && number > maximum ? `${field} must be at most ${maximum}` : undefined;
}

function problemOfList(schema: ListSchema, value: unknown, field: string, depth: number): string | undefined {
  if (!Array.isArray(value)) return `${field} must be a list`;
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (value.length < minItems) return `${field} must have at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}`;
  if (value.length > maxItems) return `${field} has ${value.length} entries, allowed are ${maxItems}`;
  for (const [i, one] of value.entries()) {
    const problem = problemOf(items, one, `${field}[${i}]`, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOfObject(schema: AnyObjectSchema, value: unknown, field: string, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${field} must be an object`;
  const { properties = {}, required = [], additionalProperties = true, maxProperties = 1000 } = schema;
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${nameIn(field, missing)} is missing`;
  const entries = Object.entries(value);
  if (entries.length > maxProperties) return `${field} has too many keys`;
  for (const [name, one] of entries) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known === undefined && additionalProperties === false)
      return `${nameIn(field, name)} is not known; known are ${Object.keys(properties).join(', ')}`;
    const inner = known ?? (typeof additionalProperties === 'object' ? additionalProperties : {});
    const problem = problemOf(inner, one, nameIn(field, name), depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** A field as a path; names come from the request and are shown short. */
function nameIn(field: string, name: string): string {
  const short = name.length > 40 ? `${name.slice(0, 40)}…` : name;
  return field === 'the request' ? short : `${field}.${short}`;
}

/**
 * Reads the query of an address as the object that a body would be: numbers and flags by their types, lists and objects
 * as JSON, or a list by repeating its name.
 * @throws IbidError INVALID_ARGUMENT for a name that is given twice, or text that is not what its type says
 */
export function valueOfQuery(schema: AnyObjectSchema, query: URLSearchParams): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const texts = query.getAll(name);
    const known = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
    const one = texts.map((text) => valueOfText(known ?? {}, text));
    if (one.length > 1 && !takesList(known))
      throw new IbidError('INVALID_ARGUMENT', `${nameIn('the request', name)} was given twice`);
    Object.defineProperty(value, name, { value: one.length > 1 ? one : one[0], enumerable: true });
  }
  return value;
}

function takesList(schema: Schema | undefined): boolean {
  if (schema === undefined) return false;
  return schema.type === 'array' || (schema.anyOf ?? []).some((one) => one.type === 'array');
}

/** The value that a text stands for; the text itself where it stands for none, which the check then refuses. */
function valueOfText(schema: Schema, text: string): unknown {
  if (schema.anyOf?.some(({ type }) => type === 'string') && !(takesList(schema) && text.startsWith('['))) return text;
  if (schema.type === 'string' || (schema.type === undefined && !schema.anyOf)) return text;
  if (schema.type === 'boolean' && (text === '' || text === '1')) return true; // `?explain`
  if (schema.type === 'boolean' && text === '0') return false;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
