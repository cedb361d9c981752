import { hash32 } from '../core/hash.ts';
import type { Span } from '../core/types.ts';
import { contentTokens } from '../text/analysis/analysis.ts';
import { sentenceSpans } from '../text/sentences/sentences.ts';
import { type JudgedQuestion, judgedQuestion } from './question.ts';
import { rarestWords } from './rarest-words.ts';
import type { Section } from './sections.ts';

interface Candidate {
  readonly uri: string;
  /** Of the section's text, or the sentence. */
  readonly span: Span;
  /** The sentence, or the beginning of the section. */
  readonly text: string;
  /** Hashes of the term triples it is told from near-duplicates by. */
  readonly triples: Uint32Array;
  /** A fixed throw of the dice. */
  readonly key: number;
}

interface HeadingCandidate extends Candidate {
  readonly heading: string;
  readonly headingSpan: Span | undefined;
}

export interface MadeQuestion {
  readonly question: JudgedQuestion;
  readonly uri: string;
  /** Where its answer begins, or all of it: tells the place by its words instead of offsets, which an edit moves. */
  readonly text: string;
  /** Of a heading question: what is to be taken out of the document. */
  readonly headingSpan?: Span;
}

const KEPT = 4000;
const BEGINNING_CHARS = 160;
/** Of a section's beginning, to tell it from near-duplicates. */
const COMPARED_CHARS = 600;
/**
 * A section or sentence that shares more than this of its triples with others has no one place where its answer stands.
 */
const REPEATED_SHARE = 0.5;
const LEAST_SECTION_CHARS = 120;
const LEAST_SENTENCE_CHARS = 60;
const MOST_SENTENCE_CHARS = 400;
const KEYWORDS = 4;
const LEAST_KEYWORDS = 3;
/** A term of more than this share of the sections tells little. */
const COMMON_SHARE = 0.2;

/**
 * Makes questions from documents whose answers are known by where they were taken from. Fed section by section; what it
 * keeps is bounded but for the vocabulary.
 */
export class QuestionMaker {
  readonly #sections = new Map<string, number>();
  readonly #headings = new Map<string, number>();
  /** Frequency of each triple, by a hash of 22 bits: a collision can only drop one more candidate. */
  readonly #triples = new Uint8Array(2 ** 22);
  #sectionCount = 0;
  #documents = new Set<string>();
  #headingCandidates: HeadingCandidate[] = [];
  #sentenceCandidates: Candidate[] = [];

  add(section: Section): void {
    this.#sectionCount++;
    this.#documents.add(section.uri);
    for (const term of new Set(contentTokens(section.text))) {
      this.#sections.set(term, (this.#sections.get(term) ?? 0) + 1);
    }
    this.#addHeading(section);
    for (const span of sentenceSpans(section.text)) {
      const sentence = section.text.slice(span.start, span.end);
      const triples = triplesOf(contentTokens(sentence));
      this.#count(triples);
      if (!isProse(sentence) || triples.length < 6) continue;
      const { uri, start } = section;
      const at = { start: start + span.start, end: start + span.end };
      this.#sentenceCandidates.push({ uri, span: at, text: sentence, triples, key: hash32(`${uri} ${at.start}`, 7) });
    }
    if (this.#sentenceCandidates.length > 2 * KEPT) this.#sentenceCandidates = first(this.#sentenceCandidates);
    if (this.#headingCandidates.length > 2 * KEPT) this.#headingCandidates = first(this.#headingCandidates);
  }

  #addHeading({ uri, title, heading, headingSpan, start, text }: Section): void {
    const folded = heading.toLowerCase();
    this.#headings.set(folded, (this.#headings.get(folded) ?? 0) + 1);
    const terms = contentTokens(heading);
    if (terms.length < 2 || terms.length > 12 || folded === title.toLowerCase()) return;
    if (text.length < LEAST_SECTION_CHARS) return;
    const triples = triplesOf(contentTokens(text.slice(0, COMPARED_CHARS)));
    const span = { start, end: start + text.length };
    const begins = text.slice(0, BEGINNING_CHARS).trim();
    this.#headingCandidates.push({
      uri,
      span,
      text: begins,
      heading,
      headingSpan,
      triples,
      key: hash32(`${uri} ${start}`, 3),
    });
  }

  #count(triples: Uint32Array): void {
    for (const triple of triples) {
      const slot = triple >>> 10;
      if (this.#triples[slot]! < 255) this.#triples[slot]!++;
    }
  }

  #isRepeated({ triples }: Candidate): boolean {
    let repeated = 0;
    for (const triple of triples) if (this.#triples[triple >>> 10]! > 1) repeated++;
    return repeated > REPEATED_SHARE * triples.length;
  }

  /** At most `limit`, about half of each kind, spread over the documents; the same for the same documents. */
  make(limit: number): MadeQuestion[] {
    const headings = first(this.#headingCandidates).flatMap((candidate) => {
      if (this.#headings.get(candidate.heading.toLowerCase())! > 1 || this.#isRepeated(candidate)) return [];
      const { uri, span, text, heading, headingSpan } = candidate;
      const question = judgedQuestion('heading', heading, [{ uri, span }]);
      return [{ question, uri, text, ...(headingSpan && { headingSpan }) }];
    });
    const sentences = first(this.#sentenceCandidates).flatMap((candidate) => {
      if (this.#isRepeated(candidate)) return [];
      const keywords = this.#keywordsOf(candidate.text);
      if (keywords === undefined) return [];
      const { uri, span, text } = candidate;
      return [{ question: judgedQuestion('keywords', keywords, [{ uri, span }]), uri, text }];
    });
    const spread = (made: readonly MadeQuestion[]): MadeQuestion[] => {
      const most = Math.max(1, Math.ceil((2 * limit) / this.#documents.size));
      const perDocument = new Map<string, number>();
      return made.filter(({ uri }) => {
        const count = (perDocument.get(uri) ?? 0) + 1;
        perDocument.set(uri, count);
        return count <= most;
      });
    };
    const [a, b] = [spread(headings), spread(sentences)];
    const half = Math.ceil(limit / 2);
    const fromHeadings = a.slice(0, Math.max(half, limit - b.length));
    const all = [...fromHeadings, ...b.slice(0, limit - fromHeadings.length)];
    return [...new Map(all.map((made) => [made.question.id, made])).values()];
  }

  /** Its rarest words that occur elsewhere too, in their order: a word found in one place alone would ask nothing. */
  #keywordsOf(sentence: string): string | undefined {
    const words: { readonly word: string; readonly count: number }[] = [];
    const seen = new Set<string>();
    for (const match of sentence.matchAll(/[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}'’._-]*[\p{L}\p{N}])?/gu)) {
      const term = contentTokens(match[0])[0];
      if (term === undefined || match[0].length > 30 || seen.has(term)) continue;
      seen.add(term);
      const count = this.#sections.get(term) ?? 0;
      if (count < 2 || count > Math.max(3, COMMON_SHARE * this.#sectionCount)) continue;
      words.push({ word: match[0], count });
    }
    return words.length < LEAST_KEYWORDS ? undefined : rarestWords(words, KEYWORDS);
  }
}

/** Those with the lowest keys, in order of the keys. */
function first<T extends Candidate>(candidates: readonly T[]): T[] {
  return [...candidates].sort((x, y) => x.key - y.key).slice(0, KEPT);
}

function isProse(sentence: string): boolean {
  if (sentence.length < LEAST_SENTENCE_CHARS || sentence.length > MOST_SENTENCE_CHARS) return false;
  return (sentence.match(/[\p{L}\p{M}\s]/gu)?.length ?? 0) > 0.8 * sentence.length;
}

function triplesOf(terms: readonly string[]): Uint32Array {
  const triples = new Set<number>();
  for (let i = 0; i + 3 <= terms.length; i++) triples.add(hash32(`${terms[i]} ${terms[i + 1]} ${terms[i + 2]}`));
  return Uint32Array.from(triples);
}

/** Of fewer documents, single questions are split. */
const LEAST_DOCUMENTS = 8;

/**
 * Splits questions by document, so that what is learnt of a document does not help with its other questions.
 * @returns the half to choose on, and the half to judge the choice by
 */
export function splitQuestions(questions: readonly JudgedQuestion[]): {
  readonly tune: readonly number[];
  readonly heldOut: readonly number[];
} {
  const documents = new Set(questions.map(({ evidence }) => evidence[0]?.uri));
  const groups = new Map<string, number[]>();
  for (const [i, { id, evidence }] of questions.entries()) {
    const key = (documents.size >= LEAST_DOCUMENTS ? evidence[0]?.uri : undefined) ?? id;
    groups.set(key, [...(groups.get(key) ?? []), i]);
  }
  const tune: number[] = [];
  const heldOut: number[] = [];
  // large groups first, each to the smaller half: even where a few documents hold most questions
  const ordered = [...groups].sort(([a, x], [b, y]) => y.length - x.length || hash32(a, 11) - hash32(b, 11));
  for (const [, members] of ordered) (tune.length <= heldOut.length ? tune : heldOut).push(...members);
  return { tune: tune.sort((a, b) => a - b), heldOut: heldOut.sort((a, b) => a - b) };
}
