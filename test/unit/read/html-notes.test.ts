import { describe, expect, test } from 'vitest';
import { parse } from './helpers.ts';

const link = '<a href="https://example.org/encodings">https://example.org/encodings</a>';
const page = (notes: string): string =>
  `<html><body><main><h1>Encodings</h1><p>${'The parser reads a file in blocks of bytes. '.repeat(20)}</p>${notes}</main></body></html>`;

describe('notes of a page', () => {
  test.each([
    [
      'docutils, marked twice',
      '<aside class="footnote-list brackets"><aside class="footnote brackets" id="n1" role="note"><span class="label"><span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></span>\n' +
        `<span class="backrefs">(<a role="doc-backlink" href="#a">1</a>,<a role="doc-backlink" href="#b">2</a>)</span>\n<p>See ${link}.</p></aside></aside>`,
      '[1] See https://example.org/encodings.',
    ],
    [
      'docutils, marked once',
      `<aside class="footnote brackets" id="n1" role="note"><span class="label"><span class="fn-bracket">[</span><a role="doc-backlink" href="#a">1</a><span class="fn-bracket">]</span></span>\n<p>See ${link}.</p></aside>`,
      '[1] See https://example.org/encodings.',
    ],
    [
      'pandoc',
      `<aside id="footnotes" role="doc-endnotes"><ol><li id="fn1" role="doc-endnote"><p>See ${link}.<a href="#r1" role="doc-backlink">↩︎</a></p></li></ol></aside>`,
      '1. See https://example.org/encodings.',
    ],
    [
      'a source',
      `<aside class="citation"><span class="label"><span class="fn-bracket">[</span>Knuth<span class="fn-bracket">]</span></span><p>${link}</p></aside>`,
      '[Knuth] https://example.org/encodings',
    ],
    ['a box of links', `<aside><p>See ${link}.</p></aside>`, undefined],
  ])('%s', async (_, notes, said) => {
    const { text } = await parse('a.html', page(notes));
    const last = text.split('\n\n').at(-1)!;
    if (said === undefined) expect(last).toMatch(/^The parser/);
    else expect(last).toBe(said);
  });
});
