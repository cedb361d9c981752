import { describe, expect, it } from 'vitest';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { isControlFlow } from '../../../../../src/answer/sentences/rules/control-flow.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const program = `export function hoist(load, { maxAttempts = 5 } = {}) {
  const most = maxAttempts;
  for (let attempt = 1; ; attempt++) {
    if (attempt >= 9) throw new Error('hoist');
    pull(load);
  }
}
`;

const found = (question: string, text: string, format: string): string[] => {
  const analysed = analyseQuestion(question, statisticsOf([text]));
  return candidatesOf(analysed, [hitOf(chunkOf(text, { format }))]).flatMap((one) =>
    isControlFlow(analysed, one) ? [text.slice(one.unit.start, one.unit.end).split('\n')[0]!] : [],
  );
};

describe('isControlFlow', () => {
  it('is a loop or a condition of a program, where a number is asked for', () => {
    const flow = found('How many attempts does hoist make?', program, 'code');
    expect(flow.length).toBeGreaterThan(0);
    for (const line of flow) expect(line).toMatch(/^(?:for|if|})/);
    expect(found('What does hoist throw?', program, 'code')).toEqual([]);
    expect(found('How many boats are there?', 'For each quay (east): 5 boats.\n', 'markdown')).toEqual([]);
  });

  it('gives way to what declares the number', () => {
    const { answer } = ask('How many attempts does hoist make by default?', [
      hitOf(chunkOf(program, { format: 'code', uri: 'hoist.js', title: 'hoist.js' })),
    ]);
    expect(answer).toMatch(/^export function hoist\(load, \{ maxAttempts = 5 \}/);
  });
});

describe('a number that belongs to a name', () => {
  it('is not how much there is', () => {
    const { confidence } = ask('How much lag of the replica is acceptable for the harbour?', [
      hitOf(chunkOf('Check the lag of the replica of the harbour: lag harbour-db-2. Nobody minds.')),
    ]);
    expect(confidence).not.toBe('high');
  });
});
