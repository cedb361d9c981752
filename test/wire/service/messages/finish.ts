import { randomBytes } from 'node:crypto';
import type { Draft, DraftBlock } from './model.ts';
import type { ModelRequest } from './request.ts';
import { seal, sign } from './signatures.ts';
import { textTokens } from './tokens.ts';

export type AnswerBlock = Readonly<Record<string, unknown>> & { readonly type: string };

/** A draft with ids and signatures, cut where the request said so. */
export interface Finished {
  readonly content: readonly AnswerBlock[];
  readonly stopReason: string;
  readonly stopSequence: string | null;
  readonly outputTokens: number;
  readonly thinkingTokens: number;
  /** JSON of a tool input that was cut by the token limit, sent in the stream as far as it came. */
  readonly cutInput: string | undefined;
}

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(9).toString('hex')}`;
}

/**
 * @param room tokens left in the model's window; when it is what ends the answer, the stop reason says so
 */
export function finish(draft: Draft, request: ModelRequest, room: number): Finished {
  const limit = Math.min(request.maxTokens, room);
  const overLimit = room < request.maxTokens ? 'model_context_window_exceeded' : 'max_tokens';
  const content: AnswerBlock[] = [];
  let spent = 0;
  let thought = 0;
  const done = (stopReason: string, stopSequence: string | null = null, cutInput?: string): Finished => ({
    content,
    stopReason,
    stopSequence,
    outputTokens: limit === 0 ? 0 : Math.max(1, spent),
    thinkingTokens: thought,
    cutInput,
  });
  for (const block of withThinking(draft.content, request)) {
    const left = limit - spent;
    if (block.type === 'text') {
      const stop = firstStop(block.text, request.body.stop_sequences ?? []);
      const text = stop === undefined ? block.text : block.text.slice(0, stop.at);
      const tokens = textTokens(text);
      const kept = tokens > left ? cutText(text, left) : text;
      spent += Math.min(tokens, left);
      if (kept !== '' || stop === undefined) content.push(textBlock(kept, block.citations, request.citations));
      if (tokens > left) return done(overLimit);
      if (stop !== undefined) return done('stop_sequence', stop.sequence);
    } else if (block.type === 'thinking') {
      const tokens = textTokens(block.thinking);
      const full = tokens > left ? cutText(block.thinking, left) : block.thinking;
      const shown = request.body.thinking?.display === 'omitted' ? '' : full;
      content.push({ type: 'thinking', thinking: shown, signature: sign(shown) });
      spent += Math.min(tokens, left);
      thought += Math.min(tokens, left);
      if (tokens > left) return done(overLimit);
    } else if (block.type === 'redacted_thinking') {
      content.push({ type: 'redacted_thinking', data: seal() });
    } else if (block.type === 'tool_use') {
      const json = JSON.stringify(block.input) ?? '';
      const tokens = 10 + textTokens(`${block.name} ${json}`);
      const id = block.id ?? newId('toolu');
      if (tokens > left) {
        content.push({ type: 'tool_use', id, name: block.name, input: {} });
        spent = limit;
        return done(overLimit, null, json.slice(0, Math.floor(json.length / 2)));
      }
      spent += tokens;
      content.push({ type: 'tool_use', id, name: block.name, input: block.input });
    } else {
      // Raw blocks name their own type; the stand-in that made them answers for it.
      content.push(block.block as AnswerBlock);
      spent += block.block.type === 'server_tool_use' ? 20 : 0;
    }
  }
  const calls = content.some((block) => block.type === 'tool_use');
  return done(draft.stopReason ?? (calls ? 'tool_use' : 'end_turn'));
}

function textBlock(text: string, citations: readonly unknown[] | null | undefined, on: boolean): AnswerBlock {
  if (citations !== undefined && citations !== null && citations.length > 0) return { type: 'text', text, citations };
  return on ? { type: 'text', text, citations: null } : { type: 'text', text };
}

/**
 * Enabled thinking always thinks first; adaptive thinks when the stand-in does; without either, drafted thoughts are
 * dropped.
 */
function withThinking(blocks: readonly DraftBlock[], request: ModelRequest): readonly DraftBlock[] {
  const thinks = blocks.some((block) => block.type === 'thinking' || block.type === 'redacted_thinking');
  if (request.thinking === 'off')
    return blocks.filter((block) => block.type !== 'thinking' && block.type !== 'redacted_thinking');
  if (thinks || request.thinking === 'adaptive') return blocks;
  return [
    {
      type: 'thinking',
      thinking: `The question is: ${request.question.slice(0, 200)} – let me look at what is given.`,
    },
    ...blocks,
  ];
}

function firstStop(text: string, sequences: readonly string[]): { at: number; sequence: string } | undefined {
  let best: { at: number; sequence: string } | undefined;
  for (const sequence of sequences) {
    const at = text.indexOf(sequence);
    if (at >= 0 && (best === undefined || at < best.at)) best = { at, sequence };
  }
  return best;
}

/** The longest beginning of at most so many tokens, never through a surrogate pair. */
function cutText(text: string, tokens: number): string {
  const points = [...text];
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (textTokens(points.slice(0, middle).join('')) <= tokens) low = middle;
    else high = middle - 1;
  }
  return points.slice(0, low).join('');
}
