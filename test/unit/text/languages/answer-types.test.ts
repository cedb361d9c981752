import { expect, it } from 'vitest';
import { answerTypeOf } from '../../../../src/text/languages/answer-types.ts';

it.each([
  ['de', 'Wie groß ist die Schleuse?', 'number'],
  ['de', 'Was kostet ein Liegeplatz?', 'number'],
  ['de', 'Auf wie vielen Booten fährt er?', 'number'],
  ['ru', 'На скольких лодках он плывёт?', 'number'],
  ['ru', 'Как часто он плавает?', 'number'],
  ['ja', '何年に建てられましたか？', 'date'],
  ['zh', '服务器有多重？', 'number'],
  ['ja', '何年間続きましたか？', 'number'],
  ['fr', 'Où est la gare ?', 'place'],
  ['it', 'Perché piove?', 'reason'],
  ['es', '¿Por qué llueve?', 'reason'],
  ['en', "What is Ada Quayle's salary?", 'number'],
  ['en', 'What does a new lamp cost?', 'number'],
  ['en', 'Who keeps the lamp?', 'person'],
  ['en', 'The whole lamp', 'other'], // no word of it is "who"
])('%s: %s asks for: %s', (language, question, type) => {
  expect(answerTypeOf(question, language)).toBe(type);
});
