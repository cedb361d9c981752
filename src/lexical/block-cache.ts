import { openBlock } from './blocks.ts';
import type { SegmentSource } from './contract.ts';
import type { SegmentHeader } from './header.ts';
import { SizedCache } from './lru.ts';

/** Where the blocks of a segment come from. */
type BlockSource = Pick<SegmentSource, 'readBlocks' | 'readInflated'> & Pick<SegmentHeader, 'directory'>;

const ENTRY_BYTES = 200;

/** Inflated blocks of several segments, those that were used last. */
export class BlockCache {
  readonly #blocks: SizedCache<string, Uint8Array>;

  constructor(maxBytes: number) {
    this.#blocks = new SizedCache(maxBytes);
  }

  /**
   * The given blocks by index; -1 is none.
   * @param segment number of the segment
   * @throws IbidError INDEX_DAMAGED when a block does not match its checksum
   */
  async open(
    { directory, readBlocks, readInflated }: BlockSource,
    segment: number,
    wanted: Iterable<number>,
  ): Promise<Map<number, Uint8Array>> {
    const loaded = new Map<number, Uint8Array>();
    const toRead: number[] = [];
    for (const block of wanted) {
      if (block < 0) continue;
      const cached = this.#blocks.get(`${segment}/${block}`);
      if (cached === undefined) toRead.push(block);
      else loaded.set(block, cached);
    }
    if (toRead.length > 0) {
      toRead.sort((a, b) => a - b);
      const opened = [...((await readInflated?.(toRead)) ?? [])];
      const left = toRead.filter((_, i) => opened[i] === undefined);
      const blocks = left.length === 0 ? [] : await readBlocks(left);
      const stored = new Map(left.map((block, i) => [block, blocks[i] ?? new Uint8Array(0)]));
      for (const [i, block] of toRead.entries()) {
        const bytes = opened[i] ?? openBlock(stored.get(block)!, directory[block]!);
        loaded.set(block, bytes);
        this.#blocks.set(`${segment}/${block}`, bytes, bytes.length + ENTRY_BYTES);
      }
    }
    return loaded;
  }
}
