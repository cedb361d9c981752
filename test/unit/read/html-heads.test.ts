import { describe, expect, test } from 'vitest';
import { parse } from './helpers.ts';

/** The tables of a page: their text and, where they have one, their header. */
async function tables(rows: string): Promise<(readonly [text: string, header: string | undefined])[]> {
  const { text, blocks } = await parse('a.html', `<h1>Inns</h1><p>Of the valley.</p><table>${rows}</table>`);
  return blocks
    .filter(({ kind }) => kind === 'table')
    .map(({ start, end, header }) => [text.slice(start, end), header && text.slice(header.start, header.end)]);
}

describe('names of columns in tables of HTML', () => {
  test('rows below new names belong to those', async () => {
    const rows =
      '<tr><th>City<th>Rooms<tr><td>Oslo<td>12<tr><td>Moss<td>8' +
      '<tr><th>City<th>Beds<tr><td>Bergen<td>90<tr><th>Total<th>110';
    expect(await tables(rows)).toEqual([
      ['City | Rooms\nOslo | 12\nMoss | 8', 'City | Rooms'],
      ['City | Beds\nBergen | 90\nTotal | 110', 'City | Beds'],
    ]);
  });

  test('new names may have two lines', async () => {
    const rows =
      '<tr><th>City<th>Rooms<th>Beds<tr><td>Oslo<td>12<td>30' +
      '<tr><th rowspan="2">Farm<th colspan="2">Fields<tr><th>Rye<th>Oats<tr><td>Hov<td>3<td>4';
    expect((await tables(rows))[1]).toEqual([
      'Farm | Fields | Fields\n| Rye | Oats\nHov | 3 | 4',
      'Farm | Fields | Fields\n| Rye | Oats',
    ]);
  });

  test('a sum, a section and a row of labels are no new names', async () => {
    const sum = '<tr><th>City<th>Rooms<tr><td>Oslo<td>12<tr><th>Sum<th>12<tr><td>Moss<td>8<tr><th>All<th>20';
    const section = '<tr><th>City<th>Rooms<tr><td>Oslo<td>12<tr><th colspan="2">South<tr><td>Moss<td>8';
    const labels = '<tr><th>City<th>Rooms<tr><td>Oslo<td>12<tr><th scope="row">Moss<th scope="row">8<tr><td>Hov<td>9';
    const times = '<tr><th>City<th>Rooms<tr><th>Oslo<td>12<tr><th>Moss<th>none<tr><th>Hov<td>9';
    for (const rows of [sum, section, labels, times])
      expect((await tables(rows)).map(([, header]) => header)).toEqual(['City | Rooms']);
  });

  test('names stand below a title over all columns', async () => {
    const rows = '<tr><th colspan="3">Opening hours<tr><th>Day<th>From<th>To<tr><td>Monday<td>9<td>17';
    expect(await tables(rows)).toEqual([['Opening hours\nDay | From | To\nMonday | 9 | 17', 'Day | From | To']]);
    expect((await tables(rows.replace('<th colspan', '<td colspan')))[0]?.[1]).toBe('Day | From | To');
  });

  test('cells to which others point are names, whatever their element', async () => {
    const rows =
      '<tr><td><td id="r">Rooms<td id="b">Beds<tr><td id="o">Oslo<td headers="o r">12<td headers="o b">30' +
      '<tr><td id="m">Moss<td headers="m r">8<td headers="m b">20';
    expect(await tables(rows)).toEqual([['| Rooms | Beds\nOslo | 12 | 30\nMoss | 8 | 20', '| Rooms | Beds']]);
  });
});

test('names of columns that the page does not mark are known over a column of figures, labels are none', async () => {
  const row = (cells: string): string => `<tr><td>${cells.replaceAll(' | ', '<td>')}`;
  const boats = row('Boat | Metres | Fee 2024') + row('Tern | 8.5 | 400') + row('Skua | 9 | 410');
  expect((await tables(boats)).map(([, header]) => header)).toEqual(['Boat | Metres | Fee 2024']);
  const rows = row('Tern | 8.5 | red') + row('Skua | 9 | blue') + row('Knot | 12 | red');
  const pairs = row('Name | Tern') + row('Metres | 8.5') + row('Fee | 400');
  for (const none of [rows, pairs]) expect((await tables(none)).map(([, header]) => header)).toEqual([undefined]);
});
