import { type LocalEmbedder, openLocalEmbedder } from '../embed/local/embedder.ts';
import { toEmbedDocument } from '../ingest/batch.ts';
import type { EmbedBatch, EmbedResult } from './contract.ts';
import { PartFolder } from './parts.ts';

/** Embeds documents that lie as parts beside an index. Keeps the last model open: a run has one. */
export class PartEmbedder {
  readonly #threads: number;
  readonly #folder: string | undefined;
  #opened: { readonly id: string; readonly embedder: Promise<LocalEmbedder | undefined> } | undefined;

  /** @param folder where the parts lie on this machine; absent: where the run says */
  constructor(threads: number, folder: string | undefined) {
    this.#threads = threads;
    this.#folder = folder;
  }

  async embed({ parts: told, model, documents }: EmbedBatch, signal: AbortSignal | undefined): Promise<EmbedResult> {
    const parts = new PartFolder(this.#folder ?? told);
    const name = PartFolder.vectorsOf(documents, model);
    if (await parts.readVectors(name)) return { vectors: name };
    const [embedder, cut] = await Promise.all([
      this.#embedder(parts, model),
      Promise.all(documents.map((part) => parts.read(part))),
    ]);
    if (!embedder || !cut.every((one) => one !== undefined)) return {};
    const inputs = cut.map(({ document, chunks }) => toEmbedDocument(document.title, chunks));
    await parts.writeVectors(name, await embedder.passages(inputs, { signal }));
    return { vectors: name };
  }

  async #embedder(parts: PartFolder, id: string): Promise<LocalEmbedder | undefined> {
    if (this.#opened?.id !== id) {
      void this.close(); // one that still works is used by nobody else
      const open = async (): Promise<LocalEmbedder | undefined> => {
        const model = await parts.readModel(id);
        return model && openLocalEmbedder(model, { threads: Math.min(8, this.#threads) });
      };
      this.#opened = { id, embedder: open() };
    }
    const opened = this.#opened;
    let embedder: LocalEmbedder | undefined;
    try {
      embedder = await opened?.embedder;
      return embedder;
    } finally {
      if (!embedder && this.#opened === opened) this.#opened = undefined; // it may come
    }
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await (await opened?.embedder.catch(() => undefined))?.close?.();
  }
}
