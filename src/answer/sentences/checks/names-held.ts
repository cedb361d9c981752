import { type AnalysedWord, analyseWords } from '../../../text/analysis/words.ts';
import { asksLetters } from '../../../text/languages/definitions.ts';
import { isDateWord } from '../../../text/languages/question-words.ts';
import { isLikeAny, isShortForm, plainName } from '../question/alike-names.ts';
import type { AnalysedPassage, Scored } from '../question/candidate.ts';
import { positionOf, type Question } from '../question/question.ts';
import { nameOf } from '../ranking/hops.ts';
import type { Chosen } from '../ranking/next.ts';
import { isClaim } from '../rules/findings.ts';
import { spellsLetters } from '../rules/spelled-out.ts';
import { wholeText } from '../structure/unit-text.ts';

/** How well a word of a name is held; and of how much of the name's weight, so that one word of two may do: the rarer. */
const held = 0.5;
/** Share of what was found from which the documents of an answer are what the question is about. */
const aboutAll = 0.5;

const otherScripts: ReadonlySet<string> = new Set(['ar', 'el', 'he', 'hi', 'ja', 'ko', 'ru', 'th', 'zh']);

/** The names that a question gives: words with a capital, behind its first. German nouns have one too. */
export function namesIn({ text, tokens, language }: Question): AnalysedWord[][] {
  // the first word of a sentence has a capital anyway, but for one of another script
  const first = otherScripts.has(language) && /^\P{L}*\p{sc=Latin}/u.test(text) ? -1 : 0;
  const said = tokens.filter(({ empty }) => !empty);
  if (language === 'de' || said.every(({ capital }) => capital)) return [];
  const names: AnalysedWord[][] = [];
  tokens.forEach((token, i) => {
    if (i === first || !token.capital || token.empty || token.unspaced) return;
    if (isShortForm(text, token) || isDateWord(token.word)) return;
    const last = names.at(-1);
    if (last !== undefined && last.at(-1) === tokens[i - 1]) last.push(token);
    else names.push([token]);
  });
  return names;
}

/**
 * Whether a name that the question gives stands neither in the passages of the answer nor elsewhere in their documents,
 * as far as they were found, in no form that is alike; nor in a passage that names one of these documents.
 */
export function lacksName(question: Question, answer: readonly Chosen[], ranked: readonly Scored[]): boolean {
  const names = isClaim(question) ? [] : namesIn(question);
  // of several, each may be of another document
  const asked = names.length === 1 ? names : names.filter((name) => isUnknown(question, name));
  if (asked.length === 0) return false;
  const found = [...new Set(ranked.map(({ candidate }) => candidate.passage))];
  const own = [...new Set(answer.map(({ candidate }) => candidate.passage))];
  const uris = new Set(own.map(({ hit }) => hit.chunk.uri));
  const ofDocuments = found.filter(({ hit }) => uris.has(hit.chunk.uri));
  // a speech does not name its speaker; that no document has one of several names says more
  if (names.length === 1 && ofDocuments.length > aboutAll * found.length) return false;
  const others = found.filter(({ hit }) => !uris.has(hit.chunk.uri));
  const titles = own.flatMap((passage) => {
    const name = nameOf(passage);
    return name ? [name] : [];
  });
  const isHeld = (name: readonly AnalysedWord[], passage: AnalysedPassage): boolean =>
    holdsMost(question, name, (j) => passage.match[j]! >= held);
  const named = new Set(names.flat().map(({ term }) => term));
  // `the population of Tarn`: no other document leads to what is asked for
  const isDirect = question.terms.filter(({ term }) => !named.has(term)).length <= 1;
  return asked.some((name) => {
    if (ofDocuments.some((passage) => isHeld(name, passage))) return false;
    if (
      !isDirect &&
      others.some((passage) => isHeld(name, passage) && titles.some((title) => hasTerms(passage, title)))
    )
      return false;
    return !own.some((passage) => isAlike(question, name, passage));
  });
}

function hasTerms({ hit: { chunk } }: AnalysedPassage, terms: readonly string[]): boolean {
  const own = new Set(analyseWords(chunk.text).map(({ term }) => term));
  return terms.every((term) => own.has(term));
}

/** Whether a passage has half of a name, or words like it. */
export function holdsName(question: Question, name: readonly AnalysedWord[], passage: AnalysedPassage): boolean {
  return holdsMost(question, name, (j) => passage.match[j]! >= held) || isAlike(question, name, passage);
}

/** No document of the index has a word of it. */
function isUnknown({ terms }: Question, name: readonly AnalysedWord[]): boolean {
  return name.every(({ term }) => terms.find((one) => one.term === term)?.documentFrequency === 0);
}

/** Whether words of half the weight of a name are held. */
function holdsMost(
  question: Question,
  name: readonly AnalysedWord[],
  isHeld: (j: number, word: string) => boolean,
): boolean {
  let [all, sum] = [0, 0];
  for (const one of name) {
    const j = positionOf(question, one);
    if (j < 0) continue;
    const { weight } = question.terms[j]!;
    all += weight;
    if (isHeld(j, one.word)) sum += weight;
  }
  return sum >= held * all;
}

/** Whether words of a passage, its title, headings or address are those of a name, misspelt or in another form. */
function isAlike(question: Question, name: readonly AnalysedWord[], passage: AnalysedPassage): boolean {
  const words = new Set(plainName(wholeText(passage)).match(/[\p{L}\p{N}]+/gu));
  return holdsMost(question, name, (_, word) => {
    const asked = plainName(word);
    return words.has(asked) || isLikeAny(asked, words);
  });
}

/**
 * Whether the question has an abbreviation that no document of the index has, in no form and not written out, and asks
 * nothing about the letters: `CHO cells`, where all is about HeLa cells.
 */
export function lacksShortName(question: Question, ranked: readonly Scored[]): boolean {
  const { text, tokens } = question;
  if (isClaim(question) || asksLetters.test(text) || !/\p{Ll}/u.test(text)) return false;
  const asked = tokens.filter((token) => {
    const raw = text.slice(token.start, token.end);
    return /^\p{Lu}{3,5}$/u.test(raw) && !token.empty && !isDateWord(token.word) && isUnknown(question, [token]);
  });
  if (asked.length === 0) return false;
  const passages = [...new Set(ranked.map(({ candidate }) => candidate.passage))];
  return asked.some((token) => !passages.some((passage) => spellsLetters(wholeText(passage), token.word)));
}
