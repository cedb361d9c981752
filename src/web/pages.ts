import { canonicalUrl } from '../core/url.ts';
import { isWithin } from './canonical.ts';
import { cleanWebLine, cleanWebText } from './clean.ts';
import type { Appearance, FoundPage, WebList, WebPage } from './contract.ts';
import type { Recency, WebFilters } from './filters.ts';

interface PageFilters extends WebFilters {
  /** What "now" is for `recency`, in milliseconds since 1970. */
  readonly nowMs: number;
}

const MAX_ADDRESS = 2048;
/** Of one page: more than any service gives, so that a broken one cannot fill memory. */
const MAX_EXTRACTS = 64;
const MAX_EXTRACT_CHARS = 200_000;

const DAY_MS = 86_400_000;
const days: Readonly<Record<Recency, number>> = { hour: 1, day: 1, week: 7, month: 31, year: 366 };

/**
 * The pages of several lists, each once: by best rank, then by the order of the lists. Extracts of all findings come
 * together, the same words once. Left out is what has no http address or no text, what the filters exclude although the
 * service let it through, and what is not a page but an attempt to be one (names and passwords in the address).
 */
export function mergePages(lists: readonly WebList[], filters: PageFilters): FoundPage[] {
  const merged = new Map<string, { page: WebPage; extracts: Set<string>; found: Appearance[] }>();
  const longest = lists.reduce((most, { pages }) => Math.max(most, pages.length), 0);
  for (let position = 0; position < longest; position++) {
    for (const { query, pages } of lists) {
      const page = pages[position];
      const url = page && safeAddress(page.url);
      const canonical = url && canonicalUrl(url);
      if (!page || !url || !canonical || !passes({ ...page, url }, filters)) continue;
      const entry = merged.get(canonical) ?? { page: { ...page, url }, extracts: new Set<string>(), found: [] };
      merged.set(canonical, entry);
      for (const extract of page.extracts.slice(0, MAX_EXTRACTS)) {
        const text = cleanWebText(extract.slice(0, MAX_EXTRACT_CHARS));
        if (text !== '') entry.extracts.add(text);
      }
      if (!entry.found.some((one) => one.query === query)) entry.found.push({ query, rank: position + 1 });
    }
  }
  return [...merged].flatMap(([canonical, { page, extracts, found }]) => {
    const [first, ...others] = found;
    if (extracts.size === 0 || first === undefined) return [];
    const { published, updated } = page;
    return [
      {
        url: page.url,
        canonical,
        title: cleanWebLine(page.title),
        extracts: [...extracts],
        found: [first, ...others] as const,
        ...(isDate(published) ? { published } : {}),
        ...(isDate(updated) ? { updated } : {}),
      },
    ];
  });
}

/**
 * The address in its one ASCII spelling; undefined for other schemes, addresses with a user name, and what is too long
 * to be one.
 */
export function safeAddress(address: string): string | undefined {
  if (address.length > MAX_ADDRESS || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && url.username === '' && url.password === '' && url.href.length <= MAX_ADDRESS ? url.href : undefined;
}

function passes({ url, published, updated }: WebPage, filters: PageFilters): boolean {
  const { domains, recency, nowMs } = filters;
  if (domains && domains.length > 0) {
    const denies = domains[0]!.startsWith('-');
    if (isWithin(url, domains) === denies) return false;
  }
  if (!isBetween(published, filters.publishedAfter, filters.publishedBefore)) return false;
  if (!isBetween(updated, filters.updatedAfter, filters.updatedBefore)) return false;
  if (recency === undefined) return true;
  const known = [published, updated].filter(isDate).map((date) => Date.parse(`${date}T00:00:00Z`));
  // A date is a day somewhere on earth: a day of grace. Without a date the service has to be believed.
  return known.length === 0 || Math.max(...known) >= nowMs - (days[recency] + 2) * DAY_MS;
}

/** Whether the service may be right that a page's day is in a range, with a day of grace as below. */
function isBetween(day: string | undefined, after: string | undefined, before: string | undefined): boolean {
  if (!isDate(day)) return true;
  const at = Date.parse(day);
  return (
    (after === undefined || at >= Date.parse(after) - DAY_MS) &&
    (before === undefined || at <= Date.parse(before) + DAY_MS)
  );
}

function isDate(date: string | undefined): date is string {
  return date !== undefined && /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(Date.parse(date));
}
