import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listedLines } from '../../../../../src/answer/sentences/structure/listed-lines.ts';
import { unitsOf } from '../../../../../src/answer/sentences/structure/units.ts';

const show = (text: string, format?: string) =>
  unitsOf(text, format).map(({ kind, start, end, header }) => [
    kind,
    text.slice(start, end),
    header && text.slice(header.start, header.end),
  ]);

it('parts lines with labels before whose colon French sets a blank', () => {
  const text =
    'La grue du quai.\n\nDate : 3 mai 1931\nPoids\u00a0: 40 t\n\nLe mot : un mot du quai\nqui va à la ligne.';
  expect(unitsOf(text).map(({ start, end }) => text.slice(start, end))).toEqual([
    'La grue du quai.',
    'Date : 3 mai 1931',
    'Poids\u00a0: 40 t',
    'Le mot : un mot du quai\nqui va à la ligne.',
  ]);
});

it('joins the head of an entry of a dictionary with what it says first', () => {
  const text =
    'Words\n\n:hoist loop: /hoyst/, n.\n\n[Tern] A loop of rope. It is worn.\n\nslack, adj. Not tight. So it was with Pell. A knot is tied.';
  expect(unitsOf(text).map(({ start, end }) => text.slice(start, end))).toEqual([
    'Words',
    ':hoist loop: /hoyst/, n.\n\n[Tern] A loop of rope.',
    'It is worn.',
    'slack, adj. Not tight.',
    'So it was with Pell.',
    'A knot is tied.',
  ]);
});

it('parts who wrote an earlier message from what it says', () => {
  const text = 'So be it.\n\n> On 10 March 2031 Ann Pell wrote:\n> Dear Ove, your crane is dear.\n> We need two.';
  const said = unitsOf(text).map(({ start, end }) => text.slice(start, end));
  expect(said.slice(1)).toEqual([
    expect.stringMatching(/^\W*On 10 March 2031 Ann Pell wrote:$/),
    'Dear Ove, your crane is dear.',
    expect.stringMatching(/We need two\.$/),
  ]);
});

it('a line of cells is a row also alone, in a sheet', () => {
  const text = 'Inventory\n\nAssets | 8,182.5\n\nUnits | 81\nPrice | 100';
  const alone = (format: string) => show(text, format).find(([, own]) => String(own).startsWith('Assets'));
  expect(alone('xls')).toEqual(['row', 'Assets | 8,182.5', undefined]);
  expect(alone('markdown')?.[0]).toBe('sentence');
});

it('many short lines in a text without marks are units, and what follows them is none of theirs', () => {
  const box = [
    'Ann Moor',
    'Ann Moor below the old lighthouse',
    'in 2004',
    'Full name Ann Wyn Moor',
    'Born 26 June 1968',
  ];
  const more = [
    'Place of birth Varn',
    'Height 6 ft 3 in (1.91 m)',
    'Post Captain',
    '1986 Varn 63 (9)',
    '1990 Sele 142 (50)',
  ];
  const prose = 'Ann Moor is a captain who sailed from 1986 to 2005 for a number of yards and the\nharbour of Varn.';
  const [title, photo, ...others] = show([...box, ...more, prose].join('\n'), 'text').map(([, own]) => own);
  expect([title, photo]).toEqual(['Ann Moor', 'Ann Moor below the old lighthouse\nin 2004']);
  expect(others).toEqual([...box.slice(3), ...more, prose]);
  const address = 'Titan\nThe Titan Yard\n3033 Park Road\nSuite 600\nQuayport, QA 92122\nUnited Isles\nAttn Ann Moor';
  expect(listedLines(address)).toHaveLength(1);
  const wrapped = Array.from({ length: 9 }, () => 'Wer am Kai steht, sieht das alte Boot,').join('\n');
  expect(listedLines(wrapped)).toHaveLength(1);
});

it('years of a life are no header of the years below', () => {
  const text = '2019 to 2026   Master, Port of Quay\n2012 to 2019   Mate, Port of Tern\n2011 | Boy\n';
  expect(show(text).map(([kind, , header]) => [kind, header])).toEqual([
    ['row', undefined],
    ['row', undefined],
    ['row', undefined],
  ]);
});

it('a line of units is part of the header', () => {
  const names = 'Sort | Yield point | Strength | Elongation | Impact';
  const units = '- | N/mm 2 | N/mm 2 | % | J/cm 2';
  const rows = show([names, units, 'Bars | 890 | 1000 | 12 | 40'].join('\n'), 'html');
  expect(rows.at(-1)).toEqual(['row', 'Bars | 890 | 1000 | 12 | 40', `${names}\n${units}`]);
  const pairs = show(['Gull | Tern | Auk', 'old | old | new', 'Bars | 890 | 1000'].join('\n'), 'html');
  expect(pairs.at(-1)![2]).toBe('Gull | Tern | Auk');
});

it('rows of TeX have the first one as header; what is escaped parts no cells', () => {
  const text = [
    'Gulls \\& terns fly far.',
    '',
    '\\begin{tabular}{lr}',
    '\\hline',
    'Gull & Speed \\\\ \\hline',
    'Alba & 40 \\\\',
    'Bo \\& Co & 44',
    '\\end{tabular}',
  ].join('\n');
  const rows = show(text, 'tex').filter(([kind]) => kind === 'row');
  const header = 'Gull & Speed \\\\ \\hline';
  expect(rows.slice(1)).toEqual([
    ['row', 'Alba & 40 \\\\', header],
    ['row', 'Bo \\& Co & 44', header],
  ]);
  expect(show(text)).not.toContainEqual(expect.arrayContaining(['row']));
});

it('names of columns without figures are known by the border above them', () => {
  const text = '=====  =====\nHook   Mass\n=====  =====\nRed    40 kg\nBlue   55 kg\n=====  =====\n\nIt is red.';
  const [, red, blue] = show(text, 'rst');
  expect(red).toEqual(['row', 'Red    40 kg', 'Hook   Mass']);
  expect(blue).toEqual(['row', 'Blue   55 kg', 'Hook   Mass']);
});

it('what Org keeps beside a text is no part of its sentences', () => {
  const text =
    '  DEADLINE: <2020-02-05 Wed>\n  :PROPERTIES:\n  :ID: abc\n  :END:\n  Dogs eat 3 kg a day.\n  They sleep.';
  expect(show(text, 'org').map(([, said]) => said)).toEqual([
    'DEADLINE: <2020-02-05 Wed>',
    ':PROPERTIES:\n  :ID: abc\n  :END:',
    'Dogs eat 3 kg a day.',
    'They sleep.',
  ]);
});

describe('unitsOf', () => {
  it('cuts prose into sentences', () => {
    expect(show('The moat is deep. It was dug in 1402.')).toEqual([
      ['sentence', 'The moat is deep.', undefined],
      ['sentence', 'It was dug in 1402.', undefined],
    ]);
  });

  it('takes `a | b` in a program and in a fence for code, and a drawn table there for a table', () => {
    const types = "speed: number | 'auto';\nmode: 'fill' | 'drain' | 'idle';";
    const rows = '| speed | 4 |\n| mode | 2 |';
    expect(show(types, 'code').map(([kind]) => kind)).not.toContain('row');
    const block = `\`\`\`ts\n${types}\n\`\`\``;
    expect(show(`The modes:\n\n${block}\n\nOne is set.`)).toEqual([
      ['sentence', 'The modes:', undefined],
      ['sentence', block, undefined],
      ['sentence', 'One is set.', undefined],
    ]);
    expect(show(`\`\`\`\n${rows}\n\`\`\``).map(([kind]) => kind)).toEqual(['row', 'row']);
    expect(show(`cat a | sort\ncat b | sort\n\n${rows}`).map(([kind]) => kind)).toEqual(['row', 'row', 'row', 'row']);
  });

  it('takes a choice in brackets for no cells, as commands are written', () => {
    const lines = 'crane lift [-s | --slow] <load>\ncrane lower {-a | --all} [<load>]\ncrane stop (-n | --now)';
    expect(show(lines).map(([kind]) => kind)).not.toContain('row');
    expect(show('rope [m] | 5\nhook [kg] | 7').map(([kind]) => kind)).toEqual(['row', 'row']);
  });

  it('follows a sentence over the lines of a comment, up to its end, a tag, an item or another kind of line', () => {
    const program = [
      '/**',
      ' * Waits until nothing came for a while, and gives the last',
      ' * value that came. It is a',
      ' * rate limit.',
      ' *',
      ' * @param ms how long',
      ' */',
      '// counts what',
      '// was given',
      'let n = 0;',
    ].join('\n');
    const sentences = show(program, 'code').map(([, text]) => text);
    expect(sentences).toContain('* Waits until nothing came for a while, and gives the last\n * value that came.');
    expect(sentences).toContain('It is a\n * rate limit.');
    expect(sentences.some((text) => /limit.*@param/s.test(String(text)))).toBe(false);
    expect(sentences.some((text) => /counts what\n\/\/ was given/.test(String(text)))).toBe(true);
  });

  it('sees no rows in prose that blanks stretch to a measure', () => {
    const justified = [
      'For example, the link /etc/rc2.d/S80sendmail starts the  sendmail  ser-',
      'vice on runlevel 2.  This happens after /etc/rc2.d/S12syslog is run but',
      'before  4096 bytes  are written, and 16  pages  are kept for it by all.',
    ].join('\n');
    expect(show(justified).filter(([kind]) => kind === 'row')).toEqual([]);
  });

  it('sees no rows in prose that has two blanks behind each sentence', () => {
    const text =
      'A VAX 750 is noticeably impacted.  The number goes up to about 8 or\n10 for a VAX 8650.  On a net it is less.';
    expect(unitsOf(text).map(({ kind }) => kind)).toEqual(['sentence', 'sentence', 'sentence']);
    expect(unitsOf('Moor, A.   12\nLee, B.    14\nPike, C.    9').map(({ kind }) => kind)).toEqual([
      'row',
      'row',
      'row',
    ]);
  });

  it('sees the rows of a wide table whose columns are kept apart by blanks', () => {
    const rows = [
      'Half-Troll    +4   -4   -2   -4   +3      12       +20%   50 feet under',
      'Dunadan       +1   +2   +2   +2   +3      10       +80%      not at all',
      'Rogue          0   +1   -3   +3   -1       6        +25%     30 feet in',
    ];
    expect(show(rows.join('\n')).map(([kind, text]) => [kind, text])).toEqual(rows.map((row) => ['row', row]));
  });

  it('takes no header from rows that go on with a table', () => {
    const text = '| crl | String |\n| port | Number |\n| host | String |';
    const headers = (beginsInTable: boolean) =>
      unitsOf(text, 'markdown', beginsInTable).map(({ header }) => header !== undefined);
    expect(headers(false)).toEqual([false, true, true]);
    expect(headers(true)).toEqual([false, false, false]);
    // another table below has its own
    const both = `${text}\n\nOthers:\n\n| Name | Kind |\n| --- | --- |\n| mask | Number |`;
    expect(unitsOf(both, 'markdown', true).filter(({ header }) => header)).toHaveLength(1);
  });

  it('leaves a label with its value where a long record is cut', () => {
    const lines = Array.from({ length: 60 }, (_, i) => `berth.place.no${i}: pier ${i}`);
    const units = show(lines.join('\n'), 'json').map(([, text]) => String(text));
    expect(units.length).toBeGreaterThan(1);
    expect(units.join('\n').split('\n')).toEqual(lines);
  });

  it.each([
    [
      '+-------+-------+\n| Buoy  | Light |\n+-------+-------+\n| North | red   |\n| South | white |\n+-------+-------+',
    ],
    ['=====  ======\nBuoy   Light1\n=====  ======\nNorth  2 kn\nSouth  5 kn\n=====  ======'],
  ])('finds the header between two rules, and no row in a rule', (table) => {
    const rows = show(table).filter(([kind]) => kind === 'row');
    expect(
      rows.map(
        ([, text]) =>
          String(text)
            .replace(/[|\s]+/g, ' ')
            .trim()
            .split(' ')[0],
      ),
    ).toEqual(['Buoy', 'North', 'South']);
    expect(rows.map(([, , header]) => header !== undefined)).toEqual([false, true, true]);
  });

  it('takes a label and what it is for no header', () => {
    const text = 'Description: | How much memory is used\nSyntax: | MemLevel value\nContext: | server config';
    expect(show(text).map(([kind, , header]) => [kind, header])).toEqual(Array(3).fill(['row', undefined]));
    const more = 'Description: | Maps servers\nSyntax: | Pass [path] !|url [key]\nDefault: | 4\nContext: | server';
    expect(show(more).map(([kind, , header]) => [kind, header])).toEqual(Array(4).fill(['row', undefined]));
  });

  it('takes the entries of a listing as units, with the lines that go on below them', () => {
    const entries = [
      '.rafts ?NAME?     Lists rafts. All, or one',
      '                  by its name',
      '.row on|off       Rows or drifts',
      '-s, --sink FILE   Sinks what FILE names',
    ];
    const text = `Usage is simple. See below:\n\n${entries.join('\n')}\n\nThat is all. Ask more.`;
    const said = show(text).map(([kind, words]) => [kind, words]);
    expect(said).toEqual([
      ['sentence', 'Usage is simple.'],
      ['sentence', 'See below:'],
      ['sentence', entries.slice(0, 2).join('\n')],
      ['sentence', entries[2]],
      ['sentence', entries[3]],
      ['sentence', 'That is all.'],
      ['sentence', 'Ask more.'],
    ]);
    expect(show(`${entries.slice(0, 3).join('\n')}\nText.`)).not.toContainEqual(['sentence', entries[2], undefined]); // two are chance
    expect(show(text, 'code')).not.toContainEqual(['sentence', entries[2], undefined]);
  });

  it('takes table rows as units, under the header above a rule', () => {
    expect(
      show('Fees were paid.\n\n| Fee | 2019 |\n| --- | ---: |\n| Audit | 3,631 |\n| Tax | 169 |\n\nMore follows.'),
    ).toEqual([
      ['sentence', 'Fees were paid.', undefined],
      ['row', '| Fee | 2019 |', undefined],
      ['row', '| Audit | 3,631 |', '| Fee | 2019 |'],
      ['row', '| Tax | 169 |', '| Fee | 2019 |'],
      ['sentence', 'More follows.', undefined],
    ]);
  });

  it('reads tables of Markdown without marks at their edges, and without blanks', () => {
    expect(show('Fruit is sold.\n\nItem | Price\n---|---:\nPlums | 1.99\n\nAsk a|b.')).toEqual([
      ['sentence', 'Fruit is sold.', undefined],
      ['row', 'Item | Price', undefined],
      ['row', 'Plums | 1.99', 'Item | Price'],
      ['sentence', 'Ask a|b.', undefined],
    ]);
    expect(show('Item|Price\n:-|-\nPlums|dear\nPears|cheap\nThat is all.')).toEqual([
      ['row', 'Item|Price', undefined],
      ['row', 'Plums|dear', 'Item|Price'],
      ['row', 'Pears|cheap', 'Item|Price'],
      ['sentence', 'That is all.', undefined],
    ]);
  });

  it('finds the header of a table without a rule: lines without quantities, years being names', () => {
    expect(
      show('Fiscal 2019 | Fiscal 2018\nAudit Fees (1) | $3,631,575 | $3,784,488\nTax Fees (3) | 169,776 | 61,592'),
    ).toEqual([
      ['row', 'Fiscal 2019 | Fiscal 2018', undefined],
      ['row', 'Audit Fees (1) | $3,631,575 | $3,784,488', 'Fiscal 2019 | Fiscal 2018'],
      ['row', 'Tax Fees (3) | 169,776 | 61,592', 'Fiscal 2019 | Fiscal 2018'],
    ]);
  });

  it('takes a number with its unit for a quantity', () => {
    expect(show('limit | free | paid\nlargest file | 2 GiB | 20 GiB\ncup | 35 ml | 80–200 ml')).toEqual([
      ['row', 'limit | free | paid', undefined],
      ['row', 'largest file | 2 GiB | 20 GiB', 'limit | free | paid'],
      ['row', 'cup | 35 ml | 80–200 ml', 'limit | free | paid'],
    ]);
    expect(show('place | 1st | 2nd\nHeron | 3 | 4\nOsprey | 1 | 0')[1]).toEqual([
      'row',
      'Heron | 3 | 4',
      'place | 1st | 2nd',
    ]);
  });

  it('takes no name of a program and what it is for a header, and names of columns for one', () => {
    const names = 'max_load | the heaviest load\nhook_wait | time to wait\nrope_age | when it is replaced';
    expect(unitsOf(names).map(({ header }) => header)).toEqual([undefined, undefined, undefined]);
    const options = '--load | the heaviest load\n--wait | time to wait\n--rope | when it is replaced';
    expect(unitsOf(options).map(({ header }) => header)).toEqual([undefined, undefined, undefined]);
    const columns = 'column_name | data_type\ncrane_id | integer\nhook_wait | a long text';
    expect(unitsOf(columns).map(({ header }) => header !== undefined)).toEqual([false, true, true]);
    const titled = 'Setting | What it does\nmax_load | the heaviest load\nhook_wait | time to wait';
    expect(unitsOf(titled).map(({ header }) => header !== undefined)).toEqual([false, true, true]);
  });

  it('takes no entry of a list of labels for its header', () => {
    const text = 'Established | June 21, 1788\nLocation | Washington, D.C.\nPositions | 9';
    expect(unitsOf(text).map(({ header }) => header)).toEqual([undefined, undefined, undefined]);
  });

  it('takes no two entries of a form above its first quantity for a header', () => {
    const form = 'Vessel name | Sea Thrift\nHome port | Arbroath\nLength (m) | 9.40\nOwner | Dagny Falk';
    expect(unitsOf(form).map(({ header }) => header)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('takes no label of a card with its values for a header', () => {
    const card = 'Written in | JavaScript, CSS, HTML\nPlatform | web browser\nType | viewer';
    expect(unitsOf(card).map(({ header }) => header)).toEqual([undefined, undefined, undefined]);
    const people = 'Author(s) | Ann Moor\nPublisher | Tern\nLicence | free';
    expect(unitsOf(people).map(({ header }) => header)).toEqual([undefined, undefined, undefined]);
    const places = 'Name | Street, town\nAnn Moor | Quay, Tern\nBo Tarn | Lane, Gale';
    expect(unitsOf(places).map(({ header }) => header !== undefined)).toEqual([false, true, true]);
  });

  it('takes a first line that leaves the corner empty for the header', () => {
    const text =
      '| Norway | Spain | Malta\nContinent | Europe\nCapital | Oslo | Madrid | Valletta\nPeople | 5.5 | 48 | 0.5';
    const [, , row] = show(text);
    expect(row).toEqual(['row', 'Capital | Oslo | Madrid | Valletta', '| Norway | Spain | Malta']);
    const values = '| 12 | 14\nOslo | 3 | 4\nMalta | 5 | 6';
    expect(unitsOf(values).map(({ header }) => header)).toEqual([undefined, undefined, undefined]);
  });

  it('keeps a header of two lines together', () => {
    const [, , row] = show('NSE Profit | NSE Revenue\nas a % of Target | of Target\n76% | 96%\n168% | 112%');
    expect(row).toEqual(['row', '76% | 96%', 'NSE Profit | NSE Revenue\nas a % of Target | of Target']);
  });

  it('reads tab-separated lines as rows', () => {
    expect(show('name\tage\nAda\t36\nAlan\t41').map(([, text]) => text)).toEqual(['name\tage', 'Ada\t36', 'Alan\t41']);
  });

  it('cuts a row too long to be shown between cells, losing nothing', () => {
    const long = `| ${Array.from({ length: 300 }, (_, i) => `cell ${i}`).join(' | ')} |`;
    const text = `${long}\n| b | c |`;
    const units = unitsOf(text);
    expect(units.length).toBeGreaterThan(3);
    for (const { start, end } of units) {
      expect(end - start).toBeLessThanOrEqual(600);
      expect(text.slice(start, end)).not.toMatch(/^\d|cell$/); // no cell is torn
    }
    expect(
      units
        .map(({ start, end }) => text.slice(start, end))
        .join('')
        .replace(/\s/g, ''),
    ).toBe(text.replace(/\s/g, ''));
    const halves = unitsOf(`|${'😀'.repeat(700)}|\n| b | c |`);
    for (const { start, end } of halves)
      expect(`|${'😀'.repeat(700)}|\n| b | c |`.slice(start, end).isWellFormed()).toBe(true);
  });

  it('does not take aligned code for a table', () => {
    expect(
      unitsOf('a = require(\'a\'),  // "module"\nbb = 42,           // "other"').every(
        ({ kind }) => kind === 'sentence',
      ),
    ).toBe(true);
  });

  it('gives trimmed, ordered units that do not overlap and leave out nothing but blanks and rules', () => {
    const piece = fc.constantFrom(
      'One. ',
      'Two words',
      '\n',
      '\n\n',
      '| a | b |\n',
      '|---|---|\n',
      'x\ty\n',
      'é𝒳 ',
      '12  13\n',
      '。',
      '- item\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        let last = 0;
        let left = '';
        for (const { start, end } of unitsOf(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(text.slice(start, end)).toBe(text.slice(start, end).trim());
          left += text.slice(last, start);
          last = end;
        }
        left += text.slice(last);
        expect(left.replace(/\s|[|-]/g, '')).toBe('');
      }),
      { seed: 11 },
    );
  });
});

it('leaves the marks of a block of Markdown out of its sentences', () => {
  const text =
    'Look up.\n\n::: important\nOnly cranes lift. If a crane is wet, it does not.\n:::\n\n- one\n- two\n:::\n';
  expect(unitsOf(text, 'markdown').map(({ start, end }) => text.slice(start, end))).toEqual([
    'Look up.',
    'Only cranes lift.',
    'If a crane is wet, it does not.',
    '- one',
    '- two',
  ]);
});
