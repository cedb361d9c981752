import { expect, test } from 'vitest';
import { outline, parse } from './helpers.ts';

test('Org: a list right below a paragraph is a list that ends where a line begins at the margin', async () => {
  const source = 'For the cake\nwe need:\n- flour\n- eggs,\n  six of them\nStir.\n\n1) Bake\n2) Eat';
  expect(outline(await parse('a.org', source))).toEqual([
    ['paragraph', 'For the cake\nwe need:'],
    ['list', '- flour\n- eggs,\n  six of them'],
    ['paragraph', 'Stir.'],
    ['list', '1) Bake\n2) Eat'],
  ]);
});

test('Org: drawers, clocks and plans are no part of the text around them', async () => {
  const source = `:PROPERTIES:
:ID:       7f3f7f0a-3a51
:END:
#+title: Bilge pump

* DONE Replace the impeller :engine:
CLOSED: [2024-05-03 Fri 10:12] SCHEDULED: <2024-05-01 Wed>
:PROPERTIES:
:CUSTOM_ID: impeller
:SUPPLIER: Kranz & Sons
:END:
:LOGBOOK:
CLOCK: [2024-05-03 Fri 09:00]--[2024-05-03 Fri 10:10] =>  1:10
- Note taken on [2024-05-03 Fri]: two screws missing
:END:
It had three broken vanes.
* Plans
DEADLINE: <2025-05-01 Thu>
Buy another one.
:NOTES:
Kept.
:END:
#+begin_src org
:PROPERTIES:
`;
  const document = await parse('a.org', source);
  expect(document.title).toBe('Bilge pump');
  expect(outline(document).slice(1)).toEqual([
    ['heading', '* DONE Replace the impeller :engine:'],
    ['list', 'CLOSED: [2024-05-03 Fri 10:12] SCHEDULED: <2024-05-01 Wed>'],
    ['paragraph', 'SUPPLIER: Kranz & Sons'],
    ['list', '- Note taken on [2024-05-03 Fri]: two screws missing'],
    ['paragraph', 'It had three broken vanes.'],
    ['heading', '* Plans'],
    ['list', 'DEADLINE: <2025-05-01 Thu>'],
    ['paragraph', 'Buy another one.\n:NOTES:\nKept.\n:END:'],
    ['code', '#+begin_src org\n:PROPERTIES:'],
  ]);
});
