import type { Budget } from '../core/meter.ts';
import type { CallOptions } from '../core/types.ts';
import type { Embedder } from '../embed/contract.ts';
import type { IngestQueue } from '../ingest/contract.ts';
import type { IngestOptions } from '../ingest/ingest.ts';
import type { RerankChoice } from '../modes/options.ts';
import type { ReaderOptions } from '../read/contract.ts';
import type { SearchOptions } from '../retrieve/search.ts';
import type { Tuning } from '../retrieve/tuning.ts';
import type { IndexModels, IndexServices } from '../services/providers.ts';
import type { RemoteIndex } from '../services/shards/remote-shard.ts';
import type { CacheOptions } from '../store/index.ts';
import type { Where } from '../store/where.ts';
import type { ChunkOptions } from '../text/chunk/chunk.ts';
import type { WebOptions } from '../web/options.ts';
import type { TranscribeOptions } from './recordings.ts';

/** The signal ends the opening alone: each operation takes one of its own. */
export interface OpenIndexOptions extends CallOptions {
  /** Allows `ingest` to make an index where there is none. Its folder is made with the first write. @default false */
  readonly create?: boolean | undefined;
  /**
   * Folder that the uris of files are relative to, of a new index and of several that are read as one: an index that is
   * there keeps the folder it was made with. @default the folder that holds a `.ibid`, else the working directory
   */
  readonly base?: string | undefined;
  /** @default the result of `ibid tune` for the index, from its next rebuild on, else the defaults */
  readonly chunking?: ChunkOptions | undefined;
  /**
   * Weights and candidate counts of searches; options of a search take precedence. @default the result of `ibid tune`
   * for the index
   */
  readonly tuning?: Tuning | undefined;
  /** How files are read: limits of time and memory, OCR. @default those of `createReader` */
  readonly reader?: ReaderOptions | undefined;
  /** How long `ingest` waits for another writer before INDEX_LOCKED, in milliseconds. @default 0 */
  readonly waitMs?: number | undefined;
  /** Passed to LanceDB for object stores: credentials, region, endpoint. */
  readonly storageOptions?: Readonly<Record<string, string>> | undefined;
  /**
   * Keeps a copy of a remote index (`s3://`, `gs://`, `az://`, …) in a local folder, and reads from there. Writes go to
   * the index itself. @default every read goes to the store
   */
  readonly cache?: CacheOptions | undefined;
  /**
   * Threads that answer searches, so that several at a time use several processors. They start when they have work, and
   * share what is kept in memory. While searches come without a pause of half a second, a change that another process
   * makes is seen when it is loaded, not before. Only for a local index. @default 1, the calling thread
   */
  readonly threads?: number | undefined;
  /**
   * Number of shards of a new index in a local folder, 1 to 1,024: its documents are spread over as many indexes by their
   * uri, which rank as one. It changes with a rebuild only. The first write refuses another. @default no shards, or
   * those the index has
   */
  readonly shards?: number | undefined;
  /** For `db://` addresses. */
  readonly apiKey?: string | undefined;
  /** Clients of the services, for embeddings, the web and answers of a model. The caller closes them. */
  readonly services?: IndexServices | undefined;
  /**
   * The embedder of a new index: `local`, which is trained on its documents; a model of the search service; or the
   * caller's own embedder, which must be given each time the index is opened. @default the embedder the index was made
   * with, else 'local'
   */
  readonly embedder?: EmbedderChoice | undefined;
  /** The caller's own parts, used instead of a service's. The caller closes them. */
  readonly models?: IndexModels | undefined;
}

/** Of one index, or of several that are read as one. */
export type IndexAddress = string | readonly (string | RemoteIndex)[];

/** Options of `openIndexes`: nothing is written. */
export interface OpenIndexesOptions
  extends Pick<OpenIndexOptions, 'base' | 'embedder' | 'models' | 'reader' | 'services' | 'signal' | 'tuning'> {
  /** How long one index may take for one search, in milliseconds; then the hits come without it. @default 10000 */
  readonly shardTimeoutMs?: number | undefined;
}

/** `local`, the name of a model of the search service, such a model with settings, or any `Embedder`. */
export type EmbedderChoice = string | ServiceEmbedderChoice | Embedder;

/** A model of the search service as embedder. `dimensions`: from 128 to the model's own, in steps of 8. */
export interface ServiceEmbedderChoice extends EmbedderPace {
  /** By the name that the service has for it. */
  readonly model: string;
  /** Components of a vector, where the model has several. @default the model's */
  readonly dimensions?: number | undefined;
}

/** Request rate of a service's embedder. */
export interface EmbedderPace {
  /** Maximum number of requests at the same time. @default 4 */
  readonly concurrency?: number | undefined;
  /**
   * Maximum tokens of a request, below the service's own limit, for an account with small limits. Longer documents are
   * cut into windows. @default the service's
   */
  readonly requestTokens?: number | undefined;
}

/** True for an embedder of the caller's own. */
export function isOwnEmbedder(choice: EmbedderChoice | undefined): choice is Embedder {
  return typeof choice === 'object' && !('model' in choice);
}

export interface EmbedOptions extends CallOptions {
  /** What the caller expects: where the vectors of the index have another number, nothing is embedded. */
  readonly dimensions?: number | undefined;
  /** Maximum cost: a number of USD, or a meter that calls share. @default no limit */
  readonly budget?: Budget | undefined;
}

/** Options of `ingest` and `add`. */
export interface WriteOptions extends IngestOptions {
  /** Maximum cost of the run: a number of USD, or a meter that calls share. @default no limit */
  readonly budget?: Budget | undefined;
  /**
   * Processors to use, 1 to 8; the index is the same. 1 starts no thread. @default as many as there are
   */
  readonly workers?: number | undefined;
  /**
   * Other processes do what can be done apart (`ibid/queue`); this one trains and writes. Only for an index in a folder
   * that they see. @default threads of this process
   */
  readonly queue?: IngestQueue | undefined;
  /** Read, cut and count, but write nothing. @default false */
  readonly dryRun?: boolean | undefined;
}

export interface SearchIndexIngestOptions extends WriteOptions {
  /**
   * Transcripts for recordings that have none beside them: by the caller's own transcriber, else by the audio service,
   * which bills them by the minute. @default true with a transcriber of the caller's own, else false
   */
  readonly transcribe?: boolean | TranscribeOptions | undefined;
  /** Include hidden files and folders. @default false */
  readonly hidden?: boolean | undefined;
  /** A larger file is listed as failed, with FILE_TOO_LARGE; recordings have a limit of their own. @default 256 MiB */
  readonly maxFileBytes?: number | undefined;
  /** Patterns of files and folders to leave out, as in `.gitignore`, relative to the base of the index. */
  readonly leaveOut?: readonly string[] | undefined;
  /** Path of a module whose default export is a pipeline, which turns the paths into documents. */
  readonly pipeline?: string | undefined;
  /**
   * Build a shadow generation from the files and activate it at the end: required for other chunk options or text
   * versions. Documents outside of what is ingested are taken over. @default false
   */
  readonly rebuild?: boolean | undefined;
}

export interface SearchIndexSearchOptions extends Omit<SearchOptions, 'where'> {
  /** Searches only rows that match. */
  readonly where?: Where | undefined;
  /**
   * Also searches the web, and ranks its passages in one list with the hits of the index. `where` applies only to the
   * index. When the web is late or fails, all hits of the index stay, and the report has the reason. @default false
   */
  readonly web?: boolean | WebOptions | undefined;
  /**
   * A model scores the first hits: the caller's own reranker, else a model of the messages service for about half a
   * cent. @default false
   */
  readonly rerank?: boolean | RerankChoice | undefined;
  /**
   * Maximum cost of the query's vector, the web and the reranker: a number of USD, or a meter that calls share.
   * @default no limit
   */
  readonly budget?: Budget | undefined;
}
