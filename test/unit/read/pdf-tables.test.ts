import { expect, it } from 'vitest';
import { parsePdf } from '../../../src/read/pdf/pdf.ts';
import { chunkDocument } from '../../../src/text/chunk/chunk.ts';
import { at, context, makePdf } from './formats-make.ts';

const fees = ['Audit Fees', 'Audit-Related Fees', 'Tax Fees', 'All Other Fees'];

/** A table of two columns of numbers; each page repeats its header and its running footer. */
function page(number: number, rows: number): string {
  const line = (y: number, cells: readonly string[]): string[] =>
    cells.map((cell, i) => (cell === '' ? '' : at([72, 330, 440][i]!, y, cell)));
  return [
    ...line(740, ['', 'Fiscal 2019', 'Fiscal 2018']),
    ...Array.from({ length: rows }, (_, i) =>
      line(725 - 14 * i, [`${fees[i % 4]!} of division ${number}${i}`, `$${3 + i},631,575`, `$${5 + i},784,488`]),
    ).flat(),
    at(72, 40, 'C:\\fees\\table.doc'),
    at(500, 40, `${number}`),
  ].join('\n');
}

it('every row of a long table is a line of its own, in a chunk that has or names the header', async () => {
  const bytes = makePdf({ pages: [1, 2, 3, 4, 5].map((number) => page(number, 40)) });
  const document = { ...(await parsePdf(bytes, context('fees.pdf'))), uri: 'fees.pdf' };
  const lines = document.text.split('\n');
  const header = 'Fiscal 2019 | Fiscal 2018';
  expect(lines.filter((line) => line === header)).toHaveLength(1);
  const rows = lines.filter((line) => line.includes('division'));
  expect(rows).toHaveLength(200);
  for (const row of rows) expect(row).toMatch(/^[\w -]+ of division \d+ \| \$\d+,631,575 \| \$\d+,784,488$/);
  const chunks = chunkDocument(document);
  expect(chunks.length).toBeGreaterThan(4);
  for (const chunk of chunks.filter(({ text }) => text.includes('division')))
    expect(chunk.text.includes(header) || chunk.context === header, chunk.text.slice(0, 80)).toBe(true);
});
