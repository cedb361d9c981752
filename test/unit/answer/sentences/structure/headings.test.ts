import { describe, expect, it } from 'vitest';
import { headingsOver } from '../../../../../src/answer/sentences/structure/headings.ts';
import { unitsOf } from '../../../../../src/answer/sentences/structure/units.ts';

function over(text: string, headings: readonly string[] = [], format?: string): string[] {
  const units = unitsOf(text);
  const { paths, isHeading } = headingsOver(text, units, headings, format);
  return units.map(
    ({ start, end }, i) => `${isHeading[i] ? '# ' : ''}${paths[i]!.join('>')}: ${text.slice(start, end)}`,
  );
}

describe('headingsOver', () => {
  it('gives each sentence the heading above it, by the marks of Markdown', () => {
    const text = '## Dogs\n\nOn a lead.\n\n### Large dogs\n\nNot at all.\n\n## Cats\n\nYes.';
    expect(over(text, ['Harbour', 'Dogs'])).toEqual([
      '# Harbour>Dogs: ## Dogs',
      'Harbour>Dogs: On a lead.',
      '# Harbour>Dogs>Large dogs: ### Large dogs',
      'Harbour>Dogs>Large dogs: Not at all.',
      '# Harbour>Cats: ## Cats',
      'Harbour>Cats: Yes.',
    ]);
  });

  it('reads no cells with a figure as a heading', () => {
    expect(over('Assets | 8,182.5\n\nUnits of the fund | 81\nPrice | 100', [])[0]).toBe(': Assets | 8,182.5');
    expect(over('Profit | -€ 40\n\nIt was a bad year.', [])[0]).toBe(': Profit | -€ 40');
    expect(over('Assets\n\nIt was a good year.', [])[0]).toBe('# Assets: Assets');
  });

  it('reads no line as a heading that goes on in the next one', () => {
    expect(over('Directors: Nora Pell and\n\nAmos Rudd\n\nThey met twice.')[0]).toBe(': Directors: Nora Pell and');
    expect(over('The end of the\n\nbridge was found.')[0]).toBe(': The end of the');
  });

  it('reads a line over a line of marks as a heading', () => {
    expect(over('2.3.0\n=====\n\n* Add ropes\n\nFixes\n-----\n\n* Mend the hook', ['2.3.0'])).toEqual([
      '# 2.3.0: 2.3.0\n=====',
      '2.3.0: * Add ropes',
      '# 2.3.0>Fixes: Fixes\n-----',
      '2.3.0>Fixes: * Mend the hook',
    ]);
  });

  it('in HTML takes neither a default nor a note of a version for a heading', () => {
    const text =
      'rope_limit\n\nDefault: 40\n\nThe longest rope.\n\nChanged in version 3.6: Added the unit\n\nIn metres.';
    expect(over(text, ['Crane'], 'html')).toEqual([
      '# Crane>rope_limit: rope_limit',
      'Crane>rope_limit: Default: 40',
      'Crane>rope_limit: The longest rope.',
      'Crane>rope_limit: Changed in version 3.6: Added the unit',
      'Crane>rope_limit: In metres.',
    ]);
  });

  it('knows a question or a short line between empty lines as a heading, where no marks are written', () => {
    const text = 'It opens at nine.\n\nCan I bring my dog?\n\nYes, on a lead.\n\nOpening hours\n\nFrom nine to five.';
    expect(over(text, ['Harbour'])).toEqual([
      'Harbour: It opens at nine.',
      '# Can I bring my dog?: Can I bring my dog?',
      'Can I bring my dog?: Yes, on a lead.',
      '# Opening hours: Opening hours',
      'Opening hours: From nine to five.',
    ]);
  });

  it('in HTML a name of a program is the heading of the sentences below it, beside others', () => {
    const terms = ['swing_limit (integer)', '-r metres --rope=metres', 'brake()', 'payload'];
    for (const term of terms)
      expect(over(`${term}\n\nSets it. The default is 5.`, ['Crane', 'rope_limit (integer)'], 'html')).toEqual([
        `# Crane>${term}: ${term}`,
        `Crane>${term}: Sets it.`,
        `Crane>${term}: The default is 5.`,
      ]);
    expect(over('payload\n\nWhat it bears.', ['Crane', 'Options'], 'html').at(-1)).toBe(
      'Crane>Options>payload: What it bears.',
    );
    expect(over('-r, --rope: Sets it.\n\nIt is long.', ['Crane'], 'html').at(-1)).toBe('Crane: It is long.');
    expect(over('const a = 5;\n\nSets it.', ['Crane'], 'html').at(-1)).toBe('Crane: Sets it.');
    expect(over('brake(1)\n\nhoist(2)', ['Crane'], 'html').at(-1)).toBe('Crane: hoist(2)');
    expect(over('payload\n\nWhat it bears.', ['Crane'], 'text').at(-1)).toBe('Crane: What it bears.');
  });

  it('in HTML a name with its arguments is the heading of the prose below it', () => {
    const prose = 'Sets how long the rope may be before\nit is cut';
    for (const term of ['rope.length <metres>', 'hoist wait <time> [ <unit> ]', 'turn <angle> ...'])
      expect(over(`${term}\n\n${prose}\n\nThe default is 5.`, ['Crane'], 'html')).toEqual([
        `# Crane>${term}: ${term}`,
        `Crane>${term}: ${prose}`,
        `Crane>${term}: The default is 5.`,
      ]);
    for (const line of ['written by ann <ann@quay.example>', 'it is less <so>.', 'see the list [1]'])
      expect(over(`${line}\n\n${prose}`, ['Crane'], 'html').at(-1)).toBe(`Crane: ${prose}`);
    expect(over('turn <angle>\n\nhoist <load>', ['Crane'], 'html').at(-1)).toBe('Crane: hoist <load>');
    expect(over(`turn <angle>\n\n${prose}`, ['Crane'], 'text').at(-1)).toBe(`Crane: ${prose}`);
  });

  it('in HTML the forms of a statement are one heading of the prose below them', () => {
    const text =
      'The quay is long.\n\nSHOW quay.lamps;\nSHOW quay.lamps = number;\n\nReturn the number of the lamps.\n\nSHOW ropes;\n\nSHOW oars;\n\nReturn all oars there are.';
    expect(over(text, ['Statements'], 'html')).toEqual([
      'Statements: The quay is long.',
      '# Statements>SHOW lamps: SHOW quay.lamps;',
      '# Statements>SHOW lamps: SHOW quay.lamps = number;',
      'Statements>SHOW lamps: Return the number of the lamps.',
      '# Statements>SHOW ropes: SHOW ropes;',
      '# Statements>SHOW oars: SHOW oars;',
      'Statements>SHOW oars: Return all oars there are.',
    ]);
    expect(over(text, ['Statements'], 'markdown')[1]).toBe('Statements: SHOW quay.lamps;');
  });

  it('a line in bold letters is a heading without its marks; a sentence and a part of a line are none', () => {
    const text =
      '**Can I bring my dog?**\n\nYes.\n\n__Opening hours__\n\nFrom **nine** to five.\n\n**Closed.**\n\nOn Monday.';
    expect(over(text, ['Harbour'])).toEqual([
      '# Can I bring my dog?: **Can I bring my dog?**',
      'Can I bring my dog?: Yes.',
      '# Opening hours: __Opening hours__',
      'Opening hours: From **nine** to five.',
      'Opening hours: **Closed.**',
      'Opening hours: On Monday.',
    ]);
  });

  it('a line that names a file is no heading', () => {
    expect(over('Source code: lib/hoist.py\n\nIt lifts a load.', ['hoist'], 'html').at(-1)).toBe(
      'hoist: It lifts a load.',
    );
  });

  it('a word that is all of its section is no heading', () => {
    expect(over('## License\n\nMIT\n\n## Notice period\n\nThirty days', ['Harbour', 'License'])).toEqual([
      '# Harbour>License: ## License',
      'Harbour>License: MIT',
      '# Harbour>Notice period: ## Notice period',
      'Harbour>Notice period: Thirty days',
    ]);
  });

  it('a heading of Markdown reads without its marks, as those of its chunk do', () => {
    const text = '## Policy <a id="policy"></a>\n\nIt holds.\n\n### The `port` of *tea*\n\nIt is 80.';
    expect(over(text, ['Harbour', 'Policy']).map((line) => line.replace(/:.*/s, ''))).toEqual([
      '# Harbour>Policy',
      'Harbour>Policy',
      '# Harbour>Policy>The port of tea',
      'Harbour>Policy>The port of tea',
    ]);
  });

  it.each([
    ['a fence', 'Run:\n\n```sh\nopen 2\n\n# Open the sluice\n\nopen 3\n```\n\nIt opens.', 'markdown'],
    ['a program', '# Open the sluice\nopen(3)\n', 'code'],
    ['a page', 'Run:\n\n# Open the sluice\nopen 3\n', 'html'],
  ])('takes no comment for a heading in %s', (_, text, format) => {
    const units = unitsOf(text, format);
    const { paths, isHeading } = headingsOver(text, units, ['A'], format);
    expect(paths.every((path) => path.length === 1 && path[0] === 'A')).toBe(true);
    expect(isHeading).not.toContain(true);
  });

  it.each([
    ['a share', 'Autumn results\n\nMargin was 26.6 %\n\nWinter results\n\nMargin was 27.7 %'],
    ['money', 'Autumn results\n\nRevenue of EUR 1,200\n\nWinter results\n\nRevenue of EUR 900'],
    ['a day', 'Ada Brix\n\nLicence issued 14/06/2023\n\nOtto Klamm\n\nLicence issued 3 May 2023'],
  ])('%s between two titles stands below the first', (_, text) => {
    const [first = '', said = '', second = '', last = ''] = text.split('\n\n');
    expect(over(text, ['A'])).toEqual([
      `# ${first}: ${first}`,
      `${first}: ${said}`,
      `# ${second}: ${second}`,
      `${second}: ${last}`,
    ]);
  });

  it('a day with text below it is a heading', () => {
    expect(over('14 May 2023\n\nThe keepers met.', ['A'])[1]).toBe('14 May 2023: The keepers met.');
  });

  it('a heading may have a colon', () => {
    expect(over('Part 2: Bees\n\nThey fly.\n\nAn aside: bees\n\nThey sleep.', ['A'])).toEqual([
      '# Part 2: Bees: Part 2: Bees',
      'Part 2: Bees: They fly.',
      '# An aside: bees: An aside: bees',
      'An aside: bees: They sleep.',
    ]);
  });

  it.each([
    ['a question in the middle of a text', 'Tea is at four. Why did it trip? Because it ran hot.'],
    ['an item of a list', 'We sell:\n\n- Paint\n\n- Rope\n\nAsk.'],
    ['a sentence of its own paragraph', 'It is wet.\n\nThe moat is deep.\n\nIt is old.'],
    [
      'labels with figures',
      'It is wet.\n\nExcess: EUR 250 for each claim\n\nPremium 2024: EUR 90\n\nClaims are reported at once.',
    ],
    ['labels below each other', 'It is wet.\n\nInsurer: Northgate Mutual\n\nInsured: fire and storm\n\nAsk.'],
    ['what stands in columns', 'It is wet.\n\nSluice manual          36\n\nIt is deep.'],
    ['the last line', 'It is wet.\n\nYours, Mara'],
  ])('takes nothing for a heading in %s', (_, text) => {
    expect(over(text, ['A']).every((line) => line.startsWith('A: '))).toBe(true);
  });
});

it.each(['Author: Ann Moor', '**Date:** 3 May', 'Stand: Mai', 'Auteur : Ann Moor', 'Status: Draft'])(
  'says of the document itself, and heads nothing: %s',
  (line) => {
    expect(over(`${line}\n\nThe quay is long.`, ['Quays'])).toEqual([`Quays: ${line}`, 'Quays: The quay is long.']);
  },
);
