import { positiveOf } from '../core/arguments.ts';
import type { Chunk, Document } from '../core/types.ts';
import type { PlacedDocument } from '../embed/local/distant.ts';
import type { DocumentRecord, FileState } from '../store/contract.ts';

/** A document that was read and cut, before it has vectors. */
export interface PreparedDocument {
  readonly uri: string;
  readonly action: 'added' | 'updated';
  readonly document: Document;
  readonly chunks: readonly Chunk[];
  readonly source: FileState;
  readonly tokens: number;
  /** The name other processes have it by, where they embed. */
  readonly part?: string | undefined;
}

export function toEmbedDocument(title: string, chunks: readonly Chunk[], part?: string): PlacedDocument {
  const parts = chunks.map(({ text, headings }) => ({ text, headings }));
  return part === undefined ? { title, chunks: parts } : { title, chunks: parts, part };
}

export function toRecord(prepared: PreparedDocument, vectors: readonly Int8Array[]): DocumentRecord {
  const { document, uri } = prepared;
  return {
    uri,
    title: document.title,
    format: document.format,
    metadata: document.metadata,
    source: prepared.source,
    chunks: prepared.chunks,
    vectors,
    warnings: document.warnings,
  };
}

/**
 * Approximate number of chunks per commit. Half as many need a quarter less memory at the peak; still fewer gain little
 * and need more commits.
 */
export const CHUNKS_PER_COMMIT = 4096;

/**
 * Divides documents, in order, into parts of about `chunks` chunks. Documents that are embedded together may be written
 * in several commits.
 */
export function* partsOf<T extends { readonly chunks: readonly unknown[] }>(
  documents: readonly T[],
  chunks: number = CHUNKS_PER_COMMIT,
): Generator<{ readonly from: number; readonly documents: readonly T[] }, void, undefined> {
  let from = 0;
  let held = 0;
  for (const [i, document] of documents.entries()) {
    held += document.chunks.length;
    if (held < chunks && i + 1 < documents.length) continue;
    yield { from, documents: documents.slice(from, i + 1) };
    from = i + 1;
    held = 0;
  }
}

/** A batch is committed as soon as it reaches one of these: chunks, UTF-16 units of text, age in ms. */
export interface BatchLimits {
  readonly chunks: number;
  readonly characters: number;
  readonly ageMs: number;
}

/**
 * The bounds that a caller gives, over those that hold without.
 * @throws IbidError INVALID_ARGUMENT for a bound that an empty batch has reached, or that none will reach
 */
export function limitsOf(usual: BatchLimits, given: Partial<BatchLimits>): BatchLimits {
  const limits = {
    chunks: given.chunks ?? usual.chunks,
    characters: given.characters ?? usual.characters,
    ageMs: given.ageMs ?? usual.ageMs,
  };
  for (const [name, value] of Object.entries(limits))
    if (name !== 'ageMs' || value !== 0) positiveOf(value, `commit.${name}`);
  return limits;
}

/**
 * Gathers documents until a commit is due: the batch is large enough, or a crash would lose too much. Holds whole
 * documents, because a commit replaces a document completely or not at all.
 */
export class Batch {
  readonly #limits: BatchLimits;
  #documents: PreparedDocument[] = [];
  #chunks = 0;
  #characters = 0;
  #since = 0;

  constructor(limits: BatchLimits) {
    this.#limits = limits;
  }

  get documents(): readonly PreparedDocument[] {
    return this.#documents;
  }

  get chunks(): number {
    return this.#chunks;
  }

  add(document: PreparedDocument): void {
    if (this.#documents.length === 0) this.#since = performance.now();
    this.#documents.push(document);
    this.#chunks += document.chunks.length;
    this.#characters += document.document.text.length;
  }

  get isFull(): boolean {
    const { chunks, characters, ageMs } = this.#limits;
    return (
      this.#chunks >= chunks ||
      this.#characters >= characters ||
      (this.#documents.length > 0 && performance.now() - this.#since >= ageMs)
    );
  }

  take(): readonly PreparedDocument[] {
    const taken = this.#documents;
    this.#documents = [];
    this.#chunks = 0;
    this.#characters = 0;
    return taken;
  }
}
