import { IbidError } from '../../src/core/errors.ts';
import type { StoredChunk } from '../../src/core/types.ts';
import type { Embedder } from '../../src/embed/contract.ts';
import { LexicalReader } from '../../src/lexical/reader.ts';
import { buildSegment } from '../../src/lexical/segment.ts';
import { rowOf } from '../../src/store/chunk-rows.ts';
import type { RowSet, Snapshot, VectorHits } from '../../src/store/contract.ts';
import { analyseDocument } from '../../src/text/analysis/analysis.ts';

export interface MemoryDocument {
  readonly uri: string;
  readonly title: string;
  readonly chunks: readonly {
    readonly text: string;
    readonly headings?: readonly string[];
    readonly context?: string;
  }[];
}

export interface MemorySnapshotOptions {
  readonly embedder?: Embedder | undefined;
  /** Documents per lexical segment. @default all in one */
  readonly segmentDocuments?: number;
  /** What `filter` understands: `where` → which chunks pass. */
  readonly filters?: Readonly<Record<string, (chunk: StoredChunk) => boolean>>;
}

/** A snapshot that answers by brute force from memory. */
export async function memorySnapshot(
  documents: readonly MemoryDocument[],
  { embedder, segmentDocuments = Number.POSITIVE_INFINITY, filters = {} }: MemorySnapshotOptions = {},
): Promise<Snapshot> {
  const chunks = documents.flatMap(storedChunks);
  const dimensions = embedder?.dimensions ?? 0;
  const vectors = new Int8Array(chunks.length * dimensions);
  if (embedder !== undefined) {
    const nested = await embedder.embedDocuments(
      documents.map(({ title, chunks }) => ({
        title,
        chunks: chunks.map(({ text, headings = [] }) => ({ text, headings })),
      })),
    );
    nested.flat().forEach((vector, row) => {
      vectors.set(vector, row * dimensions);
    });
  }
  const lexical = LexicalReader.open(segmentsOf(documents, segmentDocuments), () => true);
  return {
    rows: chunks.length,
    liveRows: chunks.length,
    dimensions,
    lexical,
    isLive: (ordinal) => lexical.isLive(ordinal),
    documentRange: (ordinal) => lexical.documentRange(ordinal),
    searchVectors: async (query, limit, { within } = {}) => nearest(vectors, dimensions, query, limit, within),
    vectorsAt: async (ordinals) => {
      const out = new Int8Array(ordinals.length * dimensions);
      for (let i = 0; i < ordinals.length; i++) {
        out.set(vectors.subarray(ordinals[i]! * dimensions, (ordinals[i]! + 1) * dimensions), i * dimensions);
      }
      return out;
    },
    filter: async (where) => {
      const passes = filters[where];
      if (passes === undefined) throw new IbidError('INVALID_FILTER', `no filter "${where}"`);
      const ordinals = Uint32Array.from(chunks.flatMap((chunk, i) => (passes(chunk) ? [i] : [])));
      const set = new Set(ordinals);
      return { size: ordinals.length, ordinals, has: (ordinal) => set.has(ordinal) };
    },
    fetch: async (ordinals) => Array.from(ordinals, (ordinal) => chunks[ordinal]!),
    rowsAt: async (ordinals) => Array.from(ordinals, (ordinal) => rowOf(chunks[ordinal]!)),
  };
}

function storedChunks({ uri, title, chunks }: MemoryDocument): StoredChunk[] {
  let start = 0;
  return chunks.map(({ text, headings = [] }, position) => {
    const span = { start, end: start + text.length };
    start = span.end;
    return {
      uri,
      title,
      format: 'text',
      metadata: {},
      position,
      span,
      text,
      headings,
      tokens: Math.ceil(text.length / 4),
      locators: [],
    };
  });
}

function segmentsOf(documents: readonly MemoryDocument[], perSegment: number) {
  const segments = [];
  let base = 0;
  for (let from = 0; from < documents.length; from += perSegment) {
    const part = documents.slice(from, from + perSegment);
    const data = buildSegment(
      part.map(({ title, chunks }) =>
        analyseDocument(
          title,
          chunks.map(({ text, headings = [], context }) => ({ text, headings, context })),
        ),
      ),
    );
    segments.push({
      base,
      header: data.header,
      readBlocks: async (indices: readonly number[]) => indices.map((i) => data.blocks[i]!.bytes),
    });
    base += part.reduce((sum, { chunks }) => sum + chunks.length, 0);
  }
  return segments;
}

function nearest(
  vectors: Int8Array,
  dimensions: number,
  query: Int8Array,
  limit: number,
  within: RowSet | undefined,
): VectorHits {
  const rows = dimensions === 0 ? 0 : vectors.length / dimensions;
  const candidates = within ? [...within.ordinals] : Array.from({ length: rows }, (_, row) => row);
  const cosines = new Float32Array(rows);
  let queryNorm = 0;
  for (const component of query) queryNorm += component * component;
  for (const row of candidates) {
    let dot = 0;
    let norm = 0;
    for (let d = 0; d < dimensions; d++) {
      const component = vectors[row * dimensions + d]!;
      dot += query[d]! * component;
      norm += component * component;
    }
    cosines[row] = dot === 0 ? 0 : dot / Math.sqrt(queryNorm * norm);
  }
  const best = candidates.sort((a, b) => cosines[b]! - cosines[a]! || a - b).slice(0, limit);
  return { ordinals: Uint32Array.from(best), cosines: Float32Array.from(best, (row) => cosines[row]!) };
}
