import { describe, expect, it } from 'vitest';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { memberIn } from '../../../../../src/answer/sentences/manuals/member-asked.ts';
import { endsInEntry } from '../../../../../src/answer/sentences/manuals/member-entry.ts';
import type { StoredChunk } from '../../../../../src/core/types.ts';
import { chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const page = (text: string, title: string, position = 0, at = 0): StoredChunk =>
  chunkOf(text, { uri: `${title}.html`, title, format: 'html', position, at });

const gnu = page(
  [
    'Function: int crane_lift (crane_t crane, load_t load)',
    'crane: is a crane that is made',
    'load: holds what hangs on it',
    'This function will raise a load until the hook is up.',
    'Returns: On success 0, else a number below it.',
    'Since: 3.4.2',
    'Function: int crane_lower (crane_t crane)',
    'crane: is another crane',
    'This function will let it down. Use crane_lift to raise it.',
    'Returns: How deep it hangs.',
    'Since: 2.1',
    'Deprecated: Use crane_sink in its place.',
  ].join('\n\n'),
  'Cranes',
);
const java = page(
  [
    'lift',
    '',
    '  - public static int lift(Load load,\n                          int metres)',
    '    Raises a load by so many metres.',
    'Hoist.lift(null, 3) = 0',
    '    Parameters:',
    '    load - what hangs on it, may be null',
    '    metres - how high it goes',
    '    Returns:',
    '    how high it is',
    '    Throws:',
    '    OverloadException - if the load is over the limit',
    '    Since:',
    '    2.4',
  ].join('\n'),
  'Hoist',
);
const doxygen = page(
  [
    '◆ quay_open()\n\nint quay_open | ( | quay_t * | quay,\n|  | size_t | length\n| )',
    'Opens the quay to ships.',
    'Parameters',
    '[in] | quay | The quay to open.\n[in] | length | How long the ships may be.',
    'Returns: 0 on success.',
  ].join('\n\n'),
  'Quays',
);
const chunks = [gnu, java, doxygen];

function ask(question: string, of: readonly StoredChunk[] = chunks): { answer: string; confidence: string } {
  const { answer, confidence } = answerExtractive(
    question,
    of.map((chunk, i) => hitOf(chunk, 1 - i / 10)),
    statisticsOf(chunks.map(({ text }) => text)),
    { refuseBelow: 0, answerFrom: 0.3, sentences: 1 },
  );
  return { answer, confidence };
}

const answers: Readonly<Record<string, string>> = {
  'What does crane_lift() do?': 'crane_lift: This function will raise a load until the hook is up. [1]',
  'What does crane_lift return?': 'Returns: On success 0, else a number below it. [1]',
  'What does crane_lower() return?': 'Returns: How deep it hangs. [1]',
  'What is the crane parameter of crane_lower?': 'crane: is another crane [1]',
  'What arguments does crane_lift take?': 'Function: int crane_lift (crane_t crane, load_t load) [1]',
  'What type is the parameter load of crane_lift?': 'Function: int crane_lift (crane_t crane, load_t load) [1]',
  'Since which version is crane_lower available?': 'Since: 2.1 [1]',
  'What replaces crane_lower?': 'Deprecated: Use crane_sink in its place. [1]',
  'What does Hoist.lift() return?': 'Returns: how high it is [1]',
  'When does Hoist.lift throw OverloadException?': 'Throws: OverloadException - if the load is over the limit [1]',
  'Since which version is Hoist.lift() available?': 'Since: 2.4 [1]',
  'What is the metres parameter of Hoist.lift()?': 'metres - how high it goes [1]',
  'What arguments does quay_open take?': 'int quay_open (quay_t *quay, size_t length) [1]',
  'What does quay_open() do?': 'quay_open: Opens the quay to ships. [1]',
  'What does quay_open return?': 'Returns: 0 on success. [1]',
};

describe('the part of the entry that is asked for', () => {
  for (const [question, expected] of Object.entries(answers)) {
    it(question, () => {
      const { answer, confidence } = ask(question);
      expect(answer).toContain(expected);
      expect(confidence).toBe('high');
    });
  }
});

describe('what the entry does not say is no plain answer', () => {
  for (const question of [
    'When does crane_lift throw OverloadException?',
    'What is the metres parameter of crane_lift?',
    'What replaces quay_open?',
    'What replaces crane_sink?',
    'What is the length parameter of crane_lower?',
    'What does Winch.lift() return?',
  ])
    it(question, () => expect(ask(question).confidence).not.toBe('high'));
});

it('a tag of a comment says it of the function that is declared below', () => {
  const text =
    '/**\n * Joins the crew.\n * @throws {TideError} when the water is low\n */\nexport function joinCrew(name) {\n  return crew.add(name);\n}\n\n/**\n * Leaves.\n */\nexport function leaveCrew(name) {}\n';
  const hit = chunkOf(text, { format: 'code', uri: 'crew.js', title: 'crew.js' });
  expect(ask('When does joinCrew throw a TideError?', [hit])).toEqual({
    answer: expect.stringContaining('@throws {TideError} when the water is low'),
    confidence: 'high',
  });
  expect(ask('When does leaveCrew throw a TideError?', [hit]).confidence).not.toBe('high');
});

it('a tag answers before the line that has the name', () => {
  const text =
    'class Quay {\n    /**\n     * Moors a ship.\n     * @return the berth, or null\n     * @throws TideError at low water\n     */\n    fun moorShip(name: String): Berth? {\n        return null\n    }\n}\n';
  const hit = {
    ...chunkOf(text, { format: 'code', uri: 'quay.kt', title: 'quay.kt' }),
    metadata: { language: 'kotlin' },
  };
  expect(ask('What does moorShip return?', [hit]).answer).toContain('@return the berth, or null');
  expect(ask('When does moorShip throw a TideError?', [hit]).answer).toContain('@throws TideError at low water');
});

it('an entry goes on in the next passage, which has not its name', () => {
  const first = page('Function: int crane_swing (crane_t crane)\n\ncrane: is a crane.\n\n', 'Turns', 0);
  const second = page('It turns slowly.\n\nReturns: How far it turned.\n\n', 'Turns', 1, first.text.length);
  const other = page('Returns: How far it is.\n\n', 'Other', 1);
  const question = 'What does crane_swing return?';
  expect(endsInEntry(memberIn(question)!, first)).toBe(true);
  expect(endsInEntry(memberIn(question)!, gnu)).toBe(false);
  expect(ask(question, [first, other, second])).toEqual({
    answer: 'Returns: How far it turned. [1]',
    confidence: 'high',
  });
});

it('marks in a name are no pattern', () => {
  const scheme = page(' -- Scheme Procedure: list->crane a-list [to(0)]\n     Makes a crane.\n', 'Lists');
  expect(ask('What arguments does list->crane take?', [scheme]).answer).toContain('list->crane a-list');
});
