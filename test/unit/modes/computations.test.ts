import { describe, expect, it } from 'vitest';
import { citedComputations, computationsOf, toldComputations } from '../../../src/modes/research/computations.ts';
import type { ResearchFunctions } from '../../../src/modes/research/functions.ts';

const passages: Readonly<Record<string, string>> = {
  's1.1': 'The fees were 1,234.5 in 2019 and 12 400 in 2020.',
  's1.2': 'Der Umsatz lag bei 1.234,5 Mio.',
  's2.1': 'Rows 7, 8 and 9 are empty.',
};
const functions = {
  passage: (id: string, number: number) => {
    const text = passages[`${id}.${number}`];
    return text && { uri: `${id}.md`, text, span: { start: 100 * number, end: 100 * number + text.length } };
  },
} as unknown as ResearchFunctions; // what is used of it

const ran = (code: string, results: readonly object[] = [{ stdout: '1\n', stderr: '', exit_code: 0 }]) =>
  computationsOf([{ type: 'sandbox_results', language: 'python', code, results }], functions)[0]!;

describe('numbers of code that ran', () => {
  it.each([
    ['a = 1234.5  # [s1.1]', ['1234.5'], []],
    ['a = 1_234.5  # [s1.1]', ['1234.5'.replace('1', '1_')], []],
    ['a = 12400  # [s1.1]', ['12400'], []],
    ['a = 1234.5  # [s1.2]', ['1234.5'], []],
    ['a = 8  # [s2.1]', ['8'], []],
    ['a = 2019 * 1234.5  # [s1.1]', ['2019', '1234.5'], []],
    // not in that passage, of no such passage, without a mark, a sum that no passage writes
    ['a = 1234.5  # [s2.1]', [], ['1234.5']],
    ['a = 8  # [s9.1]', [], ['8']],
    ['a = 8', [], ['8']],
    ['a = 24  # [s2.1]', [], ['24']],
    // a name and a comment hold no numbers
    ['fees_2019 = x2  # 77', [], []],
  ] as const)('%s', (code, proven, unproven) => {
    const { inputs, shown } = ran(code);
    expect(inputs.map(({ value }) => value)).toEqual(proven);
    expect(shown.unproven).toEqual(unproven);
  });

  it('are cited by the number that the answer gave their passage', () => {
    const found = [ran('a = 8  # [s2.1]\nb = 100')];
    expect(toldComputations(found)).toBe('\n\nComputed from 8 [s2.1].');
    const citation = { n: 3, uri: 's2.md', span: { start: 100, end: 126 } };
    const [shown] = citedComputations(found, [citation] as never); // the fields that are read
    expect(shown).toMatchObject({ inputs: [{ value: '8', n: 3 }], unproven: ['100'] });
    expect(toldComputations([ran('a = 100')])).toBe('');
  });

  it('and their output, as far as it is there', () => {
    const failed = [
      { stdout: 'a', stderr: '', exit_code: 0 },
      { stdout: '', stderr: 'no', exit_code: 2 },
    ];
    expect(ran('x', failed).shown).toMatchObject({ output: 'a', errors: 'no', exitCode: 2 });
    expect(computationsOf([{ type: 'sandbox_results' }], functions)[0]!.shown).toMatchObject({ code: '', output: '' });
  });
});
