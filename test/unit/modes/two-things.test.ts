import { describe, expect, it } from 'vitest';
import { answerOfBoth } from '../../../src/modes/two-things.ts';
import { expectSound } from '../answer/extractive/asked.ts';
import { askerOf, type Page } from './asker.ts';

const pages: readonly Page[] = [
  { title: 'Ida Tarn', uri: 'tarn.md', text: 'Ida Tarn (4 May 1911 – 3 June 1987) was a Norlandic painter.' },
  { title: 'Bo Kern', uri: 'kern.md', text: 'Bo Kern (17 January 1908 – 9 March 1990) was a Norlandic diver.' },
  { title: 'Orl', uri: 'orl.md', text: 'The Orl is a river in Norland. It is 92 km long.' },
  { title: 'Zwen', uri: 'zwen.md', text: 'The Zwen is a river in Norland with a length of 141 km.' },
  {
    title: 'Night Ferry',
    uri: 'ferry.md',
    text: 'Night Ferry is a film directed by Ida Tarn. It was released in 1961.',
  },
  { title: 'Cold Harbour', uri: 'harbour.md', text: 'Cold Harbour is a film directed by Bo Kern, released in 1957.' },
];

/** Titles of what is cited, in order. */
async function cited(question: string): Promise<readonly string[] | undefined> {
  const answer = await answerOfBoth(question, askerOf(pages).ask);
  if (answer !== undefined) expect(answer.confidence).toBe('high');
  return answer?.citations.map(({ title }) => title);
}

describe('a question that compares two things', () => {
  it.each([
    ['Who is older, Ida Tarn or Bo Kern?', ['Bo Kern', 'Ida Tarn']],
    ['Who is younger, Bo Kern or Ida Tarn?', ['Ida Tarn', 'Bo Kern']],
    ['Who died first, Bo Kern or Ida Tarn?', ['Ida Tarn', 'Bo Kern']],
    ['Which river is longer, the Orl or the Zwen?', ['Zwen', 'Orl']],
    ['Which of the Orl and the Zwen is shorter?', ['Orl', 'Zwen']],
    ['Which film was released first, Night Ferry or Cold Harbour?', ['Cold Harbour', 'Night Ferry']],
    ['Is the Orl longer than the Zwen?', ['Orl', 'Zwen']], // both answer
    ['Were Ida Tarn and Bo Kern born in the same year?', ['Ida Tarn', 'Bo Kern']],
  ])('cites what it says of each, the one that is meant first: %s', async (question, titles) => {
    expect(await cited(question)).toEqual(titles);
  });

  it('may be about people who are called by a role: their sentences stand behind', async () => {
    const titles = await cited('Which film has the director who was born first, Night Ferry or Cold Harbour?');
    expect(titles).toEqual(['Bo Kern', 'Cold Harbour', 'Ida Tarn']);
  });

  it('numbers its citations, and marks what is compared', async () => {
    const answer = (await answerOfBoth('Who is older, Ida Tarn or Bo Kern?', askerOf(pages).ask))!;
    expectSound(answer);
    const marks = answer.citations.map(({ quote, span, highlight }) =>
      quote.slice(highlight![0]!.start - span.start, highlight![0]!.end - span.start),
    );
    expect(marks).toEqual(['17 January 1908', '4 May 1911']);
    expect(answer.related?.map(({ n }) => n)).toEqual(answer.related?.map((_, i) => i + 3));
  });

  it.each([
    'Who is older, Ida Tarn or Lee Voss?', // nothing of one
    'Who is Ida Tarn?',
    'Is the shop open or closed?',
    'Which painter died in 1987?',
  ])('is left to one step otherwise: %s', async (question) => {
    expect(await cited(question)).toBeUndefined();
  });

  it('is left to one step where there may be one sentence', async () => {
    expect(await answerOfBoth('Who is older, Ida Tarn or Bo Kern?', askerOf(pages).ask, 1)).toBeUndefined();
  });
});
