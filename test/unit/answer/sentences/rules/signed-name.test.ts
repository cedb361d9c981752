import { expect, test } from 'vitest';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { lacksSignedName } from '../../../../../src/answer/sentences/rules/signed-name.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

test.each([
  ['How do I avoid the N+1 problem?', 'These problems are avoided by a longer rope.', true],
  ['How do I avoid the N+1 problem?', 'An N plus one problem is avoided by one load.', false],
  ['How do I avoid the n+1 problem?', 'The N + 1 problem is avoided by one load.', false],
  ['Who leads R&D?', 'Ines leads the sale of ropes.', true],
  ['Who leads R&D?', 'Ines leads research and development.', false],
  ['Who leads R&D?', 'Ines leads R & D.', false],
  ['Is there an A/B test?', 'There is a test of ropes.', true],
  ['Is there a C++ library?', 'There is a library for C.', true],
  ['Is there a C++ library?', 'There is a C++17 library.', false],
  ['Is there a C# library?', 'There is a library for C#.', false],
  ['How many km/h does it go?', 'It goes 12 km an hour.', false],
  ['Is it open and/or lit?', 'It is lit.', false],
])('%s – %s', (asked, sentence, expected) => {
  const question = analyseQuestion(asked, statisticsOf([sentence]));
  const [candidate] = candidatesOf(question, [hitOf(chunkOf(sentence))]);
  expect(lacksSignedName(question, candidate!)).toBe(expected);
});

test('a passage with the name answers before one that has more of the other words', () => {
  const texts = [
    'You avoid these problems with a longer rope: the rope avoids all problems of loads.',
    'The N plus one problem comes of one load for each boat. It is avoided by a load for all boats.',
  ];
  const hits = texts.map((text, position) => hitOf(chunkOf(text, { uri: `${position}`, position })));
  const answer = answerExtractive('How do I avoid the N+1 problem?', hits, statisticsOf(texts), { refuseBelow: 0 });
  expect(answer.citations[0]!.uri).toBe('1');
});
