/** Questions of `../shared/data-train`, each with the sentence that answers it and the short answers. */
import {
  analyseQuestion,
  atomsOf,
  candidatesOf,
  contentTerms,
  type SpanCandidate,
  type SpanLexicon,
  spanCandidates,
} from '../../src/internal.ts';
import { spanF1 } from './answer-figures.ts';
import { type AnswerQuestion, type AnswerSet, isGold } from './answer-sets.ts';
import { loadTrainingSet } from './answer-training-sets.ts';
import type { Sample } from './span-lexicon.ts';

/** Sets whose golds are sentences or longer. */
export const hasSpans = (set: string): boolean => !['selqa', 'policyqa', 'cnil-faq', 'wikiqa', 'subjqa'].includes(set);
/** The words of a passage are judged by what was learned from the others: of so many parts, one is left out. */
export const folds = 4;

export type Candidate = ReturnType<typeof candidatesOf>[number];
export interface Example extends Sample {
  readonly set: string;
  readonly fold: number;
  readonly candidate: Candidate;
  readonly answers: readonly string[];
}

export const noLexicon: SpanLexicon = { edges: new Map(), asking: new Map() };

export function examplesOf(root: string, name: string, limit: number): Example[] {
  const set = loadTrainingSet(root, name, { answerable: limit, unanswerable: 0 });
  const frequencies = new Map<string, number>();
  let rows = 0;
  for (const { chunks } of set.documents) {
    for (const { text } of chunks) {
      rows++;
      for (const term of contentTerms(text)) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    }
  }
  const documents = new Map(set.documents.map((document, i) => [document.uri, { ...document, fold: i % folds }]));
  return set.questions.flatMap((one, i): Example[] => {
    // People type questions without capitals and marks too.
    const asked = i % 3 === 0 ? one.text.toLowerCase().replace(/[?？؟]\s*$/, '') : one.text;
    const question = analyseQuestion(asked, { rows, documentFrequency: (term) => frequencies.get(term) ?? 0 });
    const [gold] = one.golds[0] ?? [];
    if (gold === undefined) return [];
    const document = documents.get(gold.uri)!;
    const candidate = answering(question, document, gold);
    if (candidate === undefined) return [];
    const spans = spanCandidates(question, candidate, noLexicon);
    const values = spans.map((span) => f1Of(candidate, span, one.answers));
    const best = spans[values.indexOf(Math.max(...values))];
    if (best === undefined) return [];
    const atoms = atomsOf(question, candidate);
    const from = atoms.findIndex(({ start }) => start === best.span.start);
    const to = atoms.findIndex(({ end }) => end === best.span.end);
    return [{ set: name, fold: document.fold, question, candidate, answers: one.answers, atoms, from, to }];
  });
}

/** The sentence of a document that holds the gold. */
function answering(
  question: Example['question'],
  { uri, title, chunks }: AnswerSet['documents'][number],
  gold: AnswerQuestion['golds'][number][number],
): Candidate | undefined {
  let at = 0;
  for (const [position, { text }] of chunks.entries()) {
    const span = { start: at, end: at + text.length };
    at = span.end;
    if (gold.start >= span.end) continue;
    const chunk = { uri, title, headings: [], position, text, span, tokens: 1, locators: [], format: 'text' };
    const hits = [{ chunk: { ...chunk, metadata: {} }, score: 1, origin: 'local' as const, trace: [] }];
    return candidatesOf(question, hits).find(({ unit }) =>
      isGold(uri, { start: span.start + unit.start, end: span.start + unit.end }, [gold]),
    );
  }
  return undefined;
}

export function f1Of(
  { passage }: Candidate,
  { span }: Pick<SpanCandidate, 'span'>,
  answers: readonly string[],
): number {
  const text = passage.hit.chunk.text.slice(span.start, span.end);
  return Math.max(...answers.map((answer) => spanF1(text, answer)));
}
