import { type Check, type Fields, list, oneOf, optional, pattern, refuse, shown, text, within } from '../http/check.ts';

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

const someDomains = list(text, 20, 1);
const maxDomainChars = 253;

const domains = optional((field, value) => {
  someDomains(field, value);
  const names = value as readonly string[]; // as was checked just before
  const denied = names.filter((name) => name.startsWith('-')).length;
  if (denied > 0 && denied < names.length) {
    const hint = 'Give only allowed domains, or only denied ones (with a leading -).';
    refuse(field, 'mixes allowed and denied domains', hint);
  }
  for (const [index, domain] of names.entries()) {
    const entry = `${field}[${index}]`;
    const name = domain.replace(/^-/, '');
    if (domain.length > maxDomainChars) {
      refuse(entry, `has ${domain.length} characters; the limit is ${maxDomainChars}`);
    }
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(name)) {
      refuse(entry, `must not hold a scheme: ${shown(domain)}`, 'Write example.org, example.org/docs or .gov.');
    }
    if (name === '' || /\s/.test(name)) refuse(entry, `is not a domain: ${shown(domain)}`);
  }
});

/** Milliseconds of a day written MM/DD/YYYY; NaN when there is no such day. */
function timeOf(date: string): number {
  const [month, day, year] = date.split('/').map(Number) as [number, number, number]; // its form has been checked
  const time = new Date(Date.UTC(year, month - 1, day));
  return time.getUTCMonth() === month - 1 && time.getUTCDate() === day ? time.getTime() : Number.NaN;
}

const dateForm = pattern(/^\d{1,2}\/\d{1,2}\/\d{4}$/, 'a date as MM/DD/YYYY');

const date = optional((field, value) => {
  dateForm(field, value);
  if (Number.isNaN(timeOf(String(value)))) {
    refuse(field, `there is no such day: ${shown(value)}`, 'The month comes first: MM/DD/YYYY.');
  }
});

/** The server takes wrong dates and mixed domains in silence, and bills a search that finds the wrong pages. */
export const filterFields: Fields = {
  search_domain_filter: domains,
  search_recency_filter: oneOf(['hour', 'day', 'week', 'month', 'year']),
  search_after_date_filter: date,
  search_before_date_filter: date,
  last_updated_after_filter: date,
  last_updated_before_filter: date,
};

export const filterNames = Object.keys(filterFields) as readonly (keyof SearchFilters)[]; // as in the table above

const ranges = [
  ['search_after_date_filter', 'search_before_date_filter'],
  ['last_updated_after_filter', 'last_updated_before_filter'],
] as const;

/**
 * Refuses filters that contradict each other; each of them has been checked. `where` stands in front of field names:
 * `tools[0].config`.
 */
export function checkFilters(where: string, filters: SearchFilters): void {
  const dated = ranges.flat().find((name) => filters[name] !== undefined);
  if (filters.search_recency_filter !== undefined && dated !== undefined) {
    const problem = `cannot be combined with ${dated}`;
    refuse(within(where, 'search_recency_filter'), problem, 'Use a recency or dates, not both.');
  }
  for (const [after, before] of ranges) {
    const [from, to] = [filters[after], filters[before]];
    if (from !== undefined && to !== undefined && timeOf(from) > timeOf(to)) {
      refuse(within(where, after), `is later than ${before}: no page can match`);
    }
  }
}

/** ISO 639-1. */
export const language: Check = pattern(/^[a-z]{2}$/, 'a two-letter ISO 639-1 code in lower case');
export const languages: Check = list(language, 10, 1);
/** ISO 3166-1. */
export const country: Check = pattern(/^[A-Z]{2}$/, 'a two-letter ISO 3166-1 code in capitals');
