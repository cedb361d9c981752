import { expect, it } from 'vitest';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { asksSince, sinceGain } from '../../../../../src/answer/sentences/manuals/since-version.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { noteBefore, versionHeading } from '../../../../../src/answer/sentences/structure/version-note.ts';
import { type ChunkOptions, chunkOf, hitOf, statisticsOf } from '../../hits.ts';

function gaining(asked: string, text: string, options: ChunkOptions = {}): string[] {
  const question = analyseQuestion(asked, statisticsOf([text]));
  return candidatesOf(question, [hitOf(chunkOf(text, { title: 'Crane', ...options }))])
    .filter((one) => sinceGain(question, one) > 0)
    .map(({ unit }) => text.slice(unit.start, unit.end));
}

const manual = [
  'Lifts a load to the height that is given.',
  'New in version 2.4.',
  'Changed in version 3.7: Added the sway_limit parameter, which bounds the swing. Added the rope_count parameter.',
  'Deprecated since version 4.1: The winch argument.',
].join('\n\n');
const lift: ChunkOptions = { format: 'html', headings: ['crane — Loads', 'crane.lift(load, height)'] };

it.each([
  [
    'Which version added sway_limit to crane.lift?',
    ['Changed in version 3.7: Added the sway_limit parameter, which bounds the swing.'],
  ],
  ['When was the rope_count parameter of crane.lift added?', ['Added the rope_count parameter.']],
  ['Since which version is crane.lift available?', ['New in version 2.4.']],
  ['When was crane.lift introduced?', ['New in version 2.4.']],
  ['Since which version is the winch argument deprecated?', ['Deprecated since version 4.1: The winch argument.']],
  ['Which version removed the winch argument?', []],
  ['Which version added rope_count to crane.lower?', []],
  ['Which version added the mast_height parameter to crane.lift?', []],
  ['What does the winch argument do?', []],
])('%s', (asked, expected) => {
  expect(gaining(asked, manual, lift)).toEqual(expected);
});

it('knows what an item is about by its first sentence', () => {
  const text =
    '## 3.2.0\n\n- `onSlack` callback. Use ropes; it will be removed in 4.0.\n- `onPull` callback. It is new.\n';
  expect(gaining('When will onSlack be removed?', text, { headings: ['3.2.0'] })).toEqual([
    'Use ropes; it will be removed in 4.0.',
  ]);
  expect(gaining('When will onPull be removed?', text, { headings: ['3.2.0'] })).toEqual([]);
});

it('needs the parameter alone where the heading has the rest', () => {
  const below: ChunkOptions = { headings: ['lift(load, *, pace=2, slow=False)', 'Raises'] };
  const text = 'New in version 1.4. Changed in version 2.1: *pace* was added.';
  expect(gaining('When was the pace parameter added to lift?', text, below)).toEqual([
    'Changed in version 2.1: *pace* was added.',
  ]);
  expect(gaining('When was the slow parameter added to lift?', text, below)).toEqual([]);
});

it('finds a bare note below a term that is no heading', () => {
  const text =
    'crane.lower(load): Lowers a load.\n\nNew in version 2.9.\n\ncrane.turn(load): Turns a load.\n\nNew in version 3.1.';
  expect(gaining('Which version added crane.turn?', text, { format: 'html' })).toEqual(['New in version 3.1.']);
});

const log = [
  '# Changes',
  '2.3.0\n=====',
  '* Add `crane.listRopes()` to list the ropes\n* Fix the swing of the hook\n* `crane.turnSlowly()` for wind',
  '2.0.0 / 2021-05-01\n==================',
  '* Drop support for pulleys below 18\n* Remove `crane.sway()`',
].join('\n\n');

it.each([
  ['In which version was listRopes added?', ['* Add `crane.listRopes()` to list the ropes']],
  ['Which version dropped support for pulleys below 18?', ['* Drop support for pulleys below 18']],
  ['Which version dropped support for pulleys below 16?', []],
  ['In which version was crane.sway removed?', ['* Remove `crane.sway()`']],
  ['In which version was crane.sway added?', []],
  ['In which version was turnSlowly added?', ['* `crane.turnSlowly()` for wind']],
  ['In which version was turnSlowly removed?', []],
])('finds the entry of a change log: %s', (asked, expected) => {
  expect(gaining(asked, log)).toEqual(expected);
});

function answer(asked: string, text: string, options: ChunkOptions): { answer: string; confidence: string } {
  const hit = hitOf(chunkOf(text, { title: 'Crane', ...options }));
  return answerExtractive(asked, [hit], statisticsOf([text]), { refuseBelow: 0, answerFrom: 0 });
}

it('says the version with the entry or the sentence that stands below it', () => {
  expect(answer('In which version was listRopes added?', log, {}).answer).toMatch(/^2\.3\.0: Add crane\.listRopes\(\)/);
  expect(answer('Which version added rope_count to crane.lift?', manual, lift)).toMatchObject({
    answer: 'Changed in version 3.7: Added the rope_count parameter. [1]',
    confidence: 'high',
  });
});

it('doubts an answer that names no version', () => {
  const text = 'The crane has a rope drum. The rope drum of the crane was added so that the rope lies flat.';
  expect(answer('Which version of the crane added the rope drum?', text, {}).confidence).toBe('low');
});

it('asks for a version only where something happened to it', () => {
  expect(asksSince('Which version added the rope drum?')).toBe(true);
  expect(asksSince('When was the rope drum introduced?')).toBe(true);
  expect(asksSince('Which version of the crane is used in Kiel?')).toBe(false);
  expect(asksSince('When was the crane built?')).toBe(false);
});

it('knows headings of versions from numbers of sections', () => {
  expect(versionHeading(['Changes', '## 1.2.3 (2020-01-31)'])).toBe('## 1.2.3 (2020-01-31)');
  expect(versionHeading(['[2.3.0] - 2024-12-03', 'Added'])).toBe('[2.3.0] - 2024-12-03');
  expect(versionHeading(['2.1. Order of loads'])).toBeUndefined();
  expect(versionHeading(['How the hook of 2.3 differs from the older hooks'])).toBeUndefined();
});

it('reads a note of a version in its own paragraph', () => {
  expect(noteBefore('Old.\n\nChanged in version 3.7: Added ropes. ')).toBe('Changed in version 3.7');
  expect(noteBefore('Changed in version 3.7: Added ropes.\n\n')).toBeUndefined();
});

it('the version of a setting stands in a field of its entry', () => {
  const fields =
    '``crane.limit``\n   :Default: 5\n   :Since: 2.1\n\n   Loads above it stay.\n\n``crane.swing``\n   :Default: 20\n   :Since: 1.4\n\n   How far it swings.';
  expect(gaining('Since which version is crane.limit available?', fields, { format: 'rst' })).toEqual([
    '``crane.limit``\n   :Default: 5\n   :Since: 2.1',
  ]);
});
