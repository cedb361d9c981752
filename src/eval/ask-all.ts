import type { CallOptions } from '../core/types.ts';

/**
 * Asks one question after the other.
 * @returns the answers, and the time of each in milliseconds, in the order of the questions
 */
export async function askAll<Question, Answer>(
  questions: Iterable<Question>,
  ask: (question: Question) => Promise<Answer>,
  { signal }: CallOptions,
): Promise<{ readonly answers: readonly Answer[]; readonly timesMs: readonly number[] }> {
  const answers: Answer[] = [];
  const timesMs: number[] = [];
  for (const question of questions) {
    signal?.throwIfAborted();
    const startedAt = performance.now();
    answers.push(await ask(question));
    timesMs.push(performance.now() - startedAt);
  }
  return { answers, timesMs };
}
