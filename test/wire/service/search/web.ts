import { countText } from './context.ts';
import type { Page } from './pages.ts';

export interface WebFilters {
  readonly domains?: readonly string[] | undefined;
  readonly languages?: readonly string[] | undefined;
  readonly recency?: 'hour' | 'day' | 'week' | 'month' | 'year' | undefined;
  /** `MM/DD/YYYY`. */
  readonly publishedAfter?: string | undefined;
  readonly publishedBefore?: string | undefined;
  readonly updatedAfter?: string | undefined;
  readonly updatedBefore?: string | undefined;
}

export interface WebBudget {
  readonly results: number;
  /** Tokens of all snippets together, and of one. */
  readonly tokens: number;
  readonly tokensPerPage: number;
}

export interface WebResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
  readonly date: string | null;
  readonly last_updated: string | null;
}

const K1 = 1.2;
const B = 0.75;

const recencyHours = { hour: 1, day: 24, week: 7 * 24, month: 31 * 24, year: 366 * 24 } as const;

export function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Pages that pass the filters, best first by BM25; pages without a word of the query are left out. */
export function searchPages(pages: readonly Page[], query: string, filters: WebFilters, nowSeconds: number): Page[] {
  const wanted = [...new Set(words(query))];
  const counted = pages.map((page) => {
    const terms = words(`${page.title} ${page.text}`);
    return { page, length: terms.length, counts: Map.groupBy(terms, (term) => term) };
  });
  const mean = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length);
  const scored = counted.map(({ page, length, counts }) => {
    let score = 0;
    for (const term of wanted) {
      const frequency = counts.get(term)?.length ?? 0;
      if (frequency === 0) continue;
      const holders = counted.filter((other) => other.counts.has(term)).length;
      const idf = Math.log(1 + (counted.length - holders + 0.5) / (holders + 0.5));
      score += (idf * frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * length) / mean));
    }
    return { page, score };
  });
  return scored
    .filter(({ page, score }) => score > 0 && passes(page, filters, nowSeconds))
    .sort((a, b) => b.score - a.score)
    .map(({ page }) => page);
}

/** Passages that hold a word of the query, best first, joined by `...` lines and cut to the budgets. */
export function toResults(pages: readonly Page[], query: string, budget: WebBudget): WebResult[] {
  const wanted = new Set(words(query));
  let left = budget.tokens;
  return pages.slice(0, budget.results).map((page) => {
    const passages = page.text
      .split('\n\n')
      .map((text) => ({ text, hits: new Set(words(text).filter((word) => wanted.has(word))).size }))
      .filter(({ hits }) => hits > 0)
      .sort((a, b) => b.hits - a.hits);
    const snippet = cutToTokens(passages.map(({ text }) => text).join('\n...\n'), Math.min(left, budget.tokensPerPage));
    left -= countText(snippet);
    return { title: page.title, url: page.url, snippet, date: page.date, last_updated: page.lastUpdated };
  });
}

function cutToTokens(text: string, tokens: number): string {
  if (countText(text) <= tokens) return text;
  const parts = text.split(/(?<=\s)/);
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    // A space at the end would be a token of its own.
    if (countText(parts.slice(0, middle).join('').trimEnd()) <= tokens) low = middle;
    else high = middle - 1;
  }
  return parts.slice(0, low).join('').trimEnd();
}

function passes(page: Page, filters: WebFilters, nowSeconds: number): boolean {
  const { recency, domains, languages } = filters;
  if (languages !== undefined && !languages.includes(page.language ?? 'en')) return false;
  if (domains !== undefined && domains.length > 0 && !passesDomains(page.url, domains)) return false;
  const published = dayNumber(page.date);
  const updated = dayNumber(page.lastUpdated);
  if (recency !== undefined) {
    const latest = Math.max(published ?? Number.NEGATIVE_INFINITY, updated ?? Number.NEGATIVE_INFINITY);
    // A page has a day, not an hour: the day counts from its end.
    if ((nowSeconds / 86_400 - (latest + 1)) * 24 > recencyHours[recency]) return false;
  }
  return (
    within(published, filters.publishedAfter, filters.publishedBefore) &&
    within(updated, filters.updatedAfter, filters.updatedBefore)
  );
}

function within(day: number | undefined, after: string | undefined, before: string | undefined): boolean {
  if (after === undefined && before === undefined) return true;
  if (day === undefined) return false;
  return (after === undefined || day >= filterDay(after)) && (before === undefined || day <= filterDay(before));
}

function dayNumber(date: string | null): number | undefined {
  return date === null ? undefined : Date.parse(`${date}T00:00:00Z`) / 86_400_000;
}

/** `MM/DD/YYYY`, zero padding optional. */
function filterDay(date: string): number {
  const [month, day, year] = date.split('/').map(Number);
  return Date.UTC(year!, month! - 1, day!) / 86_400_000;
}

/**
 * A filter is a domain (subdomains included), a top-level form `.gov`, or a domain and whole path segments; `-` denies.
 */
function passesDomains(url: string, filters: readonly string[]): boolean {
  if (filters[0]!.startsWith('-')) return !filters.some((filter) => matchesDomain(url, filter.slice(1)));
  return filters.some((filter) => matchesDomain(url, filter));
}

function matchesDomain(url: string, filter: string): boolean {
  const { hostname, pathname } = new URL(url);
  if (filter.startsWith('.')) return hostname.endsWith(filter);
  const slash = filter.indexOf('/');
  const domain = (slash < 0 ? filter : filter.slice(0, slash)).toLowerCase();
  if (hostname !== domain && !hostname.endsWith(`.${domain}`)) return false;
  const path = slash < 0 ? '' : filter.slice(slash).replace(/\/$/, '');
  return path === '' || pathname === path || pathname.startsWith(`${path}/`);
}
