import { describe, expect, test } from 'vitest';
import { headings, parse } from './helpers.ts';

const blocks = async (html: string): Promise<(readonly [string, string])[]> => {
  const { text, blocks } = await parse('a.html', `<html><body>${html}</body></html>`);
  return blocks.map(({ kind, start, end }) => [kind, text.slice(start, end)] as const);
};

describe('pages that programs make of code', () => {
  test('Doxygen: lines of code keep their indentation, without their numbers and what is shown on names', async () => {
    const line = (number: number, code: string): string =>
      `<div class="line"><a id="l${number}"></a><span class="lineno">    ${number}</span>${code}</div>`;
    const tip =
      '<div class="ttc" id="a1"><div class="ttname">Rope</div><div class="ttdef">Definition: rope.h:1</div></div>';
    const code = `<div class="fragment">${line(1, '<span class="keyword">struct </span>Rope {')}\n${line(2, '  int metres;')}\n${line(3, '};')}\n${tip}</div>`;
    expect(await blocks(`<h1>rope.h</h1>${code}<p>The end of it.</p>`)).toEqual([
      ['heading', 'rope.h'],
      ['code', 'struct Rope {\n  int metres;\n};'],
      ['paragraph', 'The end of it.'],
    ]);
    // Slides have fragments too.
    expect(await blocks('<div class="fragment"><p>One step.</p></div>')).toEqual([['paragraph', 'One step.']]);
  });

  test('Doxygen: a title, members below their headings, declarations as lines', async () => {
    const title =
      '<div class="header"><div class="summary">Public</div><div class="headertitle"><div class="title">Rope Class Reference<div class="ingroups"><a href="g">Harbour</a></div></div></div></div>';
    const row = (left: string, right: string): string =>
      `<tr class="memitem:a"><td class="memItemLeft">${left}&#160;</td><td class="memItemRight">${right}</td></tr><tr class="separator:a"><td colspan="2">&#160;</td></tr>`;
    const head = (text: string): string =>
      `<tr class="heading"><td colspan="2"><h2 class="groupheader">${text}</h2></td></tr>`;
    const members = `<table class="memberdecls">${head('Types')}${row('typedef int', 'length')}${head('Functions')}${row('void', 'cut (length at)')}${row('bool', 'tie ()')}</table>`;
    const detail =
      '<h2 class="memtitle"><span class="permalink"><a href="#a">&#9670;&nbsp;</a></span>cut()</h2><div class="memitem"><div class="memproto"><table class="mlabels"><tr><td class="mlabels-left"><table class="memname"><tr><td class="memname">void Rope::cut </td><td>(</td><td class="paramtype">length&#160;</td><td class="paramname"><em>at</em></td><td>)</td></tr></table></td><td class="mlabels-right"><span class="mlabels"><span class="mlabel">inline</span><span class="mlabel">virtual</span></span></td></tr></table></div><div class="memdoc"><p>Cuts it.</p></div></div>';
    expect(await blocks(`${title}${members}${detail}`)).toEqual([
      ['paragraph', 'Public'],
      ['heading', 'Rope Class Reference'],
      ['paragraph', 'Harbour'],
      ['heading', 'Types'],
      ['table', 'typedef int | length'],
      ['heading', 'Functions'],
      ['table', 'void | cut (length at)\nbool | tie ()'],
      ['heading', 'cut()'],
      ['paragraph', 'void Rope::cut ( length  at ) inline virtual'],
      ['paragraph', 'Cuts it.'],
    ]);
  });

  test('a table with headings beside other cells is a page that is laid out', async () => {
    const html = '<table><tr><td><h2>Ropes</h2><p>Long.</p></td><td><h2>Cranes</h2><p>High.</p></td></tr></table>';
    expect(await blocks(html)).toEqual([
      ['heading', 'Ropes'],
      ['paragraph', 'Long.'],
      ['heading', 'Cranes'],
      ['paragraph', 'High.'],
    ]);
  });

  test('Pygments: numbers of lines are no code', async () => {
    const inline = '<pre><span class="linenos">1</span>class Rope:\n<span class="linenos">2</span>    pass</pre>';
    const beside =
      '<table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><pre>class Rope:\n    pass</pre></td></tr></table>';
    for (const html of [inline, beside]) expect(await blocks(html)).toEqual([['code', 'class Rope:\n    pass']]);
  });

  test('Javadoc: summaries are tables, details are sections', async () => {
    const cell = (name: string, text: string): string => `<div class="col-${name} even-row-color">${text}</div>`;
    const head = ['first', 'second', 'last'].map(
      (name, i) => `<div class="table-header col-${name}">${['Type', 'Method', 'Description'][i]}</div>`,
    );
    const rows = [
      ['int', '<code>metres()</code>', '<div class="block">The length.</div>'],
      ['void', '<code>cut()</code>', '<div class="block">Cuts it.</div>'],
    ].flatMap(([type, method, text]) => [cell('first', type!), cell('second', method!), cell('last', text!)]);
    const summary = `<section><h2>Method Summary</h2><div class="summary-table three-column-summary">${[...head, ...rows].join('\n')}</div></section>`;
    const detail =
      '<section><h3>cut</h3><div class="member-signature">public void cut()</div><dl class="notes"><dt>Since:</dt><dd>1.2</dd></dl></section>';
    const html = `<ul class="summary-list"><li>${summary}</li></ul><ul class="details-list"><li><section><h2>Method Details</h2><ul><li>${detail}</li></ul></section></li></ul>`;
    expect(await blocks(html)).toEqual([
      ['heading', 'Method Summary'],
      ['table', 'Type | Method | Description\nint | metres() | The length.\nvoid | cut() | Cuts it.'],
      ['heading', 'Method Details'],
      ['heading', 'cut'],
      ['paragraph', 'public void cut()'],
      ['paragraph', 'Since: 1.2'],
    ]);
  });

  test('Scaladoc: the beginning of a description is not said twice', async () => {
    const whole = '<div class="fullcomment"><div class="comment cmt"><p>Ties a rope. It holds.</p></div></div>';
    const html = `<h4>def tie(): Unit</h4><div><a href="p"><img src="p" alt="Permalink"></a><p class="shortcomment cmt">Ties a rope.</p>${whole}</div><h4>def cut(): Unit</h4><p class="shortcomment cmt">Cuts a rope.</p>`;
    expect((await blocks(html)).map(([, text]) => text)).toEqual([
      'def tie(): Unit',
      'Ties a rope. It holds.',
      'def cut(): Unit',
      'Cuts a rope.',
    ]);
  });

  test('Rustdoc: an item with a link to its source is content, the link is not', async () => {
    const html =
      '<h1>Rope</h1><div class="impl has-srclink"><a class="srclink" href="s">source</a><code>impl Tie for <a href="r">Rope</a></code></div><details><summary class="hideme"><span>Expand description</span></summary><p>It ties.</p></details>';
    expect((await blocks(html)).map(([, text]) => text)).toEqual(['Rope', 'impl Tie for Rope', 'It ties.']);
  });

  test('terms without definitions are a list', async () => {
    const html = '<dl><dt>tie — makes a rope fast</dt><dt>cut — cuts a rope</dt></dl>';
    expect(await blocks(html)).toEqual([['list', '- tie — makes a rope fast\n- cut — cuts a rope']]);
    const defined = '<dl><dt>tie</dt><dt>bind</dt><dd>Makes a rope fast.</dd></dl>';
    expect(await blocks(defined)).toEqual([['paragraph', 'tie, bind: Makes a rope fast.']]);
  });

  test('contents that are the page are a list with its parts', async () => {
    const html =
      '<h1>Part I</h1><dl class="toc"><dt>1. Ropes</dt><dd><dl><dt>1.1. Hemp</dt><dt>1.2. Steel</dt></dl></dd><dt>2. Cranes</dt></dl>';
    expect((await blocks(html)).slice(1)).toEqual([['list', '- 1. Ropes\n  - 1.1. Hemp\n  - 1.2. Steel\n- 2. Cranes']]);
  });

  test('links to the pages beside are no text, sections with a link are', async () => {
    const line =
      '<div class="header"><p>Next: <a rel="next" href="b.html">Cranes</a>, Up: <a rel="up" href="i.html">Harbour</a> [<a rel="contents" href="t.html">Contents</a>]</p></div>';
    const text = '<p>A rope of hemp is twelve metres long, and it lies on the quay beside the crane.</p>';
    const html = `${line}<h2>Ropes</h2>${text}<p>See <a rel="next" href="b.html">Cranes</a>, <a rel="up" href="i.html">Harbour</a>, and <a href="c.html">Quays</a>.</p>`;
    const document = await parse('a.html', html);
    expect(headings(document)).toHaveLength(1);
    expect(document.text).toBe(
      'Ropes\n\nA rope of hemp is twelve metres long, and it lies on the quay beside the crane.\n\nSee Cranes, Harbour, and Quays.',
    );
  });
});
