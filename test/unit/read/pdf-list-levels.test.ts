/** Lists in lists of PDFs without tags. */
import { expect, test } from 'vitest';
import { at, makePdf, outline } from './formats-make.ts';
import { parse } from './helpers.ts';

/** Lines as `[points from the left, text]`. */
const page = (lines: readonly (readonly [number, string])[]): string =>
  lines.map(([x, text], i) => at(x, 720 - i * 14, text)).join('\n');
const listsOf = async (...pages: readonly string[]): Promise<string[]> =>
  outline(await parse('a.pdf', makePdf({ pages }))).filter((line) => line.startsWith('list'));

const words = 'The quay is looked after by two people who come each week and write down what they have found there.';

test('an item that is moved in further belongs to the one above, up to three deep and back', async () => {
  const lines = [
    [72, words],
    [72, '1. Grease the rope of the crane before the winter comes.'],
    [90, '- Take the old grease off with a cloth.'],
    [108, '- Do so twice where it has turned black.'],
    [90, '- Put the new grease on.'],
    [72, '2. Test the brake.'],
    [72, words],
    [90, '- A list that begins further right.'],
    [90, '- Its second item.'],
  ] as const;
  expect(await listsOf(page(lines))).toEqual([
    'list: 1. Grease the rope of the crane before the winter comes.',
    'list:   - Take the old grease off with a cloth.',
    'list:     - Do so twice where it has turned black.',
    'list:   - Put the new grease on.',
    'list: 2. Test the brake.',
    'list: - A list that begins further right.',
    'list: - Its second item.',
  ]);
});

test('numbers that are set flush right are on one level, and a list goes on over a page', async () => {
  const item = (n: number): readonly [number, string] => [n > 9 ? 72 : 77, `${n}. Look at lamp ${n} of the long quay.`];
  const lines = [[72, words], item(8), item(9), item(10), [96, '- Lamp ten has two bulbs.']] as const;
  const more = [[96, '- Both are tested.'], item(11), [72, words]] as const;
  expect(await listsOf(page(lines), page(more))).toEqual([
    'list: 8. Look at lamp 8 of the long quay.',
    'list: 9. Look at lamp 9 of the long quay.',
    'list: 10. Look at lamp 10 of the long quay.',
    'list:   - Lamp ten has two bulbs.',
    'list:   - Both are tested.',
    'list: 11. Look at lamp 11 of the long quay.',
  ]);
});
