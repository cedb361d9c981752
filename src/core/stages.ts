import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel';

/** A part of the work for one question. No text of a question, a document or an answer stands in it. */
export interface Stage {
  readonly name: 'rewrite query' | 'search' | 'embed query' | 'rerank' | 'answer';
  /** Set where the stage failed. */
  error?: unknown;
}

/**
 * Tells when the stages of a question begin and end. A server makes spans of them; without a listener they cost nothing.
 * @see https://nodejs.org/api/diagnostics_channel.html
 */
export const stages: TracingChannel<unknown, Stage> = tracingChannel<unknown, Stage>('ibid.stage');

export function inStage<T>(name: Stage['name'], work: () => Promise<T>): Promise<T> {
  return stages.tracePromise(work, { name });
}

/** The events of an answer as a stage: from when the first is asked for to the end. */
export async function* answerInStage<T>(events: AsyncIterable<T>): AsyncGenerator<T> {
  const stage: Stage = { name: 'answer' };
  stages.start.publish(stage);
  try {
    yield* events;
  } catch (error) {
    stage.error = error;
    throw error;
  } finally {
    stages.asyncEnd.publish(stage);
  }
}
