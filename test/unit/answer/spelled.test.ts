import { expect, it } from 'vitest';
import { spelledAs } from '../../../src/answer/spelled.ts';

it.each([
  ['when does the comittee meet?', 'when does the committee meet?', 'when does the committee meet?'], // a letter left out
  ['who is the trteasurer', 'who is the treasurer', 'who is the treasurer'], // one too many
  ['what is the desposit', 'what is the deposit', 'what is the deposit'],
  ['who is the teasurer', 'who is the treasurer', 'who is the treasurer'],
  ['when was it fuonded', 'when was it founded', 'when was it founded'], // two exchanged
  ['what is the comission', 'what is the commissions', 'what is the commissions'], // the form that the index holds
  ['how does the condonsation form', 'how does the condensation form', 'how does the condensation form'],
  ['What counts as storm?', 'What county as storm?', 'What counts as storm?'], // short
  ['Was muss man leisten?', 'Was muss man leistet?', 'Was muss man leisten?'], // one letter for another
  ['Wer war abwesend?', 'Wer war Anwesend?', 'Wer war abwesend?'], // begins otherwise
  ['what is a nongressional seat', 'what is a congressional seat', 'what is a nongressional seat'],
  ['quand a-t-il fonde le port', 'quand a-t-il fondé le port', 'quand a-t-il fondé le port'], // a mark left out
  ['cual es el dia', 'cual es el día', 'cual es el día'],
  ['Who is Hendersen?', 'Who is Henderson?', 'Who is Hendersen?'], // a name
  ['what is the conversion', 'what is the converted', 'what is the conversion'], // too far
  ['a comittee', 'a committee of two', 'a comittee'], // not word by word
  ['a comittee', undefined, 'a comittee'],
])('%j, searched as %j, is answered as %j', (question, searched, expected) => {
  expect(spelledAs(question, searched)).toBe(expected);
});
