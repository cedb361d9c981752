import { expect, it } from 'vitest';
import { askingHeadingLoss, onlyAsks } from '../../../../../src/answer/sentences/rules/asking-line.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';
import { analysed } from './gaining.ts';

const heading = '3. Ho una gru vecchia. Posso usare una gru nuova? Se sì, come?';
const text = `${heading}\n\nSe si vuole usare la gru nuova, chiedere al porto.`;
const question = 'Posso usare la gru nuova?';

it('answers with what stands below a heading that asks, not with its sentences', () => {
  const { asked, candidates } = analysed(question, text, { headings: [heading], format: 'html' });
  const losing = candidates.filter((one) => askingHeadingLoss(asked, one) < 0);
  expect(losing.map(({ unit }) => text.slice(unit.start, unit.end))).toEqual([
    expect.stringContaining('Ho una gru vecchia.'),
    'Posso usare una gru nuova?',
    'Se sì, come?',
  ]);
  const { answer } = ask(question, [hitOf(chunkOf(text, { title: 'Gru', headings: [heading], format: 'html' }))], {
    answerFrom: 0,
  });
  expect(answer).toContain('chiedere al porto');
});

it.each([
  ['May I use the new crane?', 'May I use the new crane?', true],
  ['May I use the new crane?', 'You may use the new crane.', false],
  ['Is the crane new?', 'It was built in 1990: why is it called the new crane?', false],
  ['What did Ann ask about the new crane?', 'May I use the new crane?', false],
  ['Quelle question pose la grue ?', 'La grue est-elle neuve ?', false],
])('%s – %s', (question, sentence, expected) => {
  const { asked, candidates } = analysed(question, sentence);
  expect(onlyAsks(asked, candidates[0]!)).toBe(expected);
});

it('gives no plain answer with a question', () => {
  const hits = [hitOf(chunkOf('Is the new crane made of steel? Nobody has looked.', { title: 'Crane' }))];
  expect(ask('What is the new crane made of?', hits, { answerFrom: 0 }).confidence).not.toBe('high');
});
