import type { CallOptions } from '../../core/types.ts';
import type { EmbedDocument } from '../contract.ts';
import type { EmbeddedParts } from './compose.ts';

/** A document that other processes have too. */
export interface PlacedDocument extends EmbedDocument {
  /** The name they have it by. */
  readonly part?: string | undefined;
}

/** Other processes that embed documents which they have by name, with a model that they are given. */
export interface DistantEmbedding {
  /**
   * @param model its bytes and their id
   * @returns vectors and counts of all documents in order; undefined when the caller must embed them
   */
  embed(
    model: { readonly id: string; readonly bytes: Uint8Array },
    parts: readonly string[],
    options: CallOptions,
  ): Promise<EmbeddedParts | undefined>;
}

/** Chunks of a group: so much work that a message costs little, and little enough that no processor waits long. */
const GROUP_CHUNKS = 256;

/** A run of documents that are embedded at one place. */
interface PlacedGroup {
  readonly documents: readonly PlacedDocument[];
  /** Absent: some of them are here alone. */
  readonly parts?: readonly string[] | undefined;
}

/** Divides documents, in order, into groups for other processes and groups for this one. */
export function placedGroups(documents: readonly PlacedDocument[]): PlacedGroup[] {
  const groups: { documents: PlacedDocument[]; parts: string[] | undefined; chunks: number }[] = [];
  for (const document of documents) {
    const { part, chunks } = document;
    const last = groups.at(-1);
    const fits = last && (part === undefined) === (last.parts === undefined) && last.chunks < GROUP_CHUNKS;
    if (!fits)
      groups.push({ documents: [document], parts: part === undefined ? undefined : [part], chunks: chunks.length });
    else {
      last.documents.push(document);
      if (part !== undefined) last.parts!.push(part);
      last.chunks += chunks.length;
    }
  }
  return groups;
}
