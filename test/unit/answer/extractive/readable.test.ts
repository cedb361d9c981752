import { describe, expect, it } from 'vitest';
import { leadOf, sayRow, unshouted } from '../../../../src/answer/extractive/readable.ts';

describe('sayRow', () => {
  it.each([
    ['| Audit | 3,631 | 3,784 |', '| Kind | 2019 | 2018 |', 'Audit – 2019: 3,631, 2018: 3,784'],
    ['Audit | 3,631 | 3,784', '2019 | 2018', 'Audit – 2019: 3,631, 2018: 3,784'], // the first column has no name
    ['Audit\t3,631', 'Kind\tSum', 'Audit – Sum: 3,631'],
    ['| 5. April | Wasser **anstellen** |', '| Datum | Was |', '5. April – Was: Wasser anstellen'],
    ['1. FC Skarholm | > 5 kg | - 3', 'Club | Weight | Points', '1. FC Skarholm – Weight: > 5 kg, Points: - 3'],
    ['| Audit | | 3,784 |', '| Kind | 2019 | 2018 |', 'Audit – 2018: 3,784'],
    ['| Audit | 3,631 |', '| Kind | 2019 |\n| --- | --: |', 'Audit – 2019: 3,631'], // the rule of a table cut in two
    ['Audit | 3,631 | 3,784', 'Kind | 2019 | 2018\n | euros | euros', 'Audit – 2019 euros: 3,631, 2018 euros: 3,784'],
    ['Audit | 3,631 | 3,784', 'FEES\nKind | 2019 | 2018', 'Audit – 2019: 3,631, 2018: 3,784'], // a title of the table
    ['Audit | 3,631', '', 'Audit – 3,631'], // a label and what it is
    ['{ on | off }', '', '{ on | off }'],
    ['mode | { on | off }', 'name | choice', 'mode – choice: { on | off }'],
    [
      'fill | grey | node',
      `Name | Default | Values\nkind | black | shape\ncomment | any | ${'x'.repeat(60)}`,
      'fill · grey · node',
    ],
    ['Syntax: | Status on|off', '', 'Syntax: Status on|off'],
    ['Audit|3,631', 'Kind|Sum', 'Audit – Sum: 3,631'],
    ['| 3,631 | 3,784', 'Kind | 2019 | 2018', '2019: 3,631, 2018: 3,784'],
    ['II. | Rinks | 23', 'CHAP. |  | PAGE', 'II. – Rinks, PAGE: 23'], // a column without a name
    ['Audit: | 3,631', '', 'Audit: 3,631'],
    ['Audit | 3,631 | 3,784', '', 'Audit · 3,631 · 3,784'],
    ['Audit | 3,631', 'Kind | 2019 | 2018', 'Audit · 3,631'], // columns that cannot be told apart
    ['| Rope | //evil.example |', '| Kind | [a] |', 'Rope – [a] : //evil.example'], // no reference of Markdown
    ['| yes\\|no | `a` |', '| choice | name |', 'yes\\|no – name: a'],
  ])('%j under %j', (row, header, said) => {
    expect(sayRow(row, header)).toBe(said);
  });
});

it('a row of TeX is said by its header', () => {
  const header = 'Gull & Speed \\\\ \\hline';
  expect(sayRow('Alba & 40 \\\\', header, 'tex')).toBe('Alba – Speed: 40');
  expect(sayRow('\\hline Bo \\& Co & 44', header, 'tex')).toBe('Bo & Co – Speed: 44');
});

describe('sayRow of Markdown', () => {
  it('reads its escapes and elements', () => {
    const row = '| bind\\_port | yes\\|no<br>or *both* |';
    expect(sayRow(row, '| name\\_of | choice |', 'markdown')).toBe('bind_port – choice: yes|no or both');
  });
});

it('says the names of columns below names of groups of them', () => {
  const header = 'Rented | Sold\nPort | H1 | H2 | H1 | Total';
  expect(sayRow('Riga | 12 | 13 | 14 | 39', header)).toBe('Riga – H1: 12, H2: 13, H1: 14, Total: 39');
  expect(sayRow('Riga | 12 | 13', header)).toBe('Riga · 12 · 13');
});

it('says the units of columns with their names', () => {
  const header = 'Sort | Strength | Elongation\n- | N/mm² | %';
  expect(sayRow('Bars | 1000 | 12', header, 'html')).toBe('Bars – Strength N/mm²: 1000, Elongation %: 12');
  expect(sayRow('12 | Rope', 'Load | Sort | Age\nt | - | years', 'html')).toBe('12 – Sort: Rope');
});

describe('sayRow of a format that leaves out empty cells at the end', () => {
  it('knows the columns of a shorter row, and no row in its header', () => {
    expect(sayRow('Tern | 8', 'Boat | Length | Note', 'csv')).toBe('Tern – Length: 8');
    expect(sayRow('Auk | 6 | sold', 'Boat | Length | Note\nTern | long', 'html')).toBe('Auk – Length: 6, Note: sold');
    expect(sayRow('Tern | 8', 'Boat | Length | Note', 'pdf')).toBe('Tern · 8');
  });
});

describe('leadOf', () => {
  const lead = (text: string, sentence: string, headings: readonly string[] = [], title = 'Brannoch'): string => {
    const start = text.indexOf(sentence);
    return leadOf({ text, title, format: 'text' }, { start, end: start + sentence.length }, headings);
  };

  it('names what "it" and "this" stand for by the heading, else by the title', () => {
    expect(lead('Old. It is deep.', 'It is deep.', ['The moat'])).toBe('The moat: ');
    expect(lead('Old. This is deep.', 'This is deep.')).toBe('Brannoch: ');
    expect(lead('Old. Items are sold.', 'Items are sold.')).toBe('');
    expect(lead('Old. It is deep.', 'It is deep.', [], 'UNITED STATES COMMISSION')).toBe(''); // it names nothing
  });

  it('names what a sentence without a subject is about, by the term of its paragraph before the heading', () => {
    const text = '--rope: How long it is. The default is 5.\n\nSets the speed.';
    expect(lead(text, 'The default is 5.', ['Options'])).toBe('--rope: ');
    expect(lead(text, 'Sets the speed.', ['4.2. speed (knots)'])).toBe('speed (knots): ');
    expect(lead('Note: The rope is long. The default is 5.', 'The default is 5.', ['Ropes'])).toBe('Ropes: ');
    expect(lead('lift ( load ) → weight\nReturns the weight.', 'Returns the weight.', ['Note'])).toBe('lift: ');
    expect(lead('.. option:: --fast\n\n   Lifts at once.', 'Lifts at once.', ['Options'])).toBe('--fast: ');
    expect(lead('--slow\n\nLift with care. Ask first.', 'Lift with care.', ['--slow'])).toBe('--slow: ');
    expect(lead('--slow\n\nLift with care. Ask first.', 'Ask first.', ['--slow'])).toBe('');
    expect(lead('This is the end. The crew sets the speed.', 'The crew sets the speed.', ['Speed'])).toBe('');
  });

  it('names the term of the entry, in any of its paragraphs', () => {
    const text =
      'Ropes\n=====\n\n``rope.length``\n   :Default: 5\n\n   How long it may be. It must be even.\n\n-k KNOTS, --knots KNOTS\n   How many there are. The default is 3.\n';
    expect(lead(text, 'It must be even.', ['Ropes'])).toBe('rope.length: ');
    expect(lead(text, 'The default is 3.', ['Ropes'])).toBe('-k KNOTS, --knots KNOTS: ');
    expect(lead('Moats are old.\n   It is deep.', 'It is deep.', ['Moats'])).toBe('Moats: '); // a sentence is no term
  });

  it('gives an item the line that its list hangs on, and nothing else', () => {
    const text = 'Intro. The valve has these parts:\n\n- a spring\n- a seat\n\nPaint:\n\nNone.\n\n- rope';
    expect(lead(text, 'a seat')).toBe('The valve has these parts: ');
    expect(lead(text, 'rope')).toBe('');
  });

  it('names what a later sentence of an item stands for', () => {
    const text = '1. The lock takes 64 boats. This limit is old.\n2. It is wide.';
    expect(lead(text, 'This limit is old.', ['Most boats in a lock'])).toBe('Most boats in a lock: ');
    expect(lead(text, 'It is wide.', ['Most boats in a lock'])).toBe('');
  });

  it('gives a few words the heading that asks for them', () => {
    const text = '- Wear and tear\n- Theft is covered by night.\n\nRust below the water line';
    expect(lead(text, 'Wear and tear', ['What is not covered?'])).toBe('What is not covered? ');
    expect(lead(text, 'Rust below the water line', ['What is not covered?'])).toBe('What is not covered? ');
    expect(lead(text, 'Theft is covered by night.', ['What is covered?'])).toBe('');
    expect(lead(text, 'Wear and tear', ['Not covered'])).toBe('');
  });

  it('gives an item of a clause the sentence that it hangs on', () => {
    const text =
      'MOORING\n1.1 Masters moor here.\n1.2 Fees are due. A master who leaves\n    must pay:\n    (a) the toll\n' +
      '    for each day;\n    (b) the pilot.\n\n2.1 The crew must:\n\n(i) oil the gate;\n(ii) shut it.\n\n(1) It is wide.';
    expect(lead(text, '(a) the toll')).toBe('A master who leaves must pay: ');
    const clause = '10. DEFAULT. The mooring ends in the event:\n (a) the toll is not paid;\n (b) the master leaves.';
    expect(lead(clause, '(b) the master leaves.')).toBe('The mooring ends in the event: ');
    expect(lead('1. Masters leave when told:\n(a) by flag', '(a) by flag')).toBe('Masters leave when told: ');
    expect(lead(text, '(b) the pilot.')).toBe('A master who leaves must pay: ');
    expect(lead(text, '(ii) shut it.')).toBe('2.1 The crew must: ');
    expect(lead('§ 3 Gate\n(1) The gate is wide.', '(1) The gate is wide.')).toBe(''); // a clause of its own
    expect(lead('- Gate\n  wide:\n- oil', 'oil')).toBe(''); // the colon is of another item
  });
});

describe('unshouted', () => {
  it.each([
    ['THE TENANT SHALL PAY THE RENT EACH MONTH.', 'The tenant shall pay the rent each month.'],
    ['It is so. ALL SALES OF ROPE ARE FINAL! Ask us.', 'It is so. All sales of rope are final! Ask us.'],
    ['PART XIV OF THE PDF AND FORM 10-K ARE IN FORCE.', 'Part XIV of the PDF and form 10-K are in force.'],
    ['THE U.S. OFFICE OF AT&T IS CLOSED.', 'The U.S. office of AT&T is closed.'],
    ['LE LOYER EST PAYÉ À BRANNOCH CHAQUE ANNÉE.', 'Le loyer est payé à Brannoch chaque année.'],
    ['UNITED STATES SECURITIES AND EXCHANGE COMMISSION', 'UNITED STATES SECURITIES AND EXCHANGE COMMISSION'], // a name
    ['Ask NASA AND ESA FOR MORE.', 'Ask NASA AND ESA FOR MORE.'],
    ['STOP RIGHT HERE.', 'STOP RIGHT HERE.'],
    ['SET MAX_BAR BEFORE YOU START THE PUMP.', 'SET MAX_BAR BEFORE YOU START THE PUMP.'],
    ['THE OFFICE OPENS ON MONDAY IN JUNE AND MAY CLOSE.', 'The office opens on Monday in June and may close.'],
  ])('%j', (text, said) => {
    expect(unshouted(text, 'A letter to Brannoch. Rent, says the tenant.')).toBe(said);
  });
});

describe('leadOf an entry', () => {
  const lead = (term: string, unit: string): string => {
    const text = `${term}\n\n${unit}`;
    const span = { start: text.length - unit.length, end: text.length };
    return leadOf({ text, title: 'Crane', format: 'html' }, span, ['Loads', term]);
  };
  it.each([
    [
      'exception crane.OverloadError',
      'Subclass of CraneError, for a load that is too heavy.',
      'exception crane.OverloadError: ',
    ],
    ['class crane.Hook(size, *, steel=None)', 'A hook that holds one load.', 'class crane.Hook: '],
    ['crane.lift(load)', 'Lift the load that hangs on the hook.', 'crane.lift: '],
    ['class crane.Hook(size)', 'A Hook that holds one load.', ''],
    ['Loads that are heavy', 'Subclass of CraneError, for a load that is too heavy.', ''],
  ])('%s', (term, unit, expected) => {
    expect(lead(term, unit)).toBe(expected);
  });
});
