import { expect, it } from 'vitest';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { unitsOf } from '../../../../../src/answer/sentences/structure/units.ts';
import { chunkOf, hitOf } from '../../hits.ts';
import { analysed, answered } from '../rules/gaining.ts';

const unitTexts = (text: string): string[] => unitsOf(text, 'markdown').map(({ start, end }) => text.slice(start, end));

it('keys at the head of a note are each one unit, with the items below them', () => {
  const head = 'aliases: [Big Red]\ntags:\n  - yard\n  - crane\nowner: Dorte Lind\nbought: 2011-05-03\n---\n';
  const keys = ['aliases: [Big Red]', 'tags:\n  - yard\n  - crane', 'owner: Dorte Lind', 'bought: 2011-05-03'];
  expect(unitTexts(`${head}\nThe crane lifts 12 tonnes. It is red.`)).toEqual([
    ...keys,
    'The crane lifts 12 tonnes.',
    'It is red.',
  ]);
  // a rule below a paragraph ends no keys
  expect(unitTexts('note: see below. It rains.\nIt pours.\n---\n')).toContain('note: see below.');
});

it('a field of a note is a unit, and said with one colon', () => {
  const text = '# Crane\n\nSerial:: KR-9912-B\nAlways lock the hook.';
  expect(unitTexts(text)).toContain('Serial:: KR-9912-B');
  const options = { format: 'markdown', uri: 'Crane.md', title: 'Crane' };
  expect(answered('What is the serial of the crane?', text, options).answer).toBe('Serial: KR-9912-B [1]');
});

it('a note is also known by its aliases', () => {
  const text = 'It is driven by Dorte Lind.\n\nThe quay is old.';
  const options = { format: 'markdown', uri: 'Crane.md', title: 'Crane 3' };
  const { asked, candidates } = analysed('Who drives Big Red?', text, options);
  expect(candidates[0]!.passage.titleCoverage).toBe(0);
  const chunk = { ...chunkOf(text, options), metadata: { aliases: 'Big Red, Kran 3' } };
  expect(candidatesOf(asked, [hitOf(chunk)])[0]!.passage.titleCoverage).toBeGreaterThan(0.4);
});
