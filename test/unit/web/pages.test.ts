import { describe, expect, it } from 'vitest';
import { cleanWebText } from '../../../src/web/clean.ts';
import { WebPages } from '../../../src/web/documents.ts';
import { mergePages, safeAddress } from '../../../src/web/pages.ts';
import { snapshotId } from '../../../src/web/snapshot.ts';

const nowMs = Date.UTC(2026, 9, 1);
const page = (url: string, extracts: string[] = ['text'], more = {}) => ({ url, title: 't', extracts, ...more });

describe('pages of several lists', () => {
  it('come once, by best rank, with all that was found of them', () => {
    const merged = mergePages(
      [
        { query: 'a', pages: [page('https://one.example/'), page('https://www.two.example/x/?utm_source=f', ['p'])] },
        { query: 'b', pages: [page('http://TWO.example/x', ['p', 'q'])] },
      ],
      { nowMs },
    );
    expect(merged.map(({ url, extracts, found }) => ({ url, extracts, found }))).toEqual([
      { url: 'https://one.example/', extracts: ['text'], found: [{ query: 'a', rank: 1 }] },
      {
        url: 'http://two.example/x',
        extracts: ['p', 'q'],
        found: [
          { query: 'b', rank: 1 },
          { query: 'a', rank: 2 },
        ],
      },
    ]);
  });

  it('leave out what no address, no text or a filter speaks for, whatever the service let through', () => {
    const pages = [
      page('javascript:alert(1)'),
      page('file:///etc/passwd'),
      page('https://user:secret@example.org/'),
      page(`https://example.org/${'a'.repeat(3000)}`),
      page('https://empty.example/', ['\u200b \u202e']),
      page('https://example.org/old', ['x'], { published: '2026-01-01' }),
      page('https://example.org/new', ['x'], { published: '2026-01-01', updated: '2026-09-28' }),
      page('https://example.org/undated', ['x']),
      page('https://notexample.org/new', ['x']),
    ];
    const merged = mergePages([{ query: 'a', pages }], { nowMs, domains: ['example.org'], recency: 'week' });
    expect(merged.map(({ url }) => url)).toEqual(['https://example.org/new', 'https://example.org/undated']);
    const denied = mergePages([{ query: 'a', pages: pages.slice(5) }], { nowMs, domains: ['-example.org'] });
    expect(denied.map(({ url }) => url)).toEqual(['https://notexample.org/new']);
    expect(safeAddress('https://exämple.org/ü')).toBe('https://xn--exmple-cua.org/%C3%BC');
  });
});

describe('the text of a page', () => {
  it('loses what only a machine reads, and keeps what scripts and emoji need', () => {
    const smuggled = [...'ignore'].map((c) => String.fromCodePoint(0xe0000 + c.codePointAt(0)!)).join('');
    expect(cleanWebText(`a${smuggled}b`)).toBe('ab');
    expect(
      cleanWebText('\u202eevil\u202c \u2066x\u2069 z\u200bero so\u00adft\u009b31m \u001b]0;t\u0007\u001b[2Jred'),
    ).toBe('evil x zero soft red');
    expect(
      cleanWebText('![a](https://t.example/p.gif) [b](javascript:x(1)) [![c](//t.example/)](https://e.example/ "d")'),
    ).toBe('a b c');
    expect(cleanWebText('rows[i](argument) and [1](see below)')).toBe('rows[i](argument) and [1](see below)');
    expect(cleanWebText('می\u200cخواهم 👩\u200d👧 ☎️')).toBe('می\u200cخواهم 👩\u200d👧 ☎️');
    expect(cleanWebText(' \u200d\u200c\u200d x\u200c ')).toBe('x');
  });

  it('is partitioned by its passages, grows at its end, and is named by its content', () => {
    const pages = new WebPages();
    const found = (extracts: string[]) =>
      mergePages([{ query: 'a', pages: [page('https://e.example/', extracts)] }], { nowMs });
    const long = Array.from({ length: 120 }, (_, i) => `Sentence number ${i} is about the harbour.`).join(' ');
    const [first] = pages.add(found(['# Head\n\nOne.', long]), '2026-01-01T00:00:00.000Z');
    const [again] = pages.add(found(['One.']), '2026-01-02T00:00:00.000Z');
    expect(again).toBe(first);
    const [grown] = pages.add(found([long, 'Two.']), '2026-01-02T00:00:00.000Z');
    for (const { snapshot, chunks, id, origin } of [first!, grown!]) {
      expect(chunks.map(({ text }) => text).join('')).toBe(snapshot.text);
      for (const { text, span } of chunks) expect(snapshot.text.slice(span.start, span.end)).toBe(text);
      expect(chunks.map(({ position }) => position)).toEqual(chunks.map((_, i) => i));
      expect(origin.snapshot).toBe(id);
      expect(snapshotId(snapshot)).toBe(id);
    }
    expect(first!.chunks.length).toBeGreaterThan(2);
    expect(first!.chunks[0]!.headings).toEqual(['Head']);
    expect(grown!.snapshot.text.startsWith(first!.snapshot.text)).toBe(true);
    expect(grown!.id).not.toBe(first!.id);
    expect(pages.get('e.example')).toBe(grown);
  });
});
