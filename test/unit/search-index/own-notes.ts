import { join } from 'node:path';
import { type OpenIndexOptions, openIndex, type SearchIndex } from '../../../src/index.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
import { tempFolder } from '../../support/temp.ts';

export const notes: { readonly uri: string; readonly text: string }[] = [
  { uri: 'note:1', text: 'The ferry leaves the harbour at seven.' },
  { uri: 'note:2', text: 'The ferry to the island leaves at nine.' },
  { uri: 'note:3', text: 'Prune the roses in March.' },
];

/** A new index of the notes, with parts of the caller. */
export async function opened(options: OpenIndexOptions = {}): Promise<SearchIndex> {
  const index = await openIndex(join(tempFolder(), 'index'), { create: true, embedder: fakeEmbedder(), ...options });
  await index.add(notes);
  return index;
}
