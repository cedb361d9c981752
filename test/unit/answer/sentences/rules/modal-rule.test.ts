import { expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { modalGain } from '../../../../../src/answer/sentences/rules/modal-rule.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

it.each([
  ['Can the tenant assign the lease?', 'The tenant shall not assign this lease without consent.', true],
  ['Can the tenant assign the lease?', 'The landlord may assign this lease to the tenant.', false],
  ['Can the tenant assign the lease?', 'The tenant has assigned this lease.', false],
  ['Can the tenant assign the lease?', 'The tenant shall not paint the hall.', false],
  ['May the harbour master keep a log?', 'The harbour master may keep a log of all boats.', true],
  ['May the harbour master keep a log?', 'If the harbour master is away, the clerk may keep a log.', false],
  ['Must the tenant assign the lease?', 'The tenant must assign this lease.', false], // `obliged.ts`
  [
    'May the media film the race?',
    'Friends of the media are permitted to stand there, and not to film the race.',
    true,
  ],
  ['Darf der Mieter den Vertrag abtreten?', 'Der Mieter darf den Vertrag nicht abtreten.', true],
  ['Why can the tenant assign the lease?', 'The tenant may assign this lease.', false],
  ['Can it?', 'It can.', false],
])('%s – %s', (question, sentence, expected) => {
  const analysed = analyseQuestion(question, statisticsOf([sentence]));
  const [candidate] = candidatesOf(analysed, [hitOf(chunkOf(sentence))]);
  expect(modalGain(analysed, candidate!) > 0).toBe(expected);
});

it('answers with the rule, and not with what only has more of the words', async () => {
  const text =
    'The lease of the hall was assigned in May. A circuit judge sitting with the court of the harbour has seniority there. A circuit judge may sit as a guest on the court of the harbour.';
  const { answer } = await ask('Can a circuit judge sit on the court of the harbour?', [hitOf(chunkOf(text))]);
  expect(answer).toMatch(/^A circuit judge may sit/);
});
