import { describe, expect, it } from 'vitest';
import { leadOf } from '../../../../../src/answer/extractive/readable.ts';
import { isTerm, termOf, termStarts, withTerm } from '../../../../../src/answer/sentences/structure/definitions.ts';
import { unitsOf } from '../../../../../src/answer/sentences/structure/units.ts';

const manual = `OPTIONS

--level
       sets the level. The default is 3
--quiet
       says nothing
-o file, --output=file
       where the report goes
`;
const units = (text: string): string[] => unitsOf(text).map(({ start, end }) => text.slice(start, end));

describe('termStarts', () => {
  it('finds the lines above lines that stand further in', () => {
    expect(termStarts(manual, 0, manual.length).map((at) => manual.slice(at, manual.indexOf('\n', at)))).toEqual([
      '--level',
      '--quiet',
      '-o file, --output=file',
    ]);
  });

  it.each([
    ['one of them alone', 'lock\n   a thing that closes\nIt was sold.'],
    ['first lines of paragraphs', '   The first line of it\nand the second one.\n   Another begins\nand ends.'],
    ['items that go on', '1. Open the sluice\n   and wait.\n2. Close the sluice\n   and go.'],
    ['sentences', 'It rains.\n   So we wait.\nIt snows.\n   So we go.'],
    ['long lines', `${'word '.repeat(9)}\n   goes on\n${'more '.repeat(9)}\n   goes on`],
  ])('finds none in %s', (_, text) => {
    expect(termStarts(text, 0, text.length)).toEqual([]);
  });
});

describe('units of a list of definitions', () => {
  it('hold a term and the first sentence about it, and do not go on over the next term', () => {
    expect(units(manual)).toEqual([
      'OPTIONS',
      '--level\n       sets the level.',
      'The default is 3',
      '--quiet\n       says nothing',
      '-o file, --output=file\n       where the report goes',
    ]);
  });

  it('hold a term and what begins with a capital below it', () => {
    const glossary = 'Bow\n    The front of a ship\n\nStern\n    Where the rudder hangs. It is behind.\n';
    expect(units(glossary)).toEqual([
      'Bow\n    The front of a ship',
      'Stern\n    Where the rudder hangs.',
      'It is behind.',
    ]);
  });

  it('part names of sections from what several paragraphs say', () => {
    const page = 'NOTES\n    The front of a ship sinks.\n\n    It rains.\n\nBUGS\n    They are many.\n\n    We wait.\n';
    expect(units(page)[0]).toBe('NOTES');
  });

  it('are said with a colon behind the term', () => {
    expect(withTerm('--quiet\n       says nothing', 'OPTIONS\n\n')).toBe('--quiet: says nothing');
    expect(withTerm('-q\n     says nothing', 'OPTIONS\n\n  ')).toBe('-q: says nothing');
    expect(withTerm('1.3. "Pilot"\n    means a master.', 'X\n\n')).toBe('1.3. "Pilot" means a master.');
    expect(withTerm('goes on\n     says nothing', 'it ')).toBe('goes on\n     says nothing');
    expect(withTerm('It rains.\n     It pours', '')).toBe('It rains.\n     It pours');
    expect(withTerm('the river is\nwide', '')).toBe('the river is\nwide');
  });
});

describe('the lead of a definition', () => {
  const lead = (text: string, unit: string): string => {
    const start = text.indexOf(unit);
    return leadOf({ text, title: 'Guide', format: 'pdf' }, { start, end: start + unit.length }, ['Programs']);
  };

  it('is its term, where both are paragraphs', () => {
    const text = 'They are:\n\nsluicectl\n\na program that opens sluices\n\nweirctl\n\nThe other one.';
    expect(lead(text, 'a program')).toBe('sluicectl: ');
    expect(lead(text, 'The other')).toBe('');
    expect(lead('It ends here.\n\nand goes on', 'and goes')).not.toContain('ends');
    expect(lead('sluicectl\na program', 'a program')).not.toContain('sluicectl');
  });

  it('is nothing where the term is part of what is said', () => {
    expect(lead('\n\nit\n    what is meant', 'it\n    what is meant')).toBe('');
  });
});

describe('isTerm', () => {
  it('is short, and ends no clause', () => {
    expect(['--level', 'a few words here', 'size=N'].map(isTerm)).toEqual([true, true, true]);
    expect(['', 'so:', 'It ends.', '- an item', '1. one', 'a | b', 'one  two', 'w '.repeat(7)].map(isTerm)).toEqual(
      new Array(8).fill(false),
    );
  });
});

describe('termOf', () => {
  const entries = `--rope N
       How long it is.

       It must be even.
--knots
       Ties some.
At the margin.
`;
  it.each([
    ['How long', '--rope N'],
    ['It must', '--rope N'],
    ['--knots', '--knots'],
    ['Ties', '--knots'],
    ['At the margin', undefined],
  ])('finds the term over %s', (at, term) => {
    expect(termOf(entries, entries.indexOf(at))).toBe(term);
  });
});
