import { expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { rank } from '../../../../../src/answer/sentences/ranking/rank.ts';
import { gainsOf } from '../../../../../src/answer/sentences/rules/gains.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

/** What each sentence or row of a text gains. */
function gains(asked: string, text: string): number[] {
  const question = analyseQuestion(asked, statisticsOf([text]));
  const candidates = candidatesOf(question, [hitOf(chunkOf(text))]);
  const { of } = gainsOf(question, rank(candidates));
  return candidates.map(of);
}

it('a sentence of another day loses', () => {
  const [other, own] = gains(
    'Who swept the quay on 5 May?',
    'On 4 May the quay was swept by Ada. On 5 May the quay was swept by Bo.',
  );
  expect(other).toBeLessThan(0);
  expect(own).toBe(0);
});

it('a row of another column loses', () => {
  const table = '| Ward | Page |\n| --- | --- |\n| Oakley | 11 |\n| Elm | 12 |';
  const asked = 'How many registered voters are there in Elm?';
  expect(gains(asked, table).at(-1)).toBeLessThan(0);
  expect(gains(asked, table.replace('Page', 'Registered voters')).at(-1)).toBeGreaterThanOrEqual(0);
});
