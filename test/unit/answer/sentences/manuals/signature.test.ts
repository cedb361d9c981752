import { expect, it } from 'vitest';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { signatureGain } from '../../../../../src/answer/sentences/manuals/signature.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const list = [
  'lift_load ( load text, metres integer ) → boolean',
  'Raises a load by so many metres. It waits for the brake.',
  "lift_load('sand', 3) → true",
  'lower ( load text ) → boolean',
  'Lets a load down.',
].join('\n\n');
const hits = [hitOf(chunkOf(list, { uri: 'functions.html', title: 'Functions', format: 'html' }))];

function gains(asked: string): Record<string, number> {
  const question = analyseQuestion(asked, statisticsOf([list]));
  const found = candidatesOf(question, hits).map((one): [string, number] => [
    list.slice(one.unit.start, one.unit.end),
    signatureGain(question, one),
  ]);
  return Object.fromEntries(found.filter(([, gain]) => gain !== 0).map(([own, gain]) => [own, Math.sign(gain)]));
}

it('is for the line below the declaration that a manual lists, and a loss for the declaration', () => {
  expect(gains('What does lift_load do?')).toEqual({
    'lift_load ( load text, metres integer ) → boolean': -1,
    'Raises a load by so many metres.': 1,
    "lift_load('sand', 3) → true": -1,
  });
  expect(gains('What does the function lower do?')).toEqual({
    'lower ( load text ) → boolean': -1,
    'Lets a load down.': 1,
  });
});

it('is nothing where a part of the function is asked for, or another one', () => {
  expect(gains('What does lift_load return?')).toEqual({});
  expect(gains('What does hoist do?')).toEqual({});
});

it('answers with the line below, named', () => {
  const { answer } = answerExtractive('What does lift_load do?', hits, statisticsOf([list]), {
    refuseBelow: 0,
    answerFrom: 0.3,
  });
  expect(answer).toBe('lift_load: Raises a load by so many metres. [1]');
});

it('is for what stands below the declaration of a class, and not for its constructor', () => {
  const page = [
    'Class Crane',
    'public class Crane extends Machine',
    'Abstract Base of all cranes.',
    'It has a hook.',
    'Crane',
    '- public Crane()\n    Creates a new one.\n    Since: 1.2',
    'lift',
    '- public void lift(Load load)\n    Raises the load by a metre.',
  ].join('\n\n');
  const gainsOf = (asked: string): string[] => {
    const question = analyseQuestion(asked, statisticsOf([page]));
    const hit = hitOf(chunkOf(page, { uri: 'crane.html', title: 'Crane', format: 'html', headings: [] }));
    return candidatesOf(question, [hit])
      .filter((one) => signatureGain(question, one) > 0)
      .map(({ unit }) => page.slice(unit.start, unit.end));
  };
  expect(gainsOf('What does the Crane class do?')).toEqual(['Abstract Base of all cranes.']);
  expect(gainsOf('What does the lift method of Crane do?')).toEqual([
    expect.stringContaining('Raises the load by a metre.'),
  ]);
});
