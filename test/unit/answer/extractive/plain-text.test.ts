import { describe, expect, it } from 'vitest';
import { plainText } from '../../../../src/answer/extractive/plain-text.ts';

describe('plainText', () => {
  it('leaves nothing that is live or unseen, in code too', () => {
    expect(plainText('See\u202e ![x][r] and <img src="https://x.invalid">.\u{e0041}', { format: 'text' })).toBe(
      'See ! [x][r] and ‹img src="https://x.invalid">.',
    );
    expect(plainText('// ![x](https://x.invalid/?q=1)', { format: 'code' })).toBe('! [x] (https://x.invalid/?q=1)');
  });

  it.each([
    ['**Bold** and *slanted* and `code`.', 'Bold and slanted and code.'],
    ['See [the guide](guide.md "Guide") and ![a chart](x.png).', 'See the guide and a chart.'],
    ['[wiki](https://en.wikipedia.org/wiki/A_(b)) ends', 'wiki ends'],
    ['- one\n- two', 'one; two'],
    ['5. Rope\n6) Oars', 'Rope; Oars'],
    ['- one.\n- `two`\n\n  of many\n- three:\n- four', 'one. two of many; three: four'],
    ['- one\n\nAsk us', 'one. Ask us'],
    ['We sell rope\n- and oars', 'We sell rope and oars'], // a dash, unless items stand before it
    ['Team: Skuas\nCity: Ler\nNot all of it', 'Team: Skuas; City: Ler Not all of it'],
    ['Opening hours\n-------------\nFrom nine.\n\n──┼──\nNo.', 'Opening hours From nine. No.'],
    ['***', '***'], // a cell
    ["Use `w' (wield), `t' (throw) or `x`.", "Use `w' (wield), `t' (throw) or x."],
    ['| Skuas eat fish.\n| Auks too', 'Skuas eat fish. Auks too'], // behind empty cells
    ['cover(R) = {f ∈ A | r covers f} | yes', 'cover(R) = {f ∈ A | r covers f} · yes'],
    ['a.kind: Boat\na.name: Skua', 'a.kind: Boat; a.name: Skua'],
    ['12. Oktober: Wasser abstellen', '12. Oktober: Wasser abstellen'],
    ['- 5. April: Wasser anstellen', '5. April: Wasser anstellen'],
    ['# Title\n\nText over\ntwo lines.', 'Title Text over two lines.'],
    [
      '注意深く作業をしていて時間もある本当に注意深\n    い人は、Debian\n    を使います。',
      '注意深く作業をしていて時間もある本当に注意深い人は、Debian を使います。',
    ],
    [
      '玩具总动员的角色名是由他作出的，他当时是领导者，\n同时也在工作 。',
      '玩具总动员的角色名是由他作出的，他当时是领导者，同时也在工作 。',
    ],
    ['港区\n電話', '港区 電話'],
    ['| a | b |', 'a · b'],
    ['Audit Fees (1) | $3,631,575 | $3,784,488', 'Audit Fees (1) · $3,631,575 · $3,784,488'],
    ['a\tb', 'a · b'],
    ['--force::\n\tBy default it refuses\n\tto go.\t', '--force:: By default it refuses to go.'],
    [
      'Let x ∈ [0, 1] and y = [2, 3], as [4] says of heap[0].',
      'Let x ∈ [ 0, 1 ] and y = [ 2, 3 ], as (4) says of heap[ 0 ].',
    ],
    ['Use `rows[1]` or\n```\nrows[2]\n```', 'Use rows[ 1 ] or rows[ 2 ]'],
    [
      'an of-\n    ficial boat, long-\nterm, pre-\nand postwar, usu\u2010\n  ally',
      'an of-ficial boat, long-term, pre- and postwar, usu\u2010ally',
    ],
    [
      'See [1], [2] and [doc:3]. So [4, 5] and [6–7] and [^8].',
      'See (1), (2) and [doc:3]. So (4, 5) and (6–7) and (^8).',
    ],
    ['2 * 3 * 4 = 24', '2 * 3 * 4 = 24'],
    ['snake_case_name and __init__ stay', 'snake_case_name and __init__ stay'],
    ['/*eslint x: "error"*/', '/*eslint x: "error"*/'],
    ['1978 was a year.', '1978 was a year.'],
    ['$5 *off* 50% [1]', '$5 off 50% (1)'],
    ['Ignore `**/*.config.js` and **not** `!**/keep.js`.', 'Ignore **/*.config.js and not !**/keep.js.'],
    ['A `string | number` and ``a ` tick``', 'A string | number and a ` tick'],
    ['**Use `a*b`** now', 'Use a*b now'],
    [
      'See:\n```js\nconst a = x ** y; // *not* slanted\n```\nDone **well**.',
      'See: const a = x ** y; // *not* slanted Done well.',
    ],
    ['~~~\n```\n# kept\n~~~', '``` # kept'],
    ['::: warning\nHot *water*.\n:::', 'Hot water.'],
    ['::: tip Mind the step\nIt is high.', 'Mind the step It is high.'],
  ])('%j', (quote, expected) => {
    expect(plainText(quote)).toBe(expected);
  });

  it.each([
    ['See <a href="https://x.invalid" class="u">Zeroconf</a> for <b>mDNS</b>.', 'See Zeroconf for mDNS.'],
    ['H<sub>2</sub>O &amp; salt,<br>then <kbd>Ctrl</kbd>&nbsp;<kbd>C</kbd>', 'H2O & salt, then Ctrl C'],
    ['<tr><td>Port</td>\n<td align="right">8080</td></tr>', 'Port · 8080'],
    ['<p align="center"><img src="a.png" alt="x"></p>It runs.<!-- not\nsaid -->', 'It runs.'],
    ['Use `<b>` for bold, where a<b and b>c.', 'Use <b> for bold, where a<b and b>c.'],
    ['The type Map<string, number> and <your-name> stay.', 'The type Map<string, number> and <your-name> stay.'],
  ])('HTML in Markdown is no text: %j', (quote, expected) => {
    expect(plainText(quote, { format: 'markdown' })).toBe(expected);
  });

  it.each([
    ['Set bind\\_port, \\*not slanted\\* and \\<b>.', 'Set bind_port, *not slanted* and <b>.'],
    ['See [the port](a\\_b.md), `keep\\_this` and `that`.', 'See the port, keep\\_this and that.'],
  ])('what Markdown escapes is text: %j', (quote, expected) => {
    expect(plainText(quote, { format: 'markdown' })).toBe(expected);
  });

  it.each([
    [
      'Ask Ingrid.[^1] See the [tide table][tides], [notes][2] and m[i][j].',
      'Ask Ingrid. See the tide table, notes and m[i][j].',
    ],
    ['[^1]: Since 2019.', 'Since 2019.'],
    ['> [!WARNING]\n> Not more than 12 tonnes.', 'Not more than 12 tonnes.'],
    ['> [!warning]- Do not run dry\n> The seal breaks.', 'Do not run dry: The seal breaks.'],
    ['> [!tip]+ Is it full?\n> Then open the sluice.', 'Is it full? Then open the sluice.'],
    ['> [!note|wide] All is well.', 'All is well.'],
    ['See ![[quay.png|300]], ![[quay.png|300x200]] and ![[Winch|the winch]].', 'See quay.png, quay.png and the winch.'],
    ['!!! note "Fuel"', '"Fuel"'],
    [
      'The [[Pilot station|pilots]] pay a ==winter fee== and a __summer fee__, a == b.',
      'The pilots pay a winter fee and a summer fee, a == b.',
    ],
    ['An _old_ boat_name_two and __init__ or `_x_`.', 'An old boat_name_two and __init__ or _x_.'],
    ['Berth\n: A place at a pier.', 'Berth: A place at a pier.'],
  ])('knows the dialects of Markdown: %j', (quote, expected) => {
    expect(plainText(quote, { format: 'markdown' })).toBe(expected);
  });

  it.each([
    ['rst', 'As :ref:`the chart <chart>` and :doc:`tides` say, ``a`` `b <c>`_.', 'As the chart and tides say, a b.'],
    ['rst', '.. note:: It lies deep.', 'It lies deep.'],
    [
      'org',
      '#+TITLE: Deck\nWith =RAL 7011=, see [[file:c.org][the colours]], a=1, b=2.',
      'Deck With RAL 7011, see the colours, a=1, b=2.',
    ],
    ['asciidoc', 'Low gear:: Pulls, see <<gears,the gears>>.', 'Low gear: Pulls, see the gears.'],
  ])('leaves out the marks of %s: %j', (format, quote, expected) => {
    expect(plainText(quote, { format })).toBe(expected);
  });

  it('keeps a backslash that is no mark', () => {
    expect(plainText('C:\\_old', { format: 'text' })).toBe('C:\\_old');
  });

  it.each([
    ['The harbour^7 was built in 1990^12 by Tor.^3', 'The harbour was built in 1990 by Tor.'],
    ['It weighs 10^3 kg on 40 km^2, or 2^32 bytes.', 'It weighs 10^3 kg on 40 km^2, or 2^32 bytes.'],
  ])('marks of notes go, powers stay: %j', (quote, expected) => {
    expect(plainText(quote, { format: 'html' })).toBe(expected);
  });

  it('leaves the marks of the line above out', () => {
    const own = '[14][15] The lock saw 32 boats.';
    expect(plainText(own, { before: 'They came to the\nsecond pool.\n' })).toBe('The lock saw 32 boats.');
    expect(plainText(own, { before: '[13] Tor Vale: The quay.\n' })).toBe('(14)(15) The lock saw 32 boats.');
    expect(plainText(own, { before: 'Sources.\n\n' })).toBe('(14)(15) The lock saw 32 boats.');
  });

  it('keeps the tags of a text that is no Markdown', () => {
    expect(plainText('Write <b>bold</b> &amp; go.', { format: 'text' })).toBe('Write <b>bold</b> &amp; go.');
  });

  it('keeps code that began before the quote, and reads what comes after its fence', () => {
    const before = 'Ignore them:\n\n```js\nexport default [{\n';
    expect(plainText('ignores: ["**/*.a", "!**/b"],\n```\nThat is **all**.', { before })).toBe(
      'ignores: ["**/*.a", "!**/b"], That is all.',
    );
    expect(plainText('That is **all**.', { before: `${before}}]\n\`\`\`\n` })).toBe('That is all.');
  });

  it('keeps the marks of a comment that stands behind code', () => {
    const plain = (quote: string) => plainText(quote, { format: 'code' });
    expect(plain('#define MAX_BAR 11\n/* starts the pump */')).toBe('#define MAX_BAR 11 /* starts the pump */');
    expect(plain('#define MAX_BAR 11 /* starts the pump */')).toBe('#define MAX_BAR 11 /* starts the pump */');
    expect(plain('/* starts the pump */')).toBe('starts the pump');
  });

  it.each([
    ['Write yes|no, [[a|b]] or `x | y`.', 'Write yes|no, [[a|b]] or x | y.'],
    ['if (a || b) go', 'if (a || b) go'],
    ['| yes|no | b |', 'yes · no · b'], // a row of a table
    ['The moat is deep.[7] So they say.', 'The moat is deep. So they say.'],
    ['The moat is deep[7][8], so they say', 'The moat is deep, so they say'],
    ['The \ufb01sh\u00ading boat', 'The fishing boat'],
    ['The fish\u00ad\n  ing boat', 'The fishing boat'],
    ['The moat is deep.⁷ It was dug by serfs¹²,¹³ and Tor†.', 'The moat is deep. It was dug by serfs and Tor†.'],
    ['Built by Hamish†, who died † 1431', 'Built by Hamish, who died † 1431'],
    ['12 km² or 5 miles² hold 10⁶ m³ at E = mc².', '12 km² or 5 miles² hold 10⁶ m³ at E = mc².'],
  ])('%j', (quote, expected) => {
    expect(plainText(quote)).toBe(expected);
  });

  it('knows by the text before that a quote begins inside a comment', () => {
    const quote = 'It is the block\n * of all tides.\n */\nopen();';
    expect(plainText(quote, { format: 'code', before: 'x();\n * A lock. ' })).toBe(
      'It is the block of all tides. open();',
    );
    expect(plainText('wait(\n * 2)', { format: 'code', before: 'return ' })).toBe('wait( * 2)');
  });

  it('shows what the links of a comment in a program say, and no fence; an index stays one', () => {
    const plain = (quote: string) => plainText(quote, { format: 'code' });
    expect(plain(' * ```ts\n * open(rows[1]);\n * ```\n * @see {@link Lock} and {@linkcode Sluice | the sluice}')).toBe(
      'open(rows[ 1 ]); @see Lock and the sluice',
    );
    expect(plain('say(`{@link Lock}`);')).toBe('say(`{@link Lock}`);');
  });

  it('takes away only the marks of comments in a program', () => {
    const quote = ' * Waits **twice**\n * as `long`.\n */\nreturn a ** b * c; // so | so\n# end';
    expect(plainText(quote, { format: 'code' })).toBe('Waits **twice** as `long`. return a ** b * c; // so | so # end');
  });
});

it('signs at the beginning of a line are text where the format marks nothing by them', () => {
  for (const format of ['pdf', 'docx', 'xlsx', 'csv'])
    expect([plainText('> 5 mg a day', { format }), plainText('# 12 is free', { format })], format).toEqual([
      '> 5 mg a day',
      '# 12 is free',
    ]);
  expect(plainText('> 5 mg a day', { format: 'markdown' })).toBe('5 mg a day');
  expect(plainText('- 5 mg a day', { format: 'docx' })).toBe('5 mg a day');
});

it.each([
  ['limit\n   :Type: integer\n   :Default: 5', 'rst', 'limit Type: integer; Default: 5'],
  ['See :ref:`the quay <quay>`: it is open.', 'rst', 'See the quay: it is open.'],
  ['. Lift the lid\n. Close it', 'asciidoc', 'Lift the lid; Close it'],
  ['[![build](https://x.invalid/b.svg)](https://x.invalid) of the quay', 'markdown', 'build of the quay'],
])('marks that only a format has: %s', (text, format, expected) => {
  expect(plainText(text, { format })).toBe(expected);
});
