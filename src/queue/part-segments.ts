import type { AnalysableDocument } from '../store/contract.ts';
import { BackgroundSegmentBuilder } from '../store/segment-builder.ts';
import type { SegmentBatch, SegmentResult } from './contract.ts';
import { PartFolder } from './parts.ts';

/** Builds segments of documents that lie as parts beside an index. */
export class PartSegments {
  readonly #builder: BackgroundSegmentBuilder;
  readonly #folder: string | undefined;

  /**
   * @param threaded a thread analyses, where the caller's has other batches
   * @param folder where the parts lie on this machine; absent: where the run says
   */
  constructor(threaded: boolean, folder: string | undefined) {
    this.#builder = new BackgroundSegmentBuilder({ threaded });
    this.#folder = folder;
  }

  async build({ parts: told, documents }: SegmentBatch): Promise<SegmentResult> {
    const parts = new PartFolder(this.#folder ?? told);
    const name = PartFolder.segmentOf(documents);
    if (await parts.hasSegment(name)) return { segment: name };
    const cut = await Promise.all(documents.map((part) => parts.read(part)));
    if (!cut.every((one) => one !== undefined)) return {};
    const analysable = cut.map(({ document, chunks }): AnalysableDocument => ({ title: document.title, chunks }));
    this.#builder.enqueue(analysable);
    await parts.writeSegment(name, await this.#builder.segment(analysable));
    return { segment: name };
  }

  async close(): Promise<void> {
    await this.#builder.stop();
  }
}
