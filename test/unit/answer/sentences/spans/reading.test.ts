import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../../../src/answer/sentences/question/candidate.ts';
import { analyseQuestion, type Question } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { judge, rank } from '../../../../../src/answer/sentences/ranking/rank.ts';
import { choose } from '../../../../../src/answer/sentences/ranking/select.ts';
import { mostRead, readingGains, readingOf, readingWeight } from '../../../../../src/answer/sentences/spans/reading.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const sentences = [
  'The bridge was opened in May 1937.',
  'Joseph Strauss designed the bridge.',
  'Painters paint the bridge the whole year.',
  'The bridge is a landmark.',
  'Ferries crossed the strait before the bridge.',
  'Nobody designed the weather.',
];
const text = sentences.join(' ');

function asked(wording: string, of = text): { question: Question; candidates: Candidate[] } {
  const question = analyseQuestion(wording, statisticsOf([of]));
  return { question, candidates: candidatesOf(question, [hitOf(chunkOf(of))]) };
}

describe('what the network says of the likeliest sentences', () => {
  const { question, candidates } = asked('Who designed the bridge?');
  const scored = (...scores: number[]) => scores.map((score, i) => ({ candidate: candidates[i]!, score }));

  it('reads each sentence of a question once', () => {
    expect(readingOf(question, candidates[0]!)).toBe(readingOf(question, candidates[0]!));
    expect(readingOf(question, candidates[1]!)).not.toBe(readingOf(question, candidates[0]!));
  });

  it('counts its logit for those that are near to the first, as many as are read at most', () => {
    const gains = readingGains(question, scored(2, 1.5, 0.5, 0.4));
    expect([...gains.keys()]).toEqual(candidates.slice(0, 3));
    for (const [candidate, gain] of gains) expect(gain).toBe(readingWeight * readingOf(question, candidate).whole);
    expect(readingGains(question, scored(2, 2, 2, 2, 2, 2)).size).toBe(mostRead);
  });

  it('has no say where one sentence leads, beside a claim, a row of a table, or below a heading of the question', () => {
    expect(readingGains(question, []).size).toBe(0);
    expect(readingGains(question, scored(2)).size).toBe(0);
    expect(readingGains(question, scored(2, 0.4)).size).toBe(0);
    const claim = asked('Joseph Strauss designed the bridge in the bay.');
    expect(
      readingGains(
        claim.question,
        claim.candidates.map((candidate) => ({ candidate, score: 1 })),
      ).size,
    ).toBe(0);
    const gainsIn = (of: string, keep: (text: string) => boolean): number => {
      const { question, candidates } = asked('Who designed the bridge?', of);
      const kept = candidates.filter(({ passage, unit }) => keep(passage.hit.chunk.text.slice(unit.start, unit.end)));
      expect(kept).toHaveLength(2);
      return readingGains(
        question,
        kept.map((candidate) => ({ candidate, score: 1 })),
      ).size;
    };
    const below = (heading: string): string => `# ${heading}\n\n${text}`;
    expect(gainsIn(below('Design of the bridge'), (one) => /designed/.test(one))).toBe(0);
    expect(gainsIn(below('Ferries'), (one) => /designed/.test(one))).toBe(2);
    const table = `${text}\n\n| bridge | who |\n| --- | --- |\n| Bay | Ada |\n`;
    expect(gainsIn(table, (one) => /Ada|Strauss/.test(one))).toBe(0);
  });
});

it('the first sentence of an answer is the one that trees and network find likeliest together', () => {
  for (const wording of ['Who designed the bridge?', 'When was the bridge opened?', 'What crossed the strait?']) {
    const { question, candidates } = asked(wording);
    const ranked = rank(candidates);
    const judged = judge(question, ranked);
    const best = judged
      .filter(({ score }, i) => i < mostRead && score >= judged[0]!.score - 1.5)
      .map(({ candidate, score }) => ({
        candidate,
        score: score + readingWeight * readingOf(question, candidate).whole,
      }))
      .sort((a, b) => b.score - a.score)[0]!;
    expect(choose(question, ranked, judged, 1).answer[0]!.candidate, wording).toBe(best.candidate);
  }
});
