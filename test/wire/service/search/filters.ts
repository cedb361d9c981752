import { type Check, list, Misfit, oneOf, text } from '../shape.ts';
import { refuse } from './context.ts';
import type { WebFilters } from './web.ts';

/** Up to 20 domains, all allowed or all denied, without a scheme. */
const domainFilter: Check = (value, path) => {
  list(text({ min: 1, max: 253 }), { max: 20 })(value, path);
  // Checked just above.
  const domains = value as string[];
  const denied = domains.filter((domain) => domain.startsWith('-')).length;
  const complaint =
    denied !== 0 && denied !== domains.length
      ? 'allowed and denied domains cannot be mixed'
      : domains.some((domain) => /:\/\/|\s/.test(domain))
        ? 'a domain has no scheme and no spaces'
        : undefined;
  // Domains have an error type of their own, whatever the body; so have dates.
  if (complaint !== undefined) refuse(400, 'invalid_search_domain_filter', complaint, path.join('.'));
};

const dateFilter: Check = (value, path) => {
  text()(value, path);
  const parts = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(value as string);
  const [month, day, year] = (parts ?? []).slice(1).map(Number);
  const date = parts === null ? undefined : new Date(Date.UTC(year!, month! - 1, day!));
  if (date === undefined || date.getUTCMonth() !== month! - 1 || date.getUTCDate() !== day) {
    refuse(400, 'invalid_date_format', 'dates are written MM/DD/YYYY', path.join('.'));
  }
};

const languageFilter: Check = list(text({ pattern: /^[a-z]{2}$/ }), { max: 10 });

const recencyFilter: Check = oneOf('hour', 'day', 'week', 'month', 'year');

/** Filters shared by answer and search bodies. */
export const filterFields: Readonly<Record<string, Check>> = {
  'search_domain_filter?': domainFilter,
  'search_language_filter?': languageFilter,
  'search_recency_filter?': recencyFilter,
  'search_after_date_filter?': dateFilter,
  'search_before_date_filter?': dateFilter,
  'last_updated_after_filter?': dateFilter,
  'last_updated_before_filter?': dateFilter,
};

/** @throws Misfit when recency comes with a publication date */
export function readFilters(body: Readonly<Record<string, unknown>>, path: readonly string[] = []): WebFilters {
  if (
    body.search_recency_filter !== undefined &&
    (body.search_after_date_filter !== undefined || body.search_before_date_filter !== undefined)
  ) {
    throw new Misfit(
      [...path, 'search_recency_filter'],
      'value_error',
      'cannot be combined with publication date filters',
    );
  }
  // The shapes above have checked each of these.
  return {
    domains: body.search_domain_filter as string[] | undefined,
    languages: body.search_language_filter as string[] | undefined,
    recency: body.search_recency_filter as WebFilters['recency'],
    publishedAfter: body.search_after_date_filter as string | undefined,
    publishedBefore: body.search_before_date_filter as string | undefined,
    updatedAfter: body.last_updated_after_filter as string | undefined,
    updatedBefore: body.last_updated_before_filter as string | undefined,
  };
}
