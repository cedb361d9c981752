import { expect, it } from 'vitest';
import { contactGain, settlesContact } from '../../../../../src/answer/sentences/rules/contact.ts';
import { analysed, gaining } from './gaining.ts';

const text =
  'Guests who need a ramp ring the harbour office on (408) 252-3000. Write to the boatyard at yard@tern.example. The office has 12 lamps. Taxis wait on 555 01 42 33.';

it.each([
  ['Which number do I call if I need a ramp?', ['Guests who need a ra']],
  ['What is the phone number of the harbour office?', ['Guests who need a ra']],
  ['What is the e-mail address of the boatyard?', ['Write to the boatyar']],
  ['How many lamps does the office have?', []],
  ['Which number does the ramp have?', []],
])('contactGain is for what has the number or address that is asked for: %s', (question, expected) => {
  expect(gaining(contactGain, question, text)).toEqual(expected);
});

it.each([
  ['Welche Nummer muss ich anrufen, wenn ich eine Rampe brauche?', 'Gäste mit Rampe: 030 221 40 11.'],
  ['Quel numéro dois-je appeler pour la rampe ?', 'Pour la rampe, appelez le 01 44 20 11 09.'],
  ['¿A qué número debo llamar para la rampa?', 'Para la rampa, llame al 915 44 20 11.'],
  ['Quale numero devo chiamare per la rampa?', 'Per la rampa: 06 442 011 09.'],
])('contactGain knows a number to call in other languages: %s', (question, passage) => {
  expect(gaining(contactGain, question, passage)).toHaveLength(1);
});

it.each([
  ['Which number do I call if I need a ramp?', true],
  ['What is the phone number of the office?', true],
  ['What is the fax number of the office?', false], // a telephone is no fax
  ['What is the e-mail address of the boatyard?', true],
  ['What is the e-mail address of the office?', false],
  ['Which number do I call for a crane?', false],
])('a sentence with the number and all that says of what answers: %s', (question, expected) => {
  const { asked, candidates } = analysed(question, text);
  expect(candidates.some((one) => settlesContact(asked, one))).toBe(expected);
});

it('what has no number loses where one is asked for', () => {
  const { asked, candidates } = analysed('What is the phone number of the harbour office?', text);
  expect(candidates.map((one) => Math.sign(contactGain(asked, one)))).toEqual([1, -1, -1, 0]);
});

it('a postcode is no number to call', () => {
  for (const line of ['Nora Pell, Quay 7, 04229 Haven', 'Nora Pell, Ternport, CA 92122'])
    expect(gaining(contactGain, 'What is the phone number of Nora Pell?', line)).toEqual([]);
  expect(gaining(contactGain, 'What is the phone number of Nora Pell?', 'Nora Pell: 04229 118')).toHaveLength(1);
});
