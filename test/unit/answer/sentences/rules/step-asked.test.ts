import { describe, expect, it } from 'vitest';
import { stepLists } from '../../../../../src/answer/sentences/structure/steps.ts';
import { stepAskedIn } from '../../../../../src/text/languages/steps-asked.ts';
import { ask as askHits } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';

const text = `# Opening the lock

Never open the lock in a storm, and call the keeper before you begin.

1. Ring the bell twice.
2. Close the lower gate. Leave the wedge in.
3. Fill the chamber: \`fill --slow\`. There is no way back after step 3.
4. Raise the upper gate.

Boats that ring the bell late must wait.

## Painting the lock

1. Scrape the walls.
2. Paint the walls with tar.
`;

const ask = (question: string) =>
  askHits(question, [hitOf(chunkOf(text, { title: 'Opening the lock', uri: 'lock.md' }))]);

describe('the step that is asked for', () => {
  it.each([
    ['What is step 2 of opening the lock?', /^Close the lower gate/],
    ['What happens in step 4 of the opening?', /^Raise the upper gate/],
    ['What comes after step 1 of the opening?', /^Close the lower gate/],
    ['What do I do after filling the chamber?', /^Raise the upper gate/],
    ['What is the next step after closing the lower gate?', /^Fill the chamber/],
    ['Which step comes before filling the chamber?', /^Close the lower gate/],
    ['What do I do after scraping the walls?', /^Paint the walls/],
  ])('%s', (question, expected) => {
    const answer = ask(question);
    expect(answer.answer).toMatch(expected);
    expect(answer.confidence).toBe('high');
  });

  it.each(['What do I do after raising the upper gate?', 'What is step 5 of opening the lock?', 'What is step 2?'])(
    'is not another one where there is none, or it is not clear which: %s',
    (question) => {
      expect(ask(question).confidence).not.toBe('high');
    },
  );

  it('is not what is done beforehand without a number', () => {
    expect(ask('What must be done before filling the chamber?').answer).not.toMatch(/^Close the lower gate/);
  });
});

describe('stepLists', () => {
  const numbersIn = (of: string): number[][] => stepLists(of).map((list) => list.map(({ number }) => number));

  it('parts lists by headings, numbers and indent', () => {
    expect(numbersIn(text)).toEqual([
      [1, 2, 3, 4],
      [1, 2],
    ]);
    expect(numbersIn('1. a\n   1. b\n   2. c\n2. d\n\n1. e\n2. f')).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    expect(numbersIn('1. alone\n\nIn the year\n1998. it rained')).toEqual([]);
  });

  it('gives spans up to the next number', () => {
    const [list] = stepLists('1. a\n   more\n2. b\n# c\n');
    expect(list!.map(({ start, end }) => '1. a\n   more\n2. b\n# c\n'.slice(start, end))).toEqual([
      '1. a\n   more\n',
      '2. b\n',
    ]);
  });
});

describe('stepAskedIn', () => {
  it.each([
    ['What is step 5 of the failover?', 5, 0],
    ['Was passiert in Schritt 2?', 2, 0],
    ['Was kommt nach Schritt 3?', 3, 1],
    ['What comes before step 3?', 3, -1],
    ['Was mache ich nach dem Start?', undefined, 1],
    ['¿Qué hago después de cerrar la puerta?', undefined, 1],
    ['Que faut-il faire après avoir fermé la porte ?', undefined, 1],
  ])('%s', (question, number, by) => {
    expect(stepAskedIn(question)).toMatchObject({ number, by });
  });

  it.each(['What happens if step 5 fails?', 'Until which step can I go back?', 'What must be done before the start?'])(
    'is undefined for %s',
    (question) => {
      expect(stepAskedIn(question)).toBeUndefined();
    },
  );
});
