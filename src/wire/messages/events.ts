import { isRecord } from '../../core/records.ts';
import type { ServerEvent, Settled } from '../http/contract.ts';
import { errorFromBody, WireError, type WireErrorFacts } from '../http/errors.ts';
import type { Message, StreamEvent, Usage } from './types.ts';

/**
 * One server-sent event → a typed event. Only what the accumulation needs is checked; the payload is passed on as it
 * was parsed.
 * @throws WireError of the service's own error event, classified by its type; RESPONSE_INVALID for what is not JSON
 */
export function parseStreamEvent({ event, data }: ServerEvent, facts: WireErrorFacts): StreamEvent {
  const plain = plainTextDelta(data);
  if (plain !== undefined) return plain;
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    if (event === 'error') throw errorFromBody(data, facts);
    if (data === '[DONE]' || data.trim() === '') return { type: 'unknown', name: event, value: data };
    throw new WireError('RESPONSE_INVALID', `${facts.operation}: an event is not JSON`, {
      ...facts,
      body: data.slice(0, 2000),
    });
  }
  if (!isRecord(value)) return { type: 'unknown', name: event, value };
  const type = typeof value.type === 'string' ? value.type : event;
  switch (type) {
    case 'content_block_delta':
      // Deltas of later versions are let through: the accumulator passes over those it does not know.
      return isRecord(value.delta) ? typed(value, type) : invalid(type, facts);
    case 'content_block_start':
      return isRecord(value.content_block) ? typed(value, type) : invalid(type, facts);
    case 'message_start':
      return isRecord(value.message) && Array.isArray(value.message.content)
        ? typed(value, type)
        : invalid(type, facts);
    case 'message_delta':
      return isRecord(value.delta) ? typed(value, type) : invalid(type, facts);
    case 'content_block_stop':
    case 'message_stop':
    case 'ping':
      return typed(value, type);
    case 'signature_delta': {
      // An event of its own in the reference, its payload not shown: the signature may stand in it or in its delta.
      const source = isRecord(value.delta) ? value.delta : value;
      if (typeof source.signature !== 'string') return invalid(type, facts);
      const index = typeof value.index === 'number' ? { index: value.index } : {};
      return { type, ...index, signature: source.signature };
    }
    case 'error':
      throw errorFromBody(value, facts);
    default:
      return { type: 'unknown', name: String(type), value };
  }
}

const HEAD = '{"type":"content_block_delta","index":';
const MIDDLE = ',"delta":{"type":"text_delta","text":"';
const TAIL = '"}}';

/**
 * By far the most frequent event, text without escapes in the service's own spelling, read without a JSON parser: a
 * stream of them takes half the time. Anything else, down to a space more, is left to the parser.
 */
function plainTextDelta(data: string): StreamEvent | undefined {
  if (!data.startsWith(HEAD)) return undefined;
  let at = HEAD.length;
  let index = 0;
  for (; at < HEAD.length + 6; at += 1) {
    const digit = data.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) break;
    if (index === 0 && at > HEAD.length) return undefined; // 01 is no JSON number
    index = index * 10 + digit;
  }
  if (at === HEAD.length || !data.startsWith(MIDDLE, at) || !data.endsWith(TAIL)) return undefined;
  const start = at + MIDDLE.length;
  const end = data.length - TAIL.length;
  for (at = start; at < end; at += 1) {
    const code = data.charCodeAt(at);
    if (code === 34 || code === 92 || code < 32) return undefined;
  }
  if (end < start) return undefined;
  // A longer slice would keep the whole read of the socket alive for as long as someone keeps the piece; parsing
  // copies.
  const text = end - start < 13 ? data.slice(start, end) : (JSON.parse(data.slice(start - 1, end + 1)) as string);
  return { type: 'content_block_delta', index, delta: { type: 'text_delta', text } };
}

/** The fields the union promises have been looked at, the others are the service's word. */
function typed(value: Record<string, unknown>, type: string): StreamEvent {
  if (value.type === undefined) value.type = type;
  return value as unknown as StreamEvent;
}

function invalid(type: string, facts: WireErrorFacts): never {
  throw new WireError('RESPONSE_INVALID', `${facts.operation}: a ${type} event lacks its payload`, facts);
}

/** A block of any kind, with what this client reads of those it knows. */
function isBlock(block: unknown): boolean {
  if (!isRecord(block) || typeof block.type !== 'string') return false;
  if (block.type === 'text') return typeof block.text === 'string';
  return block.type !== 'tool_use' || (typeof block.id === 'string' && typeof block.name === 'string');
}

/** Whether the fields that this client works with are there. */
export const isMessage = (body: unknown): boolean =>
  isRecord(body) &&
  typeof body.id === 'string' &&
  typeof body.model === 'string' &&
  isRecord(body.usage) &&
  Array.isArray(body.content) &&
  body.content.every(isBlock);

/** @throws WireError RESPONSE_INVALID when an answer is not a message */
export function parseMessage(body: unknown, facts: WireErrorFacts): Message {
  if (!isMessage(body)) {
    throw new WireError('RESPONSE_INVALID', `${facts.operation}: the answer is not a message`, facts);
  }
  return body as unknown as Message; // the fields this client works with are there
}

/** What the limiter and the trace want to know of an answer. Cache reads do not count toward the input limit. */
export function settledBy(body: unknown): Settled | undefined {
  if (!isRecord(body)) return undefined;
  const usage = isRecord(body.usage) ? body.usage : {};
  const tokens = (field: keyof Usage): number | undefined => {
    const count = usage[field];
    // A proxy may answer with anything under these names, and what is beyond all measure would stop the limiter for
    // good.
    return typeof count === 'number' && count >= 0 && count <= Number.MAX_SAFE_INTEGER ? count : undefined;
  };
  return {
    inputTokens: (tokens('input_tokens') ?? 0) + (tokens('cache_creation_input_tokens') ?? 0),
    outputTokens: tokens('output_tokens'),
    model: typeof body.model === 'string' ? body.model : undefined,
    id: typeof body.id === 'string' ? body.id : undefined,
    finishReasons: typeof body.stop_reason === 'string' ? [body.stop_reason] : undefined,
  };
}
