import type { DocumentRecord } from '../../src/internal.ts';

/** A document of nothing but vectors, one a chunk: for benches of the store that read no text. */
export function recordOf(number: number, vectors: readonly Int8Array[]): DocumentRecord {
  return {
    uri: `${number}.md`,
    title: `Document ${number}`,
    format: 'markdown',
    metadata: {},
    source: { sizeBytes: 1, mtimeMs: 1, contentHash: String(number) },
    chunks: vectors.map((_, position) => ({
      position,
      span: { start: position, end: position + 1 },
      text: 'x',
      headings: [],
      tokens: 1,
      locators: [],
    })),
    vectors,
    warnings: [],
  };
}
