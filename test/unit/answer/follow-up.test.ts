import { describe, expect, it } from 'vitest';
import { completedFollowUp, spokenOf } from '../../../src/answer/follow-up.ts';

describe('a follow-up that only names something', () => {
  it.each([
    ['What was the toll in 2021?', 'And in 2022?', 'What was the toll in 2022?'],
    ['What changed in 2.3?', 'And in 2.4?', 'What changed in 2.4?'],
    ['How heavy is the KB-20?', 'What about the KB-25?', 'How heavy is the KB-25?'],
    ['When is the test in hall 2?', 'And the visit in hall 3?', 'When is the visit in hall 3?'],
    ['When did we buy the kettle?', 'And the oven?', 'When did we buy the oven?'],
    ['How long does the big tank last?', 'And the small one?', 'How long does the small one last?'],
    ['How many cups may a guest borrow?', 'And a member?', 'How many cups may a member borrow?'],
    ['How much sugar is in the plum cake?', 'And flour?', 'How much flour is in the plum cake?'],
    ['Who leads project Wren?', 'And Stork?', 'Who leads project Stork?'],
    ['How long does delivery take?', 'And abroad?', 'How long does delivery take abroad?'],
    ['What does the pump Vega cost in 2022?', 'And the valve Mira?', 'What does the valve Mira cost in 2022?'],
    ['Who is the buyer?', 'And the seller?', 'Who is the seller?'],
    ['Wie viele Tage Urlaub haben Angestellte?', 'Und Lehrlinge?', 'Wie viele Tage Urlaub haben Lehrlinge?'],
    ['Wie hoch ist die Miete?', 'Und die Kaution?', 'Wie hoch ist die Kaution?'],
    ['Combien coûtait la coupe en 2023 ?', 'Et en 2024 ?', 'Combien coûtait la coupe en 2024?'],
    ['¿Cuánto cuesta la cuota?', '¿Y para estudiantes?', '¿Cuánto cuesta la cuota para estudiantes?'],
    ['Сколько стоил билет в 2021?', 'А в 2022?', 'Сколько стоил билет в 2022?'],
  ])('stands in the place of its like: %s %s', (before, question, whole) => {
    expect(completedFollowUp(question, before)).toBe(whole);
  });

  it.each([
    ['Who rents the tent?', 'By when?', 'By when rents the tent?'],
    ['Wer mietet das Zelt?', 'Und warum?', 'warum mietet das Zelt?'],
    ['How heavy is the crane?', 'Why?', 'Why heavy is the crane?'],
  ])('asks something else of the same: %s %s', (before, question, whole) => {
    expect(completedFollowUp(question, before)).toBe(whole);
  });

  it.each(['Who approved it?', 'And who approved it?', 'And is it paid?', 'How loud is it?', 'And that?'])(
    'is left alone where it has words of its own, or none: %s',
    (question) => {
      expect(completedFollowUp(question, 'What was the toll in 2021?')).toBeUndefined();
    },
  );

  it('finds what a pronoun may stand for', () => {
    expect(spokenOf('Who is the supplier of the packing line?')).toBe('packing line');
    expect(spokenOf('When did we buy the fridge in May?')).toBe('fridge');
    expect(spokenOf('Who objects?')).toBe('');
  });
});
