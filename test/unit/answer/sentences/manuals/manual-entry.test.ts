import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../../src/answer/contract.ts';
import { answerExtractive } from '../../../../../src/answer/extractive/extractive.ts';
import { type ChunkOptions, chunkOf, hitOf, statisticsOf } from '../../hits.ts';
import { answered } from '../rules/gaining.ts';

type Page = readonly [name: string, text: string, headings: readonly string[]];

function ask(question: string, ...pages: readonly Page[]): Answer {
  const hits = pages.map(([name, text, headings], position) => {
    const options: ChunkOptions = { uri: `${name}.1`, title: `${name}(1)`, headings, format: 'manual', position };
    return hitOf(chunkOf(text, options));
  });
  const thresholds = { refuseBelow: 0, answerFrom: 0.6 };
  return answerExtractive(question, hits, statisticsOf(pages.map(([, text]) => text)), { sentences: 1, ...thresholds });
}

const said = ({ answer, confidence }: Answer): string => `${confidence}: ${answer.replace(/^.*passage: /, '')}`;

const crane: Page = [
  'crane',
  'DESCRIPTION\n\nLift the LOADs (the one on the quay by default).\n\n-A, --almost-all: leave the last load where it is\n\n-z, --zero: end each line with NUL',
  ['DESCRIPTION'],
];

describe('an option', () => {
  it('is not explained by what its program does', () => {
    expect(said(ask('What does crane -A do?', crane))).toBe(
      'high: -A, --almost-all: leave the last load where it is [1]',
    );
  });

  it('that is not there is in doubt, be it there in the other case', () => {
    expect(ask('What does crane -q do?', crane).confidence).toBe('low');
    expect(ask('What does crane -a do?', crane).confidence).toBe('low');
  });

  it('is that of the program itself, not of one whose name begins with it', () => {
    const other: Page = ['hoist-add', '-X: Unlock the hoist that is named, and say so.', ['OPTIONS']];
    const own: Page = ['hoist', '-X: Enables forwarding of ropes.', ['OPTIONS']];
    for (const pages of [
      [own, other],
      [other, own],
    ])
      expect(ask('What does -X do in hoist?', ...pages).citations[0]!.uri).toBe('hoist.1');
    expect(ask('What does -X do in hoist-add?', own, other).citations[0]!.uri).toBe('hoist-add.1');
  });

  it('has another form where its entry has one', () => {
    expect(said(ask('What is the long form of -z in crane?', crane))).toBe(
      'high: -z, --zero: end each line with NUL [1]',
    );
    expect(said(ask('What is the short form of crane --zero?', crane))).toMatch(/^high: -z/);
    const alone: Page = ['hoist', '-X: Enables forwarding of ropes.\n\n--slow: Takes its time.', ['OPTIONS']];
    expect(ask('What is the long form of -X in hoist?', alone).confidence).toBe('low');
    expect(ask('What is the short form of hoist --slow?', alone).confidence).toBe('low');
  });
});

it('a variable is what its own line sets it to', () => {
  const text = '# Seconds of a lift\nCRANE_TIMEOUT=95\nCRANE_LOCALE=de_AT\n';
  const chunk = {
    ...chunkOf(text, { format: 'code', uri: 'crane.env', title: 'crane.env' }),
    metadata: { language: 'properties' },
  };
  const { citations } = answerExtractive('What is CRANE_TIMEOUT?', [hitOf(chunk)], statisticsOf([text]), {
    refuseBelow: 0,
  });
  expect(citations[0]!.quote).toContain('CRANE_TIMEOUT=95');
});

describe('a code in a column', () => {
  it('is that of its own line, not of the line above', () => {
    const hoist: Page = [
      'hoist',
      'EXIT STATUS\n     0       Success.\n     1       Some loads fell; the quay is wet.\n     2       Usage error.\n     3       The rope is held by another hoist.\n     4       The hook is wrong.\n',
      ['EXIT STATUS'],
    ];
    expect(said(ask('What does exit status 3 of hoist mean?', hoist))).toContain('The rope is held by another hoist.');
    expect(said(ask('What does exit status 3 of hoist mean?', hoist))).toMatch(/^high/);
    expect(ask('What does exit status 7 of hoist mean?', hoist).confidence).toBe('low');
  });
});

describe('a code, a variable, a file', () => {
  const codes: Page = [
    'crane',
    'EXIT CODES\n\nThe codes are meant never to change.\n\n5: Hook is stuck.\n\n50: No crane answers here.\n\n- 6 - Rope is torn',
    ['EXIT CODES'],
  ];

  it.each([
    ['What does exit code 5 of crane mean?', '5: Hook is stuck.'],
    ['What does it mean when crane exits with 50?', '50: No crane answers here.'],
    ['What does crane exit status 6 mean?', '6 - Rope is torn'],
  ])('%s', (question, entry) => {
    expect(said(ask(question, codes))).toBe(`high: ${entry} [1]`);
  });

  it('a code that is not listed is in doubt', () => {
    expect(ask('What does exit code 7 of crane mean?', codes).confidence).toBe('low');
  });

  it('a numbered item of no list of codes is none', () => {
    const steps: Page = ['crane', 'WORK\n\n5: Lower the hook of the crane.', ['WORK']];
    expect(ask('What does exit code 5 of crane mean?', steps).confidence).toBe('low');
  });

  it.each([
    ['What does exit code 4 mean?', 'high'],
    ['What does exit code 9 of crane mean?', 'high'],
    ['What does exit code 5 of crane mean?', 'low'],
  ])('a sentence tells what codes mean: %s', (question, confidence) => {
    const told: Page = [
      'crane',
      'CODES\n\nThe crane exits with 0 when all went well, with 4 when the hook is stuck, and with 9 if it is wet for 5 days.',
      ['CODES'],
    ];
    expect(ask(question, told).confidence).toBe(confidence);
  });

  const rest: Page = [
    'crane',
    'You may set CRANE_ROPE in the environment of crane, as what is in ~/.crane/rc for crane.\n\nCRANE_ROPE: Overrides which rope is used.\n\n~/.crane/rc\n\nCommands in here are run first.',
    ['ENVIRONMENT'],
  ];

  it.each([
    ['What is CRANE_ROPE for in crane?', 'CRANE_ROPE: Overrides which rope is used.'],
    ['What does the environment variable CRANE_ROPE do for crane?', 'CRANE_ROPE: Overrides which rope is used.'],
    ['What is ~/.crane/rc for in crane?', 'Commands in here are run first.'],
  ])('%s', (question, entry) => {
    expect(said(ask(question, rest))).toContain(entry);
    expect(said(ask(question, rest))).toMatch(/^high/);
  });
});

it('in a program the line below a declaration is no entry of it', () => {
  const text = '/* The pump runs. */\n#define MAX_BAR 11 /* starts the pump */\nint start(int yes);';
  const { answer } = answered('What is MAX_BAR?', text, { format: 'code', uri: 'pump.c', title: 'pump.c' });
  expect(answer).toContain('#define MAX_BAR 11');
  expect(answer).not.toContain('int start');
});
