import { describe, expect, it } from 'vitest';
import { compareWithBaseline, LEAST_GATE_QUESTIONS, measureGate, questionsOfIndex } from '../../../src/quality/gate.ts';
import type { QualityChunk, QualityIndex } from '../../../src/quality/quality-index.ts';
import { judgedQuestion } from '../../../src/quality/question.ts';
import { rarestWords } from '../../../src/quality/rarest-words.ts';
import { chunkOf, hitOf } from '../answer/hits.ts';

const questions = Array.from({ length: 20 }, (_, i) =>
  judgedQuestion('own', `question ${i}`, [{ text: `answer ${i}.` }]),
);

/** Finds the answer of every question but the lost ones. */
function indexWithout(lost: ReadonlySet<string>): Pick<QualityIndex, 'search' | 'status'> {
  return {
    search: async (query) => ({
      hits: lost.has(query) ? [] : [hitOf(chunkOf(`The ${query.replace('question', 'answer')}.`), 0.9)],
    }),
    status: async () => ({ documents: 1, chunks: 20, embedder: 'none' }),
  };
}

describe('the gate', () => {
  it('measures anything that searches, and tells a loss from noise', async () => {
    const version = '1';
    const before = await measureGate(indexWithout(new Set()), questions, { version });
    expect(before.scores.every((score) => score['recall@10'] === 1)).toBe(true);
    const one = await measureGate(indexWithout(new Set(['question 3'])), questions, { version });
    expect(compareWithBaseline(before, one)).toMatchObject({
      passed: true,
      worst: [{ question: 'question 3', now: 0 }],
    });
    const ten = new Set(questions.slice(0, 10).map(({ question }) => question));
    const half = await measureGate(indexWithout(ten), questions, { version: '2' });
    expect(compareWithBaseline(before, half)).toMatchObject({
      passed: false,
      changes: [{ what: 'version', before: '1', now: '2' }],
    });
  });

  it('refuses fewer questions than can show a loss', async () => {
    const few = questions.slice(0, LEAST_GATE_QUESTIONS - 1);
    await expect(measureGate(indexWithout(new Set()), few, { version: '1' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('makes its questions of anything that gives out chunks', async () => {
    async function* chunks(): AsyncGenerator<QualityChunk> {
      for (let i = 0; i < 12; i++) {
        const text = `Valve number ${i} of the pump house opens when the water of basin ${i} has risen above the mark on its wall. `;
        yield {
          uri: `d${i}`,
          title: 'Pumps',
          heading: `The valve of basin ${i}`,
          span: { start: 0, end: text.length },
          text,
        };
      }
    }
    const made = await questionsOfIndex({ export: () => chunks() }, { limit: 10 });
    expect(await questionsOfIndex({ export: () => chunks() }, { limit: 10 })).toEqual(made);
    for (const { evidence } of made) expect(evidence[0]!.text).toBeDefined();
  });
});

describe('rarestWords', () => {
  it('keeps the order of the text, and of equally rare words the first', () => {
    const words = [
      { word: 'pump', count: 5 },
      { word: 'valve', count: 2 },
      { word: 'basin', count: 3 },
      { word: 'mark', count: 3 },
    ];
    expect(rarestWords(words, 2)).toBe('valve basin');
    expect(rarestWords(words, 9)).toBe('pump valve basin mark');
  });
});
