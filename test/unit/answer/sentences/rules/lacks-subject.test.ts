import { expect, it } from 'vitest';
import { lacksSubject } from '../../../../../src/answer/sentences/rules/lacks-subject.ts';
import { analysed } from './gaining.ts';

const compose = `services:
  quay:
    image: quay:2
    ports:
      - 8080:80
  crane:
    image: crane:16
`;

function lacks(question: string, format = 'yaml'): boolean {
  const { asked, candidates } = analysed(question, compose, { format, title: 'compose', uri: 'compose.yaml' });
  return candidates.every((one) => lacksSubject(asked, one));
}

it.each([
  ['Which port does buoy use?', true],
  ['Which port does the red buoy use in compose?', true],
  ['On which port does buoy listen?', true],
  ['Which port does quay use?', false],
  ['Which image does the crane use?', false],
  ['Which port does compose use?', false],
  ['What does buoy do?', false], // it may be a word for what is written otherwise
  ['Which port is used by buoy?', false], // it is not told what the subject is
])('settings lack what is asked about: %s', (question, expected) => {
  expect(lacks(question)).toBe(expected);
});

it.each([
  ['Which knot holds in wet rope?', false],
  ['Which knot holds with frozen gloves?', true],
  ['Which knot holds at night?', false], // one word
  ['What is the frozen glove?', false],
])('prose lacks all of what a question ends with: %s', (question, expected) => {
  const text = 'The reef knot holds in wet rope. It slips in new rope.';
  const { asked, candidates } = analysed(question, text);
  expect(lacksSubject(asked, candidates[0]!)).toBe(expected);
});

it('prose may call it by another name', () => {
  expect(lacks('Which port does buoy use?', 'markdown')).toBe(false);
});
