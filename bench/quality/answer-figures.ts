/**
 * Figures of an answer, whoever wrote it: gold answers found, citations right and complete, refusals in the right
 * place.
 */

import type { Answer, Citation, Span } from '../../src/index.ts';
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
function citedUnits({
  citations,
}: {
  readonly citations: readonly Pick<Citation, 'uri' | 'span' | 'quote'>[];
}): { uri: string; span: Span }[] {
  return citations.flatMap(({ uri, span, quote }) =>
    unitsOf(quote).map((unit) => ({ uri, span: { start: span.start + unit.start, end: span.start + unit.end } })),
  );
}

/** The same of the passages that stand beside the answer. */
function relatedUnits({ related = [] }: Pick<Answer, 'related'>): { uri: string; span: Span }[] {
  return citedUnits({ citations: related });
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

/** Sentences of the answer and then of the related passages that are looked at for gold. */
const sentencesLookedAt = 3;

/**
 * The choice of sentences over answerable questions, refusals counting as misses. Precision, recall and F1 are of the
 * answer itself, against the annotator it agrees with most; `goldCited` and `everyGold` are of the first three sentences
 * of answer and related passages; `firstGold` of the first one; `spanF1` of the first highlighted words.
 */
export function selectionFigures(asked: readonly Pick<Asked, 'question' | 'answer'>[]): Record<string, number> {
  const mean = (list: readonly number[]): number => list.reduce((sum, x) => sum + x, 0) / (list.length || 1);
  const rows = asked.map(({ question, answer }) => {
    const cited = citedUnits(answer);
    const shown = [...cited, ...relatedUnits(answer)].slice(0, sentencesLookedAt);
    const { precision, recall } = citationScores(answer, question.golds);
    const text = answer.citations.map(({ quote }) => quote).join('\n');
    const isShown = (gold: AnswerQuestion['golds'][number][number]): boolean =>
      shown.some(({ uri, span }) => isGold(uri, span, [gold]));
    return {
      precision,
      recall,
      f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
      sentences: cited.length,
      first: question.golds.some((golds) => cited.slice(0, 1).some(({ uri, span }) => isGold(uri, span, golds))),
      any: question.golds.some((golds) => shown.some(({ uri, span }) => isGold(uri, span, golds))),
      every: question.golds.some((golds) => golds.length > 0 && golds.every(isShown)),
      short: question.answers.length === 0 ? undefined : question.answers.some((each) => holds(text, each)),
      span:
        question.answers.length === 0
          ? undefined
          : Math.max(...question.answers.map((each) => spanF1(highlighted(answer), each))),
    };
  });
  const short = rows.flatMap((row) => row.short ?? []);
  const spans = rows.flatMap((row) => row.span ?? []);
  return {
    goldCited: share(rows.map(({ any }) => any)),
    everyGold: share(rows.map(({ every }) => every)),
    firstGold: share(rows.map(({ first }) => first)),
    sentences: mean(rows.map(({ sentences }) => sentences)),
    precision: mean(rows.map(({ precision }) => precision)),
    recall: mean(rows.map(({ recall }) => recall)),
    f1: mean(rows.map(({ f1 }) => f1)),
    ...(short.length > 0 ? { shortAnswerCited: share(short) } : {}),
    ...(spans.length > 0 ? { spanF1: mean(spans) } : {}),
  };
}

/** The first words that an answer marks as what was asked for; empty without a mark. */
function highlighted({ citations }: Answer): string {
  for (const { quote, span, highlight = [] } of citations) {
    for (const { start, end } of highlight) return quote.slice(start - span.start, end - span.start);
  }
  return '';
}

/** F1 of the words two texts share, as for SQuAD; of characters where no blanks are written. */
export function spanF1(given: string, gold: string): number {
  const words = (text: string): string[] =>
    normal(text)
      .trim()
      .split(' ')
      .flatMap((word) =>
        /[\u3040-\u30ff\u4e00-\u9fff\u0e00-\u0e7f]/.test(word) ? [...word] : word === '' ? [] : [word],
      );
  const left = words(given);
  const right = words(gold);
  const rest = [...right];
  let shared = 0;
  for (const word of left) {
    const at = rest.indexOf(word);
    if (at < 0) continue;
    rest.splice(at, 1);
    shared++;
  }
  return shared === 0 ? 0 : (2 * shared) / (left.length + right.length);
}

export function share(list: readonly boolean[]): number {
  return list.filter(Boolean).length / (list.length || 1);
}
