import { IbidError } from '../core/errors.ts';
import { filterColumns } from './schema.ts';
import { sqlString } from './sql.ts';

type Value = string | number | boolean;

/** What a column must be: a value, one of several values, no value (`null`), or within bounds. */
export type Condition =
  | Value
  | null
  | readonly Value[]
  | {
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
export type Where = string | Readonly<Record<string, Condition | undefined>>;

const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=', like: 'LIKE' } as const;

/**
 * The filter as SQL. An object without conditions lets all rows through.
 * @throws IbidError INVALID_FILTER for an unknown column or a value that has no comparison
 */
export function whereSql(where: Where | undefined): string | undefined {
  if (where === undefined || typeof where === 'string') return where;
  if (where === null || typeof where !== 'object' || Array.isArray(where))
    throw invalid('it must be SQL text or an object');
  const parts = Object.entries(where).flatMap(([name, condition]) =>
    condition === undefined ? [] : conditionSql(columnSql(name), name, condition),
  );
  return parts.length === 0 ? undefined : parts.map((part) => `(${part})`).join(' AND ');
}

function columnSql(name: string): string {
  if (name.startsWith('metadata.') && name.length > 'metadata.'.length)
    return `metadata."${name.slice('metadata.'.length).replaceAll('"', '""')}"`;
  if (filterColumns.includes(name) && name !== 'metadata') return name;
  throw invalid(`there is no column "${name}"`);
}

function conditionSql(column: string, name: string, condition: Condition): string[] {
  if (condition === null) return [`${column} IS NULL`];
  if (isList(condition)) {
    if (condition.length === 0) return ['false'];
    return [condition.map((value) => `${column} = ${valueSql(name, value)}`).join(' OR ')];
  }
  if (typeof condition !== 'object') return [`${column} = ${valueSql(name, condition)}`];
  const unknown = Object.keys(condition).find((key) => key !== 'not' && !Object.hasOwn(comparisons, key));
  if (unknown !== undefined)
    throw invalid(`"${unknown}" is no comparison of "${name}"; use not, gt, gte, lt, lte, like`);
  const parts: string[] = [];
  const { not } = condition;
  if (not === null) parts.push(`${column} IS NOT NULL`);
  else if (not !== undefined) parts.push(`(${column} <> ${valueSql(name, not)} OR ${column} IS NULL)`);
  for (const [key, sign] of Object.entries(comparisons) as [keyof typeof comparisons, string][]) {
    const value = condition[key];
    if (value !== undefined) parts.push(`${column} ${sign} ${valueSql(name, value)}`);
  }
  return parts;
}

function isList(condition: object | Value): condition is readonly Value[] {
  return Array.isArray(condition);
}

function valueSql(name: string, value: unknown): string {
  if (typeof value === 'string') return sqlString(value);
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value);
  throw invalid(`"${name}" cannot be compared with ${typeof value === 'number' ? value : `a ${typeof value}`}`);
}

function invalid(why: string): IbidError {
  return new IbidError('INVALID_FILTER', `the filter cannot be used: ${why}`, {
    hint: `Columns: ${filterColumns.join(', ')}. Example: { format: 'pdf', 'metadata.year': { gte: 2020 } }`,
  });
}
