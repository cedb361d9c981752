import { describe, expect, it } from 'vitest';
import { captionGain } from '../../../../../src/answer/sentences/rules/captioned.ts';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';
import { gaining } from './gaining.ts';

const title = { title: 'Harbour of Tern' };
const above =
  'BY TOLLS\n\n`7,92 crore\n\nBY RENT\n\n`1,85 crore\n\nTHE BEST HARBOUR OF THE COAST\n\nFISH LANDED\n\n2,547 t';
const below = '120\n\nboats sold\n\n34\n\nboats lost\n\nAll figures are of 2022.';

describe('captionGain', () => {
  it.each([
    ['How much rent did the harbour of Tern earn?', above, ['`1,85 crore']],
    ['How much fish was landed in the harbour?', above, ['2,547 t']],
    ['How many boats were sold?', below, ['120']],
    ['How many boats were lost?', below, ['34']],
    ['How many boats were painted?', below, []],
  ])('is for a figure with the line that asks above or below it: %s', (question, text, expected) => {
    expect(gaining(captionGain, question, text, title)).toEqual(expected);
  });

  it.each([
    [
      'Who is the harbour master?',
      'Ann B. Moor\n\nHarbour Master\n\nI like the sea, and it likes me.',
      ['Ann B. Moor'],
    ],
    [
      'Who is the secretary?',
      'Members:\n\nMr Bo Tarn, baker\n\nSecretary:\n\nMs Ida Gale, clerk\n\n1. Opening',
      ['Ms Ida Gale, clerk'],
    ],
    ['Who is the secretary?', 'Ann Moor\n\nChair\n\nBo Tarn\n\nSecretary\n\nIda Gale\n\nTreasurer', ['Bo Tarn']],
    ['Who is the director?', 'Ann B. Moor\n\nHarbour Master & Director\n\nI like the sea.', ['Ann B. Moor']],
    ['Who is the master?', 'Ann B. Moor\n\nHarbour Master & Director\n\nI like the sea.', []],
    ['Who is the chair?', 'Bo Tarn and Ida Gale are here.\n\nChair\n\nIt rains.', []],
    ['Qui est la secrétaire ?', 'Secrétaire :\n\nMme Ida Bélanger, greffière\n', ['Mme Ida Bélanger, gr']],
  ])('is for a name with the line that asks above or below it: %s', (question, text, expected) => {
    expect(gaining(captionGain, question, text, title)).toEqual(expected);
  });

  it('is for no mark of an axis, and for no line of a paragraph', () => {
    expect(gaining(captionGain, 'How many boats were sold?', '10\n\n8\n\nboats sold', title)).toEqual([]);
    expect(gaining(captionGain, 'How many boats were sold?', '120\nboats sold. It rains.', title)).toEqual([]);
  });
});

it('a name that is a heading answers with its caption', () => {
  const text = 'Ann B. Moor\n\nHarbour Master\n\nI would like the story of Tern to be told in a book without an end.';
  const hits = [hitOf(chunkOf(text, { title: 'Tern', headings: ['Ann B. Moor'], format: 'pdf' }))];
  expect(ask('Who is the harbour master of Tern?', hits).answer).toMatch(/^Ann B\. Moor \[1\]/);
});
