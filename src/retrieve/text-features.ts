import { allWords, contentTokens } from '../text/analysis/analysis.ts';
import { declares, nameAsked } from '../text/analysis/declared.ts';
import type { AnalysedQuery } from '../text/analysis/query.ts';
import { languageOf } from '../text/languages/detect.ts';
import type { Candidates } from './candidates.ts';
import type { AnalysedChunk } from './chunk-cache.ts';
import { type Features, shareToUnits } from './fuse.ts';
import type { GramFrequencies } from './gram-frequencies.ts';
import { gramText, queryGrams, scoreGrams } from './grams.ts';
import { hashTerm } from './hash.ts';
import { frequenciesAt, inverseDocumentFrequency } from './lexical-scores.ts';
import { holdsPhrase, isKind, isRunOf, pairScore, termPairs } from './phrases.ts';

/** Words of other languages than English are not stemmed: what they have in common shows in their letters. */
const FOREIGN = 2;
/** How many of the best so far may mention a title. */
const MENTIONING = 3;
/** Terms from which on a title is not likely met by chance; "Setup" is half a mention. */
const SURE_TITLE = 2;
/** What a name is, is said in one place; a heading that is the name may stand over others. */
const DECLARED = 1.6;
/** The subject of a question stands in many headings; what is asked about it ("when not to use it") in few. */
const SUBJECT = 0.35;

/**
 * The features that need the text: neighbouring terms, character 4-grams, headings, mentions, quoted phrases.
 * @param picked indices into the candidates, best first; the others get 0
 * @param chunks parallel to `picked`
 * @param frequencies of character 4-grams in the index
 */
export function textFeatures(
  candidates: Candidates,
  query: AnalysedQuery,
  frequencies: GramFrequencies,
  picked: readonly number[],
  chunks: readonly AnalysedChunk[],
): Features {
  const unit = shareToUnits(candidates);
  /** Other forms of words, each with the term that has its postings. */
  const formOf = new Map(
    candidates.terms.flatMap(({ postings: { term }, forms = [] }) =>
      forms.map((form): [string, string] => [form, term]),
    ),
  );
  const idf = new Map(candidates.terms.map(({ postings, idf }) => [postings.term, idf]));
  for (const [form, term] of formOf) idf.set(form, idf.get(term)!);
  const spreadOut = (of: (chunk: AnalysedChunk, index: number) => number): Float64Array => {
    const values = new Float64Array(candidates.ordinals.length);
    picked.forEach((candidate, i) => {
      values[candidate] = of(chunks[i]!, i);
    });
    return values;
  };
  const tokens = formOf.size === 0 ? query.tokens : query.tokens.map((token) => formOf.get(token) ?? token);
  const pairs = termPairs(tokens, (token) => idf.get(token) ?? 0);
  const forms = new Map([...formOf].map(([form, term]) => [hashTerm(form), hashTerm(term)]));
  const held = pairsHeld(candidates, tokens, picked);
  const phrase = spreadOut((chunk, i) => (held[i] ? pairScore(pairs, chunk.title, chunk.text, forms) * unit : 0));
  const grams = queryGrams(
    ...weightedText(query.content, idf, inverseDocumentFrequency(frequencies.liveRows, 0), frequencies),
  );
  const gramScores = scoreGrams(
    grams,
    chunks.map((chunk) => chunk.titleAndText),
  );
  const trusted = ['en', 'und'].includes(languageOf(query.text)) ? unit : FOREIGN * unit;
  const characters = spreadOut((_, i) => gramScores[i]! * trusted);
  const worth = new Map(
    allWords(query.text).map((word) => [hashTerm(word), contentTokens(word).length > 0 ? SUBJECT : 1]),
  );
  const name = nameAsked(query);
  const headingShare = spreadOut(({ heading, chunk }) =>
    name !== undefined && declares(chunk.text, name) ? DECLARED : shareIn(heading, worth),
  );
  const best = chunks.slice(0, MENTIONING);
  const mention = spreadOut((chunk, i) =>
    best.some((other) => mentions(other, chunk))
      ? Math.min(1, chunk.title.length / SURE_TITLE) * candidates.documentShare[picked[i]!]!
      : 0,
  );
  const found = { phrase, characters, headingShare, mention };
  if (query.phrases.length === 0) return found;
  const phrases = query.phrases.map((one) => Uint32Array.from(one, hashTerm));
  const quoted = spreadOut(
    ({ title, text }) => phrases.filter((one) => holdsPhrase(one, title, text)).length / phrases.length,
  );
  return { ...found, quoted };
}

/** Whether each picked candidate holds both terms of any pair, or what may be declared: only those need the order. */
function pairsHeld({ ordinals, terms }: Candidates, tokens: readonly string[], picked: readonly number[]): boolean[] {
  const bits = new Map(terms.map(({ postings }, i) => [postings.term, 1 << i])); // at most 30 terms
  const present = new Int32Array(ordinals.length);
  const ascending = picked.toSorted((a, b) => a - b);
  const rows = ascending.map((candidate) => ordinals[candidate]!);
  for (const { postings } of terms) {
    const bit = bits.get(postings.term)!;
    frequenciesAt(postings, rows, (i, text, title) => {
      if (text + title > 0) present[ascending[i]!]! |= bit;
    });
  }
  const pairs = tokens
    .slice(1)
    .map((token, i) => (isKind(token) ? 0 : (bits.get(token) ?? 0)) | (bits.get(tokens[i]!) ?? 0));
  return picked.map((candidate) => pairs.some((pair) => pair !== 0 && (present[candidate]! & pair) === pair));
}

function shareIn(words: Uint32Array, worth: ReadonlyMap<number, number>): number {
  let found = 0;
  for (const word of words) found += worth.get(word) ?? 0;
  return words.length === 0 ? 0 : found / words.length;
}

/** Whether a chunk's text names the title of another: the next hop of a question, or the subject of a page. */
function mentions(by: AnalysedChunk, of: AnalysedChunk): boolean {
  const { title } = of;
  return by !== of && title.length > 0 && isRunOf(title, by.text);
}

/**
 * The query's text for n-grams, and what a gram is worth: its own idf times the mean idf of the words its characters
 * belong to.
 */
function weightedText(
  content: string,
  idf: ReadonlyMap<string, number>,
  unknown: number,
  frequencies: GramFrequencies,
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
  const weightOf = (from: number): number =>
    frequencies.idf(text, from) * (worth[from]! + worth[from + 1]! + worth[from + 2]! + worth[from + 3]!);
  return [text, weightOf];
}
