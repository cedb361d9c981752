import { checkOneOf, checkTexts, refuse, shown } from './check.ts';

/** Which pages a search may see. The same fields filter answers, searches and the research tool `web_search`. */
export interface SearchFilters {
  /** Up to 20 domains, without scheme: all allowed ones, or all denied ones (`-example.org`). */
  readonly search_domain_filter?: readonly string[] | undefined;
  readonly search_recency_filter?: 'hour' | 'day' | 'week' | 'month' | 'year' | undefined;
  /** Publication date, `MM/DD/YYYY`; not together with a recency. */
  readonly search_after_date_filter?: string | undefined;
  readonly search_before_date_filter?: string | undefined;
  /** Date of the page's last change, `MM/DD/YYYY`. */
  readonly last_updated_after_filter?: string | undefined;
  readonly last_updated_before_filter?: string | undefined;
}

export const filterFields: readonly (keyof SearchFilters)[] = [
  'search_domain_filter',
  'search_recency_filter',
  'search_after_date_filter',
  'search_before_date_filter',
  'last_updated_after_filter',
  'last_updated_before_filter',
];

const dateFields = filterFields.slice(2);
const recencies = ['hour', 'day', 'week', 'month', 'year'];
const maxDomains = 20;
const maxDomainChars = 253;

/** Refuses filters that are malformed or contradict each other. `where` is put in front of field names: `tools[0].config`. */
export function checkFilters(where: string, filters: SearchFilters): void {
  const at = (field: string): string => (where === '' ? field : `${where}.${field}`);
  checkDomains(at('search_domain_filter'), filters.search_domain_filter);
  checkOneOf(at('search_recency_filter'), filters.search_recency_filter, recencies);
  const days = Object.fromEntries(dateFields.map((field) => [field, checkDate(at(field), filters[field])]));
  const dated = dateFields.find((field) => filters[field] !== undefined);
  if (filters.search_recency_filter !== undefined && dated !== undefined) {
    refuse(at('search_recency_filter'), `cannot be combined with ${dated}`, 'Use a recency or dates, not both.');
  }
  for (const kind of ['search', 'last_updated']) {
    const [after, before] =
      kind === 'search'
        ? (['search_after_date_filter', 'search_before_date_filter'] as const)
        : (['last_updated_after_filter', 'last_updated_before_filter'] as const);
    const from = days[after];
    const to = days[before];
    if (from !== undefined && to !== undefined && from > to) {
      refuse(at(after), `is later than ${before}: no page can match`);
    }
  }
}

function checkDomains(field: string, value: unknown): void {
  checkTexts(field, value, maxDomains);
  if (value === undefined) return;
  const denied = value.filter((domain) => domain.startsWith('-'));
  if (denied.length > 0 && denied.length < value.length) {
    refuse(
      field,
      'mixes allowed and denied domains',
      'Give only allowed domains, or only denied ones (with a leading -).',
    );
  }
  value.forEach((domain, index) => {
    const name = domain.startsWith('-') ? domain.slice(1) : domain;
    const entry = `${field}[${index}]`;
    if (domain.length > maxDomainChars) {
      refuse(entry, `has ${domain.length} characters; the limit is ${maxDomainChars}`);
    }
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(name)) {
      refuse(entry, `must not hold a scheme: ${shown(domain)}`, 'Write example.org, example.org/docs or .gov.');
    }
    if (name === '' || /\s/.test(name)) refuse(entry, `is not a domain: ${shown(domain)}`);
  });
}

/** @returns the day as a number that sorts, `undefined` for an absent date */
function checkDate(field: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const match = typeof value === 'string' ? /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(value) : null;
  if (match === null) return refuse(field, `must be a date as MM/DD/YYYY, got ${shown(value)}`);
  const [month, day, year] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const time = Date.UTC(year, month - 1, day);
  const date = new Date(time);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) {
    return refuse(field, `there is no such day: ${shown(value)}`, 'The month comes first: MM/DD/YYYY.');
  }
  return time;
}

const maxLanguages = 10;

/** ISO 639-1 codes, at most 10. */
export function checkLanguages(field: string, value: unknown): void {
  checkTexts(field, value, maxLanguages);
  value?.forEach((code, index) => {
    checkLanguage(`${field}[${index}]`, code);
  });
}

export function checkLanguage(field: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== 'string' || !/^[a-z]{2}$/.test(value)) {
    refuse(field, `must be a two-letter ISO 639-1 code in lower case, got ${shown(value)}`);
  }
}

export function checkCountry(field: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== 'string' || !/^[A-Z]{2}$/.test(value)) {
    refuse(field, `must be a two-letter ISO 3166-1 code in capitals, got ${shown(value)}`);
  }
}
