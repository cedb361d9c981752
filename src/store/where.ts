import { IbidError } from '../core/errors.ts';
import { filterColumns } from './schema.ts';
import { sqlString } from './sql.ts';

type Value = string | number | boolean;

/**
 * What a column must be: a value, one of several values, no value (`null`), or within bounds. A number finds numbers
 * alone, and a boolean booleans; a text is compared with every value of metadata as it is written.
 */
export type Condition =
  | Value
  | null
  | readonly (Value | null)[]
  | {
      /** All that this value does not find: rows without a value too. */
      readonly not?: Value | null | undefined;
      readonly gt?: string | number | undefined;
      readonly gte?: string | number | undefined;
      readonly lt?: string | number | undefined;
      readonly lte?: string | number | undefined;
      /** An SQL pattern: `%` stands for any text, `_` for one character. */
      readonly like?: string | undefined;
    };

/**
 * Selects chunks. An object names columns (`uri`, `title`, `format`, `position`, `text`, `tokens`, `metadata.<key>`)
 * and a condition for each; all must hold. Values are bound, never read as SQL. A string is SQL over the same columns.
 */
export type Where = string | Readonly<Record<string, Condition>>;

const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=', like: 'LIKE' } as const;

/**
 * The filter as SQL. An object without conditions lets all rows through.
 * @throws IbidError INVALID_FILTER for an unknown column or a value that has no comparison
 */
export function whereSql(where: Where | undefined): string | undefined {
  if (where === undefined || typeof where === 'string') return where;
  if (!isPlain(where)) throw invalid('it must be SQL text or an object');
  const parts = Object.entries(where).flatMap(([name, condition]) => conditionSql(columnSql(name), name, condition));
  return parts.length === 0 ? undefined : parts.map((part) => `(${part})`).join(' AND ');
}

function columnSql(name: string): string {
  if (name.startsWith('metadata.') && name.length > 'metadata.'.length)
    return `metadata."${name.slice('metadata.'.length).replaceAll('"', '""')}"`;
  if (filterColumns.includes(name) && name !== 'metadata') return name;
  throw invalid(`there is no column "${name}"`);
}

function conditionSql(column: string, name: string, condition: Condition | undefined): string[] {
  // all rows would pass: a scope that lost its value would show everything
  if (condition === undefined) throw comparesNothing(name);
  if (condition === null) return [`${column} IS NULL`];
  if (isList(condition)) return [listSql(column, name, condition)];
  if (!isPlain(condition)) return [`${column} = ${valueSql(name, condition)}`];
  const unknown = Object.keys(condition).find((key) => key !== 'not' && !Object.hasOwn(comparisons, key));
  if (unknown !== undefined)
    throw invalid(`"${unknown}" is no comparison of "${name}"; use not, gt, gte, lt, lte, like`);
  const parts: string[] = [];
  const { not } = condition;
  if (not === null) parts.push(`${column} IS NOT NULL`);
  else if (not !== undefined) parts.push(`(${column} = ${valueSql(name, not)}) IS NOT TRUE`);
  for (const [key, sign] of Object.entries(comparisons) as [keyof typeof comparisons, string][]) {
    const value = condition[key];
    if (value !== undefined) parts.push(`${column} ${sign} ${valueSql(name, value)}`);
  }
  if (parts.length === 0) throw comparesNothing(name);
  return parts;
}

/** One `IN` for each type, because the literals beside a name give the type of its values. */
function listSql(column: string, name: string, values: readonly (Value | null)[]): string {
  const byType = Map.groupBy(values, (value) => (value === null ? 'null' : typeof value));
  const parts = [...byType].map(([type, some]) =>
    type === 'null' ? `${column} IS NULL` : `${column} IN (${some.map((value) => valueSql(name, value)).join(', ')})`,
  );
  return parts.length === 0 ? 'false' : parts.join(' OR ');
}

function isList(condition: unknown): condition is readonly (Value | null)[] {
  return Array.isArray(condition);
}

/** No list and of no class: a `Date` or a `Set` has no keys, and would be no condition. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || isList(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null; // `Object.prototype`, of any realm
}

function valueSql(name: string, value: unknown): string {
  if (typeof value === 'string') return sqlString(value);
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value);
  const shown =
    typeof value === 'number' ? value : `a value of type ${Object.prototype.toString.call(value).slice(8, -1)}`;
  throw invalid(`"${name}" cannot be compared with ${shown}`);
}

function comparesNothing(name: string): IbidError {
  return invalid(`"${name}" is compared with nothing; leave it out if it may be anything`);
}

function invalid(why: string): IbidError {
  return new IbidError('INVALID_FILTER', `the filter cannot be used: ${why}`, {
    hint:
      `Columns: ${filterColumns.join(', ')}. Values: texts, numbers, booleans, null, lists of these; a date as its ISO text. ` +
      `Example: { format: 'pdf', 'metadata.year': { gte: 2020 } }`,
  });
}
