import type { StoredChunk } from '../../../core/types.ts';
import { analyseWords } from '../../../text/analysis/words.ts';
import { type DocumentsAsked, documentsAsked } from '../../../text/languages/documents-asked.ts';
import type { Candidate, Scored } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { positionsOf, type Question, sameWord } from '../question/question.ts';
import { namesWriter } from './letter.ts';

/** Positions of the terms of what documents are asked for by, and whether all of them are asked for. */
const askedOf = once((question: Question) => {
  const asked = documentsAsked(question.text);
  if (asked === undefined) return undefined;
  const subject = positionsOf(question, analyseWords(asked.subject));
  return subject.length === 0 ? undefined : { ...asked, positions: subject };
});

const mailFormats: ReadonlySet<string> = new Set(['eml', 'msg', 'mbox']);

/**
 * Whether a document is of the kind that a question asks for: a mail by its format, a letter by its title or address, where
 * any is called so.
 */
function kindMeant({ kind, isMail }: DocumentsAsked, ranked: readonly Scored[]): (chunk: StoredChunk) => boolean {
  if (isMail) return ({ format }) => mailFormats.has(format);
  if (kind === undefined) return () => true;
  const terms = analyseWords(kind).map(({ term }) => term);
  const chunks = new Map(ranked.map(({ candidate: { passage } }) => [passage.hit.chunk.uri, passage.hit.chunk]));
  const called = [...chunks.values()].filter(({ uri, title }) => {
    const words = new Set(analyseWords(`${title}\n${uri.replaceAll(/[/._-]+/g, ' ')}`).map(({ term }) => term));
    return terms.every((term) => words.has(term));
  });
  const uris = new Set(called.map(({ uri }) => uri));
  return uris.size === 0 ? () => true : ({ uri }) => uris.has(uri);
}

/** Whether a sentence and its title lack the name of the author whose documents are asked for. */
export function lacksAuthorAsked(question: Question, { match, titleMatch }: Candidate): boolean {
  const asked = askedOf(question);
  return asked?.isByAuthor === true && !asked.positions.every((j) => Math.max(match[j]!, titleMatch[j]!) >= sameWord);
}

/**
 * Of each document that has all that a question looks for (`Which documents mention the deposit?`) the sentence that has
 * most of it, with its title and headings; documents with it in their title first, then as they were found. The first one
 * alone where one document is asked for.
 */
export function documentsHolding(question: Question, ranked: readonly Scored[], most: number): readonly Candidate[] {
  const asked = askedOf(question);
  if (asked === undefined) return [];
  const { positions: subject, isForAll, isByAuthor } = asked;
  const isMeant = kindMeant(asked, ranked);
  const best = new Map<string, { readonly candidate: Candidate; readonly own: number; readonly isTitled: boolean }>();
  for (const { candidate } of ranked) {
    const { match, titleMatch, passage } = candidate;
    if (!subject.every((j) => Math.max(match[j]!, titleMatch[j]!) >= sameWord)) continue;
    const own = subject.filter((j) => match[j]! >= sameWord).length;
    const { uri } = passage.hit.chunk;
    if (!isMeant(passage.hit.chunk)) continue;
    if (isByAuthor && (own < subject.length || !namesWriter(candidate))) continue;
    const known = best.get(uri);
    if (own === 0 && !isForAll) continue;
    if (known !== undefined && known.own >= own) continue;
    best.set(uri, { candidate, own, isTitled: subject.every((j) => passage.titleMatch[j]! >= sameWord) });
  }
  const found = [...best.values()].sort(
    (a, b) =>
      Number(b.isTitled) - Number(a.isTitled) || a.candidate.passage.rank - b.candidate.passage.rank || b.own - a.own,
  );
  return found.slice(0, isForAll ? most : 1).map(({ candidate }) => candidate);
}
