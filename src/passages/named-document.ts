import { IbidError } from '../core/errors.ts';
import type { StoredChunk } from '../core/types.ts';
import type { RowSet, Snapshot } from '../store/contract.ts';
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
  throw severalHave(uri, documents.length);
}

/**
 * Of rows of a uri, those of the document that `chunk` is of: of indexes that are read as one, several may have a
 * document of this uri.
 */
export async function besideChunk(
  snapshot: Snapshot,
  { ordinals }: RowSet,
  { uri, position, text }: StoredChunk,
): Promise<Uint32Array> {
  if (!snapshot.shards) return ordinals;
  const own = await snapshot.filter(`uri = ${sqlString(uri)} AND position = ${position}`);
  if (own.size === 0) return ordinals;
  const chunks = await snapshot.fetch(own.ordinals); // a row of another machine has a range once it is read
  const at = chunks.findIndex((one) => one.text === text);
  const [first, end] = snapshot.documentRange(own.ordinals[Math.max(0, at)]!);
  return ordinals.filter((ordinal) => ordinal >= first && ordinal < end);
}

/**
 * The chunks `[from, to)` of a document, in order; none for a document that is not there.
 * @param beside a chunk of the document that is meant
 * @throws IbidError CITATION_NOT_FOUND without such a chunk, where several indexes have the document with other texts
 */
export async function chunksBetween(
  snapshot: Snapshot,
  uri: string,
  [from, to]: readonly [from: number, to: number],
  beside?: StoredChunk,
): Promise<readonly StoredChunk[]> {
  const rows = await snapshot.filter(`uri = ${sqlString(uri)} AND position >= ${from} AND position < ${to}`);
  if (beside) return await snapshot.fetch(await besideChunk(snapshot, rows, beside));
  const chunks = await snapshot.fetch(rows.ordinals);
  if (!snapshot.shards) return chunks;
  const documents = [...Map.groupBy(chunks.keys(), (i) => snapshot.documentRange(rows.ordinals[i]!)[0]).values()].map(
    (places) => places.map((i) => chunks[i]!),
  );
  const [first = [], ...others] = documents;
  if (others.every((other) => textOf(other) === textOf(first))) return first;
  throw severalHave(uri, documents.length);
}

function severalHave(uri: string, count: number): IbidError {
  return new IbidError(
    'CITATION_NOT_FOUND',
    `${count} of the indexes have a document "${uri}", each with another text`,
    { hint: 'Open the index that is meant alone, with `openIndex`.' },
  );
}

const textOf = (chunks: readonly StoredChunk[]): string => chunks.map(({ text }) => text).join('');
