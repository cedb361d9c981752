import type { DocumentRecord } from '../../../src/store/contract.ts';
import { randomSource } from '../vector/random.ts';
import { record, texts } from './records.ts';

const dimensions = 16;
export const fingerprint: { readonly embedder: string; readonly dimensions: number } = { embedder: 'test', dimensions };
const documents = 36;

/** Everything the index shall hold after an epoch: which documents, in which version, under which name. */
export function desired(epoch: number): Map<string, { readonly document: number; readonly version: number }> {
  const state = new Map<string, { document: number; version: number }>();
  for (let document = 0; document < documents; document++) {
    const version = randomSource(document * 1009 + Math.floor((epoch + document) / 3)).integer(0, 3);
    if (version === 0) continue;
    state.set(document % 4 === 0 && epoch % 2 === 1 ? `moved/${document}'s.md` : `${document}.md`, {
      document,
      version,
    });
  }
  return state;
}

export function content(document: number, version: number): string[] {
  const random = randomSource(document * 31 + version);
  return texts(random, random.integer(1, 9));
}

export function contentHash(document: number, version: number): string {
  return `${document}:${version}`;
}

/** The record of a document; title and vectors depend on the content alone, so that a rename changes neither. */
export function recordOf(uri: string, document: number, version: number): DocumentRecord {
  const made = record(`document ${document}`, content(document, version), { dimensions, seed: version });
  return { ...made, uri, source: { ...made.source, contentHash: contentHash(document, version) } };
}
