import { describe, expect, test } from 'vitest';
import { formatOfName } from '../../../src/read/names.ts';
import { parse } from './helpers.ts';

/** Names that every object of JavaScript has: a table that is looked up by a word of a file must not have them. */
describe('words that tables of objects would know', () => {
  test('are no formats and no languages', () => {
    for (const name of ['constructor', 'a.constructor', 'valueOf', '__proto__', 'toString'])
      expect(['undefined', 'string']).toContain(typeof formatOfName(name));
    expect(formatOfName('constructor')).toBe(formatOfName('unheard-of'));
  });

  test.each([
    ['a.bib', '@book{a, title = {One \\constructor two}, year = {1999}}'],
    ['a.html', '<meta name="constructor" content="x"><math><constructor>x</constructor></math><p>One two</p>'],
    ['a.1', '.Dd May 1\n.Dt A 1\n.Os\n.Sh NAME\n.constructor One\n.Pp\nOne two\n\\[constructor] \\*[constructor]\n'],
    ['a.tex', '\\documentclass{article}\\begin{document}\\constructor{a} One two \\valueof\\end{document}'],
    [
      'a.ics',
      'BEGIN:VCALENDAR\r\nBEGIN:constructor\r\nEND:constructor\r\nBEGIN:VEVENT\r\nSUMMARY:One two\r\nRRULE:FREQ=constructor;BYDAY=constructor\r\nDTSTART:20250101\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
    ],
    ['a.constructor', 'One two'],
    ['constructor', 'One two'],
    ['a.vtt', 'WEBVTT\n\n00:01.000 --> 00:02.000\nOne &constructor; two'],
    [
      'result.json',
      '{"name":"A","type":"personal_chat","id":1,"messages":[{"id":1,"type":"message","date":"2024-01-01T10:00:00","from":"B","text":"One &constructor; two"}]}',
    ],
  ])('leave no trace in %s', async (name, content) => {
    const { text, metadata } = await parse(name, content);
    expect(text).toMatch(/One/);
    expect(text).not.toMatch(/native code|\[object|undefined/);
    expect(JSON.stringify(metadata)).not.toContain('native code');
  });
});
