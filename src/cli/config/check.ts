import { nearestName } from '../../index.ts';

/** The part of JSON Schema that `description.ts` uses. */
export interface Schema {
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer';
  readonly properties?: Readonly<Record<string, Schema>>;
  /** Of other properties: `false` allows none. */
  readonly additionalProperties?: Schema | false;
  readonly propertyNames?: { readonly enum: readonly string[] };
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly minLength?: number;
  readonly pattern?: string;
}

/** Names of properties and indexes of lists, from the top. */
export type Path = readonly (string | number)[];

export interface Problem {
  readonly path: Path;
  /** Says what is allowed. */
  readonly message: string;
}

/** Where a value does not fit a schema; empty when it fits. */
export function problemsOf(value: unknown, schema: Schema, path: Path = []): readonly Problem[] {
  const problem = (message: string): readonly Problem[] => [{ path, message }];
  if (schema.anyOf) {
    const fitting = schema.anyOf.find((one) => hasType(value, one)); // each of them has another type
    return fitting ? problemsOf(value, fitting, path) : problem(`must be ${schema.anyOf.map(named).join(' or ')}`);
  }
  if (!hasType(value, schema)) return problem(`must be ${named(schema)}, not ${shown(value)}`);
  if (Array.isArray(value)) return value.flatMap((item, i) => problemsOf(item, schema.items ?? {}, [...path, i]));
  if (isObject(value)) return problemsOfObject(value, schema, path);
  if (typeof value === 'number' && value < (schema.minimum ?? -Infinity))
    return problem(`must be at least ${schema.minimum}, not ${value}`);
  if (typeof value !== 'string') return [];
  if (schema.enum && !schema.enum.includes(value))
    return problem(`must be ${schema.enum.map((one) => `"${one}"`).join(' or ')}, not "${value}"`);
  if ([...value].length < (schema.minLength ?? 0)) return problem('must not be empty');
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value))
    return problem(`must match ${schema.pattern}, not "${value}"`);
  return [];
}

function problemsOfObject(value: object, schema: Schema, path: Path): readonly Problem[] {
  const { properties = {}, additionalProperties: rest, propertyNames, required = [] } = schema;
  const known = propertyNames?.enum ?? (rest === false ? Object.keys(properties) : undefined);
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ path, message: `needs "${name}"` }));
  const inside = Object.entries(value).flatMap(([name, inner]): readonly Problem[] => {
    if (known && !known.includes(name)) return [{ path: [...path, name], message: unknownName(name, known) }];
    return problemsOf(inner, (Object.hasOwn(properties, name) ? properties[name] : rest || undefined) ?? {}, [
      ...path,
      name,
    ]);
  });
  return [...missing, ...inside];
}

function unknownName(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return `is not known${nearest === undefined ? '.' : `; did you mean "${nearest}"?`} Known are ${known.join(', ')}`;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function hasType(value: unknown, { type }: Schema): boolean {
  if (type === undefined) return true;
  if (type === 'object') return isObject(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return Number.isFinite(value); // 1e999 is JSON too
  return typeof value === type;
}

function named({ type = 'string' }: Schema): string {
  if (type === 'array') return 'a list';
  if (type === 'integer') return 'a whole number';
  return type === 'object' ? 'an object' : type === 'number' ? 'a number' : 'a text';
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return isObject(value) ? 'an object' : JSON.stringify(value);
}

/** `services.search.headers["x team"]`, `folders[1]`; the whole file is ''. */
export function printedPath(path: Path): string {
  return path
    .map((part) => (typeof part === 'string' && /^[\w$]+$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`))
    .join('')
    .replace(/^\./, '');
}
