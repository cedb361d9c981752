import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { locate } from '../../../src/core/location.ts';
import { missing, parse, shared } from './helpers.ts';

/** A page of prose whose last sentence goes on on the next page. */
const prose = (page: number): string[] => [
  `lantern of page ${page} was lit at dusk.`,
  ...Array.from({ length: 10 }, (_, i) => `Line ${i} of watch ${page} says who stood on the quay.`),
  `In the morning of day ${page} the keeper and the`,
];
const at = (text: string, phrase: string): { start: number; end: number } => {
  const start = text.indexOf(phrase);
  expect(start, phrase).toBeGreaterThanOrEqual(0);
  return { start, end: start + phrase.length };
};

describe('headers, footers and numbers of printed pages in plain text', () => {
  test.each([
    ['form feeds', (page: number) => ['', 'C:\\logs\\tower.doc', `${page}`, '\fHarbour office']],
    ['numbered lines', (page: number) => ['', 'C:\\logs\\tower.doc', `-${page}-`, '', 'Harbour office']],
    ['numbers with their word', (page: number) => ['C:\\logs\\tower.doc', `Page ${page} of 5`, 'Harbour office', '']],
  ])('%s: sentences go on across pages, what went is counted and said once', async (_, brk) => {
    const lines = [1, 2, 3, 4, 5].flatMap((page) => [...prose(page), ...brk(page)]);
    const document = await parse('a.txt', `${lines.join('\n')}\nEnd of the log.`);
    for (const page of [1, 2, 3, 4]) {
      expect(document.text).toContain(`day ${page} the keeper and the\nlantern of page ${page + 1}`);
      const { start, end } = at(document.text, `lantern of page ${page + 1}`);
      const line = lines.findIndex((each) => each.includes(`lantern of page ${page + 1}`)) + 1;
      const chunk = { ...document, span: { start: 0, end: document.text.length } };
      expect(locate(chunk, { start, end }).lines).toEqual([line, line]);
    }
    for (const words of ['C:\\logs\\tower.doc', 'Harbour office']) expect(document.text.split(words)).toHaveLength(2);
    const { leftOut } = document.warnings.find(({ code }) => code === 'RUNNING_LINES')!;
    // Five numbers, and the two lines on each page but the first; of the last page's header nothing is known.
    expect(leftOut).toBeGreaterThanOrEqual(5 + 2 * 3);
    expect(document.metadata.linesLeftOut).toBe(leftOut);
  });

  test.each([
    ['a list of numbers', Array.from({ length: 30 }, (_, i) => `-${i + 1}-`)],
    [
      'a refrain',
      Array.from({ length: 9 }, (_, i) => ['Row on, row on.', `Verse ${i}`, '-1-', 'of the song', '']).flat(),
    ],
    [
      'dates and sums at the foot of pages',
      [1, 2, 3, 4].flatMap((n) => [...prose(n), `Total EUR ${n * 37}`, `0${n}/03/2021\f`]),
    ],
    ['pages of one number each', [1, 2, 3, 4].map((n) => `Potato ${n}\f`)],
  ])('%s stays as it is', async (_, lines) => {
    const document = await parse('a.txt', lines.join('\n'));
    for (const line of lines) expect(document.text).toContain(line.replaceAll('\f', '').trim());
    expect(document.warnings).toEqual([]);
  });

  test('a line of any length on each page costs time by its length alone', { timeout: 10_000 }, async () => {
    const pages = Array.from({ length: 4 }, (_, i) => `Page ${i + 1} of the log\n${'ÿ'.repeat(300_000)}\f`);
    expect((await parse('a.txt', pages.join('\n'))).text).toContain('ÿ'.repeat(300_000));
  });

  test.skipIf(missing)('a lease has no file name in its sentences (skipped without the shared folder)', async () => {
    const source = readFileSync(join(shared, 'docs/txt/sample-lease8.txt'), 'utf8');
    expect(source.split('U:\\EDGAR')).toHaveLength(9);
    const { text } = await parse('a.txt', source);
    expect(text.split('U:\\EDGAR')).toHaveLength(2);
    expect(text).toContain('shall end on the Expiration Date.\n4.2 Surrender.');
    const lines = source.split('\n').filter((line) => line.trim() !== '' && !/EDGAR|8-2-02\.doc|^-\d+-$/u.test(line));
    for (const line of lines) expect(text).toContain(line.trim());
  });
});
