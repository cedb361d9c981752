import { describe, expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { leadsTo } from '../../../../../src/answer/sentences/ranking/hops.ts';
import { judge, rank } from '../../../../../src/answer/sentences/ranking/rank.ts';
import { choose } from '../../../../../src/answer/sentences/ranking/select.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const film = chunkOf('The film Night Ferry was directed by Ines Halloran.', { uri: 'film', title: 'Night Ferry' });
const person = chunkOf('She was born in Skarholm.', { uri: 'person', title: 'Ines Halloran (director)' });
const other = chunkOf('He was born in Brannoch.', { uri: 'other', title: 'Hamish Tor' });

describe('leadsTo', () => {
  it('follows the name that the first sentence gives to the document of that name', () => {
    const hits = [film, person, other].map((chunk) => hitOf(chunk));
    const question = analyseQuestion(
      'Where was the director of Night Ferry born?',
      statisticsOf(hits.map(({ chunk }) => chunk.text)),
    );
    const [first, second, third] = candidatesOf(question, hits);
    const chosen = [{ candidate: first!, score: 1 }];
    expect(leadsTo(question, chosen, second!)).toBeGreaterThan(0);
    expect(leadsTo(question, chosen, third!)).toBe(0);
    expect(leadsTo(question, chosen, first!)).toBe(0); // the same document
    // a question that names both
    const both = analyseQuestion('Are Night Ferry and Hamish Tor known?', statisticsOf([film.text, other.text]));
    expect(leadsTo(both, chosen, third!)).toBeGreaterThan(0);
  });

  it('does not follow a title that says less than the one it comes from', () => {
    const ferry = chunkOf('A ferry crosses water.', { uri: 'ferry', title: 'Ferry (ship)' });
    const hits = [film, ferry].map((chunk) => hitOf(chunk));
    const question = analyseQuestion('Who directed Night Ferry?', statisticsOf([film.text, ferry.text]));
    const [first, second] = candidatesOf(question, hits);
    expect(leadsTo(question, [{ candidate: first!, score: 1 }], second!)).toBe(0);
  });
});

describe('choose', () => {
  it('gives a sentence of the document that the first one names, however little it says of the question', () => {
    // More sentences that repeat the question than are looked at.
    const crowd = Array.from({ length: 20 }, (_, i) =>
      chunkOf(`The director of the film number ${i} was born in a town.`, {
        uri: `c${i}`,
        title: `Films ${i}`,
      }),
    );
    const hits = [film, ...crowd, person].map((chunk, i) => hitOf(chunk, 1 - i / 100));
    const texts = hits.map(({ chunk }) => chunk.text);
    const question = analyseQuestion('Where was the director of the film Night Ferry born?', statisticsOf(texts));
    const ranked = rank(candidatesOf(question, hits));
    const judged = judge(question, ranked);
    expect(judged.some(({ candidate }) => candidate.passage.hit.chunk.uri === 'person')).toBe(false);
    const first = judged.find(({ candidate }) => candidate.passage.hit.chunk.uri === 'film')!;
    const { answer, related } = choose(question, ranked, [first, ...judged.filter((one) => one !== first)], 3);
    expect([...answer, ...related].map(({ candidate }) => candidate.passage.hit.chunk.uri)).toContain('person');
  });
});
