import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/answer/contract.ts';
import { answerExtractive } from '../../../../src/answer/extractive/extractive.ts';
import { analyseQuestion } from '../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../src/answer/sentences/ranking/features.ts';
import { namesNeither } from '../../../../src/answer/sentences/rules/compared.ts';
import { comparisonIn } from '../../../../src/text/languages/comparisons.ts';
import { chunkOf, hitOf, statisticsOf } from '../hits.ts';

const sheet = (name: string, kg: number, hours: number, price: number, day: number): string =>
  `# Lantern ${name}\n\nPrinted on ${day} May 2024.\n\nThe ${name} is made for boats. It weighs ${kg} kg and burns for ${hours} hours. The price is ${price} euros.\n`;
const sheets = [
  { text: sheet('LQ-10', 3, 12, 80, 2), title: 'Lantern LQ-10', uri: 'lq-10.md' },
  { text: sheet('LQ-20', 5, 30, 95, 3), title: 'Lantern LQ-20', uri: 'lq-20.md' },
  {
    text: '# Ropes\n\nA hemp rope costs 12 euros. A steel rope costs 31 euros. Ropes lie on the quay.\n',
    title: 'Ropes',
    uri: 'ropes.md',
  },
  { text: 'Cup | Holds | Price\nAda | 2 | 7.50\nBea | 3 | 9.00\n', title: 'Cups', uri: 'cups.csv', format: 'csv' },
];

function ask(question: string, sentences = 3): Answer {
  const hits = sheets.map(({ text, ...rest }, i) => hitOf(chunkOf(text, rest), 1 - i / 20));
  const statistics = statisticsOf(sheets.map(({ title, text }) => `${title} ${text}`));
  return answerExtractive(question, hits, statistics, { sentences, refuseBelow: 0.2, answerFrom: 0.4 });
}

describe('two things that a question compares', () => {
  it.each([
    ['Which is heavier, the LQ-10 or the LQ-20?', ['weighs 3 kg', 'weighs 5 kg']],
    ['Which is cheaper: the LQ-20 or the LQ-10?', ['price is 80 euros', 'price is 95 euros']],
    ['Is the LQ-20 heavier than the LQ-10?', ['weighs 3 kg', 'weighs 5 kg']],
    ['Which lantern burns longer, the LQ-10 or the LQ-20?', ['for 12 hours', 'for 30 hours']],
    ['What is the difference between the LQ-10 and the LQ-20?', ['weighs 3 kg', 'weighs 5 kg']],
    ['Which is cheaper, a hemp rope or a steel rope?', ['costs 12 euros', 'costs 31 euros']],
    ['Compare the price of the LQ-10 and the LQ-20.', ['price is 80 euros', 'price is 95 euros']],
    ['What is the difference between Ada and Bea?', ['Ada – Holds: 2', 'Bea – Holds: 3']],
  ])('are both said: %s', (question, said) => {
    const { answer, confidence, citations } = ask(question);
    for (const one of said) expect(answer).toContain(one);
    expect(confidence).toBe('high');
    for (const { answerSpan, n } of citations) expect(answer.slice(answerSpan.end)).toMatch(new RegExp(`^ \\[${n}\\]`));
  });

  it.each([
    ['Which is heavier, the LQ-10 or the LQ-20?', '5 kg'],
    ['Which is lighter, the LQ-20 or the LQ-10?', '3 kg'],
    ['Which is cheaper: the LQ-20 or the LQ-10?', '80 euros'],
    ['Which costs more, the LQ-10 or the LQ-20?', '95 euros'],
    ['Which is cheaper, a steel rope or a hemp rope?', '12 euros'],
    ['Is the LQ-10 heavier than the LQ-20?', '5 kg'],
  ])('begin with the one that is asked for: %s', (question, value) => {
    const [first] = ask(question).citations;
    expect(first!.quote).toContain(value);
  });

  it('are named by the titles of their documents', () => {
    const { answer } = ask('Which is cheaper: the LQ-20 or the LQ-10?');
    expect(answer).toContain('Lantern LQ-10: The price is 80 euros. [');
    expect(answer).toContain('Lantern LQ-20: The price is 95 euros. [');
  });

  it.each([
    ['What is the difference between the LQ-10 and the LQ-90?', 3], // nothing of the other
    ['Which is faster, the LQ-10 or the LQ-20?', 3], // nothing of that
    ['Which is heavier, the LQ-10 or the LQ-20?', 1], // no place for both
  ])('are not made up: %s', (question, sentences) => {
    const { confidence, citations } = ask(question, sentences);
    expect(confidence === 'high' && new Set(citations.map(({ uri }) => uri)).size > 1).toBe(false);
  });
});

describe('two things that a text explains by name', () => {
  const text =
    'Kinds of tools:\n\nGrab: It lifts coal and sand out of the hold of a ship.\n\nHook: It lifts boxes that have rings on them.\n\nLong hook: It lifts boats.\n';
  const saidOf = (question: string, ...more: readonly string[]): Answer => {
    const hits = [text, ...more].map((one, i) => hitOf(chunkOf(one, { uri: `${i}.html` }), 1 - i / 20));
    return answerExtractive(question, hits, statisticsOf([text, ...more]), {
      sentences: 3,
      refuseBelow: 0.2,
      answerFrom: 0.4,
    });
  };

  it.each([
    ['What is the difference between a grab and a hook?', ['Grab: It lifts coal', 'Hook: It lifts boxes']],
    ['How does a hook differ from a long hook?', ['Hook: It lifts boxes', 'Long hook: It lifts boats']],
  ])('are told apart by what stands behind their names: %s', (question, said) => {
    const { answer, confidence } = saidOf(question);
    for (const one of said) expect(answer).toContain(one);
    expect(confidence).toBe('high');
  });

  it('are told apart by the sentence that does so, where there is one', () => {
    const one = 'Unlike a hook, a grab needs no ring.';
    expect(saidOf('What is the difference between a grab and a hook?', one).citations[0]!.quote).toBe(one);
  });

  it('are not told apart by what names neither', () => {
    const one = 'The tool that is used depends on the load, since each tool is made for other loads of the ship.';
    const hits = [hitOf(chunkOf(`Tools, grab and hook.\n\n${one}`, { headings: ['Grab and hook'] }))];
    const question = analyseQuestion('What is the difference between a grab and a hook?', statisticsOf([one]));
    const found = candidatesOf(question, hits).map((candidate) => [namesNeither(question, candidate)]);
    expect(found.at(-1)).toEqual([true]);
    expect(found[0]).toEqual([false]);
  });
});

it.each([
  ['How do the K1 and the K2 differ?', ['the K1', 'the K2', undefined]],
  ['Was ist der Unterschied zwischen Ada und Bea?', ['Ada', 'Bea', undefined]],
  ['Quelle est la différence entre Ada et Bea ?', ['Ada', 'Bea', undefined]],
  ['What changed in the rules between 2022 and 2024?', ['2022', '2024', undefined]],
  ['Was ist schwerer, der Kran oder die Winde?', ['der Kran', 'die Winde', 'mass', 'more']],
  ['¿Qué es más pesado, la grúa o el ancla?', ['la grúa', 'el ancla', 'mass', 'more']],
  ['Does the winch cost more than the crane?', ['the winch', 'the crane', 'money', 'more']],
])('%s', (question, [one, other, unit, wanted]) => {
  expect(comparisonIn(question)).toEqual({ one, other, unit, wanted });
});

it.each(['Which is the heaviest crane?', 'Who is nicer, Ann or Bo?', 'What is between the quay and the crane?'])(
  'compares nothing: %s',
  (question) => {
    expect(comparisonIn(question)).toBeUndefined();
  },
);
