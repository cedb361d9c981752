import { yieldToEventLoop } from '../core/event-loop.ts';
import type { SearchMode } from '../core/report.ts';
import { placeOf } from '../core/sorted.ts';
import type { CallOptions } from '../core/types.ts';
import type { Embedder } from '../embed/contract.ts';
import type { LexicalReader } from '../lexical/reader.ts';
import { isInHeadingsAlone } from '../lexical/skipped-postings.ts';
import type { RowSet, Snapshot, VectorHits } from '../store/contract.ts';
import type { AnalysedQuery } from '../text/analysis/query.ts';
import { bestRows, scoresAt } from './best-rows.ts';
import {
  B_SHORT,
  fieldNorms,
  fieldWeight,
  K1,
  type QueryTerm,
  totalsOf,
  wholesOf,
  windowFrequenciesAt,
} from './lexical-scores.ts';
import { type Correction, searchedTerms, vocabularyOf } from './query-terms.ts';
import { topIndices } from './top.ts';
import { type CandidateCounts, defaultCandidates } from './tuning.ts';

/** How many candidates each quoted phrase may name. */
export const QUOTED_CANDIDATES = 50;
/** How many candidates a term may name that stands in headings alone. */
export const HEADING_CANDIDATES = 50;

/** What is known of the candidates without reading their text. Arrays are parallel to `ordinals`. */
export interface Candidates {
  /** Ascending. */
  readonly ordinals: readonly number[];
  readonly terms: readonly QueryTerm[];
  /** Words of the query that nothing holds, with what was searched in their place. */
  readonly corrections: readonly Correction[];
  /** Sum of count × idf over the query's terms. */
  readonly queryWeight: number;
  /** BM25 of title and text, of the window, of the title alone, of the heading path alone. */
  readonly body: Float64Array;
  readonly window: Float64Array;
  readonly title: Float64Array;
  readonly heading: Float64Array;
  /** Share of the title's tokens that are in the query. */
  readonly titleShare: Float64Array;
  /** ln of the text's tokens over the mean, both plus 5. */
  readonly length: Float64Array;
  /** Share of the query's weight whose terms occur in title, headings or text. */
  readonly coverage: Float64Array;
  /** 1 over the number of chunks of its document. */
  readonly documentShare: Float64Array;
  /** Share of the index's chunks that are whole documents. */
  readonly wholes: number;
  /** Exact cosine with the query; absent without vectors, or when the embedder knows nothing of the query. */
  readonly cosine?: Float64Array;
  /** Vectors of the candidates, row after row, and what makes each of length 1. */
  readonly vectors?: Int8Array;
  readonly scales?: Float64Array;
  readonly dimensions: number;
}

interface CandidateOptions extends CallOptions {
  readonly mode: SearchMode;
  readonly within?: RowSet | undefined;
  /** @default defaultCandidates */
  readonly counts?: Omit<CandidateCounts, 'read'> | undefined;
}

/**
 * First stage: generates candidates by words, by the words around a chunk, and by vectors; with all features that need
 * no reading of texts.
 */
export async function generateCandidates(
  snapshot: Snapshot,
  embedder: Embedder | undefined,
  query: AnalysedQuery,
  { mode, within, counts = defaultCandidates, signal }: CandidateOptions,
): Promise<Candidates> {
  const reader = snapshot.lexical;
  const dense = mode !== 'lexical' && embedder !== undefined && snapshot.dimensions > 0;
  const nearest = async (): Promise<{ known?: Int8Array; near?: VectorHits }> => {
    const vector = dense ? await embedder.embedQuery(query.text, { signal }) : undefined;
    if (!vector?.some((component) => component !== 0)) return {};
    return { known: vector, near: await snapshot.searchVectors(vector, counts.dense, { signal, within }) };
  };
  // vectors are compared in another thread, or by a service, while postings are read and scored
  const comparing = nearest();
  comparing.catch(() => {}); // whichever fails first is thrown
  await yieldToEventLoop();
  const { terms, corrections } =
    mode === 'dense' ? { terms: [], corrections: [] } : await searchedTerms(vocabularyOf(reader), query, signal);
  await yieldToEventLoop(); // all that was read may have come from memory
  signal?.throwIfAborted();
  const alone = terms.filter(({ postings }) => isInHeadingsAlone(postings));
  const lists = candidateLists(reader, terms, { phrases: query.phrases, alone, counts, within });
  const { known, near } = await comparing;
  signal?.throwIfAborted();
  const ordinals = [...new Set([...lists.flat(), ...(near?.ordinals ?? [])])].sort((a, b) => a - b);
  const lexical = lexicalFeatures(reader, terms, ordinals);
  if (!known) return { ...lexical, ordinals, terms, corrections, dimensions: 0 };
  return { ...lexical, ordinals, terms, corrections, ...(await denseFeatures(snapshot, ordinals, known)) };
}

interface ListOptions {
  readonly phrases: AnalysedQuery['phrases'];
  /** Terms that stand in headings alone, such as the language of code: no other list can name their rows. */
  readonly alone: readonly QueryTerm[];
  readonly counts: Pick<CandidateCounts, 'body' | 'window'>;
  readonly within: RowSet | undefined;
  /** The scores of each list below which rows may be left out. */
  readonly least?: { readonly body: number; readonly window: number } | undefined;
}

/**
 * The lists of candidates by words, each best first: by the chunk, by the chunk and its neighbours, then one for each
 * phrase, then one for each term of headings alone.
 */
export function candidateLists(
  reader: LexicalReader,
  terms: readonly QueryTerm[],
  { phrases, alone, counts, within, least }: ListOptions,
): readonly (readonly number[])[] {
  return [
    bestRows(reader, terms, 'body', counts.body, within, least?.body),
    bestRows(reader, terms, 'window', counts.window, within, least?.window),
    ...holdingAll(reader, terms, phrases, within),
    ...alone.map(({ postings: { ordinals } }) => {
      return [...ordinals.filter((row) => within?.has(row) !== false).subarray(0, HEADING_CANDIDATES)];
    }),
  ];
}

/** Rows that hold every term of a quoted phrase: where the phrase may stand, however common its words. */
function holdingAll(
  reader: LexicalReader,
  terms: readonly QueryTerm[],
  phrases: AnalysedQuery['phrases'],
  within: RowSet | undefined,
): number[][] {
  return phrases.map((phrase) => {
    const wanted = new Set(phrase);
    const lists = terms.flatMap(({ postings }) => (wanted.has(postings.term) ? [postings.ordinals] : []));
    lists.sort((a, b) => a.length - b.length);
    const [shortest, ...others] = lists;
    if (shortest === undefined) return [];
    const rows = shortest.filter((row) => others.every((list) => includes(list, row)) && within?.has(row) !== false);
    const scores = scoresAt(reader, terms, 'body', rows);
    return topIndices(scores, scores.length, QUOTED_CANDIDATES, -1).map((i) => rows[i]!);
  });
}

function includes(sorted: Uint32Array, value: number): boolean {
  return sorted[placeOf(sorted, value)] === value;
}

export function lexicalFeatures(
  reader: LexicalReader,
  terms: readonly QueryTerm[],
  ordinals: readonly number[],
): Omit<Candidates, 'ordinals' | 'terms' | 'corrections' | 'cosine' | 'vectors' | 'scales' | 'dimensions'> {
  const title = new Float64Array(ordinals.length);
  const heading = new Float64Array(ordinals.length);
  const titleShare = new Float64Array(ordinals.length);
  const coverage = new Float64Array(ordinals.length);
  const queryWeight = terms.reduce((sum, { count, idf }) => sum + count * idf, 0);
  const totals = totalsOf(reader);
  const mean = (tokens: number): number => (totals.liveRows === 0 ? 0 : tokens / totals.liveRows);
  const averageText = mean(totals.text);
  const averageTitle = mean(totals.title) || 1;
  const averageHeading = mean(totals.headings) || 1;
  const body = new Float32Array(ordinals.length);
  const window = new Float32Array(ordinals.length);
  const [bodyNorms, windowNorms] = [fieldNorms(reader, 'body'), fieldNorms(reader, 'window')];
  for (const term of terms) {
    const { postings, count, idf } = term;
    const weight = fieldWeight(term, 'body');
    const windowWeight = fieldWeight(term, 'window');
    windowFrequenciesAt(reader, postings, ordinals, (i, text, inTitle, inHeadings, near) => {
      const row = ordinals[i]!;
      if (near > 0) window[i]! += (windowWeight * near) / (near + windowNorms[row]!);
      const inBody = text + inTitle;
      if (inBody + inHeadings === 0) return; // in its window alone
      if (inBody > 0) body[i]! += (weight * inBody) / (inBody + bodyNorms[row]!);
      coverage[i]! += (count * idf) / (queryWeight || 1);
      if (inTitle > 0) {
        const length = reader.titleLengths[row]!;
        title[i]! += (weight * inTitle) / (inTitle + K1 * (1 - B_SHORT + (B_SHORT * length) / averageTitle));
        titleShare[i]! += Math.min(1, inTitle / (length || 1));
      }
      if (inHeadings > 0) {
        const length = reader.headingLengths[row]!;
        heading[i]! += (weight * inHeadings) / (inHeadings + K1 * (1 - B_SHORT + (B_SHORT * length) / averageHeading));
      }
    });
  }
  return {
    queryWeight,
    body: Float64Array.from(body),
    window: Float64Array.from(window),
    title,
    heading,
    titleShare,
    length: Float64Array.from(ordinals, (row) => Math.log((reader.textLengths[row]! + 5) / (averageText + 5))),
    coverage,
    documentShare: Float64Array.from(ordinals, (row) => 1 / (reader.documentEnd[row]! - reader.documentFirst[row]!)),
    wholes: wholesOf(reader),
  };
}

async function denseFeatures(
  snapshot: Snapshot,
  ordinals: readonly number[],
  query: Int8Array,
): Promise<DenseFeatures> {
  return cosineFeatures(await snapshot.vectorsAt(ordinals), query);
}

type DenseFeatures = Pick<Candidates, 'cosine' | 'vectors' | 'scales' | 'dimensions'>;

/** @param vectors of the candidates, row after row */
export function cosineFeatures(vectors: Int8Array, query: Int8Array): DenseFeatures {
  const dimensions = query.length;
  const cosine = new Float64Array(vectors.length / dimensions);
  const scales = new Float64Array(cosine.length);
  let queryNorm = 0;
  for (const component of query) queryNorm += component * component;
  for (let i = 0; i < cosine.length; i++) {
    const from = i * dimensions;
    let norm = 0;
    let dot = 0;
    for (let d = 0; d < dimensions; d++) {
      const component = vectors[from + d]!;
      norm += component * component;
      dot += component * query[d]!;
    }
    if (norm === 0) continue;
    cosine[i] = dot / Math.sqrt(norm * queryNorm);
    scales[i] = 1 / Math.sqrt(norm);
  }
  return { cosine, vectors, scales, dimensions };
}
