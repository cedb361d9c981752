import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../../src/answer/contract.ts';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { permissionGain, settlesPermission } from '../../../../../src/answer/sentences/rules/permission.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';
import { gaining } from './gaining.ts';

const soup = chunkOf('The canteen serves soup at noon. Nobody feeds the ducks on Sundays.', { uri: 'soup.md' });

function ask(question: string, text: string, title: string): Answer {
  const hits = [hitOf(chunkOf(text, { title })), hitOf(soup, 0.4)];
  return answerExtractive(question, hits, statisticsOf(hits.map(({ chunk }) => `${chunk.title} ${chunk.text}`)), {
    refuseBelow: 0.3,
    answerFrom: 0.9,
  });
}

const cottage =
  'Welcome. Arrival is from 4 pm on. Pets are not permitted, as a guest has an allergy. Smoking is only possible on the terrace. Linen is included.';

describe('a question whether something may be done', () => {
  it.each([
    ['Can I bring my dog to the cottage?', cottage, 'Rules of the cottage', 'Pets are not permitted'],
    ['Are cats allowed in the cottage?', cottage, 'Rules of the cottage', 'Pets are not permitted'],
    [
      'Can I use it with milk?',
      'Boil the water. It is not suitable for milk. It is red.',
      'Nora 3',
      'not suitable for milk',
    ],
    [
      'Darf ich meinen Hund in die Hütte mitbringen?',
      'Die Anreise ist ab 16 Uhr. Haustiere sind nicht erlaubt. Das Holz liegt im Schuppen.',
      'Regeln der Hütte',
      'Haustiere sind nicht erlaubt',
    ],
    [
      '¿Puedo tener un perro en el piso de la calle Larga?',
      'Le escribimos por su piso en la calle Larga 14. La renta no cambia. No se admiten animales en la vivienda.',
      'Carta',
      'No se admiten animales',
    ],
    [
      'Puis-je amener mon chien au chalet ?',
      "L'arrivée est à 16 heures. Les animaux sont interdits. Le bois est dans la remise.",
      'Règlement du chalet',
      'Les animaux sont interdits',
    ],
    ['Can I bring a kite to the boat?', 'Tea is served. Kites are not carried.', 'Rules of the boat', 'Kites are not'],
    [
      'Peut-on payer la caution par chèque ?',
      'Une caution est demandée pour chaque barque. Les chèques ne sont plus acceptés.',
      'Barques',
      'Les chèques ne sont plus acceptés',
    ],
  ])('%s', (question, text, title, rule) => {
    const { answer, confidence } = ask(question, text, title);
    expect(answer).toContain(rule);
    expect(confidence).toBe('high');
  });

  const pool = `## Sauna

Children are not admitted. Towels lie in the cabin.

## Dogs

Dogs are welcome by agreement.`;
  it.each([
    ['May children use the sauna?', 'Children are not admitted'],
    ['Can I bring my dog to the pool?', 'Dogs are welcome'],
  ])('%s, and the heading says of what', (question, rule) => {
    const { answer, confidence } = ask(question, pool, 'Rules of the pool');
    expect(answer).toContain(rule);
    expect(confidence).toBe('high');
  });

  it('is not answered by what else somebody may do', () => {
    const trip = 'Members cannot come late, as lessons take place at nine. The office has a phone, 555 0199.';
    expect(ask('May members take a phone?', trip, 'Trip').answer).not.toMatch(/^Members cannot/);
  });

  it.each([
    ['Can I bring my dog to the museum?', cottage, 'Rules of the cottage'], // another place
    ['Can I ride a horse at the cottage?', cottage, 'Rules of the cottage'], // another thing
    ['Who has a dog in the cottage?', cottage, 'Rules of the cottage'], // another question
    ['Can I park on the lawn?', 'Walking on the lawn is not allowed. Cars park at the quay.', 'Rules of the cottage'], // another act
  ])('%s has no plain answer', (question, text, title) => {
    expect(ask(question, text, title).confidence).not.toBe('high');
  });

  it('is answered by a rule about what is to be done, not by one about a thing of it', () => {
    const house =
      'Music must not be heard outside the flat. The cellar may be used by each flat. Subletting is not allowed without consent.';
    expect(ask('Can I sublet my flat?', house, 'House rules').answer).toMatch(/^Subletting is not allowed/);
  });
});

it.each([
  ['Can I take the cart to Ellan?', 'The cart may be pulled in the village. Trips to Ellan need a letter.', false],
  ['Can I take the cart to Ellan?', 'The cart may be pulled in Ellan. Ellan is far away.', true],
  ['Can I take the cart?', 'The cart may be pulled in the village. Trips to Ellan need a letter.', true],
])('does not settle what another sentence names: %s %s', (question, text, expected) => {
  const statistics = statisticsOf([text, 'The cart is washed on Mondays.', 'Nobody sleeps in the cart.']);
  const asked = analyseQuestion(question, statistics);
  const [first] = candidatesOf(asked, [hitOf(chunkOf(text, { title: 'Rules' }))]);
  expect(settlesPermission(asked, first!)).toBe(expected);
});

describe('a question whether something must be done', () => {
  const rules =
    'The boats lie at the quay. If you lift a boat, you must tell the keeper at noon. Keepers who are told twice may be cross. A rope is not required.';
  it.each([
    ['Must I tell the keeper that I lift a boat?', rules, 'you must tell the keeper'],
    ['Do I have to tell the keeper when I lift a boat?', rules, 'you must tell the keeper'],
    [
      'Muss ich dem Wärter den Kahn melden?',
      'Die Kähne liegen am Kai. Jeder Kahn ist dem Wärter zu melden. Wer einen Kahn hebt, muss ihn dem Wärter melden.',
      'muss ihn dem Wärter melden',
    ],
    [
      'Faut-il un permis pour la grue ?',
      'La grue est au quai. Un permis est obligatoire pour la grue. Le quai est fermé.',
      'Un permis est obligatoire',
    ],
  ])('%s', (question, text, rule) => {
    const { answer, confidence } = ask(question, text, 'Boats');
    expect(answer).toContain(rule);
    expect(confidence).toBe('high');
  });

  it.each([
    ['Must I paint the boat?'],
    ['Do I have to pay for the boat?'],
    ['Do I have to tell the mayor when I lift a boat?'],
  ])('is not settled by what else must be done: %s', (question) => {
    const asked = analyseQuestion(question, statisticsOf([rules]));
    const candidates = candidatesOf(asked, [hitOf(chunkOf(rules, { title: 'Boats' }))]);
    expect(candidates.filter((one) => settlesPermission(asked, one))).toEqual([]);
  });
});

it('takes `not OK to` for a rule', () => {
  expect(gaining(permissionGain, 'Can I leave my dog alone?', 'It is not OK to leave a dog alone.')).toHaveLength(1);
  expect(gaining(permissionGain, 'Can I leave my dog alone?', 'Some guests leave a dog alone.')).toHaveLength(0);
});
