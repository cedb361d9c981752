import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStreamEvent } from '../../../src/wire/messages/events.ts';
import { MessageAccumulator, type StreamEvent } from '../../../src/wire/messages/index.ts';
import { anyChoices, anyMessage, asServerEvent, eventsOf, message, straight } from './emit.ts';

const facts = { operation: 'messages.stream' };

function accumulate(events: readonly Record<string, unknown>[]): MessageAccumulator {
  const accumulator = new MessageAccumulator();
  for (const event of events) accumulator.push(parseStreamEvent(asServerEvent(event), facts));
  return accumulator;
}

const start = (content: unknown[] = []): Record<string, unknown> => ({
  type: 'message_start',
  message: { ...message(content), content: [], stop_reason: null },
});
const text = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
const tool = {
  type: 'content_block_start',
  index: 0,
  content_block: { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
};
const json = (partial_json: string): Record<string, unknown> => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'input_json_delta', partial_json },
});
const ended = (stop_reason: string): Record<string, unknown>[] => [
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 3 } },
  { type: 'message_stop' },
];

describe('accumulating a message', () => {
  it('rebuilds the message that was not streamed, whatever the cutting and the order', () => {
    fc.assert(
      fc.property(anyMessage, anyChoices, (whole, choices) => {
        const accumulator = accumulate(eventsOf(whole, choices));
        expect(accumulator.stopped).toBe(true);
        expect(accumulator.message()).toEqual(whole);
      }),
      { numRuns: 600 },
    );
  });

  it('keeps blocks of a later version, and what is added to them', () => {
    const citation = { type: 'map_location', cited_text: 'North.' };
    const added = [
      { type: 'text_delta', text: 'Head ' },
      { type: 'text_delta', text: 'north.' },
      { type: 'citations_delta', citation },
      { type: 'thinking_delta', thinking: 'Where?' },
      { type: 'signature_delta', signature: 's' },
      { type: 'route_delta', by: 'sea' },
    ];
    const block = { type: 'route', id: 'route_1' };
    const deltas = added.map((delta) => ({ type: 'content_block_delta', index: 0, delta }));
    const begun = { type: 'content_block_start', index: 0, content_block: block };
    const { content } = accumulate([start(), begun, ...deltas, ...ended('end_turn')]).message()!;
    const said = { text: 'Head north.', citations: [citation], thinking: 'Where?', signature: 's' };
    expect(content).toEqual([{ ...block, ...said }]);
  });

  it('keeps the reason of its stop when the last totals come after it', () => {
    const late = {
      type: 'message_delta',
      delta: { stop_reason: null, stop_sequence: null },
      usage: { output_tokens: 9 },
    };
    const [stop, delta, end] = ended('end_turn');
    const { stop_reason, usage } = accumulate([start(), text, stop!, delta!, late, end!]).message()!;
    expect([stop_reason, usage.output_tokens]).toEqual(['end_turn', 9]);
  });

  it('does not change or keep the events it is given', () => {
    fc.assert(
      fc.property(anyMessage, anyChoices, (whole, choices) => {
        const events = eventsOf(whole, choices).map((event) => parseStreamEvent(asServerEvent(event), facts));
        const before = JSON.stringify(events);
        const accumulator = new MessageAccumulator();
        for (const event of events) {
          accumulator.push(event);
          accumulator.message();
        }
        expect(JSON.stringify(events)).toBe(before);
      }),
      { numRuns: 100 },
    );
  });

  it('shows the message so far without being changed by what is done to it', () => {
    const accumulator = accumulate([start(), text]);
    accumulator.push({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'The pump' } });
    expect(accumulator.message()).toMatchObject({ content: [{ type: 'text', text: 'The pump' }], stop_reason: null });
    accumulator.push({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' runs.' } });
    expect(accumulator.message()).toMatchObject({ content: [{ text: 'The pump runs.' }] });
  });

  it('takes usage as totals: 900 in at the start and 24 out at the end are 900 and 24', () => {
    const accumulator = accumulate([
      {
        type: 'message_start',
        message: { ...message([]), usage: { input_tokens: 900, output_tokens: 1, cache_read_input_tokens: 7 } },
      },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn' },
        usage: { output_tokens: 20, cache_read_input_tokens: null },
      },
      { type: 'message_delta', delta: {}, usage: { output_tokens: 24 } },
      { type: 'message_stop' },
    ]);
    expect(accumulator.message()?.usage).toEqual({ input_tokens: 900, output_tokens: 24, cache_read_input_tokens: 7 });
    expect(accumulator.message()?.stop_reason).toBe('end_turn');
  });

  it('keeps a citation that comes before the text of its block', () => {
    const accumulator = accumulate(
      eventsOf(message([{ type: 'text', text: 'It runs.', citations: [{ type: 'later_location' }] }]), {
        next: (n) => 1 % n,
      }),
    );
    expect(accumulator.message()?.content).toEqual([
      { type: 'text', text: 'It runs.', citations: [{ type: 'later_location' }] },
    ]);
  });

  it('parses tool input at its stop; no text means {}', () => {
    const whole = accumulate([start(), tool, json('{"qu'), json('ery":"a\\n"}'), ...ended('tool_use')]).message();
    expect(whole?.content[0]).toMatchObject({ input: { query: 'a\n' } });
    expect(accumulate([start(), tool, ...ended('tool_use')]).message()?.content[0]).toMatchObject({ input: {} });
    expect(accumulate([start(), tool, json(''), ...ended('tool_use')]).message()?.content[0]).toMatchObject({
      input: {},
    });
  });

  it('keeps the text of a tool input that max_tokens cut', () => {
    const accumulator = accumulate([start(), tool, json('{"query":"a'), ...ended('max_tokens')]);
    expect(accumulator.message()?.content[0]).toMatchObject({ input: {} });
    expect(accumulator.unfinishedInputs).toEqual(new Map([[0, '{"query":"a']]));
  });

  it('joins a text of 5,000 pieces', () => {
    const accumulator = accumulate([start(), text]);
    let expected = '';
    for (let at = 0; at < 5000; at += 1) {
      expected += `${at},`;
      accumulator.push({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: `${at},` } });
    }
    for (const event of ended('end_turn')) accumulator.push(event as unknown as StreamEvent);
    expect(accumulator.message()?.content).toEqual([{ type: 'text', text: expected }]);
  });

  it('orders blocks by index, gaps closed', () => {
    const events = eventsOf(
      message([
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ]),
      straight,
    );
    const moved = events.map((event) =>
      event.index === 0 ? { ...event, index: 7 } : event.index === 1 ? { ...event, index: 3 } : event,
    );
    expect(accumulate(moved).message()?.content).toEqual([
      { type: 'text', text: 'b' },
      { type: 'text', text: 'a' },
    ]);
  });

  it.each([
    ['a block that begins twice', [start(), text, text], /block 0 began twice/],
    [
      'a delta for a block that has not begun',
      [start(), { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'x' } }],
      /block 1 has not begun/,
    ],
    [
      'a delta after the stop',
      [
        start(),
        text,
        { type: 'content_block_stop', index: 0 },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } },
      ],
      /goes on after its stop/,
    ],
    [
      'two stops',
      [start(), text, { type: 'content_block_stop', index: 0 }, { type: 'content_block_stop', index: 0 }],
      /ended twice/,
    ],
    [
      'text for a tool',
      [start(), tool, { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } }],
      /text_delta does not fit block 0, which is tool_use/,
    ],
    ['a negative index', [start(), { ...text, index: -1 }], /-1 is no block index/],
    ['a second message', [start(), start()], /came twice/],
    ['a block before the message', [text], /before message_start/],
    [
      'tool input that is not JSON',
      [start(), tool, json('{"a":'), ...ended('tool_use')],
      /input of block 0 is not JSON/,
    ],
  ])('refuses %s as RESPONSE_INVALID', (_name, events, expected) => {
    expect(() => accumulate(events as Record<string, unknown>[])).toThrow(
      expect.objectContaining({ code: 'RESPONSE_INVALID', message: expect.stringMatching(expected) }),
    );
  });
});

describe('reading a text delta without a JSON parser', () => {
  const through = (data: string): unknown => {
    try {
      return parseStreamEvent({ event: 'content_block_delta', data }, facts);
    } catch {
      return undefined;
    }
  };
  const parsed = (data: string): unknown => {
    try {
      return JSON.parse(data);
    } catch {
      return undefined;
    }
  };

  it('gives what the parser gives, for any text and index', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.nat(1_000_000), (value, index) => {
        const event = { type: 'content_block_delta', index, delta: { type: 'text_delta', text: value } };
        expect(through(JSON.stringify(event))).toEqual(event);
      }),
      { numRuns: 500 },
    );
  });

  it('gives what the parser gives for bodies that only look like it', () => {
    const base = '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"some text here"}}';
    const bodies = [
      base.replace(':0', ':00'),
      base.replace(':0', ':01'),
      base.replace(':0', ':-1'),
      base.replace(':0', ':1.5'),
      base.replace(':0', ':1e1'),
      base.replace(':0', ':'),
      base.replace('some', '\\u0041'),
      base.replace('some', 'so"me'),
      base.replace('some', 'a","text":"b'),
      base.replace('some', 'a\nb'),
      base.replace('"}}', '","more":"x"}}'),
      base.replace('some text here', ''),
      base.slice(0, -1),
      `${base} `,
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"}}',
    ];
    for (const body of bodies) {
      const expected = parsed(body);
      if (expected === undefined) expect(through(body), body).toBeUndefined();
      else expect(through(body), body).toEqual(expected);
    }
  });
});
