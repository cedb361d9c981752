import { expect, it } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { tempFolder } from '../../support/temp.ts';

it('finds the entry of an option in the page of its program, among more that say its name more often', async () => {
  const base = tempFolder();
  await using index = await openIndex(`${base}/.ibid`, { create: true, base });
  const filler = (i: number): string => `The hoist has a part ${i}, and hoist number ${i} turns the hoist. `.repeat(12);
  const page = Array.from({ length: 60 }, (_, i) => `## Part ${i}\n\n${filler(i)}`);
  page.splice(
    30,
    0,
    `## Options\n\n-a: Sets what is said of the load.\n\n${'Nothing of that is known in here. '.repeat(30)}`,
  );
  await index.add([
    { uri: 'man/hoist.1.md', text: `# hoist(1)\n\n${page.join('\n\n')}` },
    { uri: 'man/hoist-add.1.md', text: '# hoist-add(1)\n\nAdds a hoist.\n\n-a: Adds it to all hoists.' },
  ]);
  const ask = (question: string, where?: { uri: string }) =>
    index.ask(question, { mode: 'extractive', ...(where && { where }) });
  expect((await ask('What does hoist -a do?')).answer).toContain('Sets what is said of the load.');
  expect((await ask('What does hoist-add -a do?')).answer).toContain('Adds it to all hoists.');
  const { hits } = await ask('What does hoist -a do?', { uri: 'man/hoist-add.1.md' });
  expect(new Set(hits.map(({ chunk }) => chunk.uri))).toEqual(new Set(['man/hoist-add.1.md']));
});
