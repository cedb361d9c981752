import { describe, expect, test } from 'vitest';
import { makeZip } from './formats-make.ts';
import { outline, parse } from './helpers.ts';

const names =
  'xmlns:office="o" xmlns:style="s" xmlns:text="t" xmlns:table="b" xmlns:draw="d" xmlns:xlink="x" xmlns:chart="c"';

function odt(body: string, styles = '', parts: Readonly<Record<string, string>> = {}): Uint8Array {
  return makeZip({
    'content.xml': `<office:document-content ${names}><office:automatic-styles>${lists}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    'styles.xml': `<office:document-styles ${names}><office:styles>${styles}</office:styles></office:document-styles>`,
    ...parts,
  });
}

const level = (n: number, said: string, kind = 'number'): string =>
  `<text:list-level-style-${kind} text:level="${n}" ${said}/>`;
const lists =
  `<text:list-style style:name="N">${level(1, 'style:num-format="1" style:num-suffix="."')}` +
  `${level(2, 'style:num-format="a" style:num-suffix=")"')}${level(3, 'style:num-format="I" style:num-prefix="(" style:num-suffix=")" text:display-levels="3"')}</text:list-style>` +
  `<text:list-style style:name="B">${level(1, 'text:bullet-char="•"', 'bullet')}</text:list-style>`;
const list = (said: string, ...items: readonly string[]): string => `<text:list ${said}>${items.join('')}</text:list>`;
const item = (text: string, more = '', said = ''): string =>
  `<text:list-item ${said}>${text && `<text:p>${text}</text:p>`}${more}</text:list-item>`;

async function linesOf(body: string, styles = ''): Promise<string[]> {
  return (await parse('a.odt', odt(body, styles))).text.split(/\n+/);
}

describe('numbers of an OpenDocument text', () => {
  test('items have the numbers that are shown: levels, restarts, lists that go on, bullets', async () => {
    const N = 'text:style-name="N"';
    const deep = list('', item('a1'), item('a2', list('', item('deep'))));
    const body = [
      list(`${N} xml:id="l1"`, item('one', `<text:p>still one</text:p>${deep}`), item(''), item('two')),
      '<text:p>Between.</text:p>',
      list(`${N} text:continue-list="l1"`, item('three')),
      list(`${N} text:continue-numbering="true"`, item('four', list('', item('b1')))),
      // A list that goes on inside: the item around it has no paragraph and no number.
      list(`${N} text:continue-numbering="true"`, item('', list('', item('b2')))),
      list(N, item('anew', '', 'text:start-value="7"'), item('next')),
      list('text:style-name="B"', item('bullet')),
    ];
    expect(await linesOf(body.join(''))).toEqual([
      '1. one',
      'still one',
      '  a) a1',
      '  b) a2',
      '(1.b.I) deep',
      '2. two',
      'Between.',
      '3. three',
      '4. four',
      '  a) b1',
      '  b) b2',
      '7. anew',
      '8. next',
      '- bullet',
    ]);
  });

  test('headings have those of the outline where their style does', async () => {
    const styles = `<text:outline-style style:name="Outline"><text:outline-level-style text:level="1" style:num-format="1"/><text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/><text:outline-level-style text:level="3" style:num-format=""/></text:outline-style>
      <style:style style:name="H" style:family="paragraph" style:default-outline-level="1"/>
      <style:style style:name="Own" style:family="paragraph" style:parent-style-name="H"/>
      <style:style style:name="Bare" style:family="paragraph" style:parent-style-name="H" style:list-style-name=""/>
      <style:style style:name="Other" style:family="paragraph"/>`;
    const h = (n: number, style: string, said = ''): string =>
      `<text:h text:outline-level="${n}" text:style-name="${style}" ${said}>${style}</text:h>`;
    const body = [h(1, 'H'), h(2, 'Own'), h(2, 'Own'), h(3, 'H'), h(1, 'Bare'), h(1, 'Other'), h(1, 'Own'), h(2, 'H')];
    expect(
      await linesOf(body.join('') + h(1, 'H', 'text:restart-numbering="true" text:start-value="5"'), styles),
    ).toEqual(['1 H', '1.1 Own', '1.2 Own', 'H', 'Bare', 'Other', '2 Own', '2.1 H', '5 H']);
    expect((await parse('a.odt', odt(h(1, 'H'), styles))).title).toBe('1 H');
  });

  test('a number that no letter can show is written in digits', async () => {
    const body = list(
      'text:style-name="N"',
      item('x', list('', item('y', '', 'text:start-value="2000000000"'), item('z', '', 'text:start-value="-3"'))),
    );
    expect(await linesOf(body)).toEqual(['1. x', '  2000000000) y', '  -3) z']);
  });
});

test('formulas and charts of an OpenDocument text stand in parts of their own', async () => {
  const math =
    '<math><semantics><mrow><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></mrow><annotation encoding="StarMath 5.0">E = m c^2</annotation></semantics></math>';
  const chart = `<office:document-content ${names}><office:body><office:chart><chart:chart><chart:title><text:p>Ships a year</text:p></chart:title><table:table><table:table-row><table:table-cell><text:p>Kiel</text:p></table:table-cell><table:table-cell><text:p>7</text:p></table:table-cell></table:table-row></table:table></chart:chart></office:chart></office:body></office:document-content>`;
  const object = (n: number): string =>
    `<draw:frame text:anchor-type="as-char"><draw:object xlink:href="./Object ${n}"/></draw:frame>`;
  const document = await parse(
    'a.odt',
    odt(
      `<text:p>Energy ${object(1)} again ${object(1)} inline <draw:frame><draw:object>${math}</draw:object></draw:frame> in <draw:frame><draw:object xlink:href="Formula-0/"/></draw:frame>.</text:p><text:p>See ${object(2)}here.</text:p><text:p>Twice ${object(2)}here.</text:p>`,
      '',
      { 'Object 1/content.xml': math, 'Object 2/content.xml': chart, 'Formula-0/content.xml': math },
    ),
  );
  expect(outline(document)).toEqual([
    ['paragraph', 'Energy E = m c^2 again E = m c^2 inline E = m c^2 in E = m c^2.'],
    ['paragraph', 'See here.'],
    ['paragraph', 'Ships a year\nKiel | 7'],
    ['paragraph', 'Twice here.'],
  ]);
});
