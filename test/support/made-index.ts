import { cpSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openIndex } from '../../src/search-index/open-index.ts';
import type { ChunkOptions } from '../../src/text/chunk/options.ts';

/** Folders of made indexes by name, for all test files of this process. */
const made = new Map<string, Promise<string>>();

async function make(base: string, chunking: ChunkOptions | undefined): Promise<string> {
  const folder = mkdtempSync(join(inject('runFolder'), 'index-'));
  await using index = await openIndex(folder, { create: true, base, chunking });
  await index.ingest([base]);
  return folder;
}

/**
 * Puts an index of all files below `base` at `address`, with local vectors: a copy of one that is made once.
 * @param like.name of the documents, where they lie in another folder each time
 */
export async function copyIndex(
  base: string,
  address: string,
  { name = base, chunking }: { readonly name?: string; readonly chunking?: ChunkOptions } = {},
): Promise<void> {
  const making = made.get(name) ?? make(base, chunking);
  made.set(name, making);
  cpSync(await making, address, { recursive: true, preserveTimestamps: true });
}

/** The documents of `npm run demo`. */
export const demo: string = join(import.meta.dirname, '../../datasets/demo');
