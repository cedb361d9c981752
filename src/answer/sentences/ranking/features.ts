import type { Hit } from '../../../core/types.ts';
import { type AnalysedWord, analyseWords } from '../../../text/analysis/words.ts';
import { referenceHeading } from '../../../text/languages/heading-words.ts';
import { isOfPreposition } from '../../../text/languages/prepositions.ts';
import { questionMark } from '../../../text/languages/question-marks.ts';
import { isNumberWord, isYear } from '../../../text/languages/question-words.ts';
import { givesDefault } from '../manuals/default-value.ts';
import { headsRelease } from '../manuals/latest-release.ts';
import { memberAsked } from '../manuals/member-asked.ts';
import { memberGain } from '../manuals/member-entry.ts';
import { releaseDayGain } from '../manuals/release.ts';
import type { AnalysedPassage, Candidate } from '../question/candidate.ts';
import { nameGiven } from '../question/file-name.ts';
import { holdingsOf } from '../question/holdings.ts';
import { coverage, matchOf, matchTerms, type Question, raise, sameWord } from '../question/question.ts';
import { folderNames, relationTo, type SubjectFolder, subjectFolders } from '../question/subject-folder.ts';
import { holdsWanted, unitAsked } from '../question/wanted.ts';
import { captionGain } from '../rules/captioned.ts';
import { labelGain } from '../rules/labelled.ts';
import { rowMatch } from '../rules/row-match.ts';
import { headingsOver } from '../structure/headings.ts';
import { headerBefore, type PassageText, passageText } from '../structure/passage-text.ts';
import { rowsOf } from '../structure/table.ts';
import { textOf } from '../structure/unit-text.ts';

/** What the linear model looks at in a sentence, in order. */
export const featureNames = [
  'own', // coverage by the sentence alone
  'topic', // with the title, the passage's first sentence and the two before
  'near', // with the title and the sentences around
  'focus', // coverage of what the title does not hold
  'relative', // passage score against the best
  'passage', // coverage by the whole passage
  'title', // coverage by title and headings
  'language', // passage in the question's language
  'short', // fewer than six words
  'question', // ends with a question mark
  'number', // asked for a number, and has one the question has not
  'date',
  'person',
  'place',
  'pair', // adjacent words of the question that stand together
  'row',
  'reference', // among references, further reading, links: matches well, answers nothing
  'counted', // asked for a number, and one stands before a word of the question
  'open', // a sentence without an end mark: a heading, a label, a fragment
] as const;
export type SentenceFeature = (typeof featureNames)[number];

/** All units of the hits, as a question matches them. */
export function candidatesOf(question: Question, hits: readonly Hit[]): Candidate[] {
  const best = Math.max(...hits.map((hit) => hit.score), Number.MIN_VALUE);
  const texts = hits.map(({ chunk }) => passageText(chunk.text, chunk.format, headerBefore(chunk) !== ''));
  const averageLength = texts.reduce((sum, { words }) => sum + words.length, 0) / texts.length || 1;
  const folders = subjectFolders(question.text, hits);
  const before = memberAsked(question) === undefined ? undefined : hitsBefore(hits);
  return hits.flatMap((hit, rank) =>
    passageCandidates(question, hit, texts[rank]!, {
      ...{ rank, relative: hit.score / best, averageLength, folders },
      before: before?.(hit),
    }),
  );
}

const mostBefore = 3;

function hitsBefore(hits: readonly Hit[]): (hit: Hit) => readonly Hit[] {
  // with the end: two of several indexes may have a document of one uri
  const place = (uri: string, position: number, end: number): string => `${position} ${end} ${uri}`;
  const byPlace = new Map(hits.map((hit) => [place(hit.chunk.uri, hit.chunk.position, hit.chunk.span.end), hit]));
  return ({ chunk: { uri, position, span } }) => {
    const found: Hit[] = [];
    let { start } = span;
    for (let i = 1; i <= mostBefore; i++) {
      const one = byPlace.get(place(uri, position - i, start));
      if (one === undefined) break;
      found.push(one);
      start = one.chunk.span.start;
    }
    return found;
  };
}

/**
 * BM25 (k1 1.2, b 0.75 against the mean length of the hits) of a passage with its title, over its upper bound.
 * @param rows of its words, as `matchOf` has them
 */
function densityOf(
  question: Question,
  rows: readonly (Float32Array | null)[],
  titleMatch: Float32Array,
  averageLength: number,
): number {
  const counts = new Float32Array(question.terms.length);
  for (const row of rows) {
    if (row) for (let j = 0; j < row.length; j++) if (row[j]! >= sameWord) counts[j]! += row[j]!;
  }
  let sum = 0;
  question.terms.forEach((term, j) => {
    const count = counts[j]! + (titleMatch[j]! >= sameWord ? 1 : 0);
    if (count > 0) sum += (term.weight * count) / (count + 1.2 * (0.25 + (0.75 * rows.length) / averageLength));
  });
  return sum / question.weight;
}

/** Where a hit stands among the others. */
interface Standing {
  readonly rank: number;
  readonly relative: number;
  /** Of all hits, in words. */
  readonly averageLength: number;
  readonly folders: readonly SubjectFolder[];
  readonly before: readonly Hit[] | undefined;
}

function passageCandidates(question: Question, hit: Hit, text: PassageText, standing: Standing): Candidate[] {
  const { chunk } = hit;
  const { aliases = '' } = chunk.metadata; // names of a note
  const title = `${chunk.title}\n${aliases}\n${nameGiven(question, chunk.uri)}\n${folderNames(standing.folders, chunk.uri)}`;
  const { passage, matches, context } = matchPassage(question, hit, title, text, standing);
  const { titleMatch } = passage;
  const language = text.language === question.language;
  const { units } = text;
  const { paths, isHeading } = headingsOver(chunk.text, units, chunk.headings, chunk.format, languageOfCode(chunk));
  const sections = new Map<readonly string[], Section>();
  const sectionOf = (headings: readonly string[]): Section => {
    const known = sections.get(headings);
    if (known) return known;
    const section = sectionUnder(question, headings === chunk.headings ? titleMatch : undefined, title, headings);
    sections.set(headings, section);
    return section;
  };
  const wantedUnit = unitAsked(question);
  const tableRows = rowsOf(chunk);
  const candidates = units.map((unit, index): Candidate => {
    const match = matches[index]!;
    if (context && unit.kind === 'row' && !unit.header) raise(match, context, 0.9);
    const row = tableRows.get(unit.start);
    if (row) raise(match, rowMatch(question, row), 1);
    const [from, to] = text.ranges[index]!;
    const tokens = text.words.slice(from, to);
    const headings = paths[index]!;
    const section = sectionOf(headings);
    const string = chunk.text.slice(unit.start, unit.end);
    const holds = holdingsOf(question, tokens, string, wantedUnit, unit.start);
    return {
      passage,
      index,
      unit,
      tokens,
      match,
      headings,
      titleMatch: section.titleMatch,
      headingMatch: section.headingMatch,
      holds,
      features: featuresOf(question, { passage, index, unit, tokens, string, holds, language }, section, matches),
    };
  });
  return candidates.filter((candidate) => mayAnswer(question, candidate, isHeading[candidate.index]!));
}

/** A hit as the question matches it, and how each of its units does by its own words and the header of its table. */
function matchPassage(
  question: Question,
  hit: Hit,
  title: string,
  { words, units, ranges, language }: PassageText,
  { rank, relative, averageLength, folders, before }: Standing,
): { passage: AnalysedPassage; matches: Float32Array[]; context: Float32Array | undefined } {
  const { chunk } = hit;
  const titleMatch = matchTerms(question, analyseWords([title, ...chunk.headings].join('\n')));
  // in a German passage `die` is an article, whatever it says in an English question
  const isForeign = language !== question.language && language !== 'und';
  const rows = words.map((token, i) =>
    (isForeign && token.empty) || isOfPreposition(words[i - 1]?.word, token.word) ? null : matchOf(question, token),
  );
  const match = new Float32Array(question.terms.length);
  for (const row of rows) if (row) raise(match, row, 1);
  const matches = ranges.map(([from, to]) => {
    const own = new Float32Array(question.terms.length);
    for (let k = from; k < to; k++) if (rows[k]) raise(own, rows[k]!, 1);
    return own;
  });
  const headers = new Map<number, Float32Array>();
  units.forEach(({ header }, i) => {
    // A row is read under its header: the column names count for every row, a little less than its own words.
    if (!header) return;
    const known = headers.get(header.start) ?? matchTerms(question, tokensIn(words, header.start, header.end));
    headers.set(header.start, known);
    raise(matches[i]!, known, 0.9);
  });
  const context = chunk.context === undefined ? undefined : matchTerms(question, analyseWords(chunk.context));
  raise(match, titleMatch, 1);
  if (context) raise(match, context, 0.9);
  const passage: AnalysedPassage = {
    hit,
    rank,
    relative,
    titleMatch,
    match,
    titleCoverage: coverage(question, titleMatch),
    coverage: coverage(question, match),
    density: densityOf(question, rows, titleMatch, averageLength),
    units,
    ofSubject: relationTo(folders, hit),
    ...(before === undefined ? {} : { before }),
  };
  return { passage, matches, context };
}

/** What the features of a unit are made of, beside what stands over it and around it. */
interface Described extends Pick<Candidate, 'passage' | 'index' | 'unit' | 'tokens' | 'holds'> {
  readonly string: string;
  /** Whether its passage is in the question's language. */
  readonly language: boolean;
}

/**
 * Values in the order of `featureNames`.
 * @param matches of all units: those before are complete, those behind lack what tables add
 */
function featuresOf(
  question: Question,
  { passage, index: i, unit, tokens, string, holds, language }: Described,
  { titleMatch, outside, inReferences }: Section,
  matches: readonly Float32Array[],
): Float64Array {
  const own = matches[i]!;
  const topic = own.slice();
  raise(topic, titleMatch, 0.9);
  const near = topic.slice();
  if (i > 1) raise(topic, matches[0]!, 0.8);
  if (i > 0) raise(topic, matches[i - 1]!, 0.8);
  if (i > 1) raise(topic, matches[i - 2]!, 0.5);
  if (i > 0) raise(near, matches[i - 1]!, 0.8);
  if (i + 1 < matches.length) raise(near, matches[i + 1]!, 0.6);
  let focus = 0;
  question.terms.forEach((term, j) => {
    focus += term.weight * (1 - titleMatch[j]!) * own[j]!;
  });
  const wanted = holdsWanted(question, holds);
  return Float64Array.of(
    coverage(question, own),
    coverage(question, topic),
    coverage(question, near),
    outside > 0 ? focus / Math.max(outside, 0.15 * question.weight) : 0,
    passage.relative,
    passage.coverage,
    coverage(question, titleMatch),
    language ? 1 : 0,
    tokens.length < 6 && unit.kind === 'sentence' ? 1 : 0,
    asks.test(string) ? 1 : 0,
    question.type === 'number' ? wanted : 0,
    question.type === 'date' ? wanted : 0,
    question.type === 'person' ? wanted : 0,
    question.type === 'place' ? wanted : 0,
    pairs(question, tokens),
    unit.kind === 'row' ? 1 : 0,
    inReferences ? 1 : 0,
    question.type === 'number' && counts(question, tokens) ? 1 : 0,
    unit.kind === 'row' || endMark.test(string) ? 0 : 1,
  );
}

/**
 * A heading says what is answered below it, not the answer, unless it says when: `## 2.3.0 - 2024-12-03`, or what holds
 * by default: `open(name, level=9)`, or what is declared there, or is a name with its caption, or a release is asked for.
 */
function mayAnswer(question: Question, candidate: Candidate, isHeading: boolean): boolean {
  if (question.type === 'date' && (labelGain(question, candidate) > 0 || releaseDayGain(question, candidate) > 0))
    return true;
  const text = textOf(candidate);
  if (headsRelease(question, candidate)) return true;
  if (givesDefault(question, text) || memberGain(question, candidate) > 0 || captionGain(question, candidate) > 0)
    return true;
  const { headings } = candidate.passage.hit.chunk;
  return !isHeading && !headings.includes(text) && !isLabelAlone(question, candidate, text);
}

/** `Subject: `, or the number of an item or a section. */
const labelOrMark = /^(?:\p{L}[\p{L}-]*: |[([]?\d{1,3}(?:[.)\]]|(?:\.\d{1,3})+\.?)\s+)/u;
/** `4.1 Deposit`, and `2.5 metres`. */
const decimal = /^\d+\.\d+\s/;

/**
 * `Subject: Family day`, asked about the family day; `1. Maximum length of a name` and `4.1 Security deposit.`, asked for
 * it: a label, an item or a heading with nothing that the question has not.
 */
function isLabelAlone(question: Question, { unit, tokens }: Candidate, text: string): boolean {
  const label = labelOrMark.exec(text);
  if (label === null || question.type === 'choice') return false;
  if (question.type === 'number' && decimal.test(label[0])) return false;
  const behind = tokens.filter(({ start }) => start >= unit.start + label[0].length);
  return behind.length > 0 && behind.every(({ empty, term }) => empty || question.known.has(term)); // `Default: []`
}

/** What stands over sentences, as the question matches it. */
interface Section {
  readonly titleMatch: Float32Array;
  readonly headingMatch: Float32Array;
  /** Weight of the question that title and headings leave open. */
  readonly outside: number;
  readonly inReferences: boolean;
}

function sectionUnder(
  question: Question,
  known: Float32Array | undefined,
  title: string,
  headings: readonly string[],
): Section {
  const titleMatch = known ?? matchTerms(question, analyseWords([title, ...headings].join('\n')));
  let outside = 0;
  question.terms.forEach((term, j) => {
    outside += term.weight * (1 - titleMatch[j]!);
  });
  return {
    titleMatch,
    headingMatch: matchTerms(question, analyseWords(headings.at(-1) ?? '')),
    outside,
    inReferences: headings.some((heading) => referenceHeading.test(heading)),
  };
}

const asks = new RegExp(`${questionMark}["'”’»)\\]]*$`, 'u');
const endMark = /[.!?…。！？؟।][\s"'”’»›)\]}）」』*_`]*$/;

function tokensIn(tokens: readonly AnalysedWord[], start: number, end: number): AnalysedWord[] {
  return tokens.filter((token) => token.start >= start && token.start < end);
}

/**
 * "nine justices" for "how many justices": a number that the question has not, up to three words before one of its
 * words.
 */
function counts(question: Question, tokens: readonly AnalysedWord[]): boolean {
  return tokens.some((token, i) => {
    if (!(token.numeric || isNumberWord(token.word)) || isYear(token.word) || question.known.has(token.word))
      return false;
    return tokens.slice(i + 1, i + 4).some((next) => bestMatch(question, next) >= sameWord);
  });
}

/** How well a word, seen by `matchTerms` before, matches any term. */
function bestMatch(question: Question, token: AnalysedWord): number {
  const row = question.matches.get(token.word);
  return row ? Math.max(...row) : 0;
}

/** Share of the question's neighbouring words (at least one of them not empty) that stand side by side here. */
function pairs({ pairs: asked }: Question, tokens: readonly AnalysedWord[]): number {
  if (asked.count === 0) return 0;
  let found = 0;
  const seen = new Set<number>();
  for (let i = 0; i + 1 < tokens.length; i++) {
    const at = asked.places.get(tokens[i]!.term)?.get(tokens[i + 1]!.term);
    if (at === undefined || seen.has(at[0]!)) continue;
    seen.add(at[0]!);
    found += at.length;
  }
  return found / asked.count;
}

function languageOfCode({ metadata }: Hit['chunk']): string | undefined {
  return typeof metadata.language === 'string' ? metadata.language : undefined;
}
