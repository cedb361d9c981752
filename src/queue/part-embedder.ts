import { type LocalEmbedder, openLocalEmbedder } from '../embed/local/embedder.ts';
import { toEmbedDocument } from '../ingest/batch.ts';
import type { EmbedBatch, EmbedResult } from './contract.ts';
import { PartFolder } from './parts.ts';

interface OpenModel {
  readonly id: string;
  readonly embedder: Promise<LocalEmbedder | undefined>;
  /** Batches that it works on. */
  batches: number;
}

/** Embeds documents that lie as parts beside an index. Keeps the last model open, and those that still work. */
export class PartEmbedder {
  readonly #threads: number;
  readonly #folder: string | undefined;
  /** The last one that was asked for stands at the end. */
  #opened: OpenModel[] = [];

  /** @param folder where the parts lie on this machine; absent: where the run says */
  constructor(threads: number, folder: string | undefined) {
    this.#threads = threads;
    this.#folder = folder;
  }

  async embed({ parts: told, model, documents }: EmbedBatch, signal: AbortSignal | undefined): Promise<EmbedResult> {
    const parts = new PartFolder(this.#folder ?? told);
    const name = PartFolder.vectorsOf(documents, model);
    if (await parts.readVectors(name)) return { vectors: name };
    const opened = this.#open(parts, model);
    opened.batches++;
    try {
      const [embedder, cut] = await Promise.all([
        opened.embedder,
        Promise.all(documents.map((part) => parts.read(part))),
      ]);
      if (!embedder) this.#opened = this.#opened.filter((one) => one !== opened); // it may come
      if (!embedder || !cut.every((one) => one !== undefined)) return {};
      const inputs = cut.map(({ document, chunks }) => toEmbedDocument(document.title, chunks));
      await parts.writeVectors(name, await embedder.passages(inputs, { signal }));
      return { vectors: name };
    } finally {
      opened.batches--;
      await this.#closeIdle();
    }
  }

  #open(parts: PartFolder, id: string): OpenModel {
    const known = this.#opened.find((one) => one.id === id);
    const open = async (): Promise<LocalEmbedder | undefined> => {
      const model = await parts.readModel(id);
      return model && openLocalEmbedder(model, { threads: Math.min(8, this.#threads) });
    };
    const opened = known ?? { id, embedder: open().catch(() => undefined), batches: 0 }; // damaged: as good as absent
    this.#opened = [...this.#opened.filter((one) => one !== opened), opened];
    return opened;
  }

  /** Two runs at a time have two models: the one before is closed when its last batch has ended. */
  async #closeIdle(): Promise<void> {
    const idle = this.#opened.filter((one, i) => one.batches === 0 && i < this.#opened.length - 1);
    this.#opened = this.#opened.filter((one) => !idle.includes(one));
    await closeAll(idle);
  }

  async close(): Promise<void> {
    await closeAll(this.#opened.splice(0));
  }
}

async function closeAll(models: readonly OpenModel[]): Promise<void> {
  for (const { embedder } of models) await (await embedder)?.close?.();
}
