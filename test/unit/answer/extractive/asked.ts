import { expect } from 'vitest';
import type { Answer } from '../../../../src/answer/contract.ts';
import { answerExtractive } from '../../../../src/answer/extractive/extractive.ts';
import { plainText } from '../../../../src/answer/extractive/plain-text.ts';
import type { Hit } from '../../../../src/core/types.ts';
import { statisticsOf } from '../hits.ts';

export const castle: string = `The castle of Brannoch stands on a hill. Its moat is 12 metres wide and was dug in 1402 by Hamish Tor. Visitors pay four crowns.

The kitchen feeds sixty guests. Swallows nest under the eaves.`;

export function ask(question: string, hits: readonly Hit[], options = {}): Answer {
  return answerExtractive(question, hits, statisticsOf(hits.map(({ chunk }) => `${chunk.title} ${chunk.text}`)), {
    refuseBelow: 0,
    ...options,
  });
}

/** What every answer must hold, whatever it says. */
export function expectSound(answer: Answer): void {
  const marks = [...answer.answer.matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1]));
  expect(marks).toEqual(answer.citations.map(({ n }) => n));
  expect(answer.citations.map(({ n }) => n)).toEqual(answer.citations.map((_, i) => i + 1));
  for (const { quote, span, uri, answerSpan, verified, n } of answer.citations) {
    const chunk = answer.hits.find(
      (hit) => hit.chunk.uri === uri && hit.chunk.span.start <= span.start && hit.chunk.span.end >= span.end,
    )!.chunk;
    expect(chunk.text.slice(span.start - chunk.span.start, span.end - chunk.span.start)).toBe(quote);
    expect(verified).toBe(true);
    expect(answer.answer.slice(answerSpan.start, answerSpan.end)).toBe(plainText(quote));
    expect(answer.answer.slice(answerSpan.end)).toMatch(new RegExp(`^ \\[${n}\\]`));
  }
}
