import type { IbidError } from '../core/errors.ts';
import type { Meter } from '../core/meter.ts';
import type { CallOptions } from '../core/types.ts';
import type { EmbedUsage } from '../embed/service/contract.ts';
import type { IngestOptions } from '../ingest/ingest.ts';
import type { ReaderOptions } from '../read/contract.ts';
import type { SearchOptions } from '../retrieve/search.ts';
import type { Tuning } from '../retrieve/tuning.ts';
import type { ChunkOptions } from '../text/chunk/chunk.ts';
import type { WebOptions } from '../web/options.ts';
import type { RerankChoice } from './reranking.ts';
import type { IndexServices } from './sessions.ts';

export interface OpenIndexOptions extends CallOptions {
  /** Whether `ingest` may make an index where there is none; its folder appears when there is something to write. @default false */
  readonly create?: boolean | undefined;
  /**
   * Folder the uris of files are relative to. @default what the index was made with, else the folder that holds a `.ibid`,
   * else the working directory
   */
  readonly base?: string | undefined;
  /** @default what `ibid tune` found for the index, from its next rebuild on, else the defaults */
  readonly chunking?: ChunkOptions | undefined;
  /** Weights and candidate counts of its searches; a search's own come before them. @default what `ibid tune` found for the index */
  readonly tuning?: Tuning | undefined;
  readonly reader?: ReaderOptions | undefined;
  /** How long `ingest` waits for another writer before INDEX_LOCKED. @default 0 */
  readonly waitMs?: number | undefined;
  /** Passed to LanceDB for object stores: credentials, region, endpoint. */
  readonly storageOptions?: Readonly<Record<string, string>> | undefined;
  /** For `db://` addresses. */
  readonly apiKey?: string | undefined;
  /** Clients of the services, for paid embeddings, the web and answers written by a model. They stay the caller's to close. */
  readonly services?: IndexServices | undefined;
  /**
   * What a new index is embedded with: `local`, which is trained on its documents, or a model of the search service.
   * @default what the index was made with, else 'local'
   */
  readonly embedder?: EmbedderChoice | undefined;
  readonly onWarning?: OnWarning | undefined;
}

/** Told of what did not work and was got around: a query that could not be embedded, … */
export type OnWarning = (warning: IbidError) => void;

export type EmbedderChoice =
  | string
  | ({ readonly model: string; readonly dimensions?: number | undefined } & EmbedderPace);

/** How fast a paid embedder goes. */
export interface EmbedderPace {
  /** Requests in flight. @default 4 */
  readonly concurrency?: number | undefined;
  /** Bounds a request below what the service takes, for an account with small limits. Longer documents are windowed. @default the service's */
  readonly requestTokens?: number | undefined;
}

export interface SearchIndexIngestOptions extends IngestOptions {
  /** Also hidden files and folders. @default false */
  readonly hidden?: boolean | undefined;
  readonly maxFileBytes?: number | undefined;
  /** A module whose default export is a pipeline; it turns the paths into documents. */
  readonly pipeline?: string | undefined;
  /** Called whenever vectors that were paid for have been kept, with what the run has paid so far. */
  readonly onPaid?: ((usage: EmbedUsage) => void) | undefined;
  /** Read, cut and count, but write nothing. @default false */
  readonly dryRun?: boolean | undefined;
  /** Build everything anew behind the old index and switch at the end: the way to other chunk options or text versions. @default false */
  readonly rebuild?: boolean | undefined;
}

export interface SearchIndexSearchOptions extends SearchOptions {
  /**
   * Also asks the web, and ranks what it finds with the index's own hits in one list. `where` speaks of the index and leaves pages alone.
   * A web that is late or fails is told to `onReport` and costs no hit of the index.
   * @default false
   */
  readonly web?: boolean | WebOptions | undefined;
  /** Lets a model of the messages service score the first hits, for about half a cent. @default false */
  readonly rerank?: boolean | RerankChoice | undefined;
  /** What the web and the model may cost, in USD, shared with other calls of the same meter. */
  readonly meter?: Meter | undefined;
}
