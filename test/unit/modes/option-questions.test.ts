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
