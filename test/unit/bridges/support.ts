import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openIndex } from '../../../src/search-index/open-index.ts';
import type { SearchIndex } from '../../../src/search-index/search-index.ts';
import { makeTempFolder } from '../../support/temp.ts';

const notes = [
  { uri: 'note:ferry', title: 'Ferry', text: 'The ferry leaves the harbour at seven.', metadata: { team: 'sea' } },
  { uri: 'note:lamp', title: 'Lamp', text: 'The lamp burns rapeseed oil.', metadata: { team: 'tower' } },
  { uri: 'note:roses', title: 'Garden', text: 'Prune the roses in March.', metadata: { team: 'land' } },
];

export async function noteIndex(): Promise<{ readonly index: SearchIndex; readonly address: string }> {
  const address = join(makeTempFolder(), 'index');
  const index = await openIndex(address, { create: true });
  onTestFinished(() => index.close());
  await index.add(notes);
  return { index, address };
}
