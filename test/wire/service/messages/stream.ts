import type { SseEvent } from '../contract.ts';
import { seededRandom } from '../random.ts';
import type { AnswerBlock } from './finish.ts';

export interface StreamOptions {
  /** Decides the sizes of deltas and where citations come. */
  readonly seed: number;
  /**
   * Sends `signature_delta` as an event of its own, as the reference document lists it, instead of inside
   * `content_block_delta`.
   */
  readonly signatureEvents: boolean;
  /** JSON of the last tool input as far as the token limit let it. */
  readonly cutInput: string | undefined;
}

/**
 * The events whose accumulation is `message`. Written from the event table alone: blocks start empty, grow by deltas,
 * and citations come before, between or after the text of their block.
 */
export function* streamOf(message: Readonly<Record<string, unknown>>, options: StreamOptions): Generator<SseEvent> {
  const random = seededRandom(options.seed);
  const content = message.content as readonly AnswerBlock[];
  const usage = message.usage as Readonly<Record<string, unknown>>;
  const { context_management: contextManagement, container, stop_details: stopDetails, ...head } = message;
  const start = { ...head, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } };
  yield event('message_start', { message: start });
  yield event('ping', {});
  for (const [index, block] of content.entries()) {
    yield event('content_block_start', { index, content_block: emptied(block) });
    const cut = index === content.length - 1 ? options.cutInput : undefined;
    for (const delta of deltasOf(block, random, cut)) {
      if (delta.type === 'signature_delta' && options.signatureEvents)
        yield event('signature_delta', { index, signature: delta.signature });
      else yield event('content_block_delta', { index, delta });
    }
    yield event('content_block_stop', { index });
  }
  yield event('message_delta', {
    delta: {
      stop_reason: message.stop_reason,
      stop_sequence: message.stop_sequence,
      ...(stopDetails === undefined ? {} : { stop_details: stopDetails }),
      ...(container === undefined ? {} : { container }),
    },
    usage: deltaUsage(usage),
    ...(contextManagement === undefined ? {} : { context_management: contextManagement }),
  });
  yield event('message_stop', {});
}

function event(type: string, rest: Readonly<Record<string, unknown>>): SseEvent {
  return { event: type, data: { type, ...rest } };
}

/** Cumulative figures; what cannot change after the start is left out. */
function deltaUsage(usage: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { cache_creation: _creation, service_tier: _tier, inference_geo: _geo, ...rest } = usage;
  return rest;
}

function emptied(block: AnswerBlock): AnswerBlock {
  switch (block.type) {
    case 'text':
      if (!('citations' in block)) return { type: 'text', text: '' };
      return { type: 'text', text: '', citations: block.citations === null ? null : [] };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'tool_use':
    case 'server_tool_use':
      return { ...block, input: {} };
    case 'compaction':
      return { ...block, content: '' };
    default:
      return block;
  }
}

function* deltasOf(
  block: AnswerBlock,
  random: () => number,
  cutInput: string | undefined,
): Generator<Record<string, unknown>> {
  if (block.type === 'text') {
    const pieces = [...cut(String(block.text), random, 24)].map((text) => ({ type: 'text_delta', text }));
    const citations = ((block.citations ?? []) as unknown[]).map((citation) => ({ type: 'citations_delta', citation }));
    const at = [0, pieces.length, Math.floor(pieces.length / 2)][Math.floor(random() * 3)]!;
    yield* pieces.slice(0, at);
    yield* citations;
    yield* pieces.slice(at);
  } else if (block.type === 'thinking') {
    for (const thinking of cut(String(block.thinking), random, 40)) yield { type: 'thinking_delta', thinking };
    yield { type: 'signature_delta', signature: block.signature };
  } else if (block.type === 'tool_use' || block.type === 'server_tool_use') {
    yield { type: 'input_json_delta', partial_json: '' };
    const empty = typeof block.input === 'object' && block.input !== null && Object.keys(block.input).length === 0;
    const json = cutInput ?? (empty ? '' : JSON.stringify(block.input));
    for (const partial of cut(json, random, 16)) yield { type: 'input_json_delta', partial_json: partial };
  } else if (block.type === 'compaction') {
    yield { type: 'compaction_delta', content: block.content };
  }
}

/** Pieces of 1 to `most` code points. */
function* cut(text: string, random: () => number, most: number): Generator<string> {
  const points = [...text];
  for (let at = 0; at < points.length; ) {
    const next = at + 1 + Math.floor(random() * most);
    yield points.slice(at, next).join('');
    at = next;
  }
}
