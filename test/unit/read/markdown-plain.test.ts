import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block } from '../../../src/core/types.ts';
import { markdownBlocks, pushBlocks } from '../../../src/read/markup/markdown.ts';
import { pushPlainBlocks } from '../../../src/read/markup/markdown-plain.ts';

function parsed(text: string, offset = 0): Block[] {
  const blocks: Block[] = [];
  pushBlocks(text, offset, blocks);
  return blocks;
}

/**
 * Starts of lines that mean something to Markdown, alone or after the line above, and those that look as if they did.
 */
const begin = fc.constantFrom(
  ...[
    '',
    '',
    '',
    'Word',
    'The pump. ',
    'a | b',
    '(see',
    '"quoted"',
    "'s",
    'é',
    '中文',
    '\u00a0x',
    '\u3000',
    '42 is',
    '1999',
    '7',
  ],
  ...[
    '# ',
    '## ',
    '###### ',
    '####### ',
    '#',
    '# #',
    '#x',
    '- ',
    '* ',
    '+ ',
    '1. ',
    '12) ',
    '1234567890. ',
    '> ',
    '```',
    '~~~',
  ],
  ...[
    '---',
    '===',
    '***',
    '| - | - |',
    '|',
    ':-',
    '-|-',
    '[a]: b',
    '[',
    '<div>',
    '</b>',
    '<!--',
    '    code',
    '\t',
    ' ',
    '  ',
    '\\',
    '_',
    '=',
    '!',
  ],
);
const rest = fc.constantFrom(
  '',
  'text',
  ' more **bold** `code`',
  ' # ',
  ' ##',
  '\t',
  '  ',
  ' <br>',
  ' | cell',
  '\\',
  ' [l](u)',
  '.',
  ')',
);
const line = fc
  .tuple(begin, fc.oneof(rest, fc.string({ maxLength: 6 })))
  .map((parts) => parts.join('').replaceAll('\n', ''));
const plainLine = fc.constantFrom(
  '',
  '',
  'Word',
  '# Title',
  '## A `b` ## c',
  '## Part two  ',
  'It is 7. Then',
  '(see above)',
  'é ',
  '7 of 8',
  '# \t',
  '中文 \t',
);
const textOf = (lines: fc.Arbitrary<string>) => fc.array(lines, { maxLength: 12 }).map((some) => some.join('\n'));

describe('Markdown of headings and paragraphs alone', () => {
  it('has the blocks that the parser finds, or is left to it', () => {
    let plain = 0;
    fc.assert(
      fc.property(fc.oneof(textOf(line), textOf(plainLine)), fc.nat({ max: 9 }), (text, offset) => {
        const before: Block = { start: 0, end: 0, kind: 'quote' };
        const blocks = [before];
        if (pushPlainBlocks(text, offset, blocks)) {
          expect(blocks).toEqual([before, ...parsed(text, offset)]);
          plain++;
        } else expect(blocks).toEqual([before]);
        expect(markdownBlocks(text, offset)).toEqual(parsed(text, offset));
      }),
      { numRuns: 3_000 },
    );
    expect(plain).toBeGreaterThan(500);
  });

  it('is recognised where a heading stands above prose', () => {
    const blocks: Block[] = [];
    expect(pushPlainBlocks('# The *pump*\n\nIt runs.\nIt stops. \n## Parts\nA valve', 0, blocks)).toBe(true);
    expect(blocks).toEqual([
      { start: 0, end: 12, kind: 'heading', level: 1, label: 'The pump' },
      { start: 14, end: 32, kind: 'paragraph' },
      { start: 34, end: 42, kind: 'heading', level: 2, label: 'Parts' },
      { start: 43, end: 50, kind: 'paragraph' },
    ]);
    for (const text of ['# A\n\n- item', 'a | b\n--|--', 'Title\n===', '1. one', '# closed #', ' indented'])
      expect(pushPlainBlocks(text, 0, [])).toBe(false);
  });
});

it.each([
  ['{r setup, echo=FALSE}', 'r'],
  ['{python}', 'python'],
  [' {.haskell #one}', 'haskell'],
  ['c++', 'c++'],
  ['{=html}', undefined],
])('the language of code: %s', (info, language) => {
  const blocks = parsed(`# Code\n\n\`\`\`${info}\nx <- 1\n\`\`\`\n`);
  expect(blocks.find(({ kind }) => kind === 'code')?.language).toBe(language);
});
