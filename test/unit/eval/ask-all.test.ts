import { expect, it } from 'vitest';
import { askAll } from '../../../src/eval/ask-all.ts';

it('asks one question after the other, and gives answers and times in their order', async () => {
  let running = 0;
  const ask = async (question: number): Promise<number> => {
    expect(++running).toBe(1);
    await Promise.resolve();
    running--;
    return question * 2;
  };
  const { answers, timesMs } = await askAll([1, 2, 3], ask, {});
  expect(answers).toEqual([2, 4, 6]);
  expect(timesMs).toHaveLength(3);
  for (const ms of timesMs) expect(ms).toBeGreaterThanOrEqual(0);
});

it('asks nothing more once the caller has left', async () => {
  const abort = new AbortController();
  const asked: number[] = [];
  const ask = async (question: number): Promise<void> => {
    asked.push(question);
    if (question === 2) abort.abort(new Error('enough'));
  };
  await expect(askAll([1, 2, 3], ask, { signal: abort.signal })).rejects.toThrow('enough');
  expect(asked).toEqual([1, 2]);
});
