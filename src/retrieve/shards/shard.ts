import { yieldToEventLoop } from '../../core/event-loop.ts';
import type { CallOptions } from '../../core/types.ts';
import type { TermPostings } from '../../lexical/contract.ts';
import type { LexicalReader } from '../../lexical/reader.ts';
import { countOf } from '../../lexical/skipped-postings.ts';
import type { Snapshot } from '../../store/contract.ts';
import { candidateLists, lexicalFeatures } from '../candidates.ts';
import { withoutExcluded } from '../excluded.ts';
import {
  type CollectionTotals,
  frequenciesAt,
  partOf,
  type QueryTerm,
  termCounts,
  totalsOf,
} from '../lexical-scores.ts';
import { unitedPostings } from '../united-postings.ts';
import { BestSoFar } from './best-so-far.ts';
import type {
  CandidatesReply,
  CandidatesRequest,
  DictionaryReply,
  DictionaryRequest,
  ShardAsker,
  ShardPostings,
  TermsReply,
  TermsRequest,
} from './contract.ts';

/** A reader as part of the collection that it was asked for last. */
interface Part {
  readonly collection: CollectionTotals;
  readonly reader: LexicalReader;
}

const parts = new WeakMap<LexicalReader, Part>();

/** Answers for one shard from its snapshot. */
export class SnapshotShard implements ShardAsker {
  readonly name: string;
  readonly #snapshot: Snapshot;

  constructor(name: string, snapshot: Snapshot) {
    this.name = name;
    this.#snapshot = snapshot;
  }

  async totals(): Promise<CollectionTotals> {
    return totalsOf(this.#snapshot.lexical);
  }

  async terms({ terms }: TermsRequest, options: CallOptions): Promise<TermsReply> {
    const { lexical } = this.#snapshot;
    return (await unitedPostings(lexical, terms, options)).map((postings) => {
      const { containing, anywhere, windows } = termCounts(lexical, postings);
      return { rows: countOf(postings), containing, anywhere, windows };
    });
  }

  async dictionary({ start, mostBlocks }: DictionaryRequest, options: CallOptions): Promise<DictionaryReply> {
    const { lexical } = this.#snapshot;
    const found = await lexical.termsFrom(start, mostBlocks, options);
    return found && (lexical.isRestricted ? await ownCounts(lexical, [...found.keys()], options) : [...found]);
  }

  /** @param best of the shards asked before, to which these candidates are added */
  async candidates(
    request: CandidatesRequest,
    options: CallOptions,
    best: BestSoFar = new BestSoFar(request.counts),
  ): Promise<CandidatesReply> {
    const snapshot = this.#snapshot;
    const { terms: weighed, phrases, excluded, counts, vector, where } = request;
    const reader = this.#partOf(request.collection);
    const within = await withoutExcluded(
      snapshot,
      excluded,
      where === undefined ? undefined : await snapshot.filter(where),
      options,
    );
    // postings of the snapshot's own reader, which the look-up before has decoded
    const postings = await unitedPostings(snapshot.lexical, weighed, options);
    const terms = weighed.map(({ count, idf, windowIdf }, i): QueryTerm => {
      return { postings: postings[i]!, rows: countOf(postings[i]!), count, idf, windowIdf };
    });
    const { least } = best;
    const near =
      vector && (await snapshot.searchVectors(vector, counts.dense, { ...options, within, least: least.cosine }));
    options.signal?.throwIfAborted();
    const alone = terms.filter((_, i) => weighed[i]!.alone);
    const lists = candidateLists(reader, terms, { phrases, alone, counts, within, least });
    const ordinals = [...new Set([...lists.flat(), ...(near?.ordinals ?? [])])].sort((a, b) => a - b);
    const places = new Map(ordinals.map((ordinal, place) => [ordinal, place]));
    const placesOf = (rows: Iterable<number>): Uint32Array => Uint32Array.from(rows, (row) => places.get(row)!);
    const { body, window, title, heading, titleShare, length, coverage, documentShare } = lexicalFeatures(
      reader,
      terms,
      ordinals,
    );
    const reply = {
      ordinals: Uint32Array.from(ordinals),
      lists: lists.map(placesOf),
      near: { places: placesOf(near?.ordinals ?? []), cosines: near?.cosines ?? new Float32Array(0) },
      features: { body, window, title, heading, titleShare, length, coverage, documentShare },
      postings: postings.map((one) => heldBy(one, ordinals)),
      vectors: vector && (await snapshot.vectorsAt(ordinals)),
    };
    best.add(reply);
    return reply;
  }

  #partOf(collection: CollectionTotals): LexicalReader {
    const own = this.#snapshot.lexical;
    const known = parts.get(own);
    if (known && sameTotals(known.collection, collection)) return known.reader;
    const reader = partOf(own, collection);
    parts.set(own, { collection, reader });
    return reader;
  }
}

/** Terms whose postings are looked up at a time. */
const TERMS = 512;

/** The dictionary has terms of rows that a restricted reader must not show: those of its own rows, with their number. */
async function ownCounts(
  reader: LexicalReader,
  terms: readonly string[],
  options: CallOptions,
): Promise<readonly (readonly [term: string, count: number])[]> {
  const own: [string, number][] = [];
  for (let at = 0; at < terms.length; at += TERMS) {
    const some = terms.slice(at, at + TERMS);
    for (const [i, count] of (await reader.counts(some, options)).entries()) if (count > 0) own.push([some[i]!, count]);
    await yieldToEventLoop();
    options.signal?.throwIfAborted();
  }
  return own;
}

function sameTotals(a: CollectionTotals, b: CollectionTotals): boolean {
  return (Object.keys(a) as (keyof CollectionTotals)[]).every((name) => a[name] === b[name]);
}

function heldBy(postings: TermPostings, ordinals: readonly number[]): ShardPostings {
  const held: [number, number, number, number][] = [];
  frequenciesAt(postings, ordinals, (place, text, title, headings) => held.push([place, text, title, headings]));
  const field = (at: number): Uint16Array => Uint16Array.from(held, (one) => one[at]!);
  return { places: Uint32Array.from(held, ([place]) => place), text: field(1), title: field(2), headings: field(3) };
}
