import type { AnswerEvent } from '../../answer/contract.ts';
import { applyEvent } from '../../answer/grounded/grounded.ts';
import type { AnswerWriter } from '../../answer/grounded/writer.ts';
import type { ModelEvent } from '../../answer/language-model.ts';

/** Blocks are numbered anew in each step; no step has this many. */
const BLOCKS_PER_STEP = 10_000;

/** The number of a step's first block among the blocks of all steps. */
export const firstBlockOf = (step: number): number => step * BLOCKS_PER_STEP;

/**
 * Separates the answer from remarks about the search. A step that ends in a call of a tool was a remark; a step with a
 * citation is the answer. So the text of a step is held until its first citation or its end. Text that was given out as
 * the answer stays in the answer, also when the model searches again.
 */
export class PreambleFilter {
  readonly #writer: AnswerWriter;
  #held: ModelEvent[] = [];
  #isAnswer = false;

  constructor(writer: AnswerWriter) {
    this.#writer = writer;
  }

  *hear(event: ModelEvent): Generator<AnswerEvent> {
    if (event.type === 'thinking') {
      yield event;
      return;
    }
    this.#held.push(event);
    if (event.type === 'citation') this.#isAnswer = true;
    if (this.#isAnswer) yield* this.end();
  }

  /** A call of a tool has begun, which may be cut, or the step ended in calls. */
  *aside(step: number): Generator<AnswerEvent> {
    for (const event of this.#held)
      if (event.type === 'text' && event.text.trim() !== '') yield { type: 'thinking', text: event.text };
    this.#held = [];
    if (!this.#isAnswer) return;
    this.#isAnswer = false;
    const gap = firstBlockOf(step + 1) - 1;
    yield* this.#writer.write(gap, '\n\n');
    yield* this.#writer.endBlock(gap);
  }

  *end(): Generator<AnswerEvent> {
    const held = this.#held;
    this.#held = [];
    for (const event of held) yield* applyEvent(this.#writer, event);
  }
}
