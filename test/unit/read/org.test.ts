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
