import { IbidError } from '../core/errors.ts';

export const recencies = ['hour', 'day', 'week', 'month', 'year'] as const;
/** Only pages of the last hour, day, week, month or year. */
export type Recency = (typeof recencies)[number];

/** Which pages of the web may be used; the same for a search, for research and for the answer service. */
export interface WebFilters {
  /**
   * Only these sites, or with `-` in front all but these: `example.com` with all below it, `example.com/docs`, `.gov`.
   */
  readonly domains?: readonly string[] | undefined;
  /** Not together with dates. */
  readonly recency?: Recency | undefined;
  /** A day as `YYYY-MM-DD`. */
  readonly publishedAfter?: string | undefined;
  /** A day as `YYYY-MM-DD`. */
  readonly publishedBefore?: string | undefined;
  /** A day as `YYYY-MM-DD`, of the page's last change. */
  readonly updatedAfter?: string | undefined;
  /** A day as `YYYY-MM-DD`, of the page's last change. */
  readonly updatedBefore?: string | undefined;
  /** ISO 639-1. */
  readonly languages?: readonly string[] | undefined;
  /** ISO 3166-1 alpha-2: whose results are wanted. */
  readonly country?: string | undefined;
}

const dates = ['publishedAfter', 'publishedBefore', 'updatedAfter', 'updatedBefore'] as const;
export const filterNames: readonly (keyof WebFilters)[] = ['domains', 'recency', ...dates, 'languages', 'country'];

/** The filters alone, each that is given. @throws IbidError INVALID_ARGUMENT naming the field */
export function resolveFilters(given: WebFilters): WebFilters {
  const { domains, recency, languages, country } = given;
  checkTexts('web.domains', domains, 20);
  checkTexts('web.languages', languages, 10);
  if (domains?.some((domain) => domain.startsWith('-') !== domains[0]!.startsWith('-'))) {
    throw invalid('web.domains must all be allowed or all be refused', 'Write "-" before all of them or before none.');
  }
  if (recency !== undefined && !recencies.includes(recency)) {
    throw invalid(`web.recency must be one of ${recencies.join(', ')}, not "${String(recency)}"`);
  }
  const wrong = languages?.find((language) => !/^[a-z]{2}$/.test(language));
  if (wrong !== undefined) throw invalid(`web.languages must be two small letters such as "en", not "${wrong}"`);
  if (country !== undefined && !/^[A-Z]{2}$/.test(country)) {
    throw invalid(`web.country must be two capitals such as "US", not "${country}"`);
  }
  for (const name of dates) checkDate(`web.${name}`, given[name]);
  const dated = dates.find((name) => given[name] !== undefined);
  if (recency !== undefined && dated !== undefined)
    throw invalid(`web.recency cannot be combined with web.${dated}`, 'Use a recency or dates, not both.');
  for (const [after, before] of [dates.slice(0, 2), dates.slice(2)] as const) {
    const [from, to] = [given[after!], given[before!]];
    if (from !== undefined && to !== undefined && from > to)
      throw invalid(`web.${after} is later than web.${before}: no page can match`);
  }
  return Object.fromEntries(filterNames.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
}

/** @throws IbidError INVALID_ARGUMENT */
export function checkTexts(name: string, list: readonly string[] | undefined, most: number): void {
  if (list === undefined) return;
  const isList = Array.isArray(list) && list.length >= 1 && list.length <= most;
  if (!isList || list.some((text) => typeof text !== 'string' || text.trim() === '')) {
    throw invalid(`${name} must be a list of 1 to ${most} texts that say something`);
  }
}

function checkDate(name: string, day: string | undefined): void {
  if (day === undefined) return;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) === day;
  if (!isDay) throw invalid(`${name} must be a day as YYYY-MM-DD, not "${day}"`);
}

function invalid(message: string, hint?: string): IbidError {
  return new IbidError('INVALID_ARGUMENT', message, { hint });
}
