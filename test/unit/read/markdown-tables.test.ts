/** Tables of HTML in Markdown: rows with their names, as a reader of the page sees them. */
import { expect, test } from 'vitest';
import { outline, parse, placeOf } from './helpers.ts';

const table =
  '<table>\n<tr><th rowspan="2">Part</th><th colspan="2">Price</th></tr>\n<tr><th>EUR</th><th>USD</th></tr>\n<tr>\n<td>Valve</td>\n\n<td>\n\n**12**\n\n</td><td>13</td></tr>\n</table>';

test('a table of HTML is rows; lines, headings and tables of Markdown around it stay', async () => {
  const source = `---\ntags: [a]\n---\n# Parts\n\nAll parts:\n\n${table}\n## Fees\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n  <table class="x"><tr><th>C<th>D<tr><td>3<td>4</table>\nThe end.\n`;
  const document = await parse('a.md', source);
  expect(outline(document)).toEqual([
    ['record', 'tags: [a]'],
    ['heading', '# Parts'],
    ['paragraph', 'All parts:'],
    ['table', 'Part | Price | Price\n| EUR | USD\nValve | **12** | 13'],
    ['heading', '## Fees'],
    ['table', '| A | B |\n|---|---|\n| 1 | 2 |'],
    ['table', 'C | D\n3 | 4'],
    ['paragraph', 'The end.'],
  ]);
  const headers = document.blocks.flatMap(({ header }) =>
    header ? document.text.slice(header.start, header.end) : [],
  );
  expect(headers).toEqual(['Part | Price | Price\n| EUR | USD', '| A | B |\n|---|---|', 'C | D']);
  const lineOf = (words: string): number => source.slice(0, source.indexOf(words)).split('\n').length;
  for (const words of ['tags: [a]', '# Parts', '## Fees', '| 1 | 2 |', 'The end.'])
    expect(placeOf(document, words)).toMatchObject({ lines: [lineOf(words), lineOf(words)] });
  expect(placeOf(document, 'Valve | ')).toMatchObject({ lines: [lineOf('<table>'), lineOf('## Fees') - 1] });
});

test.each([
  ['in code', `\`\`\`html\n${table}\n\`\`\`\n`],
  ['that does not end', '<table>\n<tr><td>a<td>b\n'],
  ['that only lays out', '<table>\n<tr><td><h3>Pier</h3>Open.</td><td>Closed.</td></tr>\n</table>\n'],
])('a table %s stays as it is', async (_, source) => {
  const document = await parse('a.md', source);
  expect(document.text).toBe(source.trim());
  expect(document.locators).toEqual([]);
});
