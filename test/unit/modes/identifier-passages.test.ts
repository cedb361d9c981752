import { expect, it } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { tempFolder } from '../../support/temp.ts';

it('a passage that has the identifier of a question as it stands is found beside those with its words', async () => {
  const base = tempFolder();
  await using index = await openIndex(`${base}/.ibid`, { create: true, base });
  const log = `${Array.from({ length: 30 }, (_, i) => `  * Fix the wharf of pier ${i} and its cranes`).join('\n')}\n  * Let \`quay.lamps\` blink`;
  await index.add([
    { uri: 'history.md', text: `# History\n\n4.16.0\n======\n\n${log}\n` },
    ...Array.from({ length: 20 }, (_, i) => ({
      uri: `quay-${i}.md`,
      text: `# Lamps of quay ${i}\n\nThe lamps of quay ${i} blink. A quay without lamps has no lamps that blink.`,
    })),
  ]);
  const { hits } = await index.ask('What does quay.lamps blink for?', { mode: 'extractive' });
  expect(hits.filter(({ chunk }) => chunk.text.includes('quay.lamps'))).toHaveLength(1);
  const without = await index.ask('What does quay.anchors blink for?', { mode: 'extractive' });
  expect(without.hits).toHaveLength(10);
});
