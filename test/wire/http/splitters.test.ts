import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServerEvent } from '../../../src/wire/http/contract.ts';
import { eventSplitter, PieceTooLarge, type Splitter } from '../../../src/wire/http/events.ts';
import { lineSplitter } from '../../../src/wire/http/lines.ts';
import { Utf8 } from '../../../src/wire/http/utf8.ts';

/** The bytes cut at the given places, as a network might. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((start, i) => bytes.subarray(start, at[i] ?? bytes.length));
}

const run = <T>(splitter: Splitter<T>, chunks: readonly Uint8Array[]): T[] => [
  ...chunks.flatMap((chunk) => splitter.write(chunk)),
  ...splitter.end(),
];

/** The standard's algorithm, read slowly, over the whole text at once. */
function eventsByTheBook(text: string): ServerEvent[] {
  const out: ServerEvent[] = [];
  let event = '';
  let data: string[] = [];
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const last = lines.pop()!; // what stands after the last line end
  const dispatch = (): void => {
    if (data.length > 0) out.push({ event, data: data.join('\n') });
    event = '';
    data = [];
  };
  const take = (line: string): void => {
    if (line === '') dispatch();
    if (line === '' || line.startsWith(':')) return;
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    if (field === 'event') event = value;
  };
  for (const line of lines) take(line);
  // Our one addition: complete lines at the end count as an event, and so does a bare end marker.
  if (last === '') dispatch();
  else if (last.endsWith('[DONE]')) {
    take(last);
    dispatch();
  }
  return out;
}

const pieces = fc.constantFrom(
  'data: {"text":"häß 漢字 🙂"}',
  'data:x',
  'data: ',
  'data',
  'data:  two spaces',
  'event: message_delta',
  'event: ',
  'event:e',
  ': ping',
  ':',
  'id: 7',
  'retry: 100',
  'unknown: y',
  'datax: z',
  '',
  '',
  '',
  'data: [DONE]',
);
const ends = fc.constantFrom('\n', '\r\n', '\r');
const streams = fc
  .array(fc.tuple(pieces, ends), { maxLength: 30 })
  .chain((lines) =>
    fc.tuple(fc.constant(lines.map(([line, end]) => line + end).join('')), pieces, fc.boolean(), fc.boolean()),
  )
  .map(([text, last, open, mark]) => (mark ? '\uFEFF' : '') + text + (open ? last : ''));

describe('server-sent events', () => {
  it('are the same however the bytes are cut, and those of the standard', () => {
    fc.assert(
      fc.property(streams, fc.array(fc.nat(2_000), { maxLength: 40 }), (text, places) => {
        const bytes = Buffer.from(text);
        expect(run(eventSplitter(1e6), cut(bytes, places))).toEqual(eventsByTheBook(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('are the same byte by byte', () => {
    fc.assert(
      fc.property(streams, (text) => {
        const bytes = Buffer.from(text);
        expect(run(eventSplitter(1e6), cut(bytes, Array.from(bytes.keys())))).toEqual(eventsByTheBook(text));
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['LF', 'event: a\ndata: 1\n\n', [{ event: 'a', data: '1' }]],
    ['CRLF', 'event: a\r\ndata: 1\r\n\r\n', [{ event: 'a', data: '1' }]],
    ['CR', 'event: a\rdata: 1\r\r', [{ event: 'a', data: '1' }]],
    ['several data lines', 'data: {\ndata: }\n\n', [{ event: '', data: '{\n}' }]],
    [
      'a name that does not outlive its event',
      'event: a\ndata: 1\n\ndata: 2\n\n',
      [
        { event: 'a', data: '1' },
        { event: '', data: '2' },
      ],
    ],
    ['a missing blank line at the end', 'data: 1\n', [{ event: '', data: '1' }]],
    [
      'an end marker without a line end',
      'data: 1\n\ndata: [DONE]',
      [
        { event: '', data: '1' },
        { event: '', data: '[DONE]' },
      ],
    ],
    ['half a line at the end', 'data: 1\n\ndata: {"a', [{ event: '', data: '1' }]],
    ['comments only', ': ping\n\n: ping\n\n', []],
    ['nothing', '', []],
  ])('%s', (_, text, expected) => {
    expect(run(eventSplitter(1e6), [Buffer.from(text)])).toEqual(expected);
  });

  it('are refused past their size, and not gathered without end', () => {
    const splitter = eventSplitter(1_000);
    const feed = (): void => {
      for (let i = 0; i < 20; i++) splitter.write(Buffer.from(`${i === 0 ? 'data: ' : ''}${'x'.repeat(100)}`));
    };
    expect(feed).toThrow(PieceTooLarge);
  });
});

describe('lines', () => {
  const content = fc.array(fc.constantFrom('{"a":1}', 'ü🙂', '', ' ', '\t', 'x'.repeat(300), '\r', '"\\n"'), {
    maxLength: 30,
  });
  it('are the same however the bytes are cut, and those of a split', () => {
    fc.assert(
      fc.property(
        content,
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        fc.array(fc.nat(9_000), { maxLength: 60 }),
        (lines, end, closed, places) => {
          const text = lines.join(end) + (closed ? end : '');
          const expected = text
            .split(/\n/)
            .map((line) => line.replace(/\r$/, ''))
            .filter((line) => line.trim() !== '');
          expect(run(lineSplitter(1e6), cut(Buffer.from(text), places))).toEqual(expected);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('drop a byte order mark and nothing else', () => {
    expect(run(lineSplitter(100), [Buffer.from('\uFEFF{"a":1}\n\uFEFF2')])).toEqual(['{"a":1}', '\uFEFF2']);
  });

  it('are refused past their size', () => {
    const splitter = lineSplitter(1_000);
    expect(() => splitter.write(Buffer.from('x'.repeat(1_001)))).toThrow(PieceTooLarge);
  });
});

describe('text of bytes in pieces', () => {
  it('is that of a streaming TextDecoder, for any bytes', () => {
    const bytes = fc.array(
      fc.oneof(
        fc.nat(255),
        fc.constantFrom(0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x99, 0x82, 0xc3, 0xbc, 0xed, 0xa0, 0xf4, 0x90, 0xc0),
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(60), { maxLength: 12 }), (list, places) => {
        const whole = Uint8Array.from(list);
        const utf8 = new Utf8();
        const text =
          cut(whole, places)
            .map((chunk) => utf8.write(chunk))
            .join('') + utf8.end();
        expect(text).toBe(new TextDecoder('utf-8', { ignoreBOM: true }).decode(whole));
      }),
      { numRuns: 5_000 },
    );
  });
});
