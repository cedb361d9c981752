import { type AnalysedQuery, contentTokens } from '../text/analysis.ts';
import type { AnalysedChunk } from './chunk-cache.ts';
import { type Features, shareToUnits } from './fuse.ts';
import type { Candidates } from './gather.ts';
import { gramText, queryGrams, scoreGrams } from './grams.ts';
import { hashTerm } from './hash.ts';
import { inverseDocumentFrequency } from './lexical-scores.ts';
import { holdsPhrase, pairScore, termPairs } from './phrases.ts';

/**
 * Adds the features that need the text: neighbouring terms, character 4-grams, quoted phrases.
 * @param picked indices into the candidates; the others get 0
 * @param chunks parallel to `picked`
 * @param rows live rows of the index
 */
export function addTextFeatures(
  features: Features,
  candidates: Candidates,
  query: AnalysedQuery,
  rows: number,
  picked: readonly number[],
  chunks: readonly AnalysedChunk[],
): void {
  const unit = shareToUnits(candidates);
  const idf = new Map(candidates.terms.map(({ postings, idf }) => [postings.term, idf]));
  const spreadOut = (of: (chunk: AnalysedChunk, index: number) => number): Float64Array => {
    const values = new Float64Array(candidates.ordinals.length);
    picked.forEach((candidate, i) => {
      values[candidate] = of(chunks[i]!, i);
    });
    return values;
  };
  const pairs = termPairs(query.tokens, (token) => idf.get(token) ?? 0);
  features.phrase = spreadOut(({ title, text }) => pairScore(pairs, title, text) * unit);
  const grams = queryGrams(...weightedText(query.content, idf, inverseDocumentFrequency(rows, 0)));
  const gramScores = scoreGrams(
    grams,
    chunks.map((chunk) => chunk.grams),
  );
  features.characters = spreadOut((_, i) => gramScores[i]! * unit);
  features.charactersForeign = features.characters.map((score) => score * query.foreignness);
  if (query.phrases.length > 0) {
    const phrases = query.phrases.map((phrase) => Uint32Array.from(phrase, hashTerm));
    features.quoted = spreadOut(
      ({ title, text }) => phrases.filter((phrase) => holdsPhrase(phrase, title, text)).length / phrases.length,
    );
  }
}

/**
 * The query's text for n-grams, and what a gram is worth: the mean idf of the words its characters belong to. That needs no table of n-gram
 * frequencies and ranks as well as one.
 */
function weightedText(
  content: string,
  idf: ReadonlyMap<string, number>,
  unknown: number,
): [text: string, weightOf: (at: number) => number] {
  const text = gramText(content);
  const worth = new Float64Array(text.length);
  let at = 0;
  for (const word of text.split(' ')) {
    const tokens = contentTokens(word);
    const sum = tokens.reduce((total, token) => total + (idf.get(token) ?? unknown), 0);
    worth.fill(tokens.length === 0 ? 0 : sum / tokens.length, at, at + word.length);
    at += word.length + 1;
  }
  return [text, (from) => (worth[from]! + worth[from + 1]! + worth[from + 2]! + worth[from + 3]!) / 4];
}
