import { describe, expect, test } from 'vitest';
import { headings, outline, parse } from './helpers.ts';

const page = (body: string): string =>
  `<!doctype html><html lang="en"><head><title>Page &amp; title</title><meta name="author" content="A. Author"><style>p{}</style></head><body>${body}</body></html>`;

describe('HTML', () => {
  test('a picture that stands alone is what its author says that it shows', async () => {
    const pictures = [
      '<p><img alt="Chart of sales in 2019: 4.2 million"></p>',
      '<p><img alt="Harbour Board logo"></p>',
      '<figure><a href="x"><img alt="The new crane on quay 3"></a><figcaption>The new crane on quay 3 in May</figcaption></figure>',
      '<figure><img alt="Two men paint the crane"><figcaption>At work</figcaption></figure>',
    ];
    expect((await parse('a.html', page(pictures.join('')))).text.split('\n\n')).toEqual([
      'Chart of sales in 2019: 4.2 million',
      'The new crane on quay 3 in May',
      'Two men paint the crane',
      'At work',
    ]);
  });

  test('the reading of a word stands apart from it, with and without the marks for old browsers', async () => {
    const body =
      '<p><ruby>東京<rt>とうきょう</ruby>へ <ruby>WWW<rp>[</rp><rt>World Wide Web</rt><rp>]</rp></ruby>.</p>';
    expect((await parse('a.html', page(body))).text).toBe('東京(とうきょう)へ WWW(World Wide Web).');
  });

  test('a page without a title, as Google Docs saves it, has that of its title paragraph', async () => {
    const titleOf = async (body: string): Promise<string> =>
      (await parse('a.html', `<html><body>${body}</body></html>`)).title;
    expect(await titleOf('<p class="c2 title"><span>Plan for spring</span></p><h1>Aims</h1>')).toBe('Plan for spring');
    expect(await titleOf('<h1>Aims</h1><p class="title">Card</p>')).toBe('Aims');
  });

  test('a span that its style makes a block is one, but lines of code stay as they are', async () => {
    const body = '<p><span style="color:red; display: block">Open</span><span style="display:block">Shut</span></p>';
    expect((await parse('a.html', page(body))).text).toBe('Open\n\nShut');
    const code =
      '<pre><code><span style="display:block">a = 1\n</span><span style="display:block">b = 2\n</span></code></pre>';
    expect((await parse('a.html', page(code))).text).toBe('a = 1\nb = 2');
  });

  test('what is quoted has the quotation marks that the page shows', async () => {
    expect((await parse('a.html', page('<p>He said <q>never again</q>, and left.</p>'))).text).toBe(
      'He said “never again”, and left.',
    );
  });

  test('C# and F# are names; the mark of a permalink is none', async () => {
    const page = (h1: string): string => `<html><body><h1>${h1}</h1><p>x</p></body></html>`;
    for (const [html, label] of [
      ['Introduction to C#', 'Introduction to C#'],
      ['F# <a href="#f">#</a>', 'F#'],
      ['C#<a href="#c">¶</a>', 'C#'],
      ['Install<a href="#i">#</a>', 'Install'],
    ] as const) {
      const document = await parse('a.html', page(html));
      expect([document.title, headings(document)]).toEqual([label, [[1, label]]]);
    }
  });

  test('items are counted as the page counts them', async () => {
    const lists = [
      '<ol start="3"><li>three<li value="7">seven<li>eight</ol>',
      '<ol start="0"><li>nought</ol>',
      '<ol type="a" start="26"><li>z<li>aa</ol>',
      '<ol style="list-style-type: upper-roman" start="9"><li>nine</ol>',
      '<ol reversed><li>two<li>one</ol>',
    ];
    const document = await parse('a.html', page(lists.join('<p>x</p>')));
    expect(document.text.split('\n\nx\n\n')).toEqual([
      '3. three\n7. seven\n8. eight',
      '0. nought',
      'z. z\naa. aa',
      'IX. nine',
      '2. two\n1. one',
    ]);
  });

  test('says which tasks are done', async () => {
    const tasks = [
      '<input type="checkbox" id="menu"><ul><li><p><input type="checkbox" checked disabled> painted</p><li><input type="checkbox">greased</ul>',
      '<ul class="inline-task-list"><li class="checked">painted<li>greased</ul>',
      '<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>painted</span><li><div class="checkbox checkbox-off"></div> <span>greased</span></ul>',
    ];
    for (const task of tasks) expect((await parse('a.html', page(task))).text).toBe('- ☒ painted\n- ☐ greased');
  });

  test('a formula for a script of the page is read, unless it is drawn already', async () => {
    const body =
      '<p>So <script type="math/tex">E=mc^2</script>.</p><p>So <span class="MathJax_Preview"></span><span class="MathJax"><span>a+b</span></span><script type="math/tex">a+b</script>.</p>';
    expect((await parse('a.html', page(body))).text).toBe('So E=mc^2.\n\nSo a+b.');
  });

  test('pictures inside of unclosed elements cost about as much as words there', async () => {
    const msOf = async (inner: string): Promise<number> => {
      const start = performance.now();
      await parse('a.html', `<p>x${`<span>${inner}`.repeat(15_000)}`);
      return performance.now() - start;
    };
    const words = await msOf('<b>a</b>');
    expect(await msOf('<img alt=a>')).toBeLessThan(1000 + 4 * words);
  });

  test('content, not what is around it', async () => {
    const document = await parse(
      'a.html',
      page(`<header class="site-header"><a href="/">Home</a></header><nav><ul><li><a href="x">Menu</a></li></ul></nav>
        <div class="cookie-banner">We use cookies</div><main><h1>Head<a class="headerlink" href="#h">¶</a></h1><p>First <b>bold</b>
        words.</p><aside class="note">A note of use to readers of the page.</aside><script>alert(1)</script><p hidden>not seen</p></main>
        <footer>Imprint</footer>`),
    );
    expect(document.title).toBe('Page & title');
    expect(document.metadata).toEqual({ language: 'en', author: 'A. Author' });
    expect(outline(document)).toEqual([
      ['heading', 'Head'],
      ['paragraph', 'First bold words.'],
      ['paragraph', 'A note of use to readers of the page.'],
    ]);
  });

  test('a mark that only copies an address is no part of a term', async () => {
    const mark = `<a href="#i" class="copiable-anchor"> &para;</a>`;
    const document = await parse('a.html', page(`<dl><dt><code>hoist</code>${mark}</dt><dd>Lifts the load.</dd></dl>`));
    expect(document.text).toBe('hoist: Lifts the load.');
  });

  test('a wrapper with a telling class that holds the content is kept', async () => {
    const document = await parse(
      'a.html',
      page('<div class="sidebar-layout menu"><p>All of the text is in here.</p></div>'),
    );
    expect(document.text).toBe('All of the text is in here.');
  });

  test.each([
    ['navigation-guide', true],
    ['related-work', true],
    ['share_price', true],
    ['site-navigation', false],
    ['toc_entries', false],
    ['main nav', false],
    ['cookie-banner-2', false],
  ])('a short part with the class or id "%s" is content: %s', async (name, kept) => {
    for (const attribute of ['class', 'id']) {
      const document = await parse(
        'a.html',
        page(
          `<p>${'All ships go by the buoys. '.repeat(9)}</p><div ${attribute}="${name}"><p>Keep left at the pier.</p></div>`,
        ),
      );
      expect(document.text.includes('Keep left at the pier.'), attribute).toBe(kept);
    }
  });

  test.each([
    ['div class="sidebar"', 'Source packages hold the code, and how a package is made of them.', true],
    ['div class="sidebar"', '源代码包里有源代码，还有从它制作软件包的说明，以及补丁和一个描述文件。', true],
    ['div class="sidebar"', '想要經由 VNC 連結，但不想傳輸純文字，可以用 SSH 通道 (見 “加密通道” 這一節)。', true],
    ['div class="sidebar"', 'ゲームは apt で、文書は dpkg で、それぞれ別に入れることができます。', true],
    ['div class="sidebar"', 'แพ็กเกจซอร์สประกอบด้วยรหัสต้นฉบับและวิธีสร้างแพ็กเกจจากรหัสนั้น', true],
    ['div class="sidebar"', '最新文章 GitHub 归档 RSS 关于我们 · 友情链接 · 联系方式 · 版权所有。', false],
    ['div class="sidebar"', 'स्रोत पैकेज में कोड होता है और उससे पैकेज बनाने का तरीका भी।', true],
    ['div class="sidebar"', 'Latest posts. Archive. About.', false],
    ['div class="sidebar"', '<a href="a">One page that tells what a source package is made of.</a>', false],
    ['aside', 'The deadline for all of these forms is the fifth of May.', true],
    ['aside', 'Written by the team. Share.', false],
    ['div class="cookie-banner"', 'We use cookies so that you find what you look for here.', false],
  ])('a box beside the text (%s) that says "%s" is content: %s', async (tag, text, kept) => {
    const body = `<p>${'All ships go by the buoys. '.repeat(40)}</p><${tag}><p>${text}</p></${tag.split(' ')[0]}>`;
    expect((await parse('a.html', page(body))).text.includes(text.slice(0, 12))).toBe(kept);
  });

  test('text of a table outside its cells', async () => {
    const document = await parse(
      'a.html',
      page('<table><tr><td>Blues</td> won <td>1</td> cup</tr><tr><td>Reds</td><td>2</td></tr></table>'),
    );
    expect(document.text).toBe('Blues | won 1 | cup\nReds | 2');
  });

  test('a cell that reaches over several rows is a label of each, in its column', async () => {
    const table = (rows: string): Promise<{ readonly text: string }> => parse('a.html', page(`<table>${rows}</table>`));
    const head = '<tr><th>Area</th><th>Year</th><th>Ships</th></tr>';
    const { text } = await table(
      `${head}<tbody><tr><td rowspan="2">North</td><td>2023</td><td rowspan="1000000">many</td></tr><tr><td>2024</td></tr></tbody>` +
        '<tbody><tr><td>South</td><td>2023</td><td>4</td></tr></tbody>',
    );
    expect(text).toBe('Area | Year | Ships\nNorth | 2023 | many\nNorth | 2024 | many\nSouth | 2023 | 4');
    const wide = await table(
      '<thead><tr><th rowspan="2">Area</th><th colspan="2">Ships</th><th>Crew</th></tr><tr><th>2023</th><th>2024</th><th>all</th></tr></thead>' +
        '<tr><td colspan="100">Baltic</td></tr><tr><td rowspan="0">North</td><td>1</td><td>2</td><td>9</td></tr><tr></tr><tr><td>3</td></tr>',
    );
    expect(wide.text).toBe('Area | Ships | Ships | Crew\n| 2023 | 2024 | all\nBaltic\nNorth | 1 | 2 | 9\nNorth | 3');
    const long = 'A long remark on all of it. '.repeat(20);
    const remark = await table(`<tr><td>1</td><td rowspan="2">${long}</td></tr><tr><td>2</td></tr>`);
    expect(remark.text).toBe(`1 | ${long.trim()}\n2`);
  });

  test('a name over several columns is part of the name of each', async () => {
    const table = async (rows: string): Promise<readonly [text: string, header: string]> => {
      const { text, blocks } = await parse('a.html', page(`<table>${rows}</table>`));
      const { start, end } = blocks.find(({ kind }) => kind === 'table')?.header ?? { start: 0, end: 0 };
      return [text, text.slice(start, end)];
    };
    const quarters = (tag: string): string => ['Q1', 'Q2', 'Q1', 'Q2'].map((q) => `<${tag}>${q}</${tag}>`).join('');
    const body = '<tr><td>Baltic</td><td>11</td><td>12</td><td>13</td><td>14</td></tr>';
    const names = '2023 | 2023 | 2024 | 2024\n| Q1 | Q2 | Q1 | Q2';
    // without thead, with and without th
    expect(
      await table(
        `<tr><th></th><th colspan="2">2023</th><th colspan="2">2024</th></tr><tr><th></th>${quarters('th')}</tr>${body}`,
      ),
    ).toEqual([`| ${names}\nBaltic | 11 | 12 | 13 | 14`, `| ${names}`]);
    expect(
      await table(
        `<tr><td rowspan="2">Sea</td><td colspan="2">2023</td><td colspan="2">2024</td></tr><tr>${quarters('td')}</tr>${body}`,
      ),
    ).toEqual([`Sea | ${names}\nBaltic | 11 | 12 | 13 | 14`, `Sea | ${names}`]);
    // a title over all columns
    const [, header] = await table(
      `<thead><tr><th colspan="5">Ships</th></tr><tr><th>Sea</th>${quarters('th')}</tr></thead>${body}`,
    );
    expect(header).toBe('Ships\nSea | Q1 | Q2 | Q1 | Q2');
    // a form has values, which are no names
    const [form, none] = await table(
      '<tr><td>Ship</td><td colspan="2">Gull</td></tr><tr><td>Port</td><td>Riga</td><td>quay</td></tr><tr><td>Crew</td><td>9</td><td>men</td></tr>',
    );
    expect([form, none]).toEqual(['Ship | Gull\nPort | Riga | quay\nCrew | 9 | men', '']);
  });

  test('lists, tables row by row, code as it is written, definitions with their term', async () => {
    const document = await parse(
      'a.html',
      page(`<ol start="3"><li>three<ul><li>inner</li></ul></li><li>four</li></ol>
        <table><caption>Cups</caption><thead><tr><th>Team</th><th>Cups</th></tr></thead><tbody><tr><td>Blues</td><td>1</td></tr></tbody></table>
        <pre><code class="language-js">if (a) {\n  b();\n}</code></pre><dl><dt>Term</dt><dd>What it is.</dd></dl><blockquote><p>Said.</p></blockquote><p>a<br>b</p>`),
    );
    expect(outline(document)).toEqual([
      ['list', '3. three\n  - inner\n4. four'],
      ['table', 'Cups\nTeam | Cups\nBlues | 1'],
      ['code', 'if (a) {\n  b();\n}'],
      ['paragraph', 'Term: What it is.'],
      ['quote', 'Said.'],
      ['paragraph', 'a\nb'],
    ]);
    const table = document.blocks[1]!;
    expect(document.text.slice(table.header!.start, table.header!.end)).toBe('Team | Cups');
    expect(document.blocks[2]!.language).toBe('js');
  });

  test('a table used for layout is read as the blocks in it', async () => {
    const document = await parse(
      'a.html',
      page('<table><tr><td><h2>Left</h2><p>One.</p></td><td><p>Two.</p></td></tr></table>'),
    );
    expect(outline(document)).toEqual([
      ['heading', 'Left'],
      ['paragraph', 'One.'],
      ['paragraph', 'Two.'],
    ]);
  });

  test.each([
    ['a row of headers', '<tr><th>Pump</th><th>Value</th></tr>', 'td'],
    ['a column of headers', '', 'th'],
  ])('a table with %s keeps its rows where a cell holds code or a table', async (_, first, head) => {
    const row = (name: string, cell: string): string => `<tr><${head}>${name}</${head}><td>${cell}</td></tr>`;
    const inner =
      '<table><caption>Limits</caption><thead><tr><th>Bar</th><th>Sort</th></tr></thead><tbody><tr><td>9</td><td>high</td></tr><tr><td>2<table><tr><td>or 3</td></tr></table></td></tr></tbody></table>';
    const rows =
      row('deck', '1') + row('fire', '<pre>open(a);\nclose(b);</pre>') + row('bilge', `At most: ${inner} as tried`);
    const flat = inner.replace('<table><tr><td>or 3</td></tr></table>', '');
    const document = await parse('a.html', page(`<table>${first}${rows.replace(inner, flat)}</table><p>Words.</p>`));
    const colon = first === '' ? ':' : '';
    const lines = [
      `deck${colon} | 1`,
      `fire${colon} | open(a); close(b);`,
      `bilge${colon} | At most: Limits; Bar, Sort; 9, high; 2 as tried`,
    ];
    expect(outline(document)).toEqual([
      ['table', [...(first === '' ? [] : ['Pump | Value']), ...lines].join('\n')],
      ['paragraph', 'Words.'],
    ]);
    // of a deeper nest nobody can tell what is beside what
    expect((await parse('a.html', page(`<table>${first}${rows}</table>`))).text).toContain('or 3');
    const long = `<pre>${'open(a);\n'.repeat(200)}</pre>`;
    const short = '<pre>close(b);</pre>';
    for (const cells of [row('fire', long) + row('x', 'y'), row('fire', short) + row('x', short)])
      expect(outline(await parse('a.html', page(`<table>${first}${cells}</table>`))).map(([kind]) => kind)).toContain(
        'code',
      );
  });

  test('lines of code beside their numbers are code', async () => {
    const numbered = '<table><tr><td><pre>1\n2</pre></td><td><pre>open(a);\nclose(b);</pre></td></tr></table>';
    expect(outline(await parse('a.html', page(numbered)))).toEqual([
      ['code', '1\n2'],
      ['code', 'open(a);\nclose(b);'],
    ]);
  });

  test('a list of nothing but links is marked as one', async () => {
    const links = Array.from({ length: 5 }, (_, i) => `<li><a href="${i}">Link ${i}</a></li>`).join('');
    const document = await parse('a.html', page(`<p>Words.</p><ul>${links}</ul>`));
    expect(document.blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'reference']);
  });

  test('a heading inside a list ends it and starts a section', async () => {
    const document = await parse('a.html', page('<ul><li>one</li><li><h3>Sec</h3><p>two</p></li></ul>'));
    expect(headings(document)).toEqual([[3, 'Sec']]);
    expect(outline(document).map(([kind]) => kind)).toEqual(['list', 'heading', 'list']);
  });

  test('XHTML, upper case and tags left open', async () => {
    const document = await parse(
      'a.html',
      '<?xml version="1.0"?><HTML><BODY><P>one<P>two<UL><LI>x<LI>y</UL><TABLE><TR><TD>a<TD>b<TR><TD>c<TD>d</TABLE>',
    );
    expect(outline(document)).toEqual([
      ['paragraph', 'one'],
      ['paragraph', 'two'],
      ['list', '- x\n- y'],
      ['table', 'a | b\nc | d'],
    ]);
  });

  test.each([
    ['x^2', '<math alttext="x^2"><mi>y</mi></math>'],
    [
      'E=mc^2',
      '<math><semantics><mi>E</mi><annotation encoding="application/x-tex">E=mc^2</annotation></semantics></math>',
    ],
    ['3 / 4 kg', '<math><mfrac><mn>3</mn><mn>4</mn></mfrac><mspace/><mi>kg</mi></math>'],
    [
      'c = √(a^2 + b_1^(n - 1))',
      '<math><mi>c</mi><mo>=</mo><msqrt><msup><mi>a</mi><mn>2</mn></msup><mo>+</mo><msubsup><mi>b</mi><mn>1</mn><mrow><mi>n</mi><mo>-</mo><mn>1</mn></mrow></msubsup></msqrt></math>',
    ],
    ['x < 1', `<math>${'<mrow>'.repeat(5000)}<mi>x</mi><mo>&lt;</mo><mn>1</mn></math>`],
    ['if so', '<math><mphantom><mi>z</mi></mphantom><mtext>if <b>so</b></mtext><annotation>z</annotation></math>'],
  ])('a formula is text: %s', async (expected, formula) => {
    expect((await parse('a.html', page(`<p>Then ${formula} holds.</p>`))).text).toBe(`Then ${expected} holds.`);
  });

  test('a picture among words is its alternative text; alone, or as decoration, it is none', async () => {
    const { text } = await parse(
      'a.html',
      page(
        '<div><img alt="Logo"><p>Press <a href="x"><img alt="Enter"></a> to go<img alt=""> on.</p><p><img alt="Harbour"></p></div>',
      ),
    );
    expect(text).toBe('Press Enter to go on.');
  });

  test('a declared shadow root is content, another template is not', async () => {
    const body =
      '<div><template shadowrootmode="open"><p>Shown</p></template></div><template><p>Kept for later</p></template>';
    expect((await parse('a.html', page(`${body}<p>End</p>`))).text).toBe('Shown\n\nEnd');
  });

  test('the caption of a figure is read where it is hidden from those who hear the page', async () => {
    const figure =
      '<figure><img src="a.png" alt="The slew ring of a crane"><figcaption aria-hidden="true">The slew ring of a crane</figcaption></figure>';
    const { text } = await parse('a.html', `<p>Before.</p>${figure}<div aria-hidden="true">No.</div>`);
    expect(text).toBe('Before.\n\nThe slew ring of a crane');
  });

  test('a head without an end, or in the page itself, does not hide the page', async () => {
    const open =
      '<html><head><title>Ropes</title><meta name=author content=Ida><div><p>Twelve metres.</p></div></body></html>';
    const inside =
      '<html><body><head><title>Ropes</title><table><tr><td>Twelve metres.</td></tr></table></body></html>';
    const implied = '<html><head><title>Ropes</title><body><p>Twelve metres.</p></body></html>';
    for (const html of [open, inside, implied]) {
      const document = await parse('a.html', html);
      expect([document.title, document.text]).toEqual(['Ropes', 'Twelve metres.']);
    }
  });

  test.each([
    '<title/>',
    '<title>Ropes</title><style/>',
    '<title>Ropes</title><script src="a.js"/>',
    '<title>Ropes</title></head><body><iframe src="a"/>',
    '<title>Ropes</title></head><body><textarea/>',
    '<title>Ropes</title></head><body><a id="top"/><pre/><div hidden="hidden"/>',
  ])('an element that closes itself, as in books and other XHTML, holds nothing: %s', async (head) => {
    const body = head.includes('<body>') ? '' : '</head><body>';
    const html = `<html xmlns="http://www.w3.org/1999/xhtml"><head>${head}${body}<h1>Ropes</h1><p>Twelve metres.</p></body></html>`;
    const document = await parse('a.xhtml', html);
    expect([document.title, document.text]).toEqual(['Ropes', 'Ropes\n\nTwelve metres.']);
    expect(headings(document)).toEqual([[1, 'Ropes']]);
  });
});
