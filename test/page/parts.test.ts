import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noAnswer, paragraphsOf, verdictOf, withEvent } from '../../src/serve/page/answer.js';
import { eventsOf } from '../../src/serve/page/events.js';
import { usefulKeys } from '../../src/serve/page/filters.js';
import { barsOf } from '../../src/serve/page/hits.js';
import { cellsOf, layoutOf, linesOf } from '../../src/serve/page/layout.js';
import { addressOf, viewOf } from '../../src/serve/page/links.js';
import { placeText, sizeText, timeText } from '../../src/serve/page/places.js';
import { heardAt } from '../../src/serve/page/player.js';
import { beginningOf, piecesOf, wordMarks } from '../../src/serve/page/spans.js';
import { chosenOf, countOf, nothingChosen, whereOf } from '../../src/serve/page/where.js';

const mark = fc.record({ start: fc.nat(60), end: fc.nat(60), kind: fc.constantFrom('span', 'highlight') });

describe('marks in a text', () => {
  it('cut it so that every character has exactly the kinds of the marks over it', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.nat(20), fc.array(mark, { maxLength: 5 }), (text, from, marks) => {
        const pieces = piecesOf(text, from, marks);
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        for (const piece of pieces)
          for (let at = piece.start; at < piece.start + piece.text.length; at++) {
            const over = marks.filter(({ start, end }) => start <= at && at < end).map(({ kind }) => kind);
            expect([...piece.kinds].sort()).toEqual([...new Set(over)].sort());
          }
      }),
    );
  });

  it('find words of a query, also where they go on, and no parts of short ones', () => {
    const found = (text: string, query: string): string[] =>
      wordMarks(text, query).map(({ start, end }) => text.slice(start, end));
    expect(found('The turbines and a Turbine; return, the urn', 'turbine of the')).toEqual([
      ...['The', 'turbines', 'Turbine', 'the'],
    ]);
    expect(found('Übergänge über Äcker', 'über')).toEqual(['Übergänge', 'über']);
    expect(found('a b', '')).toEqual([]);
  });

  it('find words also where no blanks stand between them, and where a letter has a vowel sign', () => {
    const found = (text: string, query: string): string[] =>
      wordMarks(text, query).map(({ start, end }) => text.slice(start, end));
    expect(found('北码头的水泵在五月检修。', '水泵什么时候检修')).toEqual(['水泵', '检修']);
    expect(found('灯塔在夜里点亮', '水泵')).toEqual([]);
    expect(found('ポンプは五月に点検する。', 'ポンプの点検')).toEqual(['ポンプ', '点検']);
    expect(found('यह पंप मई में बदला गया', 'पंप बदला')).toEqual(['पंप', 'बदला']);
  });

  it('end a beginning at a word', () => {
    expect(beginningOf('one two three', 9)).toBe('one two …');
    expect(beginningOf('one', 9)).toBe('one');
    expect(beginningOf('x'.repeat(20), 9)).toBe(`${'x'.repeat(9)} …`);
  });
});

describe('the layout of a text', () => {
  const line = fc.constantFrom(
    '',
    '',
    'words here',
    '# Title',
    'a | b',
    '1 | 2',
    '```',
    '| x |',
    'From: me',
    'Subject: it',
  );
  const format = fc.constantFrom('markdown', 'text', 'html', 'csv', 'xlsx', 'eml', 'code', 'subtitles', 'pdf');

  it('has every character once and in order, whatever the format', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), format, fc.nat(1000), (lines, name, from) => {
        const text = lines.join('\n');
        const parts = layoutOf(text, from, name);
        expect(parts.map((part) => part.text).join('')).toBe(text);
        let at = from;
        for (const part of parts) {
          expect(part.start).toBe(at);
          at += part.text.length;
        }
      }),
    );
  });

  const kinds = (text: string, name: string): string[] => layoutOf(text, 0, name).map(({ kind }) => kind);

  it('knows headings, fences with blank lines in them, tables and headers of a mail', () => {
    expect(kinds('# One\ntext\n\n```js\na\n\nb\n```\n\nend\n', 'markdown')).toEqual([
      'heading',
      'text',
      'code',
      'text',
    ]);
    expect(kinds('```\nnever closed\n\nso it goes on', 'markdown')).toEqual(['code']);
    expect(kinds('Before\n\na | b\n1 | 2\n\nAfter | and more\nwithout', 'pdf')).toEqual(['text', 'table', 'text']);
    expect(kinds('Stock\n\npart | count\nalone\nA | 1', 'xlsx')).toEqual(['text', 'table']);
    expect(kinds('From: a\nTo: b\n\nTo: is a word.\nAnd text.', 'eml')).toEqual(['headers', 'text']);
    expect(kinds('From: a\nTo: b', 'text')).toEqual(['text']);
    expect(kinds('', 'code')).toEqual([]);
  });

  it('gives lines and cells with their offsets', () => {
    const text = 'a | bb |  | c\n\nlast';
    expect(linesOf(text, 10)).toEqual([
      { start: 10, text: 'a | bb |  | c' },
      { start: 24, text: '' },
      { start: 25, text: 'last' },
    ]);
    for (const cell of cellsOf('a | bb |  | c', 0))
      expect('a | bb |  | c'.slice(cell.start, cell.start + cell.text.length)).toBe(cell.text);
    expect(cellsOf('a | bb |  | c', 0).map(({ text: own }) => own)).toEqual(['a', 'bb', '', 'c']);
  });
});

describe('links', () => {
  it('lead back to the view they were made of', () => {
    const text = fc.string({ minLength: 1, maxLength: 30 }).filter((one) => one.trim() === one && one.isWellFormed());
    const where = fc.dictionary(
      fc.string().filter((one) => one !== '__proto__' && one.isWellFormed()),
      fc.oneof(fc.integer(), fc.boolean(), fc.constant('ü & =')),
    );
    fc.assert(
      fc.property(
        text,
        fc.constantFrom('ask', 'search'),
        text,
        text,
        where,
        text,
        (question, name, index, reference, filter, owner) => {
          const view = { name, question, where: { ...filter }, index, mode: 'agent', reference, owner } as const;
          expect(viewOf(new URL(addressOf(view), 'http://x'))).toEqual(view);
          const source = { name: 'source', question: '', where: {}, index, mode: '', reference, owner } as const;
          expect(viewOf(new URL(addressOf(source), 'http://x'))).toEqual(source);
        },
      ),
    );
  });

  it('that were cut off still ask', () => {
    expect(viewOf(new URL('http://x/?q=%20pump%20&where={"a"'))).toMatchObject({
      question: 'pump',
      where: {},
      name: 'ask',
    });
    expect(viewOf(new URL('http://x/?where=[1]'))).toMatchObject({ name: 'start', where: {} });
  });
});

describe('filters', () => {
  const chosen = {
    formats: ['pdf', 'eml'],
    folder: 'a_b/50%/',
    values: { team: 'ops', version: 0, open: false, note: '' },
    ranges: { sentAt: { least: '2024-01-01', most: '2024-12-31' }, size: { least: 0 } },
    others: {},
  };

  it('become a condition that can be chosen back', () => {
    expect(whereOf(chosen)).toEqual({
      format: ['pdf', 'eml'],
      uri: { gte: 'a_b/50%/', lt: 'a_b/50%0' },
      'metadata.team': 'ops',
      'metadata.version': 0,
      'metadata.open': false,
      'metadata.note': '',
      'metadata.sentAt': { gte: '2024-01-01', lte: '2024-12-31T23:59:59.999Z' },
      'metadata.size': { gte: 0 },
    });
    expect(chosenOf(whereOf(chosen))).toEqual(chosen);
    expect(countOf(chosen)).toBe(9);
    expect(whereOf(nothingChosen)).toEqual({});
    expect(chosenOf({})).toEqual(nothingChosen);
  });

  it('of a link that have no control here are kept and counted', () => {
    const others = [
      { uri: { like: 'a/%' } },
      { uri: { gte: 'a/', lt: 'b/' } },
      { uri: 'a/b.md' },
      { format: { not: 'pdf' } },
      { format: ['pdf', null] },
      { title: 'Pumps' },
      { 'metadata.team': ['ops', 'sea'] },
      { 'metadata.team': null },
      { 'metadata.size': { gt: 3 } },
      { 'metadata.size': { gte: 3, not: 4 } },
    ];
    for (const where of others) {
      const read = chosenOf(where);
      expect(whereOf(read)).toEqual(where);
      expect(countOf(read), JSON.stringify(where)).toBe(1);
    }
  });

  it('of a folder hold the names in it and no others', () => {
    const { uri } = whereOf({ ...nothingChosen, folder: 'ab/' }) as { uri: { gte: string; lt: string } };
    const holds = (name: string): boolean =>
      Buffer.compare(Buffer.from(name), Buffer.from(uri.gte)) >= 0 &&
      Buffer.compare(Buffer.from(name), Buffer.from(uri.lt)) < 0;
    expect(['ab/', 'ab/c.md', 'ab/ü/😀'].every(holds)).toBe(true);
    expect(['ab', 'ab.md', 'abc/d', 'ab0', 'ab-/x', 'a/b', 'b'].some(holds)).toBe(false);
  });

  it('are keys that make groups, or have an order', () => {
    const values = (n: number, documents = 1): { value: string; documents: number }[] =>
      Array.from({ length: n }, (_, i) => ({ value: `v${i}`, documents }));
    const metadata = [
      { key: 'subject', documents: 8, values: values(8) },
      { key: 'messageId', documents: 900, values: values(20) }, // the most frequent of 900
      { key: 'team', documents: 8, values: values(2, 4) },
      { key: 'sentAt', documents: 8, values: values(8), least: '2024-01-01', most: '2025-01-01' },
      { key: 'pages', documents: 1, values: values(1), least: 3, most: 3 },
    ];
    expect(usefulKeys({ metadata }).map(({ key }) => key)).toEqual(['team', 'sentAt']);
  });
});

describe('events of an answer', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const stream = (parts: readonly Uint8Array[]): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    });

  it('are read whole, wherever the stream is cut', async () => {
    const text = ': still here\n\nevent: text\ndata: {"text":"Größe \\n\\n ✓"}\n\nevent: done\ndata: {"n":1}\n\n';
    const all = bytes(text);
    for (let cut = 0; cut <= all.length; cut++) {
      const events = [];
      for await (const event of eventsOf(stream([all.slice(0, cut), all.slice(cut)]))) events.push(event);
      expect(events).toEqual([
        { event: 'text', data: { text: 'Größe \n\n ✓' } },
        { event: 'done', data: { n: 1 } },
      ]);
    }
  });

  it('of which the last is missing are not made up', async () => {
    const events = [];
    for await (const event of eventsOf(stream([bytes('event: text\ndata: {"te')]))) events.push(event);
    expect(events).toEqual([]);
  });

  it('make an answer, step by step', () => {
    const citation = { n: 1, title: 'T' };
    const step = (answer: typeof noAnswer, event: string, data: unknown): typeof noAnswer =>
      withEvent(answer, { event, data });
    let answer = step(noAnswer, 'hits', { hits: [{ rank: 1 }] });
    answer = step(answer, 'step', { tool: 'search', input: 'pump' });
    expect(answer).toMatchObject({ state: 'asking', note: 'search: pump' });
    answer = step(answer, 'citation', citation);
    answer = step(answer, 'text', { text: 'Five ' });
    answer = step(answer, 'text', { text: 'years [1].' });
    expect(answer).toMatchObject({ state: 'writing', text: 'Five years [1].', note: '', citations: [citation] });
    expect(step(answer, 'error', { error: { message: 'it broke' } })).toMatchObject({
      state: 'failed',
      note: 'It broke.',
    });
    const error = { message: 'the budget is used up', hint: 'Ask tomorrow.' };
    expect(step(answer, 'error', { error }).note).toBe('The budget is used up. Ask tomorrow.');
    expect(step(answer, 'of another version', {})).toBe(answer);
    const done = { answer: 'Five years [1].', citations: [citation], hits: [], abstained: false };
    expect(step(answer, 'done', done)).toMatchObject({ state: 'done', whole: done, related: [] });
  });

  it('give marks where there is a source, and text where there is none', () => {
    const text = 'One [1]. [7] stays [2]\n\nTwo[1][2]';
    const known = [{ n: 1 }, { n: 2 }] as never;
    const paragraphs = paragraphsOf({ text, citations: known, related: [], links: [] });
    expect(paragraphs.map((runs) => runs.map(({ n, text: own }) => n ?? own))).toEqual([
      ['One', 1, '. [7] stays', 2],
      ['Two', 1, 2],
    ]);
    for (const { start, text: own } of paragraphs.flat()) expect(text.slice(start, start + own.length)).toBe(own);
  });
});

describe('places, times and sizes', () => {
  it('read as people say them', () => {
    expect(placeText({ page: 3 })).toBe('page 3');
    expect(placeText({ lines: [4, 4] })).toBe('line 4');
    expect(placeText({ sheet: 'Stock', rows: [1, 6], lines: [1, 6] })).toBe('sheet Stock, rows 1–6');
    expect(placeText({ timeMs: [0, 3_727_999], lines: [1, 2] })).toBe('0:00–1:02:07');
    expect(placeText({ timeMs: [843_200, 851_000], speaker: 'Ailsa' })).toBe('14:03–14:11, Ailsa');
    expect(placeText({})).toBe('');
    expect(timeText(59_999)).toBe('0:59');
    expect(sizeText(0)).toBe('0 B');
    expect(sizeText(156_377)).toBe('156 kB');
  });

  it('say what is heard, the end excluded', () => {
    const words = [
      { from: 0, to: 400 },
      { from: 400, to: 900 },
    ] as const;
    expect(heardAt(words, 400)).toEqual([words[1]]);
    expect(heardAt(words, 900)).toEqual([]);
  });

  it('show contributions by size, with what spoke against a hit', () => {
    const bars = barsOf([
      { list: 'cosine', value: 0.5, weight: 2, rank: 1 },
      { list: 'length', value: 2, weight: -1 },
      { list: 'own list', value: 0.001, weight: 1 },
    ]);
    expect(bars).toEqual([
      { name: 'Length', points: -2, rank: undefined, share: 1 },
      { name: 'Meaning', points: 1, rank: 1, share: 0.5 },
    ]);
    expect(barsOf([])).toEqual([]);
  });
});

describe('what stands above an answer', () => {
  it.each([
    [{ abstained: true, confidence: 'none', mode: 'extractive' }, 'Not in these documents'],
    [{ abstained: true, confidence: 'none', mode: 'grounded' }, 'No answer'],
    [{ abstained: true, confidence: 'none', mode: 'answer' }, 'No answer'],
    [{ abstained: false, confidence: 'low', mode: 'grounded' }, 'In doubt'],
    [{ abstained: false, confidence: 'high', mode: 'extractive' }, undefined],
    [undefined, undefined],
  ] as const)('is true of who refused: %j', (whole, verdict) => {
    expect(verdictOf(whole)).toBe(verdict);
  });
});
