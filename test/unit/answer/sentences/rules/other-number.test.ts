import { expect, it } from 'vitest';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { lacksMeasure, lacksNumber } from '../../../../../src/answer/sentences/rules/other-number.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

function lacks(asked: string, text: string, title = 'Lights'): boolean {
  const question = analyseQuestion(asked, statisticsOf([text]));
  const candidates = candidatesOf(question, [hitOf(chunkOf(text, { title }))]);
  return lacksNumber(question, candidates.at(text.startsWith('#') ? -1 : 0)!);
}

it.each([
  ['What is the codename of Beacon 10?', 'Codename: wren.', true],
  ['What is the codename of Beacon 10?', 'The codename of Beacon 10 is wren.', false],
  ['What is the codename of Beacon 10?', 'The codename of Beacon 10.2 is wren.', true],
  ['What is the codename of Beacon 10?', 'The codename is wren. Beacon/Mark 10 has it.', false],
  ['What is the codename of Beacon 10?', 'The codename is wren. It weighs 10 tonnes.', true],
  ['When was Beacon 3.2.2 lit?', 'Beacon 3.2.1 was lit in May.', true],
  ['When is bylaw 9 in force?', 'Bylaw No. 14 is in force from 1 July.', true],
  ['When is bylaw no. 9 in force?', 'Bylaw No. 9 is in force from 1 July.', false],
  ['Wann gilt Satzung 9?', 'Satzung Nr. 14 gilt ab 1. Juli.', true],
  ['Which memo does memo 17 replace?', '# Memo 17\n\nReplaces: Memo 9', false],
  ['Which memo does memo 17 replace?', '# Memo 18\n\nReplaces: Memo 9', true],
  ['What does memo 17 replace?', '# Memo 18\n\nReplaces: Memo 9', true],
  ['What did sample A4 weigh?', 'The sample B1 weighed 9 grams. A4 was lost.', true],
  ['What did sample A4 weigh?', 'It weighed 9 grams.', false],
  ['What did sample A4 weigh?', 'Of A4 and B1, the first weighed 9 grams.', false],
  ['What does section 4 say?', 'Keepers sleep in turns.', true],
  ['What does section 4 say?', 'Section 4: keepers sleep in turns.', false],
  ['Was sagt Artikel 7?', 'Wärter schlafen abwechselnd.', true],
  ['What does the lift of Block C cost?', 'The lift costs 300 crowns.', true],
  ['What does the lift of Block C cost?', 'The lift costs 300 crowns. It stands in Block C.', false],
  ['Was kostet der Aufzug in Haus B?', 'Der Aufzug in Haus A kostet 300 Kronen.', true],
  ['What does error 404 mean?', 'An error of 500 means that the lamp broke.', true],
  ['What does the value 252 set?', 'A value of 0 switches the lamp off. The value 252 sets 21 minutes.', false],
  ['When was Beacon 3.2 lit?', 'Beacon 3.2.0 was lit in May.', false],
  ['When was Beacon 3 lit?', 'Beacon 3.0 was lit in May.', true],
  ['What is the fee of Class 2?', 'Class II has a fee of 9 crowns.', false],
  ['What is the fee of Class 2?', 'Class III has a fee of 9 crowns.', true],
  ['What is the fee of Class 1?', 'Class I has a fee of 9 crowns.', false],
  ['What can I do in Block I?', 'Sleep.', true],
  ['Can I see John F Kennedy?', 'He is away.', false],
  ['What was the oil used in quarter 7?', 'In quarter 9 they used oil.', true],
  ['What was the oil used in quarter 7?', 'In quarters they used oil.', false],
  ['Which keepers have 3 lamps?', 'They are keepers of 2 lamps.', false],
  ['Does the lamp L2 blink?', 'The L3 is new. It blinks.', true],
  ['Does the lamp L2 blink?', 'The L3 blinks.', true],
  ['Does the lamp L2 blink?', 'The L-2 blinks.', false],
  ['Does the lamp L2 blink?', 'The L2 blinks, unlike the L3.', false],
  ['Does the lamp L2 blink?', 'The H3 blinks.', false], // of another name, whatever it is
  ['Does the lamp L2 blink?', 'It blinks.', false],
  ['Which blinks faster, the L2 or the L3?', 'The L3 blinks twice.', false],
  ['Which blinks faster, the L2 or the L3?', 'The L4 blinks twice.', true],
  ['Which is older, Beacon 4 or Beacon 5?', 'Beacon 5 is old.', false],
  ['What does the three-year bond pay?', 'The two-year bond pays 4 %.', true],
  ['What does the three-year bond pay?', 'The 3-year bond pays 4 %.', false],
  ['What does the three-year bond pay?', 'The bond pays 4 %.', false],
  ['What does the well-known bond pay?', 'The two-year bond pays 4 %.', false],
  // no name of anything
  ['How are 10 lamps lit?', 'Lamps are lit at dusk.', false],
  ['Is 5 enough?', 'Four lamps are enough.', false],
  ['Do EUR 500 pay for a lamp?', 'A lamp is dear.', false],
  ['Who kept the light in May 10?', 'Ines kept the light.', false],
  ['Who kept the Beacon 2019?', 'Ines kept the Beacon.', false],
  ['Who kept the light?', 'Ines kept it.', false],
])('%s — %s', (asked, text, expected) => {
  expect(lacks(asked, text)).toBe(expected);
});

it('the title may have the number', () => {
  expect(lacks('What is the codename of Beacon 10?', 'Codename: wren.', 'Beacon 10')).toBe(false);
});

it('the sentence of the number that is asked for comes first', () => {
  const seasons = [6, 7, 8, 9].map((season) => `Results of season ${season}\n\nThe oil cost ${season + 40} crowns.`);
  const text = seasons.join('\n\n');
  const hits = [hitOf(chunkOf(text, { title: 'Oil', headings: ['Oil', 'Results of season 6'] }))];
  for (const season of [6, 7, 8, 9]) {
    const { answer } = answerExtractive(`What did the oil cost in season ${season}?`, hits, statisticsOf([text]));
    expect(answer).toContain(`The oil cost ${season + 40} crowns.`);
  }
  const of = (season: number) =>
    answerExtractive(`What did the oil cost in season ${season}?`, hits, statisticsOf([text])).confidence;
  expect([of(7), of(12)]).toEqual(['high', 'low']);
});

it('a sentence about another number is said in doubt', () => {
  const text = 'The codename of Beacon is wren, and its lamp is red.';
  const hits = [hitOf(chunkOf(text, { title: 'Lights' }))];
  const answer = (asked: string) =>
    answerExtractive(asked, hits, statisticsOf([text]), { refuseBelow: 0, answerFrom: 0 }).confidence;
  expect(answer('What is the codename of Beacon?')).toBe('high');
  expect(answer('What is the codename of Beacon 10?')).toBe('low');
});

it.each([
  ['How much did 90 mg of kelp lower the pulse?', 'The pulse fell by 4 with 60 mg and by 2 with 30 mg.', true],
  ['How much did 60mg of kelp lower the pulse?', 'The pulse fell by 4 with 60 mg and by 2 with 30 mg.', false],
  ['How much did 90 mg of kelp lower the pulse?', 'The pulse fell by 4 with 60 to 120 mg.', false],
  ['How much did 90 mg of kelp lower the pulse?', 'The pulse fell by 4 with more than 60 mg.', false],
  ['How much did 90 mg of kelp lower the pulse?', 'The pulse fell by 4 with 60 ml.', false],
  ['How much did 90 mg of kelp lower the pulse?', 'The pulse fell by 4 with 60 mg. With 90 mg it fell by 5.', false],
  ['90 mg of kelp lowers the pulse of sailors.', 'The pulse of sailors fell by 4 with 60 mg.', false],
])('an amount that is asked about, where the passage has others of its unit: %s', (asked, text, expected) => {
  const { question, candidates } = analysedAs(asked, text);
  expect(lacksMeasure(question, candidates[0]!)).toBe(expected);
});

function analysedAs(
  asked: string,
  text: string,
): {
  readonly question: ReturnType<typeof analyseQuestion>;
  readonly candidates: ReturnType<typeof candidatesOf>;
} {
  const question = analyseQuestion(asked, statisticsOf([text]));
  return { question, candidates: candidatesOf(question, [hitOf(chunkOf(text))]) };
}
