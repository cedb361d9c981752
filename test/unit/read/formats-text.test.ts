import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codes, headings, outline, parse } from './helpers.ts';

describe('Markdown', () => {
  test('the text is the source after its front matter, and spans are places in it', async () => {
    const source =
      '---\ntitle: "A: title"\nlabels: [x, y]\ndraft: false\n---\n\n# Head *one*\n\nPara `a`\nmore.\n\n- x\n  - y\n\n> quoted\n\n```TS\nlet a;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n';
    const document = await parse('a.md', source);
    expect(document.title).toBe('A: title');
    expect(document.metadata).toEqual({ title: 'A: title', labels: 'x, y', draft: false });
    expect(source).toContain(document.text);
    expect(document.firstLine).toBe(7);
    expect(outline(document)).toEqual([
      ['heading', '# Head *one*'],
      ['paragraph', 'Para `a`\nmore.'],
      ['list', '- x\n  - y'],
      ['quote', '> quoted'],
      ['code', '```TS\nlet a;\n```'],
      ['table', '| a | b |\n|---|---|\n| 1 | 2 |'],
    ]);
    expect(headings(document)).toEqual([[1, 'Head one']]);
    expect(document.blocks[4]!.language).toBe('ts');
    const { header } = document.blocks[5]!;
    expect(document.text.slice(header!.start, header!.end)).toBe('| a | b |\n|---|---|');
  });

  test.each([
    ['CRLF', '\ufeffone\r\n\r\n# Head\r\n\r\ntwo\r\n'],
    ['CR', 'one\r\r# Head\r\rtwo'],
    ['mixed', 'one\r\n\r# Head\n\r\ntwo\n'],
  ])('line numbers survive %s line ends', async (_, source) => {
    const document = await parse('a.md', source);
    const lines = source.split(/\r\n|\r|\n/);
    const at = document.text.indexOf('two');
    const line = document.firstLine! + document.text.slice(0, at).split('\n').length - 1;
    expect(lines[line - 1]).toBe('two');
    expect(headings(document)).toEqual([[1, 'Head']]);
  });

  test('front matter that is no YAML warns, keeps its title, and the page is read', async () => {
    const document = await parse('a.md', '---\ntitle: ok\nbad: [ : x\n---\n\nBody.\n');
    expect([document.title, document.text, codes(document)]).toEqual(['ok', 'Body.', ['FRONT_MATTER_INVALID']]);
  });

  test('front matter in TOML gives title, date and lists', async () => {
    const toml = [
      'title = "The \\"old\\" pump" # as printed',
      'draft = false',
      'date = 2024-05-01T10:00:00Z',
      'weight = 3',
      "authors = [ 'Ann Moor',",
      "  'Bo Vale' ]",
      'note = """',
      'long"""',
      '[params]',
      '  "image" = \'a\\b.png\'',
    ];
    const document = await parse('a.md', `+++\n${toml.join('\n')}\n+++\nIt leaks.\n`);
    expect(document).toMatchObject({ title: 'The "old" pump', text: 'It leaks.', firstLine: 13 });
    expect(document.metadata).toEqual({
      title: 'The "old" pump',
      draft: false,
      date: '2024-05-01T10:00:00.000Z',
      note: 'long',
      weight: 3,
      authors: 'Ann Moor, Bo Vale',
      'params.image': 'a\\b.png',
    });
  });

  test('front matter that is no TOML gives a warning and its title', async () => {
    const { metadata, title, warnings } = await parse('a.md', '+++\ntitle = "Pump"\ndate = of old\n+++\nIt leaks.\n');
    expect([title, metadata]).toEqual(['Pump', {}]);
    expect(warnings).toMatchObject([
      { code: 'FRONT_MATTER_INVALID', message: expect.stringContaining('not valid TOML') },
    ]);
    const day = await parse('a.md', '+++\ndate = 2024-05-01\n+++\nIt leaks.\n');
    expect(day.metadata).toEqual({ date: '2024-05-01' });
  });

  test('a thematic break at the start is no front matter', async () => {
    const source = '---\n\nSome prose here, without a key.\n\n---\n\nMore.';
    expect((await parse('a.md', source)).text).toBe(source);
  });

  test('__proto__ in front matter stays a word', async () => {
    const document = await parse('a.md', '---\n__proto__: {polluted: yes}\nconstructor: x\n---\n\nBody.\n');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.keys(document.metadata)).toEqual(['__proto__.polluted', 'constructor']);
  });

  test('blocks never lose a line of text, whatever the source', async () => {
    const line = fc.constantFrom(
      '',
      '# a',
      'b',
      '- c',
      '  - d',
      '> e',
      '```',
      '    f',
      '| g | h |',
      '|---|---|',
      '***',
      '<div>',
      '</div>',
      '[x]: y',
      '1. z',
      '\t',
      '===',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 25 }), async (lines) => {
        const source = `start\n\n${lines.join('\n')}\n\nend`;
        const { text, blocks } = await parse('a.md', source);
        expect(text).toBe(source);
        const covered = new Uint8Array(text.length);
        for (const { start, end } of blocks) covered.fill(1, start, end);
        const outside = [...text].filter((_, i) => covered[i] === 0).join('');
        // Thematic breaks and link definitions are the only text that is in no block.
        expect(outside.replace(/^\s{0,3}\*\*\*\s*$|^\s{0,3}\[x\]: y\s*$/gm, '').trim()).toBe('');
      }),
      { numRuns: 300 },
    );
  });
});

describe('long Markdown', () => {
  test('read in pieces, it has the blocks its sections have on their own', async () => {
    const section = (i: number): string =>
      `# Head ${i}\n\n\`\`\`sh\n# not a heading\n\n# nor this\n\`\`\`\n\n- item\n\n  more of it\n\n> said ${i}\n\n${'Words of a paragraph. '.repeat(i % 40)}\n\n`;
    const sections = Array.from({ length: 4000 }, (_, i) => section(i));
    const document = await parse('a.md', sections.join(''));
    expect(document.text.length).toBeGreaterThan(2 * 512 * 1024);
    const expected: [string, number, number][] = [];
    let base = 0;
    for (const source of sections) {
      const { blocks } = await parse('a.md', source);
      for (const { kind, start, end } of blocks) expected.push([kind, base + start, base + end]);
      base += source.length;
    }
    expect(document.blocks.map(({ kind, start, end }) => [kind, start, end])).toEqual(expected);
  });
});

describe('plain text', () => {
  test('paragraphs and obvious headings', async () => {
    const document = await parse(
      'a.txt',
      '\n\nThe Title Of It\n\n1. Introduction\n\nFirst para,\ntwo lines.\n\n  Indented para.\n\nSCOPE\n\n- item one\n- item two\n\nUnderlined\n==========\nText under it.\n',
    );
    expect(document.firstLine).toBe(3);
    expect(document.title).toBe('The Title Of It');
    expect(outline(document)).toEqual([
      ['heading', 'The Title Of It'],
      ['heading', '1. Introduction'],
      ['paragraph', 'First para,\ntwo lines.'],
      ['paragraph', '  Indented para.'],
      ['heading', 'SCOPE'],
      ['list', '- item one\n- item two'],
      ['heading', 'Underlined\n=========='],
      ['paragraph', 'Text under it.'],
    ]);
  });

  test('numbered headings may begin with paths and small letters, and say more in brackets', async () => {
    const lines = [
      '3. The yard',
      '3.4. /crane : All that lifts loads (for use by all who are on the quay at noon)',
      '3.4.1. crane-lift',
      '3.5 $LOAD',
    ];
    const text = lines.map((line) => `${line}\n\n   Said of it.`).join('\n\n');
    const document = await parse('a.txt', `A yard\n\n${text}\n\n3.5 metres of rope\n\n2.1. he said so of it.\n`);
    const levels = [2, 3, 4, 3];
    expect(headings(document)).toEqual([[1, 'A yard'], ...lines.map((line, i) => [levels[i], line])]);
  });

  test('an entry of a table of contents is no heading', async () => {
    const contents = '   1. Cranes\n\n        1.1. Loads\n\n   2. Hooks\n\n   Note\n';
    const text = '1. Cranes\n\n   They lift.\n\n1.1. Loads\n\n   Of coal.\n\n2. Hooks\n\n   Of steel.\n';
    const document = await parse('a.txt', `A yard\n\n${contents}\n${text}`);
    expect(outline(document).filter(([kind]) => kind === 'heading')).toEqual([
      ['heading', 'A yard'],
      ['heading', '1. Cranes'],
      ['heading', '1.1. Loads'],
      ['heading', '2. Hooks'],
    ]);
  });

  test('an ordinary sentence or quantity is no heading', async () => {
    const document = await parse('a.txt', 'It begins here.\n\n26 training tables\n\nHe said: go\n\nwhat now\n');
    expect(headings(document)).toEqual([]);
    expect(document.title).toBe('');
  });
});

describe('source code', () => {
  test('TypeScript: declarations with the comments above them, members under their class', async () => {
    const source = `import x from 'y';\n\n/** Reads. */\nexport class Reader {\n  #a = '{';\n\n  // gives it\n  read(a: string): void {\n    if (a) { call(a); }\n  }\n}\n\nexport const make = (a: number) => a;\n\nfunction inner() {\n  const nested = () => 1;\n}\n`;
    const document = await parse('a.ts', source);
    expect(document.text).toBe(source.trimEnd());
    expect(headings(document)).toEqual([
      [1, 'Reader'],
      [2, 'read'],
      [1, 'make'],
      [1, 'inner'],
    ]);
    expect(
      outline(document)
        .filter(([kind]) => kind === 'heading')
        .map(([, text]) => text.trim()),
    ).toEqual(['/** Reads. */', '// gives it', 'export const make = (a: number) => a;', 'function inner() {']);
    expect(document.blocks.find(({ kind }) => kind === 'code')!.language).toBe('typescript');
  });

  test('Python: decorators, methods, and no heading for words in a docstring', async () => {
    const source = `"""Module.\n\ndef not_this(): pass\n"""\n\n@cache\ndef top(a):\n    def nested(): pass\n    return a\n\nclass A:\n    """class B"""\n    async def go(self):\n        pass\n`;
    expect(headings(await parse('a.py', source))).toEqual([
      [1, 'top'],
      [1, 'A'],
      [2, 'go'],
    ]);
  });

  test.each([
    ['a.go', 'package a\n\n// Do does.\nfunc (r *T) Do(x int) error {\n\treturn nil\n}\n', ['Do']],
    ['a.rs', 'pub struct S;\n\nimpl S {\n    pub fn new() -> S { S }\n}\n', ['S', 'new']],
    ['a.java', 'public class A {\n  private List<String> names(int x) {\n    return null;\n  }\n}\n', ['A', 'names']],
    ['a.c', '#include <a.h>\n\nstatic int main_loop(int argc)\n{\n  return run(argc);\n}\n', ['main_loop']],
    ['a.sql', '-- users\nCREATE TABLE IF NOT EXISTS users (id int);\n', ['users']],
    ['a.sh', 'set -e\n\nbuild() {\n  make\n}\n', ['build']],
    ['a.rb', 'module M\n  class K\n    def go?(a)\n    end\n  end\nend\n', ['M', 'K', 'go?']],
  ])('%s', async (name, source, labels) => {
    expect(headings(await parse(name, source)).map(([, label]) => label)).toEqual(labels);
  });
});

describe('other markups keep their source', () => {
  test.each([
    [
      'a.rst',
      'Title\n=====\n\nText.\n\nPart\n----\n\n.. code-block:: python\n\n   x = 1\n\nAfter.\n',
      [
        [1, 'Title'],
        [2, 'Part'],
      ],
    ],
    [
      'a.org',
      '#+TITLE: Org doc\n* One\ntext\n** TODO Two :tag:\n#+begin_src sh\nls\n#+end_src\n',
      [
        [1, 'One'],
        [2, 'Two'],
      ],
    ],
    [
      'a.adoc',
      '= Doc\n\n== Part\n\n----\ncode\n----\n',
      [
        [1, 'Doc'],
        [2, 'Part'],
      ],
    ],
  ])('%s', async (name, source, expected) => {
    const document = await parse(name, source);
    expect(document.text).toBe(source.trimEnd());
    expect(document.firstLine).toBe(1);
    expect(headings(document)).toEqual(expected);
  });

  test.each([
    ['\\title{My \\LaTeX{} Title}', 'My LaTeX Title'],
    ['\\title[Short]{On \\emph{the {tides}}\\\\ of Kiel~\\& Oslo\\thanks{By us.}}', 'On the tides of Kiel & Oslo'],
    ['% \\title{Draft}\n\\title{\n  Two\n  lines\n}', 'Two lines'],
    ['\\title{never closed\n\n\\section{Of \\textbf{bold} words}', 'Of bold words'],
  ])('TeX: titles with commands and braces in them: %j', async (source, title) => {
    expect((await parse('a.tex', `${source}\n\nWords.\n`)).title).toBe(title);
  });

  // As TeX prints them; the last two are no letters.
  test.each([
    [String.raw`It's caf\'e na\"{\i}ve \& Stra\ss e.`, String.raw`It's café naïve \& Straße.`],
    [String.raw`J. D\"oe, {\O}rsted, G{\"o}del, Erd\H{o}s, \v{S}koda`, 'J. Döe, Ørsted, Gödel, Erdős, Škoda'],
    [
      String.raw`\textbf{\"A}rger, Stra{\ss}e, Gr\"{u}\ss{}e, \'{\i}ndice, \o re`,
      String.raw`\textbf{Ä}rger, Straße, Grüße, índice, øre`,
    ],
    [String.raw`\verb|\"o| and $\v{r} \omega \left\{a\right\}$ \lambda`, undefined],
    [`\\begin{verbatim}\n\\"o\n\\end{verbatim}`, undefined],
  ])('letters of LaTeX are letters: %s', async (source, text = source) => {
    expect((await parse('a.tex', source)).text).toBe(text);
  });

  test('YAML: one record a top-level key, with its comment', async () => {
    expect(outline(await parse('a.yaml', '# first\na: 1\n\n# second\nb:\n  - x\n  - y\nc: z\n'))).toEqual([
      ['record', '# first\na: 1'],
      ['record', '# second\nb:\n  - x\n  - y'],
      ['record', 'c: z'],
    ]);
  });
});

describe('references', () => {
  test.each([
    'References',
    '7. Bibliography',
    'See also',
    'External links',
    'Siehe auch',
    'Références',
    '参考文献',
    'Литература',
  ])('"%s" marks what stands under it, up to the next section', async (title) => {
    const document = await parse(
      'a.md',
      `# Doc\n\nText.\n\n## ${title}\n\n- [a](b)\n\n### Sub\n\nMore.\n\n## Next\n\nText again.\n`,
    );
    expect(document.blocks.map(({ kind }) => kind)).toEqual([
      'heading',
      'paragraph',
      'heading',
      'reference',
      'heading',
      'reference',
      'heading',
      'paragraph',
    ]);
  });

  test('an API reference is no bibliography', async () => {
    const document = await parse('a.md', '# Reference\n\n`foo(x)` returns x.\n\n`bar(x)` returns nothing.\n');
    expect(document.blocks.map(({ kind }) => kind)).toEqual(['heading', 'paragraph', 'paragraph']);
  });
});
