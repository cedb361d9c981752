import { type AnalysedWord, fullWords } from '../../../text/analysis/words.ts';
import { documentNamed } from '../../../text/languages/document-names.ts';
import { once } from './once.ts';
import type { Question } from './question.ts';

/** `projects/office-move.md`: `office move`. `NDA_Halvorsen2025` has three words. */
export function stemOf(uri: string): string {
  const file = uri.slice(uri.lastIndexOf('/') + 1).replace(/(?<=.)\.\p{L}[\p{L}\p{N}]{0,7}$/u, '');
  return file.replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\p{N})|[^\p{L}\p{N}]+/gu, ' ');
}

/** The words that a question calls a document by, as terms and as they are written; none where it names no document. */
export function wordsOfName(question: string): readonly Pick<AnalysedWord, 'term' | 'word'>[] {
  const named = documentNamed(question);
  return named === undefined ? [] : fullWords(stemOf(`/${named}`));
}

/** Whether the name of a file has all these words. */
export function isFileNamed(uri: string, words: readonly Pick<AnalysedWord, 'term'>[]): boolean {
  if (words.length === 0) return false;
  const held = new Set(fullWords(stemOf(uri)).map(({ term }) => term));
  return words.every(({ term }) => held.has(term));
}

const wordsNamed = once(({ text }) => wordsOfName(text));

/** The words of the name by which a question calls this document; '' where it does not. */
export function nameGiven(question: Question, uri: string): string {
  const words = wordsNamed(question);
  return isFileNamed(uri, words) ? words.map(({ word }) => word).join(' ') : '';
}
