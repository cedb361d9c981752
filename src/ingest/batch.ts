import type { Chunk, Document } from '../core/types.ts';
import type { EmbedDocument } from '../embed/contract.ts';
import type { DocumentRecord, SourceState } from '../store/contract.ts';

/** A document that is read and cut, and waits for its vectors. */
export interface PreparedDocument {
  readonly uri: string;
  readonly action: 'added' | 'updated';
  readonly document: Document;
  readonly chunks: readonly Chunk[];
  readonly source: SourceState;
  readonly tokens: number;
}

export function toEmbedDocument(title: string, chunks: readonly Chunk[]): EmbedDocument {
  return { title, chunks: chunks.map(({ text, headings }) => ({ text, headings })) };
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

export interface BatchLimits {
  readonly chunks: number;
  readonly characters: number;
  readonly ageMs: number;
}

/**
 * Gathers documents until a commit is worth its price, or too much would be lost with a crash.
 * Whole documents only: a commit replaces documents entirely or not at all.
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
