import { describe, expect, it } from 'vitest';
import { judgedQuestion } from '../../../src/quality/question.ts';
import { type JudgedHit, READ_TOKENS, scoreHits, touches } from '../../../src/quality/score.ts';

const hit = (uri: string, start: number, end: number, text = '', tokens = 100): JudgedHit => ({
  uri,
  span: { start, end },
  text,
  tokens,
});
const spanOf = (uri: string, start: number, end: number) => ({ uri, span: { start, end } });

describe('scoreHits', () => {
  it('gives a question with one answer 1 / log2(rank + 1), and counts it within ten hits', () => {
    const question = judgedQuestion('own', 'where?', [spanOf('a', 100, 200)]);
    const at = (rank: number) =>
      scoreHits(question, [
        ...Array.from({ length: rank - 1 }, (_, i) => hit('b', i * 100, i * 100 + 100)),
        hit('a', 100, 200),
      ]);
    expect(at(1)).toEqual({ recall: 1, ndcg: 1, recallByTokens: 1 });
    expect(at(3).ndcg).toBeCloseTo(1 / Math.log2(4), 12);
    expect(at(10)).toMatchObject({ recall: 1, recallByTokens: 1 });
    expect(at(11)).toMatchObject({ recall: 0, ndcg: 0, recallByTokens: 1 });
  });

  it('pays once for an answer cut into several hits, and counts every answer of several', () => {
    const two = judgedQuestion('own', 'where?', [spanOf('a', 0, 100), spanOf('b', 0, 100)]);
    const twice = scoreHits(two, [hit('a', 0, 50), hit('a', 50, 100), hit('c', 0, 9)]);
    expect(twice.recall).toBe(0.5);
    expect(twice.ndcg).toBeCloseTo(1 / (1 + 1 / Math.log2(3)), 12); // the second half of the same answer gains nothing
    const both = scoreHits(two, [hit('b', 0, 100), hit('c', 0, 9), hit('a', 0, 100)]);
    expect(both.recall).toBe(1);
    expect(both.ndcg).toBeCloseTo((1 + 1 / Math.log2(4)) / (1 + 1 / Math.log2(3)), 12);
  });

  it('counts what a reader has to read: long hits fill the tokens sooner', () => {
    const question = judgedQuestion('own', 'where?', [spanOf('a', 0, 10)]);
    const found = (count: number, tokens: number) =>
      scoreHits(question, [
        ...Array.from({ length: count }, (_, i) => hit('b', i, i + 1, '', tokens)),
        hit('a', 0, 10, '', tokens),
      ]).recallByTokens;
    expect(found(4, READ_TOKENS / 5)).toBe(1); // the fifth of five just fits
    expect(found(5, READ_TOKENS / 5)).toBe(0);
    expect(found(0, 10 * READ_TOKENS)).toBe(1); // the first is read whatever its length
  });
});

describe('touches', () => {
  it('wants a third of the shorter of span and hit, in the right document', () => {
    expect(touches(hit('a', 0, 90), spanOf('a', 60, 150))).toBe(true); // 30 of 90
    expect(touches(hit('a', 0, 89), spanOf('a', 60, 150))).toBe(false); // 29 of 89
    expect(touches(hit('b', 60, 150), spanOf('a', 60, 150))).toBe(false);
    expect(touches(hit('a', 50, 60), spanOf('a', 0, 5000))).toBe(true); // a hit within a long section
    expect(touches(hit('a', 0, 5000), spanOf('a', 50, 60))).toBe(true);
    expect(touches(hit('a', 0, 50), spanOf('a', 50, 60))).toBe(false); // they only meet
    expect(touches(hit('a', 7, 8), { uri: 'a' })).toBe(true); // all of the document
  });

  it('finds a text without regard to case and blanks, and the larger part of one that was cut', () => {
    const evidence = { text: 'The keeper counts\n passing ships' };
    expect(touches(hit('x', 0, 9, 'At dawn the KEEPER counts passing  ships.'), evidence)).toBe(true);
    expect(touches(hit('x', 0, 9, 'At dawn the keeper counts pass'), evidence)).toBe(true);
    expect(touches(hit('x', 0, 9, 'counts passing ships at dawn'), evidence)).toBe(true);
    expect(touches(hit('x', 0, 9, 'passing ships'), evidence)).toBe(true); // all of the hit lies within
    expect(touches(hit('x', 0, 9, 'At dawn the keeper'), evidence)).toBe(false);
    expect(touches(hit('x', 0, 9, ''), evidence)).toBe(false);
    expect(touches(hit('x', 0, 9, 'the keeper counts passing ships'), { ...evidence, uri: 'y' })).toBe(false);
  });
});
