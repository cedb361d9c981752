import { describe, expect, it } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { tempFolder } from '../../support/temp.ts';

/** Histories of packages that name no package, with the same versions. */
const history = (change: string) => `# Changes\n\n## 1.4.2 - 2019-03-07\n\n- ${change}\n\n## 1.4.1\n\n- Spelling.\n`;

describe('what stands in the folder that a question names', () => {
  it('is found where no text of it has the name, and of another folder is no answer', async () => {
    const base = tempFolder();
    await using index = await openIndex(`${base}/.ibid`, { create: true, base });
    await index.add([
      ...['anchor', 'beacon', 'capstan', 'davit', 'eyelet'].flatMap((name, i) => [
        { uri: `packs/${name}/README.md`, title: name, text: `# ${name}\n\nA small tool for work on board.\n` },
        { uri: `packs/${name}/CHANGES.md`, text: history(`The rope of the winch is ${i + 3} metres longer.`) },
      ]),
      ...Array.from({ length: 12 }, (_, i) => ({
        uri: `other/pack-${i}/CHANGES.md`,
        text: history(`New in 1.4.2: version ${i} of what changed in the version.`),
      })),
    ]);
    const ask = (question: string, options = {}) => index.ask(question, { mode: 'extractive', ...options });
    const changed = await ask('What changed in version 1.4.2 of capstan?');
    expect(changed.citations[0]!.uri).toBe('packs/capstan/CHANGES.md');
    expect(changed.answer).toContain('5 metres longer');
    const when = await ask('When was version 1.4.2 of davit released?');
    expect(when.citations[0]!.uri).toBe('packs/davit/CHANGES.md');
    expect(when.answer).toContain('2019-03-07');
    const within = await ask('What changed in version 1.4.2 of capstan?', { where: { uri: { like: 'other/%' } } });
    expect(within.hits.every(({ chunk }) => chunk.uri.startsWith('other/'))).toBe(true);
  });
});
