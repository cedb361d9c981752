import { describe, expect, it } from 'vitest';
import { readSources } from '../../../src/wire/search/answer-parse.ts';
import { findCitations, normaliseUrl, type Source } from '../../../src/wire/search/markers.ts';
import { outputText, researchSources } from '../../../src/wire/search/research-parse.ts';

const sources: readonly Source[] = ['https://a.example/x', 'https://b.example/y', 'https://c.example/z'].map(
  (url, i) => ({
    number: i + 1,
    url,
  }),
);
const cited = (text: string): unknown[] =>
  findCitations(text, sources).map(({ marker, start, end, source }) => {
    expect(text.slice(start, end)).toBe(marker);
    return [marker, source?.number];
  });

describe('citation markers', () => {
  it('counts from 1, and keeps markers that point nowhere', () => {
    expect(cited('Tall.[1][3] Old [2], new [4].')).toEqual([
      ['[1]', 1],
      ['[3]', 3],
      ['[2]', 2],
      ['[4]', undefined],
    ]);
  });
  it('counts [web:n] from 0', () =>
    expect(cited('x [web:0] y [web:2]')).toEqual([
      ['[web:0]', 1],
      ['[web:2]', 3],
    ]));
  it('takes a link to a known page, and no other link', () => {
    expect(cited('See [the page](https://www.b.example/y/?utm_source=x#top), not [1](https://other.example).')).toEqual(
      [['[the page](https://www.b.example/y/?utm_source=x#top)', 2]],
    );
  });
  it('leaves code alone', () => {
    expect(cited('`a[1]` and ``b`[2]`` but [3]\n```js\nx[1] = y[2];\n```\nthen [2]')).toEqual([
      ['[3]', 3],
      ['[2]', 2],
    ]);
  });
  it.each([
    '['.repeat(200_000),
    '[a'.repeat(100_000),
    `[${'[a]'.repeat(60_000)}`,
    `${'`'.repeat(100_000)}${'a'.repeat(100_000)}[`,
    `[a](https://${'('.repeat(100_000)}`,
    `[a](https://${'()'.repeat(100_000)}`,
    `${'```\n'.repeat(50_000)}[`,
  ])('does not dwell on a hostile text (%#)', (text) => {
    const start = performance.now();
    expect(findCitations(text, sources)).toEqual([]);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

describe('addresses of one page', () => {
  it.each([
    ['https://www.example.org/a/', 'http://example.org/a#part'],
    ['https://example.org/a?utm_medium=x&b=1', 'https://example.org/a?b=1'],
    ['https://example.org/a?c=2&b=1', 'https://example.org/a?b=1&c=2'],
    ['https://EXAMPLE.org', 'https://example.org/'],
  ])('%s is %s', (a, b) => expect(normaliseUrl(a)).toBe(normaliseUrl(b)));
  it('keeps different pages apart', () => {
    const urls = ['https://example.org/a', 'https://example.org/A', 'https://example.org/a?b=1', 'https://other.org/a'];
    expect(new Set(urls.map(normaliseUrl)).size).toBe(urls.length);
  });
});

describe('sources of an answer', () => {
  it('keeps the order of the citations and joins results by address, not by position', () => {
    const response = {
      citations: ['https://a.example/1', 'https://b.example/2', 'https://c.example/3'],
      search_results: [
        { title: 'Two', url: 'https://b.example/2/', date: '2026-01-01', extra: 1 },
        { title: 'One', url: 'https://a.example/1', snippet: 'first' },
      ],
    };
    expect(readSources(response)).toMatchObject([
      { number: 1, url: 'https://a.example/1', title: 'One', snippet: 'first' },
      { number: 2, url: 'https://b.example/2', title: 'Two', date: '2026-01-01', entry: { extra: 1 } },
      { number: 3, url: 'https://c.example/3' },
    ]);
  });
  it.each([[undefined], [null], [[]]])('takes the search results where citations are %j', (citations) => {
    const response = {
      ...(citations === undefined ? {} : { citations }),
      search_results: [{ url: 'https://a.example/1' }],
    };
    expect(readSources(response).map(({ number, url }) => [number, url])).toEqual([[1, 'https://a.example/1']]);
  });
});

const found = (...results: [id: number | undefined, url: string][]): { type: string; results: object[] } => ({
  type: 'search_results',
  results: results.map(([id, url]) => ({ ...(id === undefined ? {} : { id }), url, title: url })),
});
const numbered = (...items: { type: string }[]): unknown[] =>
  researchSources(items).map(({ number, url }) => [number, url]);

describe('sources of a run', () => {
  it("uses the results' own ids", () => {
    expect(numbered(found([3, 'https://c.example'], [1, 'https://a.example']))).toEqual([
      [1, 'https://a.example'],
      [3, 'https://c.example'],
    ]);
  });
  it('numbers pages as they first appear when ids collide', () => {
    const items = [
      found([1, 'https://a.example'], [2, 'https://b.example']),
      found([1, 'https://c.example'], [2, 'https://a.example']),
    ];
    expect(numbered(...items)).toEqual([
      [1, 'https://a.example'],
      [2, 'https://b.example'],
      [3, 'https://c.example'],
    ]);
  });
  it('lets one page keep two ids, and the same list come twice', () => {
    const list = found([1, 'https://a.example'], [2, 'https://a.example/#top'], [3, 'https://b.example']);
    expect(numbered(list, list)).toEqual([
      [1, 'https://a.example'],
      [2, 'https://a.example/#top'],
      [3, 'https://b.example'],
    ]);
  });
  it('adds fetched pages behind, once', () => {
    const fetched = {
      type: 'fetch_url_results',
      contents: [{ url: 'https://a.example' }, { url: 'https://f.example' }],
    };
    expect(numbered(found([1, 'https://a.example'], [4, 'https://d.example']), fetched)).toEqual([
      [1, 'https://a.example'],
      [4, 'https://d.example'],
      [5, 'https://f.example'],
    ]);
  });
  it('joins all text parts of all messages and nothing else', () => {
    const message = (...texts: string[]): { type: string; content: object[] } => ({
      type: 'message',
      content: [...texts.map((text) => ({ type: 'output_text', text })), { type: 'refusal', text: 'no' }],
    });
    expect(outputText([message('a', 'b'), found(), message('c')])).toBe('abc');
  });
});
