import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../../src/answer/contract.ts';
import { packSources } from '../../../src/answer/grounded/sources.ts';
import type { Hit } from '../../../src/core/types.ts';
import { LinkedWriter } from '../../../src/modes/linked-writer.ts';
import { WebMarks } from '../../../src/modes/web-marks.ts';
import type { Source } from '../../../src/wire/search/index.ts';

const pages: readonly Source[] = [
  { number: 1, url: 'https://example.org/tower', title: 'The tower', snippet: 'It is 330 metres tall.' },
  { number: 2, url: 'https://www.example.com/b_(c)/?utm_source=x', title: 'Another' },
  { number: 7, url: 'https://example.net/', title: 'A third' },
];

/** The text cut in every way the seed gives. */
function* cuttings(text: string, rounds: number): Generator<string[]> {
  let state = 7;
  const random = (): number => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31;
  };
  for (let round = 0; round < rounds; round++) {
    const pieces: string[] = [];
    for (let at = 0; at < text.length; ) {
      const length = 1 + Math.floor(random() * (1 + (round % 9)));
      pieces.push(text.slice(at, at + length));
      at += length;
    }
    yield pieces;
  }
}

describe('markers of a service of the web', () => {
  const translate = (pieces: readonly string[], known: readonly Source[] = pages): string => {
    const marks = new WebMarks();
    marks.setPages(known);
    return pieces.map((piece) => marks.push(piece)).join('') + marks.end();
  };

  it.each([
    ['Tall.[1] Wide.[2][7]', 'Tall.[w1.1] Wide.[w2.1][w7.1]'],
    ['From zero.[web:0] Third.[web:2]', 'From zero.[w1.1] Third.[w7.1]'], // by place: the third page is number 7
    ['See [the tower](https://example.org/tower).', 'See the tower [w1.1].'],
    ['See [it](https://example.com/b_(c)).', 'See it [w2.1].'], // one address in two spellings
    ['An [ordinary link](https://evil.example/x) stays.', 'An [ordinary link](https://evil.example/x) stays.'],
    ['No page.[9]', 'No page.[w9.1]'], // dropped further on, and counted
    ['Beyond.[web:9]', 'Beyond.[w13.1]'],
    ['`a[1]` and ``b[2] ` c[1]`` but.[1]', '`a[1]` and ``b[2] ` c[1]`` but.[w1.1]'],
    ['```\nx[1]\n\ny[2]\n```\nDone.[1]', '```\nx[1]\n\ny[2]\n```\nDone.[w1.1]'],
    ['A stray ` tick.[1]\n\nNext.[2]', 'A stray ` tick.[1]\n\nNext.[w2.1]'], // code ends with its paragraph
    ['[1](https://example.org/tower) is a link named 1', '1 [w1.1] is a link named 1'],
    ['Mine.[s1.2] Open [', 'Mine.[s1.2] Open ['],
    ['[12345] [x] [] [1', '[12345] [x] [] [1'],
  ])('%j', (text, expected) => {
    expect(translate([text])).toBe(expected);
    for (const pieces of cuttings(text, 60)) expect(translate(pieces), JSON.stringify(pieces)).toBe(expected);
  });

  it('waits with the first marker until a page is known, and no longer than the end', () => {
    const marks = new WebMarks();
    expect(marks.push('Tall.[1] And')).toBe('Tall.');
    marks.setPages(pages);
    expect(marks.push(' wide.')).toBe('[w1.1] And wide.');
    expect(translate(['Tall.[1] And more.'], [])).toBe('Tall.[w1.1] And more.');
  });
});

describe('an answer from documents and pages', () => {
  const text = 'The lamp burns oil. A tank lasts nine nights.';
  const hit: Hit = {
    chunk: {
      uri: 'lamp.md',
      title: 'The lamp',
      format: 'text',
      metadata: {},
      position: 0,
      span: { start: 100, end: 100 + text.length },
      text,
      headings: [],
      tokens: 10,
      locators: [],
    },
    score: 1,
    origin: 'local',
    trace: [],
  };
  const ending = {
    model: 'm',
    stop: 'end',
    usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
    costUsd: 0,
  } as const;

  function write(pieces: readonly string[], known: readonly Source[] = pages) {
    const writer = new LinkedWriter();
    writer.addSources(packSources([hit], { maxTokens: 1000 }));
    writer.setPages(known);
    const events: AnswerEvent[] = [...pieces.flatMap((piece) => [...writer.write(piece)]), ...writer.end()];
    return { events, answer: writer.finish('q', [hit], ending) };
  }

  const said =
    'It is tall.[1] A tank lasts nine nights [s1.2]. Both.[1][s1.1] Nobody says so. Wrong.[s1.9] Nowhere.[5] Third.[7]';

  it('numbers both together, proves what the documents say, and calls the rest unsupported', () => {
    const { answer, events } = write([said]);
    expect(answer.answer).toBe(
      'It is tall. [1] A tank lasts nine nights. [2] Both. [1][3] Nobody says so. Wrong. Nowhere. Third. [4]',
    );
    expect(answer.citations.map(({ n, quote, verified, span }) => [n, quote, verified, span.start])).toEqual([
      [2, 'A tank lasts nine nights.', true, 120],
      [3, 'The lamp burns oil.', true, 100],
    ]);
    expect(answer.grounding!.links).toEqual([
      { n: 1, url: 'https://example.org/tower', title: 'The tower', snippet: 'It is 330 metres tall.' },
      { n: 4, url: 'https://example.net/', title: 'A third' },
    ]);
    const unsupported = answer.grounding!.unsupported.map(({ start, end }) => answer.answer.slice(start, end).trim());
    for (const sentence of ['It is tall.', 'Nobody says so.', 'Wrong.', 'Nowhere.', 'Third.'])
      expect(
        unsupported.some((one) => one.includes(sentence)),
        sentence,
      ).toBe(true);
    for (const sentence of ['nine nights', 'Both'])
      expect(
        unsupported.some((one) => one.includes(sentence)),
        sentence,
      ).toBe(false);
    expect(answer.grounding!.dropped).toHaveLength(2);
    expect(answer).toMatchObject({ confidence: 'high', abstained: false });
    expect(events.filter(({ type }) => type === 'link')).toHaveLength(2);
    expect(events.map((event) => (event.type === 'text' ? event.text : '')).join('')).toBe(answer.answer);
  });

  it('is the same for any cutting', () => {
    const { answer } = write([said]);
    for (const pieces of cuttings(said, 40)) expect(write(pieces).answer).toEqual(answer);
  });

  it('is never a citation for what a page alone says, and never more than "closest"', () => {
    const { answer } = write(['It is tall.[1]']);
    expect(answer).toMatchObject({ confidence: 'low', citations: [], support: 0, abstained: false });
  });

  it('a page does not change under its number once it was told', () => {
    const writer = new LinkedWriter();
    writer.setPages(pages);
    const first = [...writer.write('It is tall.[1] So.')];
    writer.setPages([{ number: 1, url: 'https://elsewhere.example/', title: 'Other' }]);
    const later = [...writer.write(' Again.[1]'), ...writer.end()];
    const links = [...first, ...later].flatMap((event) => (event.type === 'link' ? [event.link.url] : []));
    expect(links).toEqual(['https://example.org/tower']);
  });

  it('keeps the places and links of its marks when the service cites and then refuses', () => {
    const writer = new LinkedWriter();
    writer.addSources(packSources([hit], { maxTokens: 1000 }));
    writer.setPages(pages);
    for (const _ of [...writer.write('It is tall.[1] A tank lasts nine nights [s1.2].'), ...writer.end()]);
    const answer = writer.finish('q', [hit], { ...ending, stop: 'refusal' });
    expect(answer).toMatchObject({ answer: 'It is tall. [1] A tank lasts nine nights. [2]', abstained: true });
    expect([...answer.grounding!.links!, ...answer.citations].map(({ n }) => n)).toEqual([1, 2]);
  });

  it('without a word is a refusal that does not blame the documents', () => {
    const { answer } = write(['  ']);
    expect(answer).toMatchObject({ abstained: true, confidence: 'none', citations: [] });
    expect(answer.answer).toBe('The model ended without a word of an answer.');
  });
});
