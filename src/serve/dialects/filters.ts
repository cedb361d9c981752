import { IbidError } from '../../core/errors.ts';
import { sqlString } from '../../store/sql.ts';
import type { Schema } from '../schema.ts';

/** The filters of the search service, as far as documents have what they ask for. */
export interface DocumentFilterFields {
  readonly search_domain_filter?: readonly string[] | null;
  readonly search_language_filter?: readonly string[] | null;
  readonly search_recency_filter?: 'hour' | 'day' | 'week' | 'month' | 'year' | null;
  readonly search_after_date_filter?: string | null;
  readonly search_before_date_filter?: string | null;
  readonly last_updated_after_filter?: string | null;
  readonly last_updated_before_filter?: string | null;
}

const texts: Schema = {
  anyOf: [{ type: 'array', items: { type: 'string', maxLength: 300 }, maxItems: 20 }, { type: 'null' }],
};
const date: Schema = { anyOf: [{ type: 'string', maxLength: 10 }, { type: 'null' }] };

export const filterSchemas: { readonly [K in keyof DocumentFilterFields]-?: Schema } = {
  search_domain_filter: texts,
  search_language_filter: texts,
  search_recency_filter: {
    anyOf: [{ type: 'string', enum: ['hour', 'day', 'week', 'month', 'year'] }, { type: 'null' }],
  },
  search_after_date_filter: date,
  search_before_date_filter: date,
  last_updated_after_filter: date,
  last_updated_before_filter: date,
};

const days = { hour: 1 / 24, day: 1, week: 7, month: 31, year: 366 } as const;

/**
 * SQL over documents; undefined without a filter. A domain is a folder, or the site of an address that was indexed;
 * dates are those of `metadata.date` (of mails `metadata.sentAt`) and `metadata.updated`, languages those of
 * `metadata.language`.
 * @throws IbidError INVALID_ARGUMENT for a date that is none
 */
export function documentFilter(fields: DocumentFilterFields, now: number = Date.now()): string | undefined {
  const parts: string[] = [];
  const domains = fields.search_domain_filter ?? [];
  const wanted = domains.filter((name) => !name.startsWith('-'));
  if (wanted.length > 0) parts.push(wanted.map(isBelow).join(' OR '));
  for (const name of domains.filter((one) => one.startsWith('-'))) parts.push(`NOT (${isBelow(name.slice(1))})`);
  const languages = fields.search_language_filter ?? [];
  if (languages.length > 0) parts.push(`metadata.language IN (${languages.map(sqlString).join(', ')})`);
  const recency = fields.search_recency_filter;
  if (recency) parts.push(isWithin('date', '>=', dayOf(now - days[recency] * 86_400_000)));
  const bounds = [
    ['date', '>=', fields.search_after_date_filter],
    ['date', '<=', fields.search_before_date_filter],
    ['updated', '>=', fields.last_updated_after_filter],
    ['updated', '<=', fields.last_updated_before_filter],
  ] as const;
  for (const [key, sign, value] of bounds) if (value) parts.push(isWithin(key, sign, isoDate(value, sign)));
  return parts.length === 0 ? undefined : parts.map((part) => `(${part})`).join(' AND ');
}

function isBelow(name: string): string {
  const folder = name.replace(/\/+$/, '');
  const beginnings = [`${folder}/`, `http://${folder}/`, `https://${folder}/`, `https://www.${folder}/`];
  return [`uri = ${sqlString(folder)}`, ...beginnings.map((one) => `starts_with(uri, ${sqlString(one)})`)].join(' OR ');
}

/** Dates are compared as texts: what begins with no digit is none, such as the `Mon, 30 Jun 2025` of a mail. */
function isWithin(key: 'date' | 'updated', sign: '>=' | '<=', date: string): string {
  const other = sign === '>=' ? "< ':'" : ">= '0'";
  const columns = key === 'date' ? ['metadata.date', 'metadata.sentAt'] : [`metadata.${key}`];
  return columns.map((one) => `(${one} ${sign} ${sqlString(date)} AND ${one} ${other})`).join(' OR ');
}

/** `MM/DD/YYYY` as documents write dates; the last moment of the day for an end. */
function isoDate(text: string, sign: '>=' | '<='): string {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  const date = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
  const time = Date.parse(date);
  // a day after the last one of its month is read as one of the next
  if (Number.isNaN(time) || dayOf(time) !== date)
    throw new IbidError('INVALID_ARGUMENT', `"${text}" is not a date as MM/DD/YYYY`);
  return sign === '>=' ? date : `${date}T99`;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
