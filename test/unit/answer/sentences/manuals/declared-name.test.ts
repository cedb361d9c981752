import { expect, test } from 'vitest';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const uses =
  'Before crane.load_wait was added, each crane waited for a load on its own. The crane.load_wait setting does not hold for hooks that are loaded by hand.';
const entries =
  'Settings of the crane follow.\n\nload_size (integer): Bounds how many boxes are lifted. It goes along with load_wait.\n\nload_wait (integer): Sets for how long a hook stays down. In seconds.';
const below = 'Load_wait\n\nA bound in seconds for a hook that stays down.\n\nMany hooks have none.';

function answerTo(question: string, ...texts: string[]): string {
  const hits = texts.map((text, position) =>
    hitOf(chunkOf(text, { uri: `${position}.html`, format: 'html', position })),
  );
  const thresholds = { refuseBelow: 0, answerFrom: 0.6 };
  return answerExtractive(question, hits, statisticsOf(texts), { sentences: 1, ...thresholds }).answer;
}

test.each(['load_wait', 'What is load_wait?', 'What does load_wait do?'])(
  '%s is answered by what its entry says first',
  (question) => {
    expect(answerTo(question, uses, entries)).toContain('load_wait (integer): Sets for how long a hook stays down.');
    expect(answerTo(question, uses, below)).toContain('A bound in seconds for a hook that stays down.');
  },
);

test('what else is asked about a name is answered by what has it', () => {
  expect(answerTo('Does load_wait hold for hooks that are loaded by hand?', entries, uses)).toContain('does not hold');
});
