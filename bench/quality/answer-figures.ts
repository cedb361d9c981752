/**
 * Figures of an answer, whoever wrote it: gold answers found, citations right and complete, refusals in the right
 * place.
 */

import type { Answer, Span } from '../../src/index.ts';
import { sentenceSpans, unitsOf } from '../../src/internal.ts';
import type { Figure } from '../support/run-file.ts';
import { type AnswerQuestion, isGold } from './answer-sets.ts';
import { meanOf } from './score.ts';

/**
 * `own`: the index holds the answer. The others are unanswerable: `look-alike` by the set's own word, `gold removed`
 * since the places that answer were left out, `foreign` as a question of another collection.
 */
export type QuestionKind = 'own' | 'look-alike' | 'gold removed' | 'foreign';

export interface Asked {
  readonly kind: QuestionKind;
  readonly question: Pick<AnswerQuestion, 'id' | 'golds' | 'answers'>;
  readonly answer: Answer;
}

/** The sentences and rows a citation covers, in document offsets: what a judge would count. */
export function citedUnits({ citations }: Pick<Answer, 'citations'>): { uri: string; span: Span }[] {
  return citations.flatMap(({ uri, span, quote }) =>
    unitsOf(quote).map((unit) => ({ uri, span: { start: span.start + unit.start, end: span.start + unit.end } })),
  );
}

const normal = (text: string): string =>
  ` ${text
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

/** Words against words; characters against characters where no blanks are written. */
export function holds(text: string, answer: string): boolean {
  return /[\u3040-\u30ff\u4e00-\u9fff]/.test(answer)
    ? normal(text).includes(normal(answer).trim())
    : normal(text).includes(normal(answer));
}

/** Precision and recall of the cited units against the annotator they agree with most. */
export function citationScores(
  answer: Pick<Answer, 'citations'>,
  golds: AnswerQuestion['golds'],
): { precision: number; recall: number } {
  const cited = citedUnits(answer);
  let best = { precision: 0, recall: 0, f: 0 };
  for (const gold of golds) {
    const precision = share(cited.map(({ uri, span }) => isGold(uri, span, gold)));
    const recall = share(gold.map((one) => cited.some(({ uri, span }) => isGold(uri, span, [one]))));
    const f = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
    if (f > best.f) best = { precision, recall, f };
  }
  return { precision: best.precision, recall: best.recall };
}

/** Whether each citation is the document's own text at its place, letter for letter. */
export function exactCitations(
  { citations }: Pick<Answer, 'citations'>,
  textOf: (uri: string) => string | undefined,
): boolean[] {
  return citations.map(({ uri, span, quote }) => quote !== '' && textOf(uri)?.slice(span.start, span.end) === quote);
}

/** Share of the answer's sentences that a citation touches; a refusal has none to support. */
export function supportedSentences({ answer, citations, grounding }: Answer): number {
  if (grounding) {
    const sentences = sentenceSpans(answer).length;
    return sentences === 0 ? 0 : Math.max(0, 1 - grounding.unsupported.length / sentences);
  }
  const sentences = sentenceSpans(answer).filter(({ start, end }) =>
    /[\p{L}\p{N}]/u.test(answer.slice(start, end).replace(/\[\d+\]/g, '')),
  );
  return share(
    sentences.map(({ start, end }) =>
      citations.some(({ answerSpan }) => answerSpan.start < end && start < answerSpan.end),
    ),
  );
}

/**
 * Figures of one mode on one set. Refusals of own questions count as 0 wherever something had to be found; precision
 * of citations is over what was cited. A figure that has no question to it is left out.
 */
export function answerFigures(
  asked: readonly Asked[],
  textOf: (uri: string) => string | undefined,
): Record<string, Figure> {
  const own = asked.filter(({ kind }) => kind === 'own');
  const withGold = own.filter(({ question }) => question.golds.some((golds) => golds.length > 0));
  const withAnswer = own.filter(({ question }) => question.answers.length > 0);
  const given = own.filter(({ answer }) => !answer.abstained);
  const figures: Record<string, Figure> = {};
  const add = (
    name: string,
    list: readonly Asked[],
    value: (one: Asked) => number,
    better: 'higher' | 'lower' = 'higher',
  ): void => {
    if (list.length === 0) return;
    const values = list.map(value);
    const ids = list.map(({ kind, question }) => `${kind}/${question.id}`);
    figures[name] = { ...meanOf(values), n: values.length, better, ids, values };
  };
  const scores = new Map(withGold.map((one) => [one, citationScores(one.answer, one.question.golds)]));
  add('gold answer in the answer', withAnswer, ({ question, answer }) =>
    !answer.abstained && question.answers.some((each) => holds(answer.answer.replace(/\[\d+\]/g, ' '), each)) ? 1 : 0,
  );
  add('gold evidence cited', withGold, ({ question, answer }) =>
    question.golds.some((golds) => citedUnits(answer).some(({ uri, span }) => isGold(uri, span, golds))) ? 1 : 0,
  );
  add(
    'citation precision',
    withGold.filter(({ answer }) => answer.citations.length > 0),
    (one) => scores.get(one)!.precision,
  );
  add('citation recall', withGold, (one) => scores.get(one)!.recall);
  add(
    'citations letter for letter',
    asked.filter(({ answer }) => answer.citations.length > 0),
    ({ answer }) => share(exactCitations(answer, textOf)),
  );
  add('sentences with a citation', given, ({ answer }) => supportedSentences(answer));
  add('own questions refused', own, ({ answer }) => (answer.abstained ? 1 : 0), 'lower');
  for (const kind of ['look-alike', 'gold removed', 'foreign'] as const) {
    const those = asked.filter((one) => one.kind === kind);
    // Recall: of what cannot be answered, how much is refused. Precision: of what is refused, how much cannot be
    // answered.
    add(`refusal recall, ${kind}`, those, ({ answer }) => (answer.abstained ? 1 : 0));
    if (those.length > 0)
      add(
        `refusal precision, ${kind}`,
        [...own, ...those].filter(({ answer }) => answer.abstained),
        (one) => (one.kind === 'own' ? 0 : 1),
      );
  }
  return figures;
}

export function share(list: readonly boolean[]): number {
  return list.filter(Boolean).length / (list.length || 1);
}
