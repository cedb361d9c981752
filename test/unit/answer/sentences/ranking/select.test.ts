import { expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { judge, rank } from '../../../../../src/answer/sentences/ranking/rank.ts';
import { choose } from '../../../../../src/answer/sentences/ranking/select.ts';
import { readingOf } from '../../../../../src/answer/sentences/spans/reading.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

/** Whether the only sentence of a text may answer, where the trees give it this logit. */
function isLikely(asked: string, text: string, score: number): boolean {
  const question = analyseQuestion(asked, statisticsOf([text]));
  const ranked = rank(candidatesOf(question, [hitOf(chunkOf(text))]));
  const judged = judge(question, ranked).map((one) => ({ ...one, score }));
  return choose(question, ranked, judged, 1).isLikely;
}

/** How much better than usual the network finds the only sentence of a text. */
function lift(asked: string, text: string): number {
  const question = analyseQuestion(asked, statisticsOf([text]));
  const [candidate] = candidatesOf(question, [hitOf(chunkOf(text))]);
  return Math.max(0, readingOf(question, candidate!).whole - 2);
}

it('believes a sentence that the trees do not reject', () => {
  const text = 'Tor scored for the club of Skarholm in 2004.';
  const part = 'When was the club of Skarholm founded?';
  expect(isLikely(part, text, -0.4 - lift(part, text))).toBe(true);
  expect(isLikely(part, text, -0.6 - lift(part, text))).toBe(false);
  const whole = 'When scored the club of Skarholm?'; // the sentence has all that the question has
  expect(isLikely(whole, text, -0.9 - lift(whole, text))).toBe(true);
  expect(isLikely(whole, text, -1.1 - lift(whole, text))).toBe(false);
});

it('believes a sentence without a name less, where somebody is asked for', () => {
  expect(isLikely('Who built the club house?', 'The club house was built in a summer.', -0.5)).toBe(false);
  expect(isLikely('Who built the club house?', 'The club house was built by the keepers.', 0.5)).toBe(false);
  expect(isLikely('Who built the club house?', 'The club house was built by the keepers.', 1.5)).toBe(true);
  expect(isLikely('Who built the club house?', 'The club house was built by Tor Vale.', -0.4)).toBe(true);
});

it('believes no line that only names things', () => {
  const links = '@see {@link lantern}\n * @see {@link light}';
  const code = 'lantern = { colour: "red", light: ["dim", "bright"] };';
  expect(isLikely('What is the difference between lantern and light?', code, 1)).toBe(true);
  expect(isLikely('What is the difference between lantern and light?', links, 1)).toBe(false);
  expect(isLikely('What is the syntax of a link to lantern and light?', links, 1)).toBe(true);
});

it('believes a definition whatever the trees say', () => {
  expect(isLikely('What is a lantern?', 'A lantern is a lamp with glass around its flame.', -3)).toBe(true);
  expect(isLikely('What is a lantern?', 'Tor lost the lantern on the way to the harbour.', -3)).toBe(false);
});

it('believes no sentence where there is none', () => {
  const question = analyseQuestion('What is a lantern?', statisticsOf([]));
  expect(choose(question, [], [], 3)).toEqual({
    answer: [],
    related: [],
    isStated: false,
    isLikely: false,
    sureness: 0,
  });
});

/** The sentences of a text that answer together. */
function answered(asked: string, text: string): string[] {
  const question = analyseQuestion(asked, statisticsOf([text]));
  const ranked = rank(candidatesOf(question, [hitOf(chunkOf(text))]));
  return choose(question, ranked, judge(question, ranked), 3).answer.map(({ candidate: { unit } }) =>
    text.slice(unit.start, unit.end),
  );
}

it('goes on to the sentence with a date, where a date is asked for and the first has none', () => {
  const what = 'Lantern 9 is a lantern of the harbour of Skarholm that keepers carry.';
  const when = 'It was first lit on March 14, 2011.';
  expect(answered('When will lantern 9 of the harbour be there?', `${what} ${when}`)).toEqual([what, when]);
  expect(answered('When will lantern 9 of the harbour be there?', `${what}\n\n${when}`)).toEqual([what]);
  expect(answered('What is lantern 9 of the harbour?', `${what} ${when}`)).toEqual([what]);
  const every = 'Lantern 9 of the harbour of Skarholm is there every evening.';
  expect(answered('When is lantern 9 of the harbour there?', `${every} ${when}`)).toEqual([every]);
  const dated = 'Lantern 9 of the harbour of Skarholm has been there since 2003.';
  expect(answered('Since when is lantern 9 of the harbour there?', `${dated} ${when}`)).toEqual([dated]);
});

it('goes on to the sentence that names somebody, where somebody is asked for and the first names nobody', () => {
  const claim = 'Lost lanterns are replaced within a day.';
  const who = 'Claims go to Nora Vale at the quay.';
  expect(answered('Who replaces lost lanterns?', `${claim} ${who}`)).toEqual([claim, who]);
  expect(answered('How are lost lanterns replaced?', `${claim} ${who}`)).toEqual([claim]);
  expect(answered('Keepers who lose lanterns have them replaced.', `${claim} ${who}`)).toEqual([claim]);
  expect(answered('Who replaces lost lanterns?', `${claim} However, Nora Vale is away.`)).toEqual([claim]);
  expect(answered('Who replaces lost lanterns?', `${claim} They are counted at noon.`)).toEqual([claim]);
});

it('a line in capitals that heads a text is no part of an answer', () => {
  const text =
    'BYLAW No. 14\nPARKING IN THE OLD TOWN\n\nSection 1. Parking in the old town is allowed for residents with a blue card only.\nSection 2. A blue card costs 48 euros a year.\n';
  const { answer, related } = ask('Who may park in the old town?', [hitOf(chunkOf(text, { format: 'text' }))]);
  expect(answer).toContain('residents with a blue card');
  expect([answer, ...(related ?? []).map(({ quote }) => quote)].join('\n')).not.toContain('PARKING IN');
});
