import { expect, it } from 'vitest';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { findingGain } from '../../../../../src/answer/sentences/rules/findings.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const sentences = [
  'OBJECTIVE To determine whether kelp tea lowers the risk of scurvy in sailors.',
  'We examined how kelp tea acts on 40 sailors.',
  'The tea was brewed each morning.',
  'Results show fewer cases of scurvy in sailors who drank it.',
  'CONCLUSIONS Kelp tea protects sailors.',
];
const hits = [hitOf(chunkOf(sentences.join(' ')))];
const statistics = statisticsOf([sentences.join(' ')]);
const signs = (text: string): number[] => {
  const question = analyseQuestion(text, statistics);
  return candidatesOf(question, hits).map((candidate) => Math.sign(findingGain(question, candidate)));
};

it('weighs what was found against what was to be found out, beside a claim', () => {
  expect(signs('Kelp tea lowers the risk of scurvy in sailors.')).toEqual([-1, -1, 0, 1, 1]);
});

it.each(['Does kelp tea lower the risk of scurvy?', 'risk of scurvy in sailors', 'Tell me about kelp tea and scurvy.'])(
  'leaves alone what claims nothing: %s',
  (text) => {
    expect(signs(text).every((sign) => sign === 0)).toBe(true);
  },
);

it('cites a finding for a claim that the objective repeats word for word', () => {
  const claim = 'Kelp tea lowers the risk of scurvy in sailors.';
  const { citations, related = [] } = answerExtractive(claim, hits, statistics, { refuseBelow: 0 });
  expect([...citations, ...related].some(({ quote }) => quote.includes('fewer cases'))).toBe(true);
});

it('marks no words for a claim, which asks for none', () => {
  const sentence = hitOf(chunkOf('The risk of scurvy in sailors was lowered by kelp tea in 1804.'));
  const marked = (text: string) =>
    answerExtractive(text, [sentence], statistics, { refuseBelow: 0 }).citations.flatMap(
      ({ highlight }) => highlight ?? [],
    );
  expect(marked('When did kelp tea lower the risk of scurvy in sailors?')).not.toEqual([]);
  expect(marked('Kelp tea lowers the risk of scurvy in sailors.')).toEqual([]);
});

it.each([
  ['The difference was no longer significant after a week.', 1],
  ['No effect on the scurvy of sailors was seen.', 1],
  ['Sailors who drank tea slept longer (p = .03).', 1],
  ['Scurvy was 2.1 times as common in spring.', 1],
  ['Scurvy was treated after one week.', 0],
])('a comparison is something that was found: %s', (sentence, sign) => {
  const question = analyseQuestion('Kelp tea lowers the risk of scurvy in sailors.', statisticsOf([sentence]));
  const [candidate] = candidatesOf(question, [hitOf(chunkOf(sentence))]);
  expect(Math.sign(findingGain(question, candidate!))).toBe(sign);
});
