import { describe, expect, test } from 'vitest';
import { outline, parse } from './helpers.ts';

const page = (body: string): string => `<!doctype html><html><body><h1>Lock</h1><p>Rebuilt.</p>${body}</body></html>`;
const tableOf = async (rows: string): Promise<{ text: string | undefined; header: string | undefined }> => {
  const document = await parse('a.html', page(`<table>${rows}</table>`));
  const table = document.blocks.find(({ kind }) => kind === 'table');
  const header = table?.header;
  return {
    text: outline(document).find(([kind]) => kind === 'table')?.[1],
    header: header && document.text.slice(header.start, header.end),
  };
};

describe('tables of HTML whose rows begin with a label', () => {
  test('a label has a colon, so that the first row is not read as names of columns', async () => {
    const rows = '<tr><th>Keeper<td>Olga Brandt<tr><th>Owner:<td>Canal Board<tr><th>Built by?<td>Paul Stern';
    expect(await tableOf(rows)).toEqual({
      text: 'Keeper: | Olga Brandt\nOwner: | Canal Board\nBuilt by? | Paul Stern',
      header: undefined,
    });
  });

  test('two labels in a row, and a label without a value', async () => {
    const rows = '<tr><th>Rise<td>7 m<th>Depth<td>3 m<tr><th>Width<td><th>Mass<td>9 t';
    expect((await tableOf(rows)).text).toBe('Rise: | 7 m | Depth: | 3 m\nWidth |  | Mass: | 9 t');
    expect(await tableOf('<tr><th>Height<td><tr><th>Width<td>7 m')).toEqual({
      text: 'Height\nWidth: | 7 m',
      header: undefined,
    });
  });

  test('below names of columns a label is the first cell', async () => {
    const rows = '<tr><td><th scope="col">2019<th scope="col">2020<tr><th scope="row">North<td>12<td>13';
    expect(await tableOf(rows)).toEqual({ text: '| 2019 | 2020\nNorth | 12 | 13', header: '| 2019 | 2020' });
  });

  test('`scope` says what a cell is, whatever its element', async () => {
    const labels = '<tr><th scope="row">North<th scope="row">Hall A<tr><th scope="row">South<td>Hall B';
    expect(await tableOf(labels)).toEqual({ text: 'North | Hall A\nSouth: | Hall B', header: undefined });
    const names = '<tr><td scope="col">Site<td scope="col">Keeper<tr><td scope="row">North<td>Ida Kranz';
    expect(await tableOf(names)).toEqual({ text: 'Site | Keeper\nNorth | Ida Kranz', header: 'Site | Keeper' });
    const roles = '<tr><td role="columnheader">Site<td role="columnheader">Keeper<tr><td>North<td>Ida Kranz';
    expect((await tableOf(roles)).header).toBe('Site | Keeper');
  });

  test('a label of several rows stands in each as it is', async () => {
    const rows = '<tr><th rowspan="2">North<td>Alpha<td>gate<tr><td>Beta<td>weir<tr><th>South<td>Gamma<td>dam';
    expect((await tableOf(rows)).text).toBe('North | Alpha | gate\nNorth | Beta | weir\nSouth: | Gamma | dam');
  });
});

describe('what is hidden from who hears a page', () => {
  test('words that are seen are read', async () => {
    const body =
      '<p>Open <span aria-hidden="true">until noon</span> daily.</p><p aria-hidden="true">Closed in May.</p>' +
      '<p>On <span aria-hidden="true">Mon</span><span class="sr-only">Monday</span>.</p>';
    expect((await parse('a.html', page(body))).text).toBe(
      'Lock\n\nRebuilt.\n\nOpen until noon daily.\n\nClosed in May.\n\nOn Mon.',
    );
  });

  test('signs, drawn formulas, and panels that are shut are not', async () => {
    const body =
      '<p>Go <i aria-hidden="true" class="material-icons">arrow_back</i>on<span aria-hidden="true">»</span> ' +
      '<span class="katex-html" aria-hidden="true">alpha beta</span><a href="#x" aria-hidden="true">anchor</a>.</p>' +
      '<div class="modal" aria-hidden="true"><p>Do you want to leave?</p></div>';
    expect((await parse('a.html', page(body))).text).toBe('Lock\n\nRebuilt.\n\nGo on .');
  });
});
