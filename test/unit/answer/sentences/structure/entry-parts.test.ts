import { expect, it } from 'vitest';
import { plainDeclaration } from '../../../../../src/answer/sentences/structure/entry-parts.ts';
import { unitsOf } from '../../../../../src/answer/sentences/structure/units.ts';

const units = (text: string): string[] => unitsOf(text, 'html').map(({ start, end }) => text.slice(start, end));

it('cuts what stands behind the labels of an entry, and each parameter', () => {
  const text = [
    'crane.lift(null) = 0',
    '    Parameters:',
    '    load - what hangs on it',
    '    metres - how high',
    '    Returns:',
    '    how high it is',
    '    Since:',
    '    2.4',
  ].join('\n');
  expect(units(text)).toEqual([
    'crane.lift(null) = 0',
    'Parameters:\n    load - what hangs on it',
    'metres - how high',
    'Returns:\n    how high it is',
    'Since:\n    2.4',
  ]);
});

it('leaves a text whole that only has such words', () => {
  const text = 'The crane\nreturns: it must, before the tide\nturns.';
  expect(units(text)).toEqual([text]);
});

it('a declaration that is set as a table is one unit, and reads as a line', () => {
  const text = 'int lift | ( | crane_t * | crane,\n|  | const load_t | load\n| )\n\nRaises it.';
  const [declaration, said] = units(text);
  expect(declaration).toBe('int lift | ( | crane_t * | crane,\n|  | const load_t | load\n| )');
  expect(said).toBe('Raises it.');
  expect(plainDeclaration(declaration!)).toBe('int lift (crane_t *crane, const load_t load)');
  expect(plainDeclaration('name | load')).toBe('name | load');
});

it('the first row of a list of parameters is no header', () => {
  const text = 'Parameters\n\ncrane | The one to use.\nload | What hangs on it.\nmetres | How high.\n';
  const rows = unitsOf(text, 'html').filter(({ kind }) => kind === 'row');
  expect(rows.map(({ header }) => header)).toEqual([undefined, undefined, undefined]);
  const other = unitsOf(text.replace('Parameters', 'The following'), 'html').filter(({ kind }) => kind === 'row');
  expect(other.some(({ header }) => header !== undefined)).toBe(true);
});
