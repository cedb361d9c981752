import type { Hit } from '../core/types.ts';
import { canonicalUrl } from '../core/url.ts';
import type { Embedder } from '../embed/contract.ts';
import { DuplicateFilter } from '../retrieve/duplicates.ts';
import { hashTerm } from '../retrieve/hash.ts';
import { type SearchHit, type SearchOptions, type SearchResult, searchWithPredictors } from '../retrieve/search.ts';
import type { Snapshot } from '../store/contract.ts';
import { documentTokens } from '../text/analysis/analysis.ts';
import { siteOf } from './canonical.ts';
import type { WebDocument } from './documents.ts';
import { type OverlayDocument, OverlaySnapshot } from './overlay.ts';

interface MergedSearchOptions extends SearchOptions {
  /** Hits of one site at most, at least 1. @default 3 */
  readonly perSite?: number | undefined;
  /** Leaves out the index's own hits. @default false */
  readonly webOnly?: boolean | undefined;
  /** See `LEAST_ROWS`. */
  readonly leastRows?: number | undefined;
}

export const DEFAULT_PER_SITE = 3;
/** Ranked beyond the limit, to fill the places of what is left out. */
const SPARE = 40;

/**
 * Ranks the index and pages of the web in one list: one analysis of the query, one set of statistics, one scale. Of a
 * page that is also in the index, by its address or nearly word for word, the index's copy stays.
 * @param documents their vectors are of the same embedder; without an embedder words decide
 * @throws IbidError INVALID_ARGUMENT, INVALID_FILTER
 */
export async function mergedSearch(
  local: Snapshot,
  embedder: Embedder | undefined,
  query: string,
  documents: readonly OverlayDocument[],
  options: MergedSearchOptions = {},
): Promise<SearchResult> {
  const { limit = 10, perSite = DEFAULT_PER_SITE, webOnly, leastRows, where, ...rest } = options;
  const overlay = new OverlaySnapshot(local, documents, leastRows);
  const { hits, predictors, corrected } = await searchWithPredictors(overlay, embedder, query, {
    ...rest,
    ...(webOnly ? { within: overlay.pageRows() } : { where }),
    limit: 2 * limit + SPARE,
    distinct: false,
  });
  const marked = hits.map((hit): SearchHit => {
    const page = overlay.pageOf(hit.chunk);
    return page ? webHit(hit, page) : hit;
  });
  const kept = leaveOut(marked, overlay, { perSite, distinct: options.distinct ?? true });
  return { hits: kept.slice(0, limit), along: 0, predictors, corrected };
}

/** A passage of the page as a hit of the web. */
export function webHit<H extends Hit>(hit: H, { origin }: WebDocument): H {
  return { ...hit, origin: 'web', web: origin };
}

function leaveOut(
  hits: readonly SearchHit[],
  overlay: OverlaySnapshot,
  { perSite, distinct }: { readonly perSite: number; readonly distinct: boolean },
): SearchHit[] {
  const left = new Set<SearchHit>();
  const copies = new DuplicateFilter();
  const isCopy = ({ chunk }: SearchHit): boolean =>
    copies.isCopy(Uint32Array.from(documentTokens(chunk.text), hashTerm), chunk.text);
  const own = hits.filter(({ origin }) => origin === 'local');
  if (distinct) for (const hit of own) if (isCopy(hit)) left.add(hit); // theirs first: of two copies the index's stays
  const addresses = new Set(own.flatMap(({ chunk }) => addressesOf(chunk)));
  const bySite = new Map<string, number>();
  for (const hit of hits) {
    const page = overlay.pageOf(hit.chunk);
    if (!page) continue;
    const site = siteOf(page.snapshot.url);
    const count = bySite.get(site) ?? 0;
    if (addresses.has(page.canonical) || count >= perSite || (distinct && isCopy(hit))) left.add(hit);
    else bySite.set(site, count + 1);
  }
  return hits.filter((hit) => !left.has(hit));
}

/** The pages a document of the index may be a copy of: its uri, and whatever address its metadata holds. */
function addressesOf({ uri, metadata }: SearchHit['chunk']): string[] {
  return [uri, ...Object.values(metadata)].flatMap((value) =>
    typeof value === 'string' && /^https?:\/\//i.test(value) ? (canonicalUrl(value) ?? []) : [],
  );
}
