import { IbidError } from '../core/errors.ts';
import type { StoredChunk } from '../core/types.ts';
import type { Snapshot } from '../store/contract.ts';
import { sqlString } from '../store/sql.ts';

/**
 * The chunks of the document with a uri, in order; none where there is no such document. Indexes that are read as one
 * may have several: those of one text are one document.
 * @throws IbidError CITATION_NOT_FOUND where their texts differ, since nothing says which is meant
 */
export async function chunksOfDocument(snapshot: Snapshot, uri: string): Promise<readonly StoredChunk[]> {
  const { ordinals } = await snapshot.filter(`uri = ${sqlString(uri)}`);
  const documents: StoredChunk[][] = [];
  for (const chunk of await snapshot.fetch(ordinals)) {
    if (chunk.position === 0 || documents.length === 0) documents.push([]);
    documents.at(-1)!.push(chunk);
  }
  const [first = [], ...others] = documents;
  if (others.every((other) => textOf(other) === textOf(first))) return first;
  throw new IbidError(
    'CITATION_NOT_FOUND',
    `${documents.length} of the indexes have a document "${uri}", each with another text`,
    { hint: 'Open the index that is meant alone, with `openIndex`.' },
  );
}

const textOf = (chunks: readonly StoredChunk[]): string => chunks.map(({ text }) => text).join('');
