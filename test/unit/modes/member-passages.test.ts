import { expect, it } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { tempFolder } from '../../support/temp.ts';

it('finds what stands at the end of an entry that goes on over several passages', async () => {
  const base = tempFolder();
  await using index = await openIndex(`${base}/.ibid`, { create: true, base });
  const says = Array.from({ length: 34 }, (_, i) => `Rope ${i} of the winch is looked at before it hauls.`).join(' ');
  const entry = (name: string, back: string): string =>
    `class ${name}(slow)\n\n${says}\n\nParameters:\n\n- slow (bool) – ${back}`;
  await index.add([
    {
      uri: 'a.md',
      text: `# Winches\n\n${entry('quay.Winch', 'hauls by night.')}\n\n${entry('quay.Hoist', 'by day.')}`,
    },
    { uri: 'b.md', text: `# Others\n\nquay.Winch and quay.Hoist are old.\n\n${entry('x.Lamp', 'is lit.')}` },
  ]);
  const ask = (question: string, where?: { uri: string }) =>
    index.ask(question, { mode: 'extractive', ...(where && { where }) });
  const { answer, confidence } = await ask('What is the slow parameter of quay.Winch?');
  expect(answer).toContain('hauls by night');
  expect(confidence).toBe('high');
  expect((await ask('What is the slow parameter of quay.Hoist?')).answer).toContain('by day');
  const { hits } = await ask('What is the slow parameter of quay.Winch?', { uri: 'b.md' });
  expect(new Set(hits.map(({ chunk }) => chunk.uri))).toEqual(new Set(['b.md']));
});
