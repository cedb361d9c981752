import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReasoningSplitter, separateReasoning } from '../../../src/wire/search/reasoning.ts';

/** The text and reasoning a reader of the pieces ends up with. */
function reread(
  content: string,
  cuts: readonly number[],
  mayMiss: boolean,
): { text: string; reasoning: string | undefined } {
  const splitter = new ReasoningSplitter(mayMiss);
  const places = [...new Set(cuts.map((cut) => cut % (content.length + 1)))].sort((a, b) => a - b);
  const parts = [0, ...places].map((start, index) => content.slice(start, places[index] ?? content.length));
  let text = '';
  let reasoning: string | undefined;
  const pieces = [...parts.flatMap((part) => splitter.push(part)), ...splitter.end()];
  for (const piece of pieces) {
    if (piece.type === 'text') text += piece.text;
    else if (piece.type === 'reasoning') reasoning = (reasoning ?? '') + piece.text;
    else if (piece.type === 'reclassified') {
      expect(text.trim()).toBe(piece.reasoning);
      reasoning = text;
      text = '';
    }
  }
  return { text, reasoning: reasoning?.trim() };
}

describe('reasoning in front of an answer', () => {
  it.each([
    ['<think>a b</think>\n\nAnswer', false, 'Answer', 'a b'],
    ['  \n<think>x</think>{"a":"</think>"}', false, '{"a":"</think>"}', 'x'],
    ['thoughts</think>Answer', true, 'Answer', 'thoughts'],
    ['thoughts</think>Answer', false, 'thoughts</think>Answer', undefined],
    ['{"tag":"</think>"}', true, '{"tag":"</think>"}', undefined],
    ['Answer with <think>inside</think>', false, 'Answer with <think>inside</think>', undefined],
    ['<think>never closed', false, '', 'never closed'],
    ['', true, '', undefined],
    ['<think></think>A', true, 'A', ''],
  ])('%j (tag may be missing: %s)', (content, mayMiss, text, reasoning) => {
    expect(separateReasoning(content, mayMiss)).toEqual({ text, reasoning });
  });

  it('comes out the same however the text is cut', () => {
    const words = fc.constantFrom('<think>', '</think>', '<thi', 'nk>', '</', '{', '}', ' ', '\n', 'a', 'Answer', '<');
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 12 }),
        fc.array(fc.nat(200), { maxLength: 12 }),
        fc.boolean(),
        (parts, cuts, mayMiss) => {
          const content = parts.join('');
          const whole = separateReasoning(content, mayMiss);
          const pieces = reread(content, cuts, mayMiss);
          expect(pieces.text).toBe(whole.text);
          // A block without a word in it leaves no piece behind.
          expect(pieces.reasoning ?? '').toBe(whole.reasoning ?? '');
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
