import * as fc from 'fast-check';
import type { ServerEvent } from '../../../src/wire/http/contract.ts';
import type { Message } from '../../../src/wire/messages/index.ts';

type Json = Record<string, unknown>;

/** A whole message, every kind of block in it. */
export function message(content: readonly unknown[], fields: Json = {}): Message {
  return {
    id: 'msg_01',
    type: 'message',
    role: 'assistant',
    model: 'assistant-large-4-6',
    content,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 12, output_tokens: 6, cache_creation_input_tokens: 0, service_tier: 'standard' },
    ...fields,
  } as unknown as Message;
}

export const asServerEvent = (value: Json): ServerEvent => ({ event: String(value.type), data: JSON.stringify(value) });

/** Where choices come from: `next(n)` is in [0, n). */
export interface Choices {
  next(n: number): number;
}

export const straight: Choices = { next: () => 0 };

/** Cuts a string into pieces of 0 to 4 characters; an empty string into none or one empty piece. */
function pieces(text: string, choices: Choices): string[] {
  const out: string[] = [];
  for (let at = 0; at < text.length; ) {
    const length = choices === straight ? text.length : choices.next(5);
    out.push(text.slice(at, at + length));
    at += length;
  }
  if (choices.next(3) === 1) out.push('');
  return out;
}

/**
 * The events a service would send for a message, in any order and cutting the reference allows: written from the
 * reference's rules and independent of the accumulator. Blocks may interleave, citations come before or after their
 * text, pings and unknown events anywhere.
 */
export function eventsOf(whole: Message, choices: Choices): Json[] {
  const { content, stop_reason, stop_sequence, usage, ...head } = whole as unknown as Json & {
    content: Json[];
    usage: Json;
  };
  const { stop_details, container, context_management, ...rest } = head;
  const lanes = content.map((block, index) => blockEvents(block, index, choices));
  const middle: Json[] = [];
  const interleave = choices.next(4) === 1;
  while (lanes.some((lane) => lane.length > 0)) {
    const open = lanes.filter((lane) => lane.length > 0);
    const lane = interleave ? open[choices.next(open.length)]! : open[0]!;
    middle.push(lane.shift()!);
    if (choices.next(6) === 1) middle.push({ type: 'ping' });
    if (choices.next(12) === 1)
      middle.push({ type: 'later_event', index: 0, delta: { type: 'text_delta', text: 'no' } });
  }
  const startUsage =
    choices.next(2) === 1 ? { ...usage, output_tokens: 1 } : { input_tokens: usage.input_tokens, output_tokens: 1 };
  const lateUsage =
    choices.next(2) === 1 && 'service_tier' in startUsage ? { output_tokens: usage.output_tokens } : usage;
  const late: Json = { stop_reason, stop_sequence };
  if (stop_details !== undefined) late.stop_details = stop_details;
  if (container !== undefined) late.container = container;
  const deltas: Json[] = [
    {
      type: 'message_delta',
      delta: late,
      usage: lateUsage,
      ...(context_management === undefined ? {} : { context_management }),
    },
  ];
  // More than one is allowed; totals so far are overwritten by later ones.
  if (choices.next(3) === 1)
    deltas.unshift({
      type: 'message_delta',
      delta: { stop_reason: null },
      usage: { output_tokens: 2, input_tokens: null },
    });
  return [
    {
      type: 'message_start',
      message: { ...rest, content: [], stop_reason: null, stop_sequence: null, usage: startUsage },
    },
    ...middle,
    ...deltas,
    { type: 'message_stop' },
  ];
}

function blockEvents(block: Json, index: number, choices: Choices): Json[] {
  const start = (content_block: Json): Json => ({ type: 'content_block_start', index, content_block });
  const delta = (value: Json): Json => ({ type: 'content_block_delta', index, delta: value });
  const stop: Json = { type: 'content_block_stop', index };
  if (block.type === 'text') {
    const { text, citations, ...rest } = block;
    const given = Array.isArray(citations) && citations.length > 0;
    const texts = pieces(String(text), choices).map((piece) => delta({ type: 'text_delta', text: piece }));
    const cited = given ? citations.map((citation) => delta({ type: 'citations_delta', citation })) : [];
    const first = { ...rest, type: 'text', text: '', ...(given ? {} : citations === undefined ? {} : { citations }) };
    return [start(first), ...(choices.next(2) === 1 ? [...cited, ...texts] : [...texts, ...cited]), stop];
  }
  if (block.type === 'thinking') {
    const texts = pieces(String(block.thinking), choices).map((piece) =>
      delta({ type: 'thinking_delta', thinking: piece }),
    );
    const signature =
      choices.next(4) === 1
        ? { type: 'signature_delta', index, signature: block.signature }
        : delta({ type: 'signature_delta', signature: block.signature });
    return [start({ type: 'thinking', thinking: '', signature: '' }), ...texts, signature, stop];
  }
  if (block.type === 'tool_use' || block.type === 'server_tool_use') {
    const json = JSON.stringify(block.input);
    // An empty object may come as no text at all.
    const text = json === '{}' && choices.next(2) === 0 ? '' : json;
    const parts = pieces(text, choices).map((piece) => delta({ type: 'input_json_delta', partial_json: piece }));
    return [start({ ...block, input: {} }), ...parts, stop];
  }
  if (block.type === 'compaction') {
    return [
      start({ type: 'compaction', content: null }),
      delta({ type: 'compaction_delta', content: block.content }),
      stop,
    ];
  }
  return [start(block), stop];
}

const citation: fc.Arbitrary<Json> = fc.oneof(
  fc.record({
    type: fc.constant('search_result_location'),
    cited_text: fc.string(),
    source: fc.webUrl(),
    title: fc.option(fc.string()),
    search_result_index: fc.nat(9),
    start_block_index: fc.nat(3),
    end_block_index: fc.nat(3),
  }),
  fc.record({
    type: fc.constant('char_location'),
    cited_text: fc.string({ unit: 'binary' }),
    document_index: fc.nat(3),
    document_title: fc.constant(null),
    start_char_index: fc.nat(100),
    end_char_index: fc.nat(100),
    file_id: fc.constant(null),
  }),
  fc.record({ type: fc.constant('later_location'), anything: fc.jsonValue() }),
) as fc.Arbitrary<Json>;

const anyText = fc.string({ unit: 'binary', maxLength: 40 });

const block: fc.Arbitrary<Json> = fc.oneof(
  fc.record({ type: fc.constant('text'), text: anyText }),
  fc.record({ type: fc.constant('text'), text: anyText, citations: fc.constant(null) }),
  fc.record({ type: fc.constant('text'), text: anyText, citations: fc.array(citation, { maxLength: 3 }) }),
  fc.record({ type: fc.constant('thinking'), thinking: anyText, signature: fc.base64String() }),
  fc.record({ type: fc.constant('redacted_thinking'), data: fc.base64String() }),
  fc.record({
    type: fc.constant('tool_use'),
    id: fc.constant('toolu_01'),
    name: fc.constant('look'),
    input: fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.parse(JSON.stringify(value))),
  }),
  fc.record({
    type: fc.constant('server_tool_use'),
    id: fc.constant('srvtoolu_01'),
    name: fc.constant('web_search'),
    input: fc.constant({ query: 'pump' }),
  }),
  fc.record({
    type: fc.constant('web_search_tool_result'),
    tool_use_id: fc.constant('srvtoolu_01'),
    content: fc.constant([
      { type: 'web_search_result', url: 'https://example.com', title: 'A', encrypted_content: 'E' },
    ]),
  }),
  fc.record({ type: fc.constant('compaction'), content: fc.string() }),
  fc.record({ type: fc.constant('later_block'), value: fc.integer() }),
) as fc.Arbitrary<Json>;

/** Any message. */
export const anyMessage: fc.Arbitrary<Message> = fc
  .record({
    content: fc.array(block, { maxLength: 6 }),
    stop: fc.constantFrom('end_turn', 'tool_use', 'stop_sequence', 'later_reason'),
    output: fc.nat(9999),
    container: fc.option(fc.constant({ id: 'container_1', expires_at: '2026-03-01T10:00:00Z' }), { nil: undefined }),
    edits: fc.option(fc.constant({ applied_edits: [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 2 }] }), {
      nil: undefined,
    }),
  })
  .map(({ content, stop, output, container, edits }) =>
    JSON.parse(
      JSON.stringify(
        message(content, {
          stop_reason: stop,
          usage: {
            input_tokens: 12,
            output_tokens: output,
            service_tier: 'standard',
            server_tool_use: { web_search_requests: 1 },
          },
          container,
          context_management: edits,
        }),
      ),
    ),
  );

/** Choices that fast-check draws and shrinks. */
export const anyChoices: fc.Arbitrary<Choices> = fc.infiniteStream(fc.nat(1 << 20)).map((stream) => ({
  next: (n: number) => Number(stream.next().value) % n,
}));
