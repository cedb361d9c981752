import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { tempFolder } from '../../support/temp.ts';

const rows = 300;
const longest = 271;
/** Of many passages: the length falls from row to row, but for one near the end. */
const lines = Array.from(
  { length: rows },
  (_, i) => `Berth ${i + 1},${i + 1 === longest ? 9000 : 5000 - i},Quay ${i % 7}`,
);

it.each([
  ['csv', ['Berth,Length in metres,Quay', ...lines], [`Berth ${longest} –`, 'high']],
  // without a header in the later passages nobody knows whether they go on with the table
  ['txt', ['Berth,Length in metres,Quay', ...lines].map((line) => line.replaceAll(',', ' | ')), ['', 'low']],
] as const)(
  'compares all rows of a table that stands in several passages: %s',
  async (ending, table, [start, sure]) => {
    const base = tempFolder();
    writeFileSync(`${base}/berths.${ending}`, table.join('\n'));
    for (let i = 0; i < 20; i++) writeFileSync(`${base}/tide-${i}.md`, `The tide of day ${i} was low.`);
    await using index = await openIndex(`${base}/.ibid`, { create: true, base });
    await index.ingest([base]);
    const found = await index.ask('Which berth has the greatest length in metres?', {
      mode: 'extractive',
      sentences: 1,
    });
    expect(found.answer.startsWith(start)).toBe(true);
    expect(found.confidence).toBe(sure);
    expect(new Set(found.hits.map(({ chunk }) => chunk.position)).size).toBeGreaterThan(5);
  },
);

it('brings nothing that the question may not have', async () => {
  const base = tempFolder();
  writeFileSync(`${base}/berths.csv`, ['Berth,Length in metres,Quay', ...lines].join('\n'));
  await using index = await openIndex(`${base}/.ibid`, { create: true, base });
  await index.ingest([base]);
  const { hits } = await index.ask('Which berth has the greatest length in metres?', { where: 'position < 2' });
  expect(hits.length).toBeGreaterThan(0);
  expect(hits.every(({ chunk }) => chunk.position < 2)).toBe(true);
});
