import type { CallOptions } from '../core/types.ts';
import type { EmbedDocument, Embedder } from '../embed/contract.ts';

/** Chunks per call: several jobs for each thread of the embedder. */
const GROUP_CHUNKS = 1024;

type Vectors = readonly (readonly Int8Array[])[];

/**
 * Embeds the documents of the next batch while others are read and the batch before is written. One call after the
 * other, so that no more than a call is copied at a time; all at once where other processes have the documents.
 */
export class EmbeddingAhead {
  readonly #embedder: () => Promise<Embedder>;
  readonly #options: CallOptions;
  readonly #atOnce: boolean;
  #group: EmbedDocument[] = [];
  #chunks = 0;
  #calls: Promise<Vectors>[] = [];
  #last: Promise<unknown> = Promise.resolve();

  /** @param embedder called with the first group; may wait for the training */
  constructor(embedder: () => Promise<Embedder>, options: CallOptions, atOnce: boolean = false) {
    this.#embedder = embedder;
    this.#atOnce = atOnce;
    this.#options = options;
  }

  add(document: EmbedDocument): void {
    this.#group.push(document);
    this.#chunks += document.chunks.length;
    if (this.#chunks >= GROUP_CHUNKS) this.#send();
  }

  /** The vectors of all documents added since the last call, in their order. */
  take(): Promise<Vectors> {
    this.#send();
    const calls = this.#calls;
    this.#calls = [];
    const vectors = Promise.all(calls).then((groups) => groups.flat());
    vectors.catch(() => {}); // thrown where they are awaited, which a commit does later
    return vectors;
  }

  /** Resolves when no call runs any more, also after a failure. */
  async idle(): Promise<void> {
    await Promise.allSettled([this.#last]);
  }

  #send(): void {
    if (this.#group.length === 0) return;
    const group = this.#group;
    this.#group = [];
    this.#chunks = 0;
    const embed = async (): Promise<Vectors> => await (await this.#embedder()).embedDocuments(group, this.#options);
    const before = this.#last;
    const call = this.#atOnce ? embed() : before.then(embed);
    call.catch(() => {}); // thrown where its vectors are awaited
    this.#last = this.#atOnce ? Promise.allSettled([before, call]) : call;
    this.#calls.push(call);
  }
}
