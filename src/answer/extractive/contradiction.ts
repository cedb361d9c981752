import type { StoredChunk } from '../../core/types.ts';
import type { Citation, Contradicting, RelatedPassage } from '../contract.ts';
import { rivalsOf } from '../sentences/checks/rivals.ts';
import { isAmendmentOf, supersedingOf } from '../sentences/checks/superseding.ts';
import type { Candidate, Scored } from '../sentences/question/candidate.ts';
import type { Question } from '../sentences/question/question.ts';
import type { Judged } from '../sentences/ranking/rank.ts';
import type { Choice } from '../sentences/ranking/select.ts';
import { isOfLaterMessage } from '../sentences/structure/turn.ts';
import { dateIn, isDate } from '../sentences/structure/values.ts';
import { type ComposeOptions, compose } from './compose.ts';

/** Answers of several documents, and what comes near beside them. */
export interface Apart {
  /** The newest document first. */
  readonly answers: readonly { readonly judged: Judged; readonly date: DocumentDate | undefined }[];
  readonly related: readonly Judged[];
  /** Whether a later message of the same conversation, or an amendment, takes the place of what was said before; it stands first. */
  readonly replaces: boolean;
}

/** The first sentence of the answer and those of other documents that contradict it; undefined where none does. */
export function contradictionOf(question: Question, choice: Choice, ranked: readonly Scored[]): Apart | undefined {
  const [first, ...more] = choice.answer;
  if (first === undefined) return undefined;
  const rivals = rivalsOf(question, first.candidate, ranked);
  if (rivals.length === 0) {
    const superseding = supersedingOf(question, first.candidate, ranked, (one) => isNewer(one, first.candidate));
    if (superseding === undefined) return undefined;
    rivals.push(superseding);
  }
  const others = rivals.map((candidate): Judged => ({ ...first, candidate }));
  const answers = [first, ...others].map((judged) => ({
    judged,
    date: dateOf(judged.candidate.passage.hit.chunk),
  }));
  // stable: what has no date keeps its place behind those that have one
  answers.sort((a, b) => (b.date?.date ?? '').localeCompare(a.date?.date ?? ''));
  const [rival] = rivals;
  const isAmended = isAmendmentOf(rival!, first.candidate);
  const replaces = isAmended || isOfLaterMessage(rival!, first.candidate);
  if (isAmended) answers.sort((a, b) => Number(b.judged.candidate === rival) - Number(a.judged.candidate === rival));
  else if (replaces) answers.reverse();
  const shown = new Set(rivals);
  return { answers, related: [...more, ...choice.related].filter(({ candidate }) => !shown.has(candidate)), replaces };
}

/** Of a later month or day; documents that say a year alone are seldom versions of one. */
function isNewer(a: Candidate, b: Candidate): boolean {
  const [x = '', y = ''] = [a, b].map(({ passage }) => dateOf(passage.hit.chunk)?.date);
  const length = Math.min(x.length, y.length);
  return length >= 7 && x.slice(0, length) > y.slice(0, length);
}

interface ApartComposition {
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly related: readonly RelatedPassage[];
  readonly contradiction: readonly Contradicting[] | undefined;
}

/**
 * Each answer with its citation and the date of its document, one after the other.
 * @param otherwise stands between two answers
 */
export function composeApart(
  { answers, related }: Apart,
  otherwise: string,
  options: ComposeOptions,
): ApartComposition {
  let text = '';
  const citations: Citation[] = [];
  const contradiction: Contradicting[] = [];
  let beside: readonly RelatedPassage[] = [];
  for (const [i, { judged, date }] of answers.entries()) {
    const opening = citations.length === 0 ? '' : `${text} ${otherwise}`;
    const composed = compose(
      { answer: [judged], related: i === answers.length - 1 ? related : [] },
      { ...options, opening, cited: citations.length },
    );
    beside = composed.related;
    if (composed.citations.length === 0) continue;
    text = composed.text + (date ? ` (${date.date})` : '');
    for (const citation of composed.citations) contradiction.push({ n: citation.n, ...date });
    citations.push(...composed.citations);
  }
  return { text, citations, related: beside, contradiction: citations.length > 1 ? contradiction : undefined };
}

type DocumentDate = Required<Pick<Contradicting, 'date'>> & Pick<Contradicting, 'dateFrom'>;

/** Metadata that says when a document was made, from what says most about its content to what says least. */
const dateNames = ['effective', 'date', 'published', 'sentAt', 'updated', 'modified', 'created'] as const;

/** The date of a document, by its metadata, else by its title or the name of its file, a day before a year. */
export function dateOf({
  metadata,
  title,
  uri,
}: Pick<StoredChunk, 'metadata' | 'title' | 'uri'>): DocumentDate | undefined {
  for (const name of dateNames) {
    const value = metadata[name];
    if (typeof value !== 'string') continue;
    const iso = /^\d{4}(?:-\d{2}(?:-\d{2})?)?(?!\d)/.exec(value.trim())?.[0] ?? '';
    // the day as it is written, whatever zone it was written in
    const date = isDate(iso) ? iso : dateIn(value);
    if (date) return { date, dateFrom: name };
  }
  const names = [title, uri.slice(uri.lastIndexOf('/') + 1)];
  for (const text of names) {
    const day = dateIn(text);
    if (day !== undefined) return { date: day };
  }
  for (const text of names) {
    const found = /(?<!\d)(?:19|20)\d{2}(?:-(?:0[1-9]|1[0-2]))?(?!\d)/.exec(text);
    if (found) return { date: found[0] };
  }
  return undefined;
}
