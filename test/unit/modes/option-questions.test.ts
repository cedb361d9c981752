import { expect, it } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { tempFolder } from '../../support/temp.ts';

it('looks at more passages where one option of a command is asked about, or the version of a part', async () => {
  const base = tempFolder();
  await using index = await openIndex(`${base}/.ibid`, { create: true, base });
  const documents = Array.from({ length: 60 }, (_, i) => ({
    uri: `pages/${i}.md`,
    text: `# hoist part ${i}\n\nThe hoist has a part ${i} that hoist number ${i} turns.`,
  }));
  await index.add(documents);
  const hitsOf = async (question: string): Promise<number> =>
    (await index.ask(question, { mode: 'extractive' })).hits.length;
  expect(await hitsOf('What does the hoist do?')).toBe(10);
  expect(await hitsOf('What does hoist -x do?')).toBe(40);
  expect(await hitsOf('What do hoist -x and hoist -y do?')).toBe(10);
  expect(await hitsOf('Which version added the hook to the hoist?')).toBe(40);
  const { hits } = await index.ask('What does hoist -x do?', { mode: 'extractive', passages: 5 });
  expect(hits).toHaveLength(5);
});

it('leaves out passages far behind the best one, unless their number is asked for', async () => {
  const base = tempFolder();
  await using index = await openIndex(`${base}/.ibid`, { create: true, base });
  const facts = Array.from({ length: 60 }, (_, i) => ({
    uri: `pages/${i}.md`,
    text: `# Lamp ${i}\n\nThe lamp of quay ${i} burns whale oil.`,
  }));
  const text = '# Ferry\n\nThe ferry to Skerry island leaves at noon on Sundays, and the purser sells the tickets.';
  await index.add([...facts, { uri: 'ferry.md', text }]);
  const question = 'When does the ferry to Skerry island leave on Sundays, and who burns oil on the quay?';
  const { hits } = await index.search(question, { limit: 10 });
  const usual = await index.ask(question, { mode: 'extractive' });
  const least = 0.4 * hits[0]!.score;
  expect(hits.filter(({ score }) => score < least).length).toBeGreaterThan(4); // by arithmetic, six are kept
  expect(usual.hits.map(({ chunk }) => chunk.uri)).toEqual(
    hits.filter(({ score }, i) => i < 6 || score >= least).map(({ chunk }) => chunk.uri),
  );
  expect((await index.ask(question, { mode: 'extractive', passages: 10 })).hits).toHaveLength(10);
});
