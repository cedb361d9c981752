import { isRecord } from '../../core/records.ts';
import { kinds, nullable, oneOf, refuse } from '../http/check.ts';

/** What a request's tools, system and messages hold, for the rules that are about the request as a whole. */
export interface Census {
  /** Cache markers in the order the service hashes them: tools, system, messages. */
  readonly markers: { field: string; ttl: '5m' | '1h' }[];
  /** The first source with citations on, and the first with citations off. */
  readonly citations: { on: string | undefined; off: string | undefined };
  /** The first search result, and the first of them with citations off. */
  readonly results: { first: string | undefined; off: string | undefined };
  images: number;
  /** Characters of the large strings: a lower bound of the body's bytes. */
  weight: number;
  /** The request refers to an uploaded file. */
  files: boolean;
}

export const newCensus = (): Census => ({
  markers: [],
  citations: { on: undefined, off: undefined },
  results: { first: undefined, off: undefined },
  images: 0,
  weight: 0,
  files: false,
});

const marker = nullable(kinds({ ephemeral: { ttl: oneOf(['5m', '1h']) } }));

/** Takes the cache marker of a tool, a block, or the request down. @throws IbidError INVALID_ARGUMENT */
export function countMarker(block: Record<string, unknown>, where: string, census: Census): void {
  const field = `${where}.cache_control`;
  marker(field, block.cache_control);
  if (!isRecord(block.cache_control)) return;
  census.markers.push({ field, ttl: block.cache_control.ttl === '1h' ? '1h' : '5m' });
}

/**
 * Takes a checked block and what is inside it down. @param outer the block around it, which alone may carry a marker
 */
export function countBlock(block: Record<string, unknown>, field: string, census: Census, outer?: string): void {
  if (outer === undefined) countMarker(block, field, census);
  else if (block.cache_control !== undefined && block.cache_control !== null) {
    refuse(`${field}.cache_control`, `stands inside another block; mark ${outer} instead`);
  }
  const { type, source, content } = block;
  if (type === 'image') census.images += 1;
  if (type === 'document' || type === 'search_result') countCitations(block, field, census);
  const inside = isRecord(source) ? source : {};
  if (block.file_id !== undefined || inside.type === 'file') census.files = true;
  for (const value of [block.text, block.thinking, content, inside.data, inside.content]) {
    if (typeof value === 'string') census.weight += value.length;
  }
  countParts(content, `${field}.content`, field, census);
  countParts(inside.content, `${field}.source.content`, field, census);
}

function countParts(parts: unknown, field: string, outer: string, census: Census): void {
  if (!Array.isArray(parts)) return;
  for (const [at, part] of parts.entries()) if (isRecord(part)) countBlock(part, `${field}[${at}]`, census, outer);
}

function countCitations({ type, citations }: Record<string, unknown>, field: string, census: Census): void {
  const on = isRecord(citations) && citations.enabled === true;
  census.citations[on ? 'on' : 'off'] ??= field;
  if (type !== 'search_result') return;
  census.results.first ??= field;
  if (!on) census.results.off ??= field;
}

/** Four markers at most, and the long-lived ones before the short-lived. */
export function checkMarkers({ markers }: Census): void {
  const fifth = markers[4];
  if (fifth !== undefined) {
    refuse(fifth.field, `is cache marker number 5 of ${markers.length}; a request may hold 4`);
  }
  const short = markers.findIndex(({ ttl }) => ttl === '5m');
  const late = markers.find(({ ttl }, at) => ttl === '1h' && short !== -1 && at > short);
  if (late !== undefined) {
    refuse(late.field, `of 1h stands after one of 5m (${markers[short]!.field}); 1h markers come first`);
  }
}
