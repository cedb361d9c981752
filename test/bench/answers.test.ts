import { describe, expect, it } from 'vitest';
import {
  type Asked,
  answerFigures,
  citationScores,
  exactCitations,
  holds,
  selectionFigures,
  spanF1,
  supportedSentences,
} from '../../bench/quality/answer-figures.ts';
import type { Answer, Citation } from '../../src/answer/contract.ts';

const text = 'The mill was built in 1831. It burnt down in 1902. Nobody lived there. A new one followed in 1911.';
const textOf = (uri: string): string | undefined => (uri === 'mill' ? text : undefined);
const at = (quote: string): { start: number; end: number } => {
  const start = text.indexOf(quote);
  return { start, end: start + quote.length };
};
const built = 'The mill was built in 1831.';
const burnt = 'It burnt down in 1902.';
const empty = 'Nobody lived there.';

function answerOf(quotes: readonly string[], change: Partial<Answer> = {}): Answer {
  let written = '';
  const citations = quotes.map((quote, i): Citation => {
    const start = written.length === 0 ? 0 : written.length + 1;
    written += `${written === '' ? '' : ' '}${quote} [${i + 1}]`;
    return {
      n: i + 1,
      reference: '',
      uri: 'mill',
      title: '',
      quote,
      span: at(quote),
      place: {},
      headings: [],
      verified: true,
      answerSpan: { start, end: start + quote.length },
      origin: 'local',
    };
  });
  return {
    question: 'When?',
    answer: written,
    abstained: quotes.length === 0,
    confidence: quotes.length === 0 ? 'none' : 'high',
    support: 0.5,
    citations,
    hits: [],
    ...change,
  };
}

const gold = (quote: string) => ({ uri: 'mill', ...at(quote) });
const asked = (kind: Asked['kind'], id: string, answer: Answer, change: Partial<Asked['question']> = {}): Asked => ({
  kind,
  question: { id, golds: kind === 'own' ? [[gold(built), gold(burnt)]] : [], answers: [], ...change },
  answer,
});

describe('figures of answers', () => {
  it('precision and recall of citations, against the annotator they agree with most', () => {
    expect(citationScores(answerOf([built, empty]), [[gold(built), gold(burnt)]])).toEqual({
      precision: 1 / 2,
      recall: 1 / 2,
    });
    expect(citationScores(answerOf([built, empty]), [[gold(burnt)], [gold(built)]])).toEqual({
      precision: 1 / 2,
      recall: 1,
    });
    expect(citationScores(answerOf([empty]), [[gold(built)]])).toEqual({ precision: 0, recall: 0 });
  });

  it('a citation that is not the text of its place is found out', () => {
    const answer = answerOf([built]);
    expect(exactCitations(answer, textOf)).toEqual([true]);
    const moved = { ...answer.citations[0]!, span: { start: 1, end: built.length + 1 } };
    const elsewhere = { ...answer.citations[0]!, uri: 'house' };
    const changed = { ...answer.citations[0]!, quote: built.replace('1831', '1813') };
    expect(exactCitations({ citations: [moved, elsewhere, changed] }, textOf)).toEqual([false, false, false]);
  });

  it('a sentence without a citation counts against the answer', () => {
    expect(supportedSentences(answerOf([built, burnt]))).toBe(1);
    const answer = answerOf([built]);
    expect(supportedSentences({ ...answer, answer: `${answer.answer} And I know more.` })).toBe(1 / 2);
  });

  it('gold answers by words, or by characters where no blanks are written', () => {
    expect(holds('In 1831, they say', '1831')).toBe(true);
    expect(holds('In 18310, they say', '1831')).toBe(false);
    expect(holds('东京塔是一座塔', '东京塔')).toBe(true);
    expect(holds('The Mill-House', 'mill house')).toBe(true);
  });

  it('refusals: recall over what cannot be answered, precision over what is refused', () => {
    const refusal = answerOf([]);
    const figures = answerFigures(
      [
        asked('own', 'a', answerOf([built, burnt])),
        asked('own', 'b', answerOf([built, empty])),
        asked('own', 'c', refusal),
        asked('look-alike', 'd', refusal),
        asked('look-alike', 'e', answerOf([empty])),
        asked('foreign', 'f', refusal),
        asked('foreign', 'g', refusal),
        asked('foreign', 'h', refusal),
      ],
      textOf,
    );
    const mean = (name: string): number => figures[name]!.mean;
    expect(mean('refusal recall, look-alike')).toBe(1 / 2);
    expect(mean('refusal precision, look-alike')).toBe(1 / 2); // d, but c too
    expect(mean('refusal recall, foreign')).toBe(1);
    expect(mean('refusal precision, foreign')).toBe(3 / 4);
    expect(figures['refusal recall, gold removed']).toBeUndefined();
    expect(figures['own questions refused']).toMatchObject({ mean: 1 / 3, better: 'lower', n: 3 });
    // what had to be found counts 0 for the refused one; precision is of the two that cited
    expect(mean('gold evidence cited')).toBe(2 / 3);
    expect(mean('citation recall')).toBeCloseTo((1 + 1 / 2 + 0) / 3, 12);
    expect(mean('citation precision')).toBeCloseTo((1 + 1 / 2) / 2, 12);
    expect(mean('citations letter for letter')).toBe(1);
    expect(figures['citation recall']!.ids).toEqual(['own/a', 'own/b', 'own/c']);
    expect(figures['gold answer in the answer']).toBeUndefined(); // the set has no short answers
  });

  it('the choice of sentences: precision of the answer alone, gold among three with what stands beside', () => {
    const beside = (quote: string) => ({ ...answerOf([quote]).citations[0]!, text: quote });
    const one = { question: asked('own', 'a', answerOf([])).question, answer: answerOf([built]) };
    expect(selectionFigures([one])).toMatchObject({
      precision: 1,
      sentences: 1,
      firstGold: 1,
      goldCited: 1,
      everyGold: 0,
    });
    const related = { ...one, answer: answerOf([empty], { related: [beside(built), beside(burnt)] }) };
    expect(selectionFigures([related])).toMatchObject({ precision: 0, firstGold: 0, goldCited: 1, everyGold: 1 });
    const fourth = [beside(empty), beside(empty), beside(built)];
    expect(selectionFigures([{ ...one, answer: answerOf([empty], { related: fourth }) }]).goldCited).toBe(0);
    const refused = { ...one, answer: answerOf([]) };
    expect(selectionFigures([one, refused])).toMatchObject({ precision: 0.5, sentences: 0.5, firstGold: 0.5 });
  });

  it('F1 of the highlighted words counts 0 without a highlight, and characters where no blanks are written', () => {
    expect(spanF1('the year 1831', '1831')).toBeCloseTo((2 * 1) / 4, 12);
    expect(spanF1('1902', '1831')).toBe(0);
    expect(spanF1('东京', '东京塔')).toBeCloseTo((2 * 2) / 5, 12);
    const question = { ...asked('own', 'a', answerOf([])).question, answers: ['1831', 'in 1831'] };
    const plain = answerOf([built]);
    const start = text.indexOf('1831');
    const marked = {
      ...plain,
      citations: [{ ...plain.citations[0]!, highlight: [{ start, end: start + 4 }] }],
    };
    expect(selectionFigures([{ question, answer: plain }]).spanF1).toBe(0);
    expect(selectionFigures([{ question, answer: marked }]).spanF1).toBe(1);
  });

  it('a gold answer counts only in an answer that was given, not in its marks', () => {
    const one = asked('own', 'a', answerOf([built]), { answers: ['1831'] });
    const marks = asked('own', 'b', answerOf([empty]), { answers: ['1'] });
    const refused = asked('own', 'c', answerOf([], { answer: 'Not in your documents: 1831' }), { answers: ['1831'] });
    const figure = answerFigures([one, marks, refused], textOf)['gold answer in the answer']!;
    expect(figure.values).toEqual([1, 0, 0]);
  });
});
