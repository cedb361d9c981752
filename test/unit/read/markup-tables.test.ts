import { expect, test } from 'vitest';
import type { ParsedDocument } from '../../../src/read/contract.ts';
import { outline, parse } from './helpers.ts';

function tables({ text, blocks }: ParsedDocument): (readonly [header: string | undefined, rows: string])[] {
  return blocks
    .filter(({ kind }) => kind === 'table')
    .map(({ start, end, header }) => [header && text.slice(header.start, header.end), text.slice(start, end)] as const);
}

const RST = `Pumps
=====

.. list-table:: Pumps of the pier
   :header-rows: 1
   :widths: 20 20

   * - Pump
     - Keeper
   * - Gannet
     - Olaf Lind, who also
       keeps the crane
   * -
     - nobody

After it.

.. list-table::
   :stub-columns: 1

   * - Red lamp
     - east mole
     - 4 m
   * - Green lamp
     - west mole

.. csv-table:: Fees
   :header: "Boat", "Fee"

   "Dinghy", "5 euros, a day"
   "Yacht ""Lux""", 25

.. csv-table::
   :file: fees.csv

The end.
`;

test('list-table and csv-table: rows with names where the options give names, entries where they do not', async () => {
  const document = await parse('pumps.rst', RST);
  expect(outline(document).filter(([kind]) => kind !== 'table')).toEqual([
    ['heading', 'Pumps\n====='],
    ['paragraph', 'Pumps of the pier'],
    ['paragraph', 'After it.'],
    ['list', '- Red lamp: east mole; 4 m\n- Green lamp: west mole'],
    ['paragraph', 'Fees'],
    ['paragraph', '.. csv-table::\n   :file: fees.csv'],
    ['paragraph', 'The end.'],
  ]);
  expect(tables(document)).toEqual([
    ['Pump | Keeper', 'Pump | Keeper\n--- | ---\nGannet | Olaf Lind, who also keeps the crane\n | nobody'],
    ['Boat | Fee', 'Boat | Fee\n--- | ---\nDinghy | 5 euros, a day\nYacht "Lux" | 25'],
  ]);
  const at = (words: string): readonly [number, number] | undefined => {
    const start = document.text.indexOf(words);
    return document.locators.find((one) => one.start <= start && start < one.end)?.lines;
  };
  expect(at('Gannet')).toEqual([10, 12]);
  expect(at('Green lamp')).toEqual([24, 25]);
  expect(at('The end.')).toEqual([36, 36]);
});

const ADOC = `= Docks

.Docks of the town
[%header,cols="1,1,2"]
|===
|Dock |Depth |Owner

|Amber
|4 m
|The Lind family

|Cobalt |9 m a|Harbour board
|===

[options="header"]
|===
|Engine|Oil
|Diesel|Tellus \\| 46
|===

== Implicit

|===
|Bell |Weight

|Great bell |900 kg
2+|none yet
|===

== None

|===
|Bolt |3 mm
|Nut |5 mm
|===

[%noheader,cols=2*]
|===
|Key |brass

|Lock |iron
|===

[%header,format=csv]
|===
Boat,Fee
Dinghy,5
|===

[cols="1,1",opts="header"]
|===
|Shed |Tool
.2+|North |saw
|axe
2*|rope
|===
`;

test('tables of AsciiDoc: header by option or by an empty line behind the first row, else entries', async () => {
  const document = await parse('docks.adoc', ADOC);
  expect(tables(document)).toEqual([
    [
      'Dock | Depth | Owner',
      'Dock | Depth | Owner\n--- | --- | ---\nAmber | 4 m | The Lind family\nCobalt | 9 m | Harbour board',
    ],
    ['Engine | Oil', 'Engine | Oil\n--- | ---\nDiesel | Tellus | 46'],
    ['Bell | Weight', 'Bell | Weight\n--- | ---\nGreat bell | 900 kg\nnone yet'],
    ['Boat | Fee', 'Boat | Fee\n--- | ---\nDinghy | 5'],
    ['Shed | Tool', 'Shed | Tool\n--- | ---\nNorth | saw\nNorth | axe\nrope | rope'],
  ]);
  expect(outline(document).filter(([kind]) => kind === 'list')).toEqual([
    ['list', '- Bolt: 3 mm\n- Nut: 5 mm'],
    ['list', '- Key: brass\n- Lock: iron'],
  ]);
  expect(document.text).toContain('Docks of the town');
  expect(document.text).not.toContain('|===');
  const start = document.text.indexOf('Amber');
  expect(document.locators.find((one) => one.start <= start && start < one.end)?.lines).toEqual([8, 10]);
});

test('a table that never ends, and one in an example, keep their words', async () => {
  const cut = await parse('cut.adoc', '= A\n\n|===\n|Bolt |3 mm\n|Nut |5 mm');
  expect(cut.text).toContain('- Nut: 5 mm');
  const example = await parse('example.adoc', '= A\n\n----\n|===\n|Bolt |3 mm\n|===\n----\n');
  expect(example.text).toBe('= A\n\n----\n|===\n|Bolt |3 mm\n|===\n----');
});

test('titles of three lines keep their level beside tables', async () => {
  const source = '=====\nGuide\n=====\n\nPumps\n-----\n\nRates\n=====\n\n.. list-table::\n\n   * - a\n     - b\n';
  const { blocks } = await parse('levels.rst', source);
  expect(blocks.filter(({ kind }) => kind === 'heading').map(({ level, label }) => `${level} ${label}`)).toEqual([
    '1 Guide',
    '2 Pumps',
    '3 Rates',
  ]);
});
