import { describe, expect, it } from 'vitest';
import { besideHappening, happenedGain } from '../../../../../src/answer/sentences/rules/happening.ts';
import { analysed, answered, gaining } from './gaining.ts';

const voyage =
  'In spring 1874 Ida Rowe sailed from Hull with two boats. In June a storm broke the mast of the smaller one. The crew went ashore on an island. On 3 August they saw land again. In June 1875 the boats came home.';

describe('what happened in a month', () => {
  it.each([
    ['What happened in June 1874?', ['In June a storm brok']],
    ['What happened in June 1875?', ['In June 1875 the boa']],
    ['What happened in August?', ['On 3 August they saw']],
    ['Where was Ida Rowe in August 1874?', ['On 3 August they saw']],
    ['Was geschah im August 1874?', ['On 3 August they saw']],
    ['What happened in June 1876?', []],
    ['What happened in 1874?', []],
    ['Who sailed in June 1874?', []],
  ])('%s', (question, found) => {
    expect(gaining(happenedGain, question, voyage)).toEqual(found);
  });

  it('is told plainly', () => {
    expect(answered('What happened in June 1874?', voyage).answer).toMatch(/^In June a storm broke the mast/u);
  });
});

describe('what happened beside something', () => {
  const first = (question: string): readonly string[] => {
    const { asked, candidates } = analysed(question, voyage);
    const gain = besideHappening(
      asked,
      candidates.map((candidate) => ({ candidate, score: 0 })),
    );
    return candidates.flatMap((one) => {
      const text = one.passage.hit.chunk.text.slice(one.unit.start, one.unit.end).slice(0, 10);
      return gain(one) > 0 ? [`+ ${text}`] : gain(one) < 0 ? [`- ${text}`] : [];
    });
  };

  it.each([
    ['What happened after the storm?', ['- In June a ', '+ The crew w']],
    ['What did the crew do after the storm?', ['- In June a ', '+ The crew w']],
    ['What happened before the storm?', ['+ In spring ', '- In June a ']],
    ['What happened after they saw land?', ['- On 3 Augus', '+ In June 18']],
    ['What happened after the fire?', []],
    ['What happened after the boats came home?', []], // nothing is told behind it
    ['What happened after June?', []], // two sentences tell of one
    ['Who came after the storm?', []],
  ])('%s', (question, found) => {
    expect(first(question)).toEqual(found);
  });

  it('changes nothing where the sentence says so itself', () => {
    const text = 'The mast broke. After the storm the crew went ashore. They found water.';
    const { asked, candidates } = analysed('What happened after the storm?', text);
    const gain = besideHappening(
      asked,
      candidates.map((candidate) => ({ candidate, score: 0 })),
    );
    expect(candidates.map(gain)).toEqual([0, 0, 0]);
  });
});
