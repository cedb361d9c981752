import type { Citation, ContentBlock } from './blocks.ts';
import { countOf } from './prices.ts';
import type { Message, Usage } from './types.ts';

/** Anything with the content of a message: the message itself, or what an accumulator holds. */
export type WithContent = Pick<Message, 'content'>;

/** The answer: all text blocks joined without separators (citations cut it into pieces in the middle of sentences). */
export function textOf({ content }: WithContent): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

export function thinkingOf({ content }: WithContent): string {
  return content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join('');
}

/** A claim of the answer and what it rests on. */
export interface CitedSpan {
  /** Half-open, in UTF-16 units of `textOf`. */
  readonly start: number;
  readonly end: number;
  readonly citations: readonly Citation[];
}

/** The cited pieces of `textOf(message)`, in order. */
export function citationsOf({ content }: WithContent): CitedSpan[] {
  let start = 0;
  return content.flatMap((block: ContentBlock) => {
    if (block.type !== 'text') return [];
    const end = start + block.text.length;
    const span = { start, end, citations: Array.isArray(block.citations) ? block.citations : [] };
    start = end;
    return span.citations.length > 0 ? [span] : [];
  });
}

/**
 * All input there was: fresh, written to the cache and read from it. `input_tokens` alone is only the first of them.
 */
export function totalInputTokens(usage: Usage): number {
  return [usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens].reduce(
    (sum: number, part) => sum + countOf(part),
    0,
  );
}
