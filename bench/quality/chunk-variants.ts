/**
 * The same documents cut into chunks of other sizes, and judged alike: each chunk stands for the units of the
 * collection that it holds, since the judgements name those units.
 */
import { chunkDocument } from '../../src/index.ts';
import { search } from '../../src/internal.ts';
import type { CutDocument } from '../support/stored-snapshot.ts';
import { type Collection, type IndexOptions, indexCollection } from './collections.ts';
import { runDepth } from './score.ts';

/** Upper bounds, in tokens; ibid's own default among them. */
export const chunkSizes = [80, 160, 320, 640] as const;

interface Unit {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** Why a collection cannot be cut anew, or undefined. */
export function cannotCut({ whole, units }: Collection): string | undefined {
  if (whole.size === 0) return 'documents are not given whole';
  const placed = units.filter(({ span }) => span !== undefined).length;
  return placed < 0.95 * units.length
    ? `only ${placed} of ${units.length} units have a place in their document`
    : undefined;
}

/** A stretch of a document. */
export interface Stretch {
  readonly document: string;
  readonly start: number;
  readonly end: number;
}

/**
 * What a reader is given, in order: `evidence@1000t` counts the relevant text in its first 1,000 tokens, fair between
 * sizes.
 */
export interface Shown extends Stretch {
  readonly tokens: number;
}

export const budgetTokens = 1000;

/** Share of the relevant characters inside what fits into the budget; a chunk that would exceed it ends it. */
export function evidenceWithin(
  shown: readonly Shown[],
  relevant: readonly Stretch[],
  budget: number = budgetTokens,
): number {
  let left = budget;
  const fitting: Shown[] = [];
  for (const one of shown) {
    if (one.tokens > left) break;
    left -= one.tokens;
    fitting.push(one);
  }
  let held = 0;
  let total = 0;
  for (const gold of relevant) {
    total += gold.end - gold.start;
    // chunks of one cut do not overlap, so their shares add up
    for (const { document, start, end } of fitting) {
      if (document === gold.document) held += Math.max(0, Math.min(end, gold.end) - Math.max(start, gold.start));
    }
  }
  return total === 0 ? 0 : Math.min(1, held / total);
}

/** The places of the units a query's judgements name. */
export function relevantStretches({ qrels, units }: Collection, query: string): Stretch[] {
  const grades = qrels.get(query);
  if (grades === undefined) return [];
  return units.flatMap(({ id, document, span }) => (span && (grades.get(id) ?? 0) > 0 ? [{ document, ...span }] : []));
}

/** Rankings of unit ids by hybrid search over chunks of at most `maxTokens`. */
export async function rankByChunks(
  collection: Collection,
  maxTokens: number,
  options: IndexOptions = {},
): Promise<{ chunks: number; rank: (query: string) => Promise<{ ids: string[]; shown: Shown[] }> }> {
  const byDocument = new Map<string, Unit[]>();
  for (const { document, id, span } of collection.units) {
    if (span === undefined) continue;
    const list = byDocument.get(document) ?? [];
    byDocument.set(document, list);
    list.push({ id, ...span });
  }
  const spans = new Map<string, { start: number; end: number; tokens: number }[]>();
  const documents: CutDocument[] = [];
  for (const [uri, { title, text }] of collection.whole) {
    const plain = { uri, title, text, format: 'text', blocks: [], locators: [], metadata: {}, warnings: [] };
    const chunks = chunkDocument(plain, { maxTokens, minTokens: Math.min(48, maxTokens) });
    documents.push({ uri, title, chunks: chunks.map(({ text: own }) => ({ text: own })) });
    spans.set(
      uri,
      chunks.map(({ span, tokens }) => ({ ...span, tokens })),
    );
  }
  const { snapshot, embedder } = await indexCollection({ documents }, options);
  return {
    chunks: snapshot.rows,
    rank: async (query) => {
      const hits = await search(snapshot, embedder, query, { limit: runDepth, distinct: false });
      const named = new Set<string>();
      const shown: Shown[] = [];
      for (const { chunk } of hits) {
        const at = spans.get(chunk.uri)![chunk.position]!;
        shown.push({ document: chunk.uri, ...at });
        for (const id of unitsIn(byDocument.get(chunk.uri) ?? [], at)) named.add(id);
        if (named.size >= runDepth) break;
      }
      return { ids: [...named].slice(0, runDepth), shown };
    },
  };
}

/** The units that share half of themselves, or half of the chunk, with it; those that share most come first. */
export function unitsIn(units: readonly Unit[], chunk: { readonly start: number; readonly end: number }): string[] {
  return units
    .map(({ id, start, end }) => ({
      id,
      shared: Math.min(end, chunk.end) - Math.max(start, chunk.start),
      least: Math.min(end - start, chunk.end - chunk.start),
    }))
    .filter(({ shared, least }) => shared > 0 && shared >= 0.5 * least)
    .sort((a, b) => b.shared - a.shared)
    .map(({ id }) => id);
}
