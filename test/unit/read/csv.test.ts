import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codes, parse } from './helpers.ts';

describe('CSV', () => {
  test('a line that tells Excel the delimiter is no row', async () => {
    const { text, blocks, locators } = await parse('a.csv', 'sep=;\r\nName;Note\r\nx;a, b\r\n');
    expect(text).toBe('Name | Note\nx | a, b');
    expect(blocks[0]!.header).toEqual({ start: 0, end: 11 });
    expect(locators.map(({ rows, lines }) => [rows, lines])).toEqual([
      [
        [1, 1],
        [2, 2],
      ],
      [
        [2, 2],
        [3, 3],
      ],
    ]);
  });

  const cell = fc.string({ unit: fc.constantFrom('a', 'B', '7', '"', ',', ';', ' ', '\n', 'é', '|'), maxLength: 6 });
  const table = fc
    .integer({ min: 2, max: 5 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 2, maxLength: 8 }));

  test('what a writer quoted by RFC 4180 comes back, with its row numbers and lines', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        // The first row fixes the delimiter, so that no other could be meant.
        const all = [rows[0]!.map((_, i) => `head${i}`), ...rows];
        const quote = (value: string): string => `"${value.replaceAll('"', '""')}"`;
        const source = all.map((row, i) => row.map((value) => (i === 0 ? value : quote(value))).join(',')).join('\r\n');
        const { text, locators } = await parse('a.csv', source);
        const tidy = (row: readonly string[]): string => {
          const cells = row.map((value) => value.replace(/\s+/g, ' ').trim());
          while (cells.length > 0 && cells.at(-1) === '') cells.pop();
          return cells.join(' | ').trim();
        };
        let line = 1;
        const expected = all.map((row, i) => {
          const first = line;
          line += row.join('').split('\n').length;
          return { text: tidy(row), row: i + 1, lines: [first, line - 1] };
        });
        const kept = expected.filter((row) => row.text !== '');
        expect(text).toBe(kept.map((row) => row.text).join('\n'));
        expect(locators.map((l) => ({ text: text.slice(l.start, l.end), row: l.rows![0], lines: l.lines }))).toEqual(
          kept,
        );
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['a.csv', 'x;y\n1,5;2\n3,25;4\n', 'x | y\n1,5 | 2\n3,25 | 4'],
    ['a.tsv', 'x\ty, z\n1\t2\n', 'x | y, z\n1 | 2'],
    ['a.csv', 'x|y\n1|2\n', 'x | y\n1 | 2'],
    ['a.csv', 'Lorem, ipsum\ndolor\nsit\namet, a, b\n', 'Lorem, ipsum\ndolor\nsit\namet, a, b'],
  ])('the delimiter of %s %j', async (name, source, expected) => {
    expect((await parse(name, source)).text).toBe(expected);
  });

  test.each([
    [
      'blanks before quotes',
      'x, y, z\n1, "a, b", 3\n2, "c" d, 4\n',
      [
        ['x', 'y', 'z'],
        ['1', 'a, b', '3'],
        ['2', '"c" d', '4'],
      ],
    ],
    [
      'quotes behind a backslash',
      String.raw`x,y
"say \"hi, you\"",2
"C:\\",3
"{\"a\": [1, 2]}",4
`,
      [
        ['x', 'y'],
        ['say "hi, you"', '2'],
        ['C:\\', '3'],
        ['{"a": [1, 2]}', '4'],
      ],
    ],
    [
      'a backslash that is one',
      'x,y\n"C:\\dir\\",2\n"say ""hi""",3\n',
      [
        ['x', 'y'],
        ['C:\\dir\\', '2'],
        ['say "hi"', '3'],
      ],
    ],
  ])('%s', async (_, source, rows) => {
    const { text } = await parse('a.csv', source);
    expect(text.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))).toEqual(rows);
  });

  test('a file of very many rows is located in steps of a few rows, and each step holds its rows', {
    timeout: 60_000,
  }, async () => {
    const rows = Array.from({ length: 300_000 }, (_, i) => `${i + 2},value`);
    const { text, locators } = await parse('a.csv', `id,name\n${rows.join('\n')}\n`);
    expect(locators.length).toBeLessThan(200_000);
    let next = 1;
    for (const { start, end, rows } of locators) {
      expect(rows![0]).toBe(next);
      next = rows![1] + 1;
      if (rows![0] > 1 && rows![0] % 97 === 0) {
        const ids = text
          .slice(start, end)
          .split('\n')
          .map((line) => Number.parseInt(line, 10));
        expect([ids[0], ids.at(-1)]).toEqual(rows);
      }
    }
    expect(next).toBe(300_002);
  });

  test('a title row above the header belongs to the header', async () => {
    const { text, blocks } = await parse('a.csv', 'Stanley Cups,,\nTeam,City,Cups\nBlues,STL,1\n');
    expect(text.slice(blocks[0]!.header!.start, blocks[0]!.header!.end)).toBe('Stanley Cups\nTeam | City | Cups');
  });

  test('lines about the account above a statement are not its header', async () => {
    const about = ['Account;DE12 3456', '"Period";"May"', 'Balance;1.750,50', 'Holder;A. Poole', 'Branch;Kiel'];
    const rows = [
      'Booked;Value;Purpose;Amount;Currency',
      '02.05.;02.05.;Rent;-1.250,00;EUR',
      '03.05.;03.05.;Pay;3,5;EUR',
    ];
    const { text, blocks, metadata } = await parse('a.csv', [...about, '', ...rows].join('\n'));
    expect(text.slice(blocks[0]!.header!.start, blocks[0]!.header!.end)).toBe(
      'Booked | Value | Purpose | Amount | Currency',
    );
    expect(metadata).toMatchObject({ rows: 2, columns: 5 });
    expect((await parse('a.csv', 'a;b\nc;d\n1;2;3;4;5\n1;2;3;4;6\n')).blocks[0]!.header).toBeUndefined();
  });

  test.each([
    ['as wide as half of the table', ['Account;DE12 3456', 'Period;01.05.;31.05.'], 'Booked;Purpose;Amount;Currency'],
    ['of a short statement', ['Account:;12', 'From:;1.5.', 'To:;31.5.', 'Sum:;7 EUR', ''], 'Booked;Purpose;Amount'],
    ['padded with empty cells', ['Account;12;;', 'Holder;A. Poole;;', ';;;'], 'Booked;Purpose;Amount;Currency'],
  ])('lines about the account are not its header: %s', async (_, about, header) => {
    const rows = ['02.05.;Rent;-1.250,00;EUR', '03.05.;Pay;3,5;EUR'].map((row) =>
      row.split(';').slice(0, header.split(';').length).join(';'),
    );
    const { text, blocks } = await parse('a.csv', [...about, header, ...rows].join('\n'));
    expect(text.slice(blocks[0]!.header!.start, blocks[0]!.header!.end)).toBe(header.replaceAll(';', ' | '));
  });

  test.each([
    ['name;city;\nann;kiel;pump\nbob;rome;7\n', 'name | city'],
    ['name;city;note\nann;kiel;\nbob;rome;late\n', 'name | city | note'],
    ['name;born;city\nann;1990;\nbob;1991;\ncid;1992;rome\ndan;1993;1 Quay\n', 'name | born | city'],
  ])('the first line stays the header of %j', async (source, header) => {
    const { text, blocks } = await parse('a.csv', source);
    expect(text.slice(blocks[0]!.header!.start, blocks[0]!.header!.end)).toBe(header);
  });

  test('rows of numbers have no header', async () => {
    expect((await parse('a.csv', '1,2\n3,4\n')).blocks[0]!.header).toBeUndefined();
  });

  test('a quote that never closes costs a warning, not the rest of the file', async () => {
    const document = await parse('a.csv', 'a,b\n1,"open\n2,gamma\n3,delta\n');
    expect(document.text).toBe('a | b\n1 | "open\n2 | gamma\n3 | delta');
    expect(codes(document)).toEqual(['CSV_OPEN_QUOTE']);
  });
});
