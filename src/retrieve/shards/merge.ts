import type { TermPostings } from '../../lexical/contract.ts';
import { type Candidates, cosineFeatures, HEADING_CANDIDATES, QUOTED_CANDIDATES } from '../candidates.ts';
import type { QueryTerm } from '../lexical-scores.ts';
import type { Correction, FoundTerm } from '../query-terms.ts';
import { type CandidatesReply, type CandidatesRequest, type WordFeature, wordFeatures } from './contract.ts';

/** What one shard found, and where its ordinals begin. */
interface PartReply {
  readonly base: number;
  readonly reply: CandidatesReply;
}

interface MergeOptions {
  readonly request: CandidatesRequest;
  /** Parallel to the terms: what is known of them over all shards. */
  readonly found: readonly Pick<FoundTerm, 'rows' | 'forms'>[];
  readonly corrections: readonly Correction[];
}

/** A candidate among those of all shards. */
interface Place {
  readonly part: PartReply;
  readonly place: number;
  readonly ordinal: number;
}

/**
 * The candidates of one index from those of its shards: of each list the best over all shards, with equal ones in order of
 * ordinals, as one index has them.
 * @param parts by ascending base
 */
export function mergeCandidates(
  parts: readonly PartReply[],
  { request, found, corrections }: MergeOptions,
): Candidates {
  const { counts, terms: weighed, phrases, collection, vector } = request;
  const placed = (part: PartReply, place: number): Place => {
    return { part, place, ordinal: part.base + part.reply.ordinals[place]! };
  };
  const best = (list: number, limit: number, feature: WordFeature | undefined): Place[] =>
    parts
      .flatMap((part) => Array.from(part.reply.lists[list]!, (place) => placed(part, place)))
      .sort((a, b) => (feature ? featureOf(b, feature) - featureOf(a, feature) : 0) || a.ordinal - b.ordinal)
      .slice(0, limit);
  const nearest = parts
    .flatMap((part) => {
      const { places, cosines } = part.reply.near;
      return Array.from(places, (place, i) => ({ one: placed(part, place), cosine: cosines[i]! }));
    })
    .sort((a, b) => b.cosine - a.cosine || a.one.ordinal - b.one.ordinal)
    .slice(0, counts.dense);
  const alone = weighed.filter((term) => term.alone);
  const chosen = [
    ...best(0, counts.body, 'body'),
    ...best(1, counts.window, 'window'),
    ...phrases.flatMap((_, i) => best(2 + i, QUOTED_CANDIDATES, 'body')),
    ...alone.flatMap((_, i) => best(2 + phrases.length + i, HEADING_CANDIDATES, undefined)),
    ...nearest.map(({ one }) => one),
  ];
  const all = [...new Map(chosen.map((one) => [one.ordinal, one])).values()].sort((a, b) => a.ordinal - b.ordinal);
  const terms = weighed.map(({ name, count, idf, windowIdf }, t): QueryTerm => {
    const { rows, forms } = found[t]!;
    return { postings: postingsOf(name, t, parts, all), rows, forms, count, idf, windowIdf };
  });
  const features = Object.fromEntries(
    wordFeatures.map((feature) => [feature, Float64Array.from(all, (one) => featureOf(one, feature))]),
  ) as Record<WordFeature, Float64Array>; // all of them
  return {
    ...features,
    ordinals: all.map(({ ordinal }) => ordinal),
    terms,
    corrections,
    queryWeight: weighed.reduce((sum, { count, idf }) => sum + count * idf, 0),
    wholes: collection.wholes / (collection.liveRows || 1),
    ...(vector ? cosineFeatures(vectorsOf(all, vector.length), vector) : { dimensions: 0 }),
  };
}

function featureOf({ part, place }: Place, feature: WordFeature): number {
  return part.reply.features[feature][place]!;
}

/** The postings of one term among the chosen. */
function postingsOf(term: string, number: number, parts: readonly PartReply[], all: readonly Place[]): TermPostings {
  const chosen = new Set(all.map(({ ordinal }) => ordinal));
  const held = parts.flatMap(({ base, reply }) => {
    const { places, text, title, headings } = reply.postings[number]!;
    return Array.from(places, (place, i) => {
      return { ordinal: base + reply.ordinals[place]!, text: text[i]!, title: title[i]!, headings: headings[i]! };
    }).filter(({ ordinal }) => chosen.has(ordinal));
  });
  return {
    term,
    ordinals: Uint32Array.from(held, ({ ordinal }) => ordinal),
    text: Uint16Array.from(held, ({ text }) => text),
    title: Uint16Array.from(held, ({ title }) => title),
    headings: Uint16Array.from(held, ({ headings }) => headings),
  };
}

function vectorsOf(all: readonly Place[], dimensions: number): Int8Array {
  const vectors = new Int8Array(all.length * dimensions);
  all.forEach(({ part, place }, i) => {
    vectors.set(part.reply.vectors!.subarray(place * dimensions, (place + 1) * dimensions), i * dimensions);
  });
  return vectors;
}
