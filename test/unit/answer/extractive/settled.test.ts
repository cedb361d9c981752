import { expect, it } from 'vitest';
import { answerExtractive } from '../../../../src/answer/extractive/extractive.ts';
import { chunkOf, hitOf, statisticsOf } from '../hits.ts';

/** With thresholds that support alone does not reach. */
function confidenceOf(question: string, text: string, title = 'The ferry', format = 'markdown'): string {
  const hits = [
    hitOf(chunkOf(text, { title, format }), 0.2),
    hitOf(chunkOf('Nobody feeds the ducks.', { uri: 'b.md' }), 0.1),
  ];
  const statistics = statisticsOf(hits.map(({ chunk }) => `${chunk.title} ${chunk.text}`));
  return answerExtractive(question, hits, statistics, { refuseBelow: 0.98, answerFrom: 0.99 }).confidence;
}

it.each([
  ['How heavy is the ferry?', '- Weight: 680 t\n- Speed: 12 knots\n', 'high'], // a label says all of it
  ['How heavy is the ferry?', '- Weight: not known\n- Speed: 12 knots\n', 'none'],
  ['How often is the ferry inspected?', 'The keeper inspects the ferry every two months.', 'high'],
  ['How often is the ferry inspected?', 'The keeper inspects the engine every two months.', 'none'],
  ['How often is the ferry inspected?', 'The keeper inspects the ferry.', 'none'],
])('%s – %s', (question, text, expected) => {
  expect(confidenceOf(question, text)).toBe(expected);
});

it.each([
  ['Can I moor my own boat?', '## Can I moor my own boat?\n\nNo. Only boats of the club are insured.', 'high'],
  ['Can I moor my own raft?', '## Can I moor my own boat?\n\nNo. Only boats of the club are insured.', 'none'],
  ['Can I moor my boat?', '## Can I moor my own boat at night?\n\nNo. Only boats of the club are insured.', 'none'],
])('below a heading: %s – %s', (question, text, expected) => {
  expect(confidenceOf(question, text)).toBe(expected);
});

it('is in doubt, and not refused, where a rule states that it answers', () => {
  expect(confidenceOf('What is the ferry called?', 'A ferry called Tern leaves at nine.')).toBe('low');
});
