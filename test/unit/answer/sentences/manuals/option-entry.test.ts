import { describe, expect, it } from 'vitest';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { optionGain } from '../../../../../src/answer/sentences/manuals/option-entry.ts';
import { analyseQuestion } from '../../../../../src/answer/sentences/question/question.ts';
import { candidatesOf } from '../../../../../src/answer/sentences/ranking/features.ts';
import { type ChunkOptions, chunkOf, hitOf, statisticsOf } from '../../hits.ts';

const crane = {
  uri: 'crane-lift.html',
  title: 'crane-lift(1)',
  format: 'html',
  headings: ['crane-lift(1)', 'OPTIONS'],
};

/** The sentences of a text that gain, behind `+`, and those that lose, behind `-`. */
function gaining(asked: string, text: string, options: ChunkOptions = crane): string[] {
  const question = analyseQuestion(asked, statisticsOf([text]));
  return candidatesOf(question, [hitOf(chunkOf(text, options))]).flatMap((one) => {
    const gain = optionGain(question, one);
    const own = text.slice(one.unit.start, one.unit.end);
    return gain === 0 ? [] : [`${gain > 0 ? '+' : '-'} ${own}`];
  });
}

const entries = [
  '-x: Lifts the load at once. Nothing is asked.',
  '-X: Lowers the load.',
  '-n weight, --most=weight: Refuses what weighs more.',
  '--[no-]brake: Holds the load.',
].join('\n\n');

describe('optionGain', () => {
  it('is that of the first sentence of the entry, and case tells options apart', () => {
    expect(gaining('What does crane lift -x do?', entries)).toEqual([
      '+ -x: Lifts the load at once.',
      '- -X: Lowers the load.',
      '- -n weight, --most=weight: Refuses what weighs more.',
      '- --[no-]brake: Holds the load.',
    ]);
    expect(gaining('What does crane lift -X do?', entries)).toContain('+ -X: Lowers the load.');
  });

  it.each([
    ['What does the -n option of crane lift do?', '-n weight, --most=weight: Refuses what weighs more.'],
    ['What does --most mean in crane lift?', '-n weight, --most=weight: Refuses what weighs more.'],
    ['What is the --no-brake flag of crane lift for?', '--[no-]brake: Holds the load.'],
    ['What does crane lift --brake prevent?', '--[no-]brake: Holds the load.'],
    ['What does --brake do?', '--[no-]brake: Holds the load.'],
  ])('%s', (asked, entry) => {
    expect(gaining(asked, entries).filter((one) => one.startsWith('+'))).toEqual([`+ ${entry}`]);
  });

  it('is less for a row without the option', () => {
    const columns =
      '| Column | Meaning |\n| --- | --- |\n| lift | The share of lift in use. |\n| -x | Lifts at once. |';
    expect(gaining('What does -x of lift do?', columns)).toEqual([
      '- | Column | Meaning |',
      '- | lift | The share of lift in use. |',
      '+ | -x | Lifts at once. |',
    ]);
  });

  it.each([
    ['an item', '- `--slow`: Lifts with care.\n- `--fast`: Lifts at once.', '+ - `--slow`: Lifts with care.'],
    ['a listing', '  --slow      Lifts with care.\n  --fast      Lifts at once.', '+ --slow      Lifts with care.'],
    [
      'a row',
      '| Option | Effect |\n| --- | --- |\n| `--slow` | Lifts with care. |',
      '+ | `--slow` | Lifts with care. |',
    ],
  ])('knows %s', (_, text, entry) => {
    expect(gaining('What does crane lift --slow do?', text)).toContain(entry);
  });

  it('knows the heading of a section', () => {
    const text = '--slow\n\nLifts with care. It takes longer.';
    expect(gaining('What does crane lift --slow do?', text, { ...crane, headings: ['OPTIONS', '--slow'] })).toEqual([
      '+ Lifts with care.',
    ]);
  });

  it('knows terms in a line of their own, which say nothing alone', () => {
    const text = '-s, --slow\n\n   Lifts with care.\n\n.. option:: --fast\n\n   Lifts at once.';
    const rst = { uri: 'lift.rst', title: 'crane lift', format: 'rst' };
    expect(gaining('What does crane lift --slow do?', text, rst)).toEqual([
      '- -s, --slow',
      '+ Lifts with care.',
      '- .. option:: --fast',
      '- Lifts at once.',
    ]);
  });

  it('is none for another command, a value that is asked for, two options, and dashes of prose', () => {
    expect(gaining('What does hoist drop -x do?', entries).filter((one) => one.startsWith('+'))).toEqual([]);
    expect(gaining('How many loads does crane lift -x take?', entries)).toEqual([]);
    expect(gaining('What is the difference between -x and -X of crane lift?', entries)).toEqual([]);
    expect(gaining('What is a by-pass of a crane - a lift?', entries)).toEqual([]);
  });
});

it('answers what an option does from its entry, named', () => {
  const text = `${entries}\n\nUse crane lift -x with care: crane lift -x does what crane lift does.`;
  const { answer } = answerExtractive(
    'What does crane lift -x do?',
    [hitOf(chunkOf(text, crane))],
    statisticsOf([text]),
    { refuseBelow: 0, answerFrom: 0.3 },
  );
  expect(answer).toBe('-x: Lifts the load at once. [1]');
});
