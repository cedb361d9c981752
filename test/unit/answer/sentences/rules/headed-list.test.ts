import { expect, it } from 'vitest';
import { ask } from '../../extractive/asked.ts';
import { chunkOf, hitOf } from '../../hits.ts';

const text = `# Plum cake

A cake for the autumn.

## Ingredients

- 300 g flour
- 200 g plums
- 2 eggs

## Equipment

You need these:

- a bowl
- an oven

## Members of the club

* Ida Brandt
* Jon Vik`;
const said = (question: string, passage = text) =>
  ask(question, [hitOf(chunkOf(passage, { title: 'Plum cake', headings: ['Plum cake'] }))]);

it.each([
  ['What are the ingredients?', 'Ingredients: 300 g flour; 200 g plums; 2 eggs [1]'],
  ['What are the ingredients of the plum cake?', 'Ingredients: 300 g flour; 200 g plums; 2 eggs [1]'],
  ['Which ingredients do I need?', 'Ingredients: 300 g flour; 200 g plums; 2 eggs [1]'],
  ['Who are the members of the club?', 'Members of the club: Ida Brandt; Jon Vik [1]'],
])('a list below the heading for what is asked for is said whole: %s', (question, answer) => {
  expect(said(question)).toMatchObject({ answer, confidence: 'high' });
});

it.each([
  ['What changed in 2.0.0?', '2.0.0 (2026-01-15): Lamps are green. Quays are piers. [1]'],
  ['What is new in version 2.0.0?', '2.0.0 (2026-01-15): Lamps are green. Quays are piers. [1]'],
])('and all that changed in a version: %s', (question, answer) => {
  const log =
    '# Lamps\n\n## 2.1.0 (2026-04-02)\n\n- New lamps.\n- Old lamps left.\n\n## 2.0.0 (2026-01-15)\n\n- Lamps are green.\n- Quays are piers.\n';
  expect(said(question, log).answer).toBe(answer);
});

it('so is a table below such a heading', () => {
  const table =
    '# Fees of the harbour\n\n## Prices\n\n| boat | fee |\n| --- | --- |\n| dinghy | 4 EUR |\n| yacht | 9 EUR |\n';
  const both = { answer: 'Prices: dinghy – fee: 4 EUR; yacht – fee: 9 EUR [1]', confidence: 'high' };
  expect(said('What are the prices?', table)).toMatchObject(both);
  expect(said('What are the prices of horses?', table).answer).not.toContain('; yacht');
  const long = table.replace('| yacht', `${'| barge | 5 EUR |\n'.repeat(60)}| yacht`);
  expect(said('What are the prices?', long).answer).not.toContain('; yacht');
});

it.each(['What are the ingredients of the apple pie?', 'What are the five ingredients?', 'How many eggs are needed?'])(
  'and not for what else is asked: %s',
  (question) => {
    expect(said(question).answer).not.toContain('300 g flour; 200 g plums');
  },
);

it('a list has another lead where a sentence stands over it, and none where it is long or its heading is not there', () => {
  expect(said('What are the equipment needs?').answer).not.toMatch(/^Equipment:/);
  const long = text.replace('- 2 eggs', `- 2 eggs ${'and a pinch of salt '.repeat(50)}`);
  expect(said('What are the ingredients?', long).answer).not.toContain('300 g flour; 200 g plums');
  const cut = text.slice(text.indexOf('- 300'));
  expect(said('What are the ingredients?', cut).answer).not.toContain('Ingredients:');
});
