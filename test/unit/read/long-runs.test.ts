import { describe, expect, test } from 'vitest';
import { isOpml } from '../../../src/read/markup/opml.ts';
import { isSvg } from '../../../src/read/markup/svg.ts';
import { isProse } from '../../../src/read/markup/xml-prose.ts';
import { rootStart } from '../../../src/read/prolog.ts';
import { parse } from './helpers.ts';

/** Far more than the time of one pass, far less than that of one pass for each character. */
const MOST_MS = 5_000;

describe('long runs of one thing take one pass', () => {
  test.each([
    ['comments.txt', `${'<!-- -->'.repeat(2_000)}\nThe harbour is shut.`],
    ['comments.xml', `<!--${'---><!--'.repeat(2_000)} -->\n<a><b>The harbour is shut.</b></a>`],
    ['charset.html', `${'<meta\t'.repeat(300)}charset=${'\t'.repeat(2_000)}<p>The harbour is shut.`],
    ['blank.rst', `Harbour\n=======\n\ntext${'\n'.repeat(200_000)}The harbour is shut.`],
    ['blank.org', `* Harbour\n\ntext${'\n'.repeat(200_000)}The harbour is shut.`],
    ['rows.org', `Harbour${'\n| '.repeat(30_000)}\n\nThe harbour is shut.`],
    ['notes.po', `${'# note\n'.repeat(30_000)}msgid "a"\nmsgstr "The harbour is shut."\n`],
    ['stars.org', `* ${'\t'.repeat(20_000)}x\nThe harbour is shut.`],
    ['percent.md', `# Harbour\n\ntext ${'%'.repeat(200_000)}\n\nThe harbour is shut.`],
  ])('%s', { timeout: 60_000 }, async (name, source) => {
    const from = performance.now();
    const { text } = await parse(name, source);
    expect(text).toContain('The harbour is shut.');
    expect(performance.now() - from).toBeLessThan(MOST_MS);
  });
});

describe('what stands before the root element', () => {
  test.each([
    ['<a>', 0],
    [' <?xml version="1.0"?>\n<!-- one --><!-- <b> --> <a>', 48],
    ['<!DOCTYPE a SYSTEM "a.dtd"><a>', 27],
    ['<!DOCTYPE a [ <!ENTITY b "]"> <!-- > --> ] ><!-- c --><a>', 54],
    ['<!-- no end <a>', 0],
    ['<!DOCTYPE a [ no end <a>', 0],
  ])('%s', (source, at) => {
    expect(rootStart(source)).toBe(at);
  });

  test('a drawing, an outline and a book are told behind comments', () => {
    const before = '<?xml version="1.0"?><!-- made by a program --><!DOCTYPE x [ <!ENTITY a "b"> ]>\n';
    expect(isSvg(`${before}<svg xmlns="x">`)).toBe(true);
    expect(isOpml(`${before}<opml version="2.0">`)).toBe(true);
    expect(isProse(`${before}<book><para>Words.</para></book>`)).toBe(true);
    expect(isSvg('<!-- <svg> --><a>')).toBe(false);
  });
});
