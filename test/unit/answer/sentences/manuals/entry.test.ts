import { expect, it } from 'vitest';
import { isOfOtherEntry, isSameName, programNamesIn } from '../../../../../src/answer/sentences/manuals/entry.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { type ChunkOptions, chunkOf, hitOf, statisticsOf } from '../../hits.ts';

function ofOthers(asked: string, text: string, options: ChunkOptions = {}): string[] {
  const question = analyseQuestion(asked, statisticsOf([text]));
  return candidatesOf(question, [hitOf(chunkOf(text, { title: 'Crane', ...options }))])
    .filter((one) => isOfOtherEntry(question, one))
    .map(({ unit }) => text.slice(unit.start, unit.end));
}

it('knows names of programs from words', () => {
  expect(
    programNamesIn('os.path.join, max_load, maxLoad, KeepAliveTimeout, SSLEngine, open() and DEFAULT_PORT'),
  ).toEqual(['os.path.join', 'max_load', 'maxload', 'keepalivetimeout', 'sslengine', 'open', 'default_port']);
  expect(programNamesIn('The crane in Kiel lifts 3.5 tons; NATO and HTTP, e.g. and/or well-known.')).toEqual([]);
  expect(isSameName('dumps', 'json.dumps')).toBe(true);
  expect(isSameName('dump', 'json.dumps')).toBe(false);
});

const options = [
  '* `maxLoad` {number} The heaviest load that is lifted. **Default:** `5`.',
  '* `maxSwing` {number} The widest swing, in degrees, of a\n  load. **Default:** `30`.',
].join('\n');

it('takes an item of a list, over its lines, as the entry of the name that it begins with', () => {
  expect(ofOthers('What is the default of maxLoad?', options)).toEqual([
    '* `maxSwing` {number} The widest swing, in degrees, of a\n  load.',
    '**Default:** `30`.',
  ]);
  expect(ofOthers('What is the default swing?', options)).toEqual([]);
});

it('takes marks in the name of an item as they are', () => {
  const text = '- `[max*(load` is a pattern. It has a default.\n- `maxLoad` has one too.';
  expect(ofOthers('What is the default of maxLoad?', text)).toHaveLength(2);
});

const lift = [
  'The speed argument is slow or fast. The default is slow.',
  'The level argument is a number from 0 to 9, as of a winch.',
].join('\n\n');

it('takes a paragraph as the entry of the parameter that it begins with', () => {
  const headings = ['crane.lift(speed=slow, level=9)'];
  expect(ofOthers('What does the level parameter of crane.lift default to?', lift, { headings })).toEqual([
    'The speed argument is slow or fast.',
    'The default is slow.',
  ]);
});

it.each([
  ['What happens if crane.lift is called on a full hook?', ['crane.lower(load)'], true],
  ['What happens if crane.lift is called on a full hook?', ['crane.lift(load)'], false],
  ['What happens if crane.lift is called on a full hook?', ['Loads and hooks'], false],
  ['What happens if crane.lift is called on a full hook?', ['Limits of MyCrane'], false],
  ['What happens if crane.lift is called on a full hook?', ['The MyCrane class'], true],
  ['What does crane.lift raise on a full hook?', ['exception crane.FullError'], false],
  ['What happens if the hook is full?', ['crane.lower(load)'], false],
])('%s below %s', (asked, headings, expected) => {
  const text = 'It fails with a message if there is a load on the hook.';
  expect(ofOthers(asked, text, { headings, format: 'html' })).toEqual(expected ? [text] : []);
});

it('takes the parameter of another function for another one', () => {
  const text = 'crane.lower(load, hold_mode=False): Lowers a load.\n\nIf hold_mode is true, the load stays.';
  expect(ofOthers('What does the hold_mode parameter of crane.lift do?', text, { format: 'html' })).toContain(
    'If hold_mode is true, the load stays.',
  );
  expect(ofOthers('What does the hold_mode parameter of crane.lower do?', text, { format: 'html' })).toEqual([]);
});

it('takes a comment of a program as the entry of what is declared below it', () => {
  const text = [
    'interface Crane {',
    '  /**\n   * How long the hook waits.\n   * The default is 7 days\n   */\n  waitTime: number;',
    '  /**\n   * How long the brake waits.\n   * The default is 9 days\n   */\n  brakeTime?: number;',
    '}',
  ].join('\n');
  const others = ofOthers('What is the default of waitTime?', text, { format: 'code' }).join('\n');
  expect(others).toContain('9 days');
  expect(others).not.toContain('7 days');
});

it('takes the kind of a change for no name', () => {
  const ofItem = (label: string): readonly string[] =>
    ofOthers('When will crane.lift be removed?', `- ${label}: the lifting. It will be removed in 5.0.`);
  expect(ofItem('Deprecated')).toEqual([]);
  expect(ofItem('brake')).not.toEqual([]);
});
