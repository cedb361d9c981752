import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { walkJson } from '../../../src/read/data/json-tokens.ts';
import { outline, parse } from './helpers.ts';

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
