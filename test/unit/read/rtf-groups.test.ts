/** Groups of RTF that say a thing twice, hold something of another program, or stand beside the flow. */
import { expect, test } from 'vitest';
import { outline } from './formats-make.ts';
import { parse } from './helpers.ts';

const read = async (body: string): Promise<string[]> =>
  outline(await parse('a.rtf', `{\\rtf1\\ansi{\\fonttbl{\\f0 Times;}}${body}}`));

test('of two forms of a text the one in Unicode is read', async () => {
  expect(await read('Port of {\\upr{Gda?sk}{\\*\\ud{Gda\\u324?sk}}} today.\\par')).toEqual([
    'paragraph: Port of Gdańsk today.',
  ]);
  expect(await read('{\\info{\\title{\\upr{N?}{\\*\\ud{\\u324?}}}}}Text.\\par')).toEqual(['paragraph: Text.']);
});

test('what an object shows is read, its data are not', async () => {
  const object = '{\\object\\objemb{\\*\\objclass Sheet}{\\*\\objdata 0105}{\\result Loads: 9 t}}';
  expect(await read(`See ${object}.\\par`)).toEqual(['paragraph: See Loads: 9 t.']);
});

const row = (...cells: string[]): string =>
  `\\trowd\\cellx1000\\cellx2000\\pard\\intbl ${cells.map((cell) => `${cell}\\cell`).join(' ')}\\row\\pard `;
const box = '{\\shp{\\*\\shpinst{\\shptxt\\pard In a box\\par}}}';

test('a box in an empty paragraph stands before the table below it', async () => {
  expect(await read(`Above.\\par ${box}\\par ${row('Crane', 'Lifts')}Below.\\par`)).toEqual([
    'paragraph: Above.',
    'paragraph: In a box',
    'table: Crane | Lifts',
    'paragraph: Below.',
  ]);
});

test('a note of a table follows the table', async () => {
  const note = '{\\footnote\\pard\\plain Weighed wet.}';
  expect(await read(`${row('Crane', 'Lifts')}${row('North', `9${note}`)}Below.\\par`)).toEqual([
    'table: Crane | Lifts\nNorth | 9',
    'paragraph: Weighed wet.',
    'paragraph: Below.',
  ]);
});
