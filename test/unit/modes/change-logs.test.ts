import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { tempFolder } from '../../support/temp.ts';

/** The plain answer of an index of these documents; '' for a doubt. */
async function said(documents: Readonly<Record<string, string>>, question: string): Promise<string> {
  const base = tempFolder();
  for (const [name, text] of Object.entries(documents)) {
    mkdirSync(dirname(`${base}/${name}`), { recursive: true });
    writeFileSync(`${base}/${name}`, text);
  }
  await using index = await openIndex(`${base}/.ibid`, { create: true, base });
  await index.ingest([base]);
  const { answer, confidence } = await index.ask(question, { mode: 'extractive' });
  return confidence === 'high' ? answer.replaceAll(/ \[\d+\]/gu, '') : '';
}

/** A change log of many passages, the newest release first. */
const long = Array.from({ length: 400 }, (_, i) => {
  const items = Array.from({ length: 8 }, (_, k) => `- Berth ${k} of quay ${i} has lamps and a ladder, and a rope.`);
  return `## 1.${400 - i}.0\n\n${items.join('\n')}\n`;
});

it.each([
  ['the newest first', long],
  ['the oldest first', long.toReversed()],
])(
  'both ends of a long change log are found: %s',
  async (_, releases) => {
    const documents = { 'lantern/CHANGELOG.md': `# Changelog\n\n${releases.join('\n')}` };
    expect(await said(documents, 'What is the latest version of Lantern?')).toBe('1.400.0');
    expect(await said(documents, 'What was the first release of Lantern?')).toBe('1.1.0');
  },
  30_000,
);

it('the one change log is found without its name', async () => {
  const documents = { 'CHANGELOG.md': '# Changelog\n\n## 2.1\n\n- Lamps.\n\n## 2.0\n\n- Ropes.\n' };
  expect(await said(documents, 'What is the latest version?')).toBe('2.1');
});

it('of notes of many releases the first and the latest are looked at', async () => {
  const notes = Array.from({ length: 12 }, (_, i) => [
    `lantern/release-2.${i}.md`,
    `# Lantern 2.${i}\n\n- Lamps of ${i}.`,
  ]);
  expect(await said(Object.fromEntries(notes), 'What is the latest version of Lantern?')).toBe('Lantern 2.11');
  expect(await said(Object.fromEntries(notes), 'What was the first version of Lantern?')).toBe('Lantern 2.0');
});
