import { expect, test } from 'vitest';
import { outline, parse } from './helpers.ts';

const article = async (front: string, body: string, back = ''): Promise<string[]> => {
  const source = `<article><front><article-meta>${front}</article-meta></front><body>${body}</body><back>${back}</back></article>`;
  return outline(await parse('a.xml', source)).map(([kind, text]) => `${kind}: ${text}`);
};

test('names, dates and marks of an article stand as a reader says them, though the file has no spaces', async () => {
  const author =
    '<contrib><name><surname>Kranz</surname><given-names>Ida</given-names></name><xref ref-type="aff"><sup>1</sup></xref></contrib>';
  const front =
    `<contrib-group>${author}</contrib-group><aff><label>1</label>Board of Quays, <country>Norway</country></aff>` +
    '<pub-date><day>5</day><month>3</month><year>2024</year></pub-date><pub-date><month>June</month><year>2023</year></pub-date>';
  const body =
    '<p>Cranes carry loads<xref ref-type="bibr">1</xref> of ropes [<xref ref-type="bibr">2</xref>] in <xref ref-type="fig">Figure 1</xref>.</p>';
  expect(await article(front, body)).toEqual([
    'paragraph: Ida Kranz^1',
    'paragraph: 1 Board of Quays, Norway',
    'paragraph: 2024-03-05',
    'paragraph: June 2023',
    'paragraph: Cranes carry loads^1 of ropes [2] in Figure 1.',
  ]);
});

test('a formula in two forms is said once, with its fractions', async () => {
  const math =
    '<mml:math><mml:mi>x</mml:mi><mml:mo>=</mml:mo><mml:mfrac><mml:mn>1</mml:mn><mml:mn>2</mml:mn></mml:mfrac></mml:math>';
  const tex = '<tex-math>\\documentclass{minimal}\\begin{document}$y=3$\\end{document}</tex-math>';
  const body = `<p>So <alternatives>${tex}${math}</alternatives> and <inline-formula>${tex}</inline-formula>.</p>`;
  expect(await article('', body)).toEqual(['paragraph: So x = 1 / 2 and $y=3$.']);
});

test('each reference is one text', async () => {
  const name = (family: string): string => `<name><surname>${family}</surname><given-names>A</given-names></name>`;
  const mixed = `<ref><label>1</label><mixed-citation>${name('Berg')}. <article-title>On ropes</article-title>. <year>2001</year>;<volume>3</volume>:<fpage>1</fpage>.</mixed-citation></ref>`;
  const element = `<ref><element-citation><person-group>${name('Dahl')}${name('Lund')}</person-group><article-title>On hooks</article-title><year>2005</year></element-citation></ref>`;
  const back = `<ref-list><title>References</title>${mixed}${element}</ref-list>`;
  expect(await article('', '<p>Text.</p>', back)).toEqual([
    'paragraph: Text.',
    'heading: References',
    'reference: 1 Berg A. On ropes. 2001;3:1.',
    'reference: Dahl A, Lund A On hooks 2005',
  ]);
});

test('lists keep letters and marks of their own, and quotations their marks', async () => {
  const item = (text: string): string => `<list-item><p>${text}</p></list-item>`;
  const body =
    `<list list-type="alpha-lower">${item('first')}${item('second')}</list>` +
    '<list list-type="simple"><list-item><label>(i)</label><p>own</p></list-item></list>';
  expect(await article('', body)).toEqual(['list: a. first\nb. second', 'list: - (i) own']);
  const source =
    '<article xmlns="http://docbook.org/ns/docbook"><para>He said <quote>never</quote>.</para>' +
    '<orderedlist numeration="upperroman" startingnumber="3"><listitem><para>third</para></listitem></orderedlist></article>';
  expect((await parse('a.xml', source)).text).toBe('He said “never”.\n\nIII. third');
});

test('a book has its author in one text, and marked paragraphs are lists', async () => {
  const about =
    '<title-info><genre>sf_history</genre><author><first-name>Ida</first-name><last-name>Kranz</last-name></author><book-title>Quay</book-title><lang>en</lang></title-info>';
  const body = ['Take:', '• a rope', '• • a thin one', '• a hook', '1. Tie it.', '2. Pull it.', 'Rest.', '3. Alone.'];
  const source = `<?xml version="1.0"?><FictionBook xmlns="x"><description>${about}</description><body>${body.map((p) => `<p>${p}</p>`).join('')}</body></FictionBook>`;
  expect(outline(await parse('a.fb2', source)).map(([kind, text]) => `${kind}: ${text}`)).toEqual([
    'paragraph: Ida Kranz',
    'heading: Quay',
    'paragraph: Take:',
    'list: - a rope\n  - a thin one\n- a hook',
    'list: 1. Tie it.\n2. Pull it.',
    'paragraph: Rest.',
    'paragraph: 3. Alone.',
  ]);
});
