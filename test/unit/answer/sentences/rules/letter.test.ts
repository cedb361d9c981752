import { describe, expect, it } from 'vitest';
import { letterGain, sentGain } from '../../../../../src/answer/sentences/rules/letter.ts';
import { unfitLoss } from '../../../../../src/answer/sentences/rules/unfit.ts';
import { textOf } from '../../../../../src/answer/sentences/structure/unit-text.ts';
import { analysed, gaining } from './gaining.ts';

const mail =
  'From: Ann Moor <ann@tern.example>\nTo: Bo Tarn <bo@tern.example>\nDate: Wed, 21 Dec 2022 10:28:53 -0600\nSubject: Regatta\n\nThe regatta begins at nine on Friday.';
const date = ['Date: Wed, 21 Dec 20'];

it.each([
  ['When was the mail about the regatta sent?', date],
  ['When did Ann Moor write about the regatta?', date],
  ['When did Ann Moor send the message about the regatta to Bo Tarn?', date],
  ['Wann wurde die Mail an Bo Tarn geschickt?', date],
  ['Quand le message à Bo Tarn a-t-il été envoyé ?', date],
  ['¿Cuándo envió Ann Moor el correo?', date],
  ['Quando è stato inviato il messaggio a Bo Tarn?', date],
  ['When did Ann Moor write about the harbour lamps?', []], // another mail
  ['When does the regatta begin?', []],
])('the head of a mail dates it: %s', (question, expected) => {
  expect(gaining(sentGain, question, mail, { format: 'eml', title: 'Regatta', uri: 'regatta.eml' })).toEqual(expected);
});

it('a text that is no mail has no day of sending', () => {
  expect(gaining(sentGain, 'When was the mail about the regatta sent?', mail, { format: 'text' })).toEqual([]);
});

it.each([
  ['To whom is the bill for the lamps sent?', []],
  ['To whom is the letter about the lamps addressed?', ['Dear Bo,']],
  ['To whom was the letter about the lamps sent?', ['Dear Bo,']],
])('who is spoken to is asked for of a letter alone: %s', (question, expected) => {
  const text = 'Dear Bo,\n\nthe bill for the lamps goes to Ann.';
  expect(gaining(letterGain, question, text)).toEqual(expected);
});

describe('a mailbox', () => {
  const message = (subject: string, from: string, day: number, text: string): string =>
    `${subject}\n\nFrom: ${from} <x@boats.example>\nTo: crew@boats.example\nDate: Tue, 0${day} Apr 2024 10:00:00 +0000\nSubject: ${subject}\n\n${text}\n\n`;
  const text =
    message('Paint of the shed', 'Ann Pell', 1, 'It is green.') +
    message('Order of rope', 'Ben Holt', 2, 'The lorry brings it on 9 April.');
  const options = { format: 'mbox', uri: 'crew.mbox', title: 'crew', headings: ['Paint of the shed'] };

  it('says who sent the message of that subject, and when', () => {
    expect(gaining(letterGain, 'Who sent the mail about the order of rope?', text, options)).toEqual([
      'From: Ben Holt <x@bo',
    ]);
    expect(gaining(sentGain, 'When was the mail about the order of rope sent?', text, options)).toEqual([
      'Date: Tue, 02 Apr 20',
    ]);
  });

  it('has heads of messages that answer nothing else', () => {
    const { asked, candidates } = analysed('When does the rope come?', text, options);
    const dates = candidates.filter((one) => textOf(one).startsWith('Date:'));
    expect(dates.map((one) => unfitLoss(asked, one))).toEqual([-4, -4]);
  });
});
