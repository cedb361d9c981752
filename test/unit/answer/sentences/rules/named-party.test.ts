import { describe, expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { partyGain, partyNamed } from '../../../../../src/answer/sentences/rules/named-party.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

/** The name that a sentence has for who is asked for; undefined where the rule does not speak. */
function partyOf(question: string, sentence: string): string | undefined {
  const analysed = analyseQuestion(question, statisticsOf([sentence]));
  const candidate = candidatesOf(analysed, [hitOf(chunkOf(sentence))])[0]!;
  const span = partyNamed(analysed, candidate);
  expect(partyGain(analysed, candidate) > 0).toBe(span !== undefined);
  return span && sentence.slice(span.start, span.end);
}

const charter =
  'This charter is made on 3 May 2021 by and between Harbour Lines, Inc., a company of Maine (the "Owner"), and Quay and Sons Ltd (hereinafter called the "Charterer").';
const supply = 'Between Crane Works AG, as Seller, and the Port of Haven, as Buyer, dated 9 June 2022.';
const lease =
  'Zwischen Frau Helga Brandt (im Folgenden „Vermieterin“) und Herrn Jonas Kai (nachfolgend „Mieter“ genannt) gilt:';
const bail =
  'Entre la société Quais de Brest SARL (ci-après « le Bailleur ») et M. Luc Perrin (ci-après « le Preneur »).';

describe('a party that is asked for by its part', () => {
  it.each([
    ['Who is the owner?', charter, 'Harbour Lines, Inc.'],
    ['Who is the charterer?', charter, 'Quay and Sons Ltd'],
    ['Who is the seller?', supply, 'Crane Works AG'],
    ['Who is the buyer?', supply, 'Port of Haven'],
    ['Wer ist die Vermieterin?', lease, 'Frau Helga Brandt'],
    ['Wer ist der Mieter?', lease, 'Herrn Jonas Kai'],
    ['Qui est le bailleur ?', bail, 'Quais de Brest SARL'],
    ['Qui est le preneur ?', bail, 'M. Luc Perrin'],
    ['Who is the owner in the charter of 2021?', charter, 'Harbour Lines, Inc.'],
    ['Qui est le preneur dans le bail de Brest ?', `${bail} Le bail dure un an.`, 'M. Luc Perrin'],
    ['Who is the harbour master?', 'Report any damage to Anna Berg (harbour master).', 'Anna Berg'],
  ])('%s', (question, sentence, name) => {
    expect(partyOf(question, sentence)).toBe(name);
  });

  it.each([
    ['When does the charterer pay?', charter], // asks for no person
    ['Who is the insurer?', charter],
    ['Who is the owner in the lease of the mill?', charter],
    ['Who is the owner of Haven?', 'All crews of Haven VPP (other than those of our owner) are paid.'],
    ['Who is the owner?', 'The Owner pays the crew (see clause 4).'],
    ['Who is the owner?', 'The crew is paid in advance (by the owner).'],
  ])('is none for %s of %s', (question, sentence) => {
    expect(partyOf(question, sentence)).toBeUndefined();
  });
});

it('answers with the sentence that names the party, and marks its name', async () => {
  const text = `${charter}\n\nThe Owner shall keep the ship in good order, and the Owner pays the crew.`;
  const { answer, citations } = await ask('Who is the owner?', [hitOf(chunkOf(text, { title: 'Charter' }))]);
  expect(answer).toContain('between Harbour Lines, Inc.');
  const [{ start, end }] = citations[0]!.highlight as [{ start: number; end: number }];
  expect(text.slice(start, end)).toBe('Harbour Lines, Inc.');
});
