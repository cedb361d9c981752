import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { walkJson } from '../../../src/read/data/json-tokens.ts';
import { codes, outline, parse } from './helpers.ts';

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

describe('JSON', () => {
  test('the walker sees what JSON.parse sees', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(0, 2), (json, indent) => {
        const source = JSON.stringify(JSON.parse(json), null, indent);
        const seen: string[] = [];
        const problem = walkJson(source, {
          scalar: (value, isString) => seen.push(isString ? `s:${value}` : `v:${value}`),
          open: (kind) => seen.push(`open ${kind}`),
          close: (kind) => seen.push(`close ${kind}`),
          key: (name) => seen.push(`k:${name}`),
        });
        expect(problem).toBeUndefined();
        const expected: string[] = [];
        const visit = (value: unknown): void => {
          if (typeof value === 'string') expected.push(`s:${value}`);
          else if (typeof value !== 'object' || value === null) expected.push(`v:${JSON.stringify(value)}`);
          else {
            const kind = Array.isArray(value) ? 'array' : 'object';
            expected.push(`open ${kind}`);
            for (const [key, item] of Object.entries(value)) {
              if (kind === 'object') expected.push(`k:${key}`);
              visit(item);
            }
            expected.push(`close ${kind}`);
          }
        };
        visit(JSON.parse(source));
        // The escapes \b and \f are a control and a line end of no use in text.
        const plain = (list: string[]): string[] =>
          list.map((item) => item.replaceAll('\b', '').replaceAll('\f', '\n'));
        expect(plain(seen)).toEqual(plain(expected));
      }),
      { numRuns: 1000 },
    );
  });

  test.each(['{', '[1', '{"a"}', '[1 2]', '{"a":}', '"open', '{"a":1}}', 'nul', ''])('%j is no JSON', (source) => {
    expect(walkJson(source, { scalar: () => {}, open: () => {}, close: () => {}, key: () => {} })).toBeDefined();
  });

  test('records carry their name and lines', async () => {
    const document = await parse(
      'a.json',
      '{\n  "title": "T",\n  "rules": {\n    "a": "x",\n    "b": {"c": [1, 2]}\n  },\n  "list": [\n    {"d": "y"},\n    {"d": "z"}\n  ]\n}',
    );
    expect(document.title).toBe('T');
    expect(outline(document).map(([, text]) => text)).toEqual([
      'title: T',
      'rules\na: x\nb.c: 1\nb.c: 2',
      'list\nd: y',
      'd: z',
    ]);
    expect(document.locators.map(({ part, lines }) => [part, lines])).toContainEqual(['rules', [3, 6]]);
    expect(document.locators.map(({ part }) => part)).toContain('list item 2');
  });

  test('keys named __proto__ and keys that come twice are all text', async () => {
    const document = await parse('a.json', '{"__proto__": {"x": "one"}, "k": "two", "k": "three"}');
    for (const word of ['one', 'two', 'three']) expect(document.text).toContain(word);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test('JSON lines: one record a line; a bad line is kept and named', async () => {
    const document = await parse('a.jsonl', '{"a": "one"}\n\n{"a": tw\n{"a": {"b": "three"}}\n');
    expect(outline(document)).toEqual([
      ['record', 'a: one'],
      ['record', '{"a": tw'],
      ['record', 'a.b: three'],
    ]);
    expect(document.locators.map(({ lines }) => lines)).toEqual([
      [1, 1],
      [3, 3],
      [4, 4],
    ]);
    expect(document.warnings).toEqual([{ code: 'JSON_DAMAGED', message: expect.stringContaining('line 3') }]);
  });
});

describe('notebooks', () => {
  test('Markdown that a cell shows is read', async () => {
    const data = { 'text/plain': '<IPython.core.display.Markdown object>', 'text/markdown': '**Loss**: 4' };
    const cells = [{ cell_type: 'code', source: 'show()', outputs: [{ output_type: 'display_data', data }] }];
    expect((await parse('a.ipynb', JSON.stringify({ nbformat: 4, cells }))).text).toBe('show()\n\n**Loss**: 4');
  });

  test('a formula that a cell shows is read', async () => {
    const data = { 'text/plain': ['<IPython.core.display.Latex object>'], 'text/latex': ['$$E=', 'mc^2$$'] };
    const cells = [{ cell_type: 'code', source: 'show()', outputs: [{ output_type: 'display_data', data }] }];
    expect((await parse('a.ipynb', JSON.stringify({ nbformat: 4, cells }))).text).toBe('show()\n\n$$E=mc^2$$');
  });

  test('an output that is cut is a warning', async () => {
    const output = { output_type: 'stream', text: 'log line\n'.repeat(3000) };
    const cells = [{ cell_type: 'code', source: 'run()', outputs: [output] }];
    const { text, warnings } = await parse('a.ipynb', JSON.stringify({ nbformat: 4, cells }));
    expect(text).toHaveLength(20_009);
    expect(warnings).toEqual([
      { code: 'OUTPUT_CUT', message: 'cell 1: of an output of 27000 characters the first 20000 are read' },
    ]);
  });

  test('an output without plain text is read as HTML or JSON', async () => {
    const output = (data: Readonly<Record<string, unknown>>): object => ({ output_type: 'display_data', data });
    const table =
      '<style>p{}</style><table><tr><th>Port</th><th>Ships</th></tr><tr><td>Kiel</td><td>12</td></tr></table>';
    const outputs = [
      output({ 'text/html': ['<p>Only ', '<b>HTML</b></p>'] }),
      output({ 'text/html': table, 'text/plain': '<IPython.core.display.HTML object>' }),
      output({ 'text/html': table, 'text/plain': 'Port Ships' }),
      output({ 'application/json': { ships: 12 }, 'text/plain': ['<IPython.core.display.JSON object>'] }),
      output({ 'text/html': '<div id="plot"></div><script>draw()</script>' }),
    ];
    const cells = [{ cell_type: 'code', source: 'show()', outputs }];
    expect(outline(await parse('a.ipynb', JSON.stringify({ nbformat: 4, cells }))).slice(1)).toEqual([
      ['code', 'Only HTML'],
      ['code', 'Port | Ships\nKiel | 12'],
      ['code', 'Port Ships'],
      ['code', '{"ships":12}'],
    ]);
  });

  test('Markdown, code and printed text, each with its cell', async () => {
    const cells = [
      { cell_type: 'markdown', source: ['# Head\n', '\n', 'Words.'] },
      {
        cell_type: 'code',
        source: 'print(1)',
        outputs: [
          { output_type: 'stream', text: ['1\n'] },
          {
            output_type: 'display_data',
            data: { 'image/png': 'AAAA', 'text/plain': '<Figure size 640x480 with 1 Axes>' },
          },
        ],
      },
      {
        cell_type: 'code',
        source: 'boom',
        outputs: [{ output_type: 'error', ename: 'NameError', evalue: 'no boom', traceback: ['\u001b[31mlong'] }],
      },
    ];
    const document = await parse(
      'a.ipynb',
      JSON.stringify({ nbformat: 4, metadata: { language_info: { name: 'python' } }, cells }),
    );
    expect(document.title).toBe('Head');
    expect(outline(document)).toEqual([
      ['heading', '# Head'],
      ['paragraph', 'Words.'],
      ['code', 'print(1)'],
      ['code', '1'],
      ['code', 'boom'],
      ['code', 'NameError: no boom'],
    ]);
    expect(document.locators.map(({ part }) => part)).toEqual(['cell 1', 'cell 2', 'cell 3']);
  });
});

describe('captions', () => {
  test('text without numbers, times and tags; times as locators', async () => {
    const vtt =
      'WEBVTT\n\nNOTE not this\n\n1\n00:01.500 --> 00:04.000 align:start\n<v Roger Bingham>We <i>are</i> in\nNew York &amp; here\n\n01:00:00.000 --> 01:00:02.250\nLater\n';
    const document = await parse('a.vtt', vtt);
    expect(document.text).toBe('Roger Bingham: We are in\nNew York & here\nLater');
    expect(document.locators.map(({ timeMs, lines }) => [timeMs, lines])).toEqual([
      [
        [1500, 4000],
        [7, 8],
      ],
      [
        [3_600_000, 3_602_250],
        [11, 11],
      ],
    ]);
  });

  test('rolling captions say each line once, at the time when it is first said', async () => {
    const vtt =
      'WEBVTT\nKind: captions\n\n00:00:00.080 --> 00:00:02.000 align:start\n \ngood<00:00:00.400><c> morning</c>\n\n' +
      '00:00:02.000 --> 00:00:02.010 align:start\ngood morning\n \n\n' +
      '00:00:02.010 --> 00:00:04.000 align:start\ngood morning\nto<00:00:02.400><c> all</c>\n';
    const document = await parse('a.vtt', vtt);
    expect(document.text).toBe('good morning\nto all');
    expect(document.locators.map(({ timeMs, lines }) => [timeMs, lines])).toEqual([
      [
        [80, 2000],
        [5, 6],
      ],
      [
        [2010, 4000],
        [14, 14],
      ],
    ]);
    expect(document.warnings).toEqual([]);
  });

  test('a caption that repeats the words of the one before stays', async () => {
    const vtt = 'WEBVTT\n\n00:01.000 --> 00:02.000\nNo.\n\n00:02.000 --> 00:03.000\nNo.\nNot today.\n';
    expect((await parse('a.vtt', vtt)).text).toBe('No.\nNo.\nNot today.');
  });

  test('characters that captions write as numbers are read', async () => {
    const vtt =
      'WEBVTT\n\n00:01.000 --> 00:02.000\nIt doesn&#39;t &#x1F600; &apos;hold&apos; &amp;#39; &#0; &#x110000; &#xD800; &constructor;\n';
    expect((await parse('a.vtt', vtt)).text).toBe("It doesn't 😀 'hold' &#39; &#0; &#x110000; &#xD800; &constructor;");
  });

  test('styles of SubStation in SubRip are no words', async () => {
    const srt = '1\n00:00:01,000 --> 00:00:02,000\n{\\i1}It{\\i0} {\\pos(19,2)\\an8}leaks {twice}.\n';
    expect((await parse('a.srt', srt)).text).toBe('It leaks {twice}.');
  });

  test('SubRip with a comma, and times that lie', async () => {
    const document = await parse(
      'a.srt',
      '1\r\n00:00:01,000 --> 00:00:02,500\r\n- Hello\r\n\r\n2\r\n00:00:0x,000 --> 99:99\r\nkept\r\n',
    );
    expect(document.text).toBe('- Hello\nkept');
    expect(document.locators.map(({ timeMs }) => timeMs)).toEqual([[1000, 2500], undefined]);
    expect(codes(document)).toEqual(['CUE_WITHOUT_TIME']);
  });
});

describe('XML', () => {
  test('records by element, nothing expanded, nothing fetched', async () => {
    const xml =
      '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "boom"><!ENTITY x SYSTEM "file:///etc/hostname">]><library><book id="b7"><name>One &amp; two</name><by>&a;&x;</by></book><book><name>Three <em>four</em> five</name></book></library>';
    const document = await parse('a.xml', xml);
    expect(document.text).not.toContain('boom');
    expect(outline(document)).toEqual([
      ['heading', 'library'],
      ['record', 'book\n@id: b7\nname: One & two\nby: &a;&x;'],
      ['record', 'Three four five'],
    ]);
    expect(document.locators.map(({ part }) => part)).toEqual(['book 1', 'book 2']);
  });

  test('elements side by side in prose are words apart; indices and parts of words are not', async () => {
    const xml =
      '<l><p>By <a>one</a><b>two</b><c>(three)</c><d>four.</d><e>Five</e><f>,</f> <i>in</i>line: <i>H</i><sub>2</sub>O</p><p>x</p></l>';
    expect((await parse('a.xml', xml)).text).toBe('l\n\nBy one two (three) four. Five, inline: H2O\n\nx');
  });

  test('attributes of one character and values that are elements are read', async () => {
    const xml =
      '<stock><pump id="7" grade="A" full="" x:tons="5"/><p><key>Open</key><true/><key>Sold</key><false/></p></stock>';
    expect((await parse('a.xml', xml)).text).toBe(
      'stock\n\npump\n@id: 7\n@grade: A\n@x:tons: 5\n\np\nkey: Open\ntrue: true\nkey: Sold\nfalse: false',
    );
  });

  test('the words around the end of a line or a page are two, but where it is inside a word', async () => {
    const xml =
      '<TEI><text><p>the first<lb/>second <b>third</b><pb n="2"/>fourth mid<lb break="no"/>dle</p></text></TEI>';
    expect((await parse('a.xml', xml)).text).toMatch(/the first second third fourth middle$/);
  });
});
