import { ShownTexts } from '../answer/grounded/sources.ts';
import { yieldToEventLoop } from '../core/event-loop.ts';
import type { CallOptions, Hit, StoredChunk } from '../core/types.ts';
import type { Snapshot } from '../store/contract.ts';
import { analyseWords, contentWords } from '../text/analysis/words.ts';
import { clusterRows } from './clusters.ts';
import { Boilerplate, LEAST_CHARS, type Quotable, quotableOf } from './quotable.ts';

/** A subject of the documents: what a cluster of their vectors is about. */
export interface Topic {
  /** Title and headings of its medoid, outermost first. */
  readonly path: readonly string[];
  /** Share of the sampled chunks, in [0, 1]. */
  readonly share: number;
  /** Passages that stand for it, the medoid first; no two of them alike. */
  readonly passages: readonly StoredChunk[];
  /** Their sentences that say most of what the cluster says, best first. */
  readonly sentences: readonly Quotable[];
}

interface TopicOptions extends CallOptions {
  /** SQL over columns of documents. @default all */
  readonly where?: string | undefined;
  /** At most. */
  readonly topics: number;
  /** Of each topic, at most. @default 5 */
  readonly passages?: number | undefined;
}

/** Chunks looked at, spread evenly over the index. */
const SAMPLE = 2_000;
/** Of a sentence, where no document has a longer one. */
const LEAST_CHARS_OF_NOTES = 12;
/** Chunks that are read without a break. */
const BLOCK = 32;
const PASSAGES = 5;
/** Of one document, in one topic. */
const PASSAGES_OF_ONE = 2;
/** Chunks of a cluster that its words are counted in. */
const COUNTED = 100;

/** What a corpus is about: clusters of a bounded sample of its vectors. The same index gives the same topics. */
export async function topicsOf(
  snapshot: Snapshot,
  { where, topics, passages: most = PASSAGES, signal }: TopicOptions,
): Promise<Topic[]> {
  const all = (await snapshot.filter(where ?? 'position >= 0')).ordinals;
  const count = Math.min(SAMPLE, all.length);
  const ordinals = Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]!);
  signal?.throwIfAborted();
  const chunks = await snapshot.fetch(ordinals);
  const rowsOf = (sentences: readonly (readonly Quotable[])[]): number[] =>
    [...sentences.keys()].filter((row) => sentences[row]!.length > 0);
  let quotable = await quotableIn(chunks, LEAST_CHARS, signal);
  if (rowsOf(quotable).length === 0) quotable = await quotableIn(chunks, LEAST_CHARS_OF_NOTES, signal);
  const rows = rowsOf(quotable);
  if (rows.length === 0) return [];
  const vectors = await snapshot.vectorsAt(rows.map((row) => ordinals[row]!));
  const wanted = Math.max(1, Math.min(topics, Math.ceil(Math.sqrt(rows.length / 2))));
  const clusters = await clusterRows(vectors, snapshot.dimensions, wanted, { signal });
  // an index without vectors is one subject
  const groups = (clusters.length > 0 ? clusters : [[...rows.keys()]]).map((cluster) => cluster.map((i) => rows[i]!));
  const frequencies = await frequenciesOf(
    rows.map((row) => chunks[row]!),
    signal,
  );
  const told: Topic[] = [];
  for (const group of groups) {
    const nearest = group.map((row) => chunks[row]!);
    const passages = representatives(nearest, most);
    const own = await frequenciesOf(nearest.slice(0, COUNTED), signal);
    const spoken = group.filter((row) => passages.includes(chunks[row]!)).flatMap((row) => quotable[row]!);
    const [medoid] = passages;
    told.push({
      path: [medoid!.title, ...medoid!.headings].filter((part, i, path) => part !== '' && part !== path[i - 1]),
      share: group.length / rows.length,
      passages,
      sentences: byWeight(spoken, own, frequencies),
    });
  }
  return told;
}

/** The sentences of each chunk that can be told. */
async function quotableIn(
  chunks: readonly StoredChunk[],
  least: number,
  signal: AbortSignal | undefined,
): Promise<Quotable[][]> {
  const boilerplate = new Boilerplate();
  const found: Quotable[][] = [];
  for (const [i, chunk] of chunks.entries()) {
    if (i % BLOCK === 0) await breathe(signal);
    found.push(quotableOf(chunk, least));
    for (const sentence of found[i]!) boilerplate.add(sentence);
  }
  return found.map((sentences) => sentences.filter((sentence) => !boilerplate.has(sentence)));
}

/** Lets other work go on. */
async function breathe(signal: AbortSignal | undefined): Promise<void> {
  await yieldToEventLoop();
  signal?.throwIfAborted();
}

/** As a search would give them, to who packs sources. */
export const hitOf = (chunk: StoredChunk): Hit => ({ chunk, score: 0, origin: 'local', trace: [] });

/** The nearest to the centre, not more than two of a document while others are there, no copies. */
function representatives(nearest: readonly StoredChunk[], most: number): StoredChunk[] {
  const shown = new ShownTexts();
  const chosen: StoredChunk[] = [];
  const others: StoredChunk[] = [];
  const perDocument = new Map<string, number>();
  for (const chunk of nearest) {
    if (chosen.length === most) break;
    if (!shown.add(chunk)) continue;
    const before = perDocument.get(chunk.uri) ?? 0;
    perDocument.set(chunk.uri, before + 1);
    (before < PASSAGES_OF_ONE ? chosen : others).push(chunk);
  }
  return [...chosen, ...others.slice(0, most - chosen.length)];
}

/** In how many of the chunks a term stands, and how many there are. */
interface Frequencies {
  readonly chunks: number;
  readonly of: ReadonlyMap<string, number>;
}

async function frequenciesOf(chunks: readonly StoredChunk[], signal: AbortSignal | undefined): Promise<Frequencies> {
  const of = new Map<string, number>();
  for (const [i, { text }] of chunks.entries()) {
    if (i % BLOCK === 0) await breathe(signal);
    for (const term of termsOf(text)) of.set(term, (of.get(term) ?? 0) + 1);
  }
  return { chunks: chunks.length, of };
}

const termsOf = (text: string): Set<string> => new Set(contentWords(analyseWords(text)).map(({ term }) => term));

/** Sentences first whose words are frequent in the cluster and rare elsewhere. */
function byWeight(sentences: readonly Quotable[], own: Frequencies, all: Frequencies): Quotable[] {
  const weightOf = ({ text }: Quotable): number => {
    const terms = [...termsOf(text)];
    const sum = terms.reduce((total, term) => {
      const share = (own.of.get(term) ?? 0) / own.chunks;
      return total + share * Math.log((1 + all.chunks) / (1 + (all.of.get(term) ?? 0)));
    }, 0);
    return sum / Math.sqrt(terms.length);
  };
  const weights = new Map(sentences.map((sentence) => [sentence, weightOf(sentence)]));
  return [...sentences].sort((a, b) => weights.get(b)! - weights.get(a)!);
}
