import { expect, it } from 'vitest';
import { onlyDefines } from '../../../../../src/answer/sentences/rules/only-defines.ts';
import { analysed, answered } from './gaining.ts';

/** Of the last sentence. */
function defines(question: string, text: string): boolean {
  const { asked, candidates } = analysed(question, text);
  return onlyDefines(asked, candidates.at(-1)!);
}

it.each([
  ['How are gig oars made?', 'A gig oar is a kind of long oar.', true],
  ['How are gig oars made?', 'A gig oar is a long oar that is made of ash.', false],
  ['How are gig oars made?', 'Gig oars are cut from one plank of ash.', false],
  ['What colour is a gig oar?', 'A gig oar is a kind of long oar.', true],
  ['What happened to the gig oar?', 'The gig oar is a kind of long oar.', true],
  ['What colour is a gig oar?', 'A gig oar is a long oar of a red colour.', false],
  ['What kind of oar is a gig?', 'A gig is a long one.', false],
  ['When was the gig oar cut?', 'The gig oar is a kind of long oar.', false], // has no date
  ['How does a gig oar work?', 'A gig oar is a lever.', false],
  ['How a gig oar is made', 'A gig oar is a kind of long oar.', true],
  ['How many gig oars are there?', 'A gig oar is a kind of long oar.', false],
  ['Where do the Haven Gulls train?', 'The Haven Gulls are a team of rowers.', true],
  ['Where do the Haven Gulls train?', 'The Haven Gulls are a team of rowers from Norland.', false],
  ['Where does the gull live?', 'There is a gull that eats fish.', false],
  ['What is a gig oar?', 'A gig oar is a kind of long oar.', false],
  ['Who owns the Haven Gulls?', 'The Haven Gulls are a team of rowers.', true],
  ['Who owns the Haven Gulls?', 'The Haven Gulls are a team of rowers, founded by Ann Moor.', false],
  ['Who owns the Haven Gulls?', 'The owner of the Haven Gulls is a widow.', false],
  ['Who are the Haven Gulls?', 'The Haven Gulls are a team of rowers.', false],
  ['What oar is used in a gig?', 'A gig oar is a long one.', false],
  ['What is the smell of a gig oar?', 'A gig oar is a kind of long oar.', true],
  ['What is Ann Moor’s religion?', 'Ann Moor is a diver from the Isles.', true],
  ['What was the budget of the Night Ferry?', 'The Night Ferry was a film by Ida Tarn.', true],
  ['What was the budget of the Night Ferry?', 'The Night Ferry was a film with a budget of 4 million.', false],
  ['What is the role of Ann Moor?', 'Ann Moor is a diver from the Isles.', false],
  ['What is the main idea of a gig?', 'A gig is a light boat.', false],
  ['Wie werden Gigruder gemacht?', 'Gigruder sind eine Art langer Ruder.', true],
])('only says what it is: %s %s', (question, text, expected) => {
  expect(defines(question, text)).toBe(expected);
});

it('doubts what only says what it is', () => {
  const text = 'The Haven Gulls are a team of rowers.';
  expect(answered('Who owns the Haven Gulls?', text).confidence).toBe('low');
  expect(answered('What are the Haven Gulls?', text).confidence).toBe('high');
});
