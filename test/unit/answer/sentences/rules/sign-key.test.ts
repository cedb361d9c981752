import { expect, it } from 'vitest';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';

const text = `The log is stamped by a format. These are the marks of a format:

%d |  | day of the month: 00
%j |  | day of the year: 001-366
%J |  | days since the harbour was built
%% |  | one percent sign

Nobody knows what the harbour master does in January.`;

it.each([
  ['What does %j mean?', '%j · day of the year: 001-366'],
  ['What does %J mean in a format?', '%J · days since the harbour was built'],
  ['What is %%?', '%% · one percent sign'],
  ['What does "%d" stand for?', '%d · day of the month: 00'],
])('%s is answered by the row of that key', (question, expected) => {
  const { answer, confidence } = ask(question, [hitOf(chunkOf(text))]);
  expect(answer).toContain(expected);
  expect(confidence).toBe('high');
});

it('knows no row of another key', () => {
  expect(ask('What does %q mean?', [hitOf(chunkOf(text))]).confidence).not.toBe('high');
});
