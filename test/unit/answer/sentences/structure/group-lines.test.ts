import { describe, expect, it } from 'vitest';
import { unitsOf } from '../../../../../src/answer/sentences/structure/units.ts';

const show = (lines: readonly string[], goesOn = false) => {
  const text = lines.join('\n');
  return unitsOf(text, 'docx', goesOn).map(({ kind, start, end, header }) => [
    kind,
    text.slice(start, end),
    header ? text.slice(header.start, header.end) : '',
  ]);
};
const names = 'Grade | Lowest | Highest';

describe('a line between rows that names those below it', () => {
  it('ends no table, also where two follow each other or it stands first', () => {
    const rows = [
      'Deck',
      'Bosun | 31,000 | 44,000',
      'Engine',
      'Below deck:',
      'Stoker | 29,000 | 38,000',
      'Oiler | 28,000',
    ];
    expect(show([names, ...rows])).toEqual([
      ['row', names, ''],
      ['sentence', 'Deck', ''],
      ['row', 'Bosun | 31,000 | 44,000', names],
      ['sentence', 'Engine', ''],
      ['sentence', 'Below deck:', ''],
      ['row', 'Stoker | 29,000 | 38,000', names],
      ['row', 'Oiler | 28,000', names],
    ]);
    // where the table began before the text, its first row is no header
    const later = show(['Deck', 'Bosun | 5 | 6', 'Mate | 1 | 2', 'Cook | 3 | 4'], true);
    expect(later.map(([, , header]) => header)).toEqual(['', '', '', '']);
    const another = show(['Wages', names, 'Mate | 1 | 2', 'Cook | 3 | 4'], true);
    expect(another.at(-1)).toEqual(['row', 'Cook | 3 | 4', names]);
  });

  it('is none where another table, a sentence, or an empty line follows', () => {
    const first = [names, 'Bosun | 31,000 | 44,000', 'Mate | 33,000 | 45,000'];
    const last = (lines: readonly string[]): unknown => show([...first, ...lines]).at(-1)?.[2];
    expect(last(['Engine', 'Oiler | 28,000'])).toBe(names);
    expect(last(['Ports of call', 'Port | Quay', 'Riga | 4'])).toBe('Port | Quay');
    expect(last(['Ports of call', 'Riga | 4 | 5 | 6', 'Kiel | 7 | 8 | 9'])).toBe('');
    expect(last(['All sums are before tax.', 'Oiler | 28,000', 'Cook | 1,000'])).toBe('');
    expect(last(['Engine', '', 'Oiler | 28,000', 'Cook | 1,000'])).toBe('');
  });
});
