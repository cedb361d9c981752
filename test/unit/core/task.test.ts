import { describe, expect, it } from 'vitest';
import { task as taskOf } from '../../../src/core/task.ts';

type Event = { readonly n: number };

/** Work of three events, the last of which has the result, and how often it was begun. */
function work(last = 3) {
  const seen = { begun: 0 };
  async function* events(): AsyncGenerator<Event> {
    seen.begun++;
    for (let n = 1; n <= last; n++) yield { n };
  }
  return { seen, task: taskOf(events, ({ n }) => (n === 3 ? 'result' : undefined)) };
}

describe('a task', () => {
  it('is begun once, however often it is awaited', async () => {
    const { seen, task } = work();
    expect(seen.begun).toBe(0);
    expect([await task, await task]).toEqual(['result', 'result']);
    expect(seen.begun).toBe(1);
  });

  it('is iterated, and then awaited', async () => {
    const { seen, task } = work();
    expect((await Array.fromAsync(task)).map(({ n }) => n)).toEqual([1, 2, 3]);
    expect(await task).toBe('result');
    expect(seen.begun).toBe(1);
  });

  it('that was awaited is not begun again by an iteration', async () => {
    const { seen, task } = work();
    await task;
    await expect(Array.fromAsync(task)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(seen.begun).toBe(1);
  });

  it('that ends without a result says so', async () => {
    await expect(work(2).task).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
  });

  it('whose iteration is left has no result', async () => {
    const { task } = work();
    for await (const _ of task) break;
    await expect(task).rejects.toMatchObject({ code: 'ABORTED' });
  });
});
