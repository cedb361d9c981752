import type { Budget } from '../core/meter.ts';
import type { CallOptions } from '../core/types.ts';
import type { Embedder } from '../embed/contract.ts';
import type { IngestOptions } from '../ingest/ingest.ts';
import type { RerankChoice } from '../modes/options.ts';
import type { ReaderOptions } from '../read/contract.ts';
import type { SearchOptions } from '../retrieve/search.ts';
import type { Tuning } from '../retrieve/tuning.ts';
import type { IndexModels, IndexServices } from '../services/providers.ts';
import type { Where } from '../store/where.ts';
import type { ChunkOptions } from '../text/chunk/chunk.ts';
import type { WebOptions } from '../web/options.ts';

export interface OpenIndexOptions extends CallOptions {
  /**
   * Whether `ingest` may make an index where there is none; its folder appears when there is something to write.
   * @default false
   */
  readonly create?: boolean | undefined;
  /**
   * Folder the uris of files are relative to. @default what the index was made with, else the folder that holds a
   * `.ibid`, else the working directory
   */
  readonly base?: string | undefined;
  /** @default what `ibid tune` found for the index, from its next rebuild on, else the defaults */
  readonly chunking?: ChunkOptions | undefined;
  /**
   * Weights and candidate counts of its searches; a search's own come before them. @default what `ibid tune` found for
   * the index
   */
  readonly tuning?: Tuning | undefined;
  readonly reader?: ReaderOptions | undefined;
  /** How long `ingest` waits for another writer before INDEX_LOCKED. @default 0 */
  readonly waitMs?: number | undefined;
  /** Passed to LanceDB for object stores: credentials, region, endpoint. */
  readonly storageOptions?: Readonly<Record<string, string>> | undefined;
  /** For `db://` addresses. */
  readonly apiKey?: string | undefined;
  /**
   * Clients of the services, for embeddings, the web and answers written by a model. They stay the caller's to close.
   */
  readonly services?: IndexServices | undefined;
  /**
   * What a new index is embedded with: `local`, which is trained on its documents; a model of the search service; or an
   * embedder of the caller's own, which must be given again whenever the index is opened.
   * @default what the index was made with, else 'local'
   */
  readonly embedder?: EmbedderChoice | undefined;
  /** The caller's own parts in place of a service's. They stay the caller's to close. */
  readonly models?: IndexModels | undefined;
}

/** `local`, the name of a model of the search service, the same with its settings, or any `Embedder`. */
export type EmbedderChoice = string | ServiceEmbedderChoice | Embedder;

export interface ServiceEmbedderChoice extends EmbedderPace {
  readonly model: string;
  readonly dimensions?: number | undefined;
}

/** How fast a service's embedder goes. */
export interface EmbedderPace {
  /** Requests in flight. @default 4 */
  readonly concurrency?: number | undefined;
  /**
   * Bounds a request below what the service takes, for an account with small limits. Longer documents are windowed.
   * @default the service's
   */
  readonly requestTokens?: number | undefined;
}

/** An embedder of the caller's own, among the choices. */
export function isOwnEmbedder(choice: EmbedderChoice | undefined): choice is Embedder {
  return typeof choice === 'object' && !('model' in choice);
}

/** What `ingest` and `add` have in common. */
export interface WriteOptions extends IngestOptions {
  /** What the run may cost: a number of USD, or a meter that calls share. @default no bound */
  readonly budget?: Budget | undefined;
  /** Read, cut and count, but write nothing. @default false */
  readonly dryRun?: boolean | undefined;
}

export interface SearchIndexIngestOptions extends WriteOptions {
  /** Also hidden files and folders. @default false */
  readonly hidden?: boolean | undefined;
  readonly maxFileBytes?: number | undefined;
  /** A module whose default export is a pipeline; it turns the paths into documents. */
  readonly pipeline?: string | undefined;
  /**
   * Build everything anew behind the old index and switch at the end: the way to other chunk options or text versions.
   * @default false
   */
  readonly rebuild?: boolean | undefined;
}

export interface SearchIndexSearchOptions extends Omit<SearchOptions, 'where'> {
  /** Only documents that pass are looked at. */
  readonly where?: Where | undefined;
  /**
   * Also asks the web, and ranks what it finds with the index's own hits in one list. `where` speaks of the index and
   * leaves pages alone. A web that is late or fails costs no hit of the index; the report says so.
   * @default false
   */
  readonly web?: boolean | WebOptions | undefined;
  /**
   * Lets a model score the first hits: the caller's own reranker, else one of the messages service for about half a
   * cent. @default false
   */
  readonly rerank?: boolean | RerankChoice | undefined;
  /**
   * What the query's vector, the web and the reranker may cost: a number of USD, or a meter that calls share. @default
   * no bound
   */
  readonly budget?: Budget | undefined;
}
