import { expect, it } from 'vitest';
import { onlySometimesLosses } from '../../../../../src/answer/sentences/rules/only-sometimes.ts';
import { analysed, answered } from './gaining.ts';

/** Beginnings of the sentences that lose. */
function losing(question: string, text: string): readonly string[] {
  const { asked, candidates } = analysed(question, text);
  const loss = onlySometimesLosses(asked, candidates);
  return candidates
    .filter((candidate) => loss(candidate) < 0)
    .map(({ unit }) => text.slice(unit.start, unit.end).slice(0, 11));
}

const fare = 'A ticket costs 8 euros. In July and August a ticket costs 11 euros.';

it.each([
  ['How much is a ticket?', fare, ['In July and']],
  ['What does a ticket cost in August?', fare, []],
  ['How much is a ticket?', 'The ferry is red. In July and August a ticket costs 11 euros.', []], // no rule beside it
  ['How much is a ticket?', 'A ticket is checked. In July and August a ticket costs 11 euros.', []], // says no sum
  ['How much is a ticket?', 'A ticket costs 8 euros. In May 2020 a ticket cost 11 euros.', []],
  ['Was kostet eine Karte?', 'Eine Karte kostet 8 Euro. An Feiertagen kostet eine Karte 9 Euro.', ['An Feiertag']],
  ['Combien coûte un billet ?', 'Un billet coûte 8 euros. En juillet un billet coûte 11 euros.', ['En juillet ']],
])('what holds in a part of the year alone: %s – %s', (question, text, expected) => {
  expect(losing(question, text)).toEqual(expected);
});

it('the rule answers, and its exception only where that is asked for', () => {
  const lock =
    '# Times\n\nThe lock opens at 6 and closes at 22.\n\n## In winter\n\nFrom November to March the lock opens at 8.\n';
  expect(answered('When does the lock open?', lock).answer).toContain('The lock opens at 6');
  expect(answered('When does the lock open in winter?', lock).answer).toContain('the lock opens at 8');
});
