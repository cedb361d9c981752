import type { CallOptions, Span } from '../core/types.ts';
import type { IngestEvent, IngestSource } from '../ingest/contract.ts';
import type { SearchHit, SearchOptions } from '../retrieve/search.ts';
import type { ChunkOptions } from '../text/chunk/options.ts';

/** A chunk as an index gives it out: its heading path joined. */
export interface QualityChunk {
  readonly uri: string;
  readonly title: string;
  readonly heading?: string;
  readonly span: Span;
  readonly text: string;
}

/** The operations that a measurement needs of an index. */
export interface QualityIndex extends AsyncDisposable {
  /** @param options.force reads every document again */
  ingest(source: IngestSource, options: CallOptions & { readonly force: true }): AsyncIterable<IngestEvent>;
  search(query: string, options: SearchOptions): Promise<{ readonly hits: readonly SearchHit[] }>;
  /** In document and position order. */
  export(options: CallOptions): AsyncIterable<QualityChunk>;
  status(options: CallOptions): Promise<{
    readonly documents: number;
    readonly chunks: number;
    readonly embedder?: string;
    /** Number of documents of each format. */
    readonly formats?: Readonly<Record<string, number>>;
  }>;
  close(): Promise<void>;
}

/** Opens an index in a folder, and makes the index where there is none. */
export type OpenQualityIndex = (
  folder: string,
  options: CallOptions & {
    readonly create: true;
    readonly base?: string | undefined;
    readonly chunking?: ChunkOptions | undefined;
  },
) => Promise<QualityIndex>;
