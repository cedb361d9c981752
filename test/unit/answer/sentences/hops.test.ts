import { describe, expect, it } from 'vitest';
import { candidatesOf } from '../../../../src/answer/sentences/features.ts';
import { leadsTo } from '../../../../src/answer/sentences/hops.ts';
import { analyseQuestion } from '../../../../src/answer/sentences/question.ts';
import { chunkOf, hitOf, statisticsOf } from '../hits.ts';

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
});
