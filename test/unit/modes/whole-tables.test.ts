import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openIndex, openIndexes } from '../../../src/index.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
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
  [
    'txt',
    ['Berth,Length in metres,Quay', ...lines].map((line) => line.replaceAll(',', ' | ')),
    [`Berth ${longest} –`, 'high'],
  ],
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

const more = lines.map((_, i) => ({
  name: `Berth ${i + 301}`,
  length: i === 200 ? 9500 : 6000 - i,
  quay: `Quay ${i % 7}`,
}));

it.each([
  ['the same columns', ['Berth,Length in metres,Quay', ...more.map((one) => `${one.name},${one.length},${one.quay}`)]],
  ['other columns', ['Berth,Quay,Length in metres', ...more.map((one) => `${one.name},${one.quay},${one.length}`)]],
])(
  'two tables of one name, in indexes that are read as one, are not taken for one of them: %s',
  async (what, other) => {
    const tables = [['Berth,Length in metres,Quay', ...lines], other];
    const addresses = await Promise.all(
      tables.map(async (table) => {
        const base = tempFolder({ 'berths.csv': table.join('\n') });
        const address = `${base}/.ibid`;
        await using index = await openIndex(address, { create: true, base, embedder: fakeEmbedder() });
        await index.ingest([base]);
        return address;
      }),
    );
    for (const order of [addresses, addresses.toReversed()]) {
      await using both = await openIndexes(order, { embedder: fakeEmbedder() });
      const ask = (question: string) => both.ask(question, { mode: 'extractive', sentences: 1 });
      const most = await ask('Which berth has the greatest length in metres?');
      const least = await ask('Which berth has the smallest length in metres?');
      if (what === 'the same columns') {
        expect([most.answer, least.answer]).toEqual([
          expect.stringMatching(/^Berth 501 – /),
          expect.stringMatching(/^Berth 300 – /),
        ]);
        expect([most.confidence, most.citations[0]!.verified]).toEqual(['high', true]);
      } else expect([most.confidence, least.confidence]).not.toContain('high');
    }
  },
);

it('two tables of one name and place are two tables', async () => {
  const [first, second] = await Promise.all(
    [
      ['Berth | Length', 'North | 50', 'South | 60'],
      ['Berth | Depth | Length', 'East | 900 | 40', 'West | 3 | 45'],
    ].map(async ([header, ...rows]) => {
      const rule = header!.replace(/[^|]+/g, '---');
      const text = ['The berths.', '', ...[header, rule, ...rows].map((row) => `| ${row} |`), '', 'That is all.'].join(
        '\n',
      );
      const base = tempFolder({ 'berths.md': text });
      await using index = await openIndex(`${base}/.ibid`, { create: true, base, embedder: fakeEmbedder() });
      await index.ingest([base]);
      return index.address;
    }),
  );
  await using both = await openIndexes([first!, second!], { embedder: fakeEmbedder() });
  const { answer, confidence } = await both.ask('Which berth has the greatest length?', { sentences: 1 });
  if (confidence === 'high') expect(answer).toMatch(/^South/);
  expect(answer).not.toMatch(/^East/); // 900 is a depth
});
