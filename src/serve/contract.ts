import type { SearchIndex } from '../search-index/search-index.ts';
import type { WatchOptions } from '../search-index/watch.ts';
import type { TokenStore } from './tokens.ts';

/** Bounds of one server. Each has a default that suits one machine and a few people. */
export interface ServeLimits {
  /** Bytes of a request's body. @default 1048576 */
  readonly bodyBytes?: number | undefined;
  /** Characters of a question or query; over MCP at most 4,000. @default 4000 */
  readonly questionChars?: number | undefined;
  /** Requests that are worked on at a time. @default 8 */
  readonly concurrency?: number | undefined;
  /** Requests that wait for their turn; further ones are refused with 429. @default 64 */
  readonly queue?: number | undefined;
  /** Time of the work of one request, in milliseconds, waiting included; a file may take longer. @default 120000 */
  readonly requestMs?: number | undefined;
  /** Time in which a client must have sent its request, in milliseconds. @default 15000 */
  readonly receiveMs?: number | undefined;
  /** Connections at a time. @default 256 */
  readonly connections?: number | undefined;
}

export interface ServeOptions {
  /** One index, or several by name. The caller opens and closes them. */
  readonly indexes: SearchIndex | Readonly<Record<string, SearchIndex>>;
  /** @default '127.0.0.1' */
  readonly host?: string | undefined;
  /** 0: any free port. @default 4321 */
  readonly port?: number | undefined;
  /** The tokens of readers. Nobody may read without one, also while there are none. Absent: everybody may read. */
  readonly tokens?: TokenStore | undefined;
  /** Whether whoever reaches the server may read and ask until `tokens` has the first one. @default false */
  readonly openWithoutTokens?: boolean | undefined;
  /** Listens on an address beyond loopback although there is no token. @default false */
  readonly insecure?: boolean | undefined;
  /** Further names of this server in the `Host` header, such as that of a proxy. */
  readonly hosts?: readonly string[] | undefined;
  /** Origins of other pages that may call, such as `https://intranet.example`. @default none */
  readonly origins?: readonly string[] | undefined;
  /**
   * What the questions of each token, and all questions without a token together, may cost in a day (UTC), in USD. A
   * token's own budget takes precedence. @default 0: only what is free is offered
   */
  readonly dailyBudgetUsd?: number | undefined;
  /**
   * What the names of the files begin with, one for each server, that keep what today's questions have cost through
   * restarts; servers that share them share the budgets. @default none: a restart begins anew
   */
  readonly spentFile?: string | undefined;
  readonly limits?: ServeLimits | undefined;
  /** Folders that indexes are kept in line with, by the name of the index; of a single index, the folders alone. */
  readonly watch?: readonly string[] | Readonly<Record<string, readonly string[]>> | undefined;
  /** Options of the watch and of its ingests. */
  readonly watchOptions?: Omit<WatchOptions, 'signal'> | undefined;
  /** Folder with the files of a page, served at `/`. @default the page of the package */
  readonly page?: string | undefined;
  /** Told of each request and of the server's life; without questions and texts. */
  readonly log?: ((entry: LogEntry) => void) | undefined;
}

/** One line of a log. Nothing in it says what was asked or found. */
export interface LogEntry {
  readonly event: 'listening' | 'request' | 'failed' | 'stopping' | 'stopped';
  /** ISO 8601. */
  readonly time: string;
  readonly requestId?: string;
  readonly method?: string;
  /** The path of the route, without the query. */
  readonly route?: string;
  /** HTTP status; 499 where the client left before its answer. */
  readonly status?: number;
  /** Until the answer was made, in milliseconds. */
  readonly ms?: number;
  /** Id of the token. */
  readonly token?: string;
  /** Code of the error that was answered. */
  readonly code?: string;
  /** Of `failed`: the error, for whoever runs the server. */
  readonly error?: string;
  readonly url?: string;
}

/** A server that listens. */
export interface RunningServer extends AsyncDisposable {
  /** `http://127.0.0.1:4321` */
  readonly url: string;
  readonly port: number;
  /**
   * Takes no new requests, and waits for those under way; after the grace they are cut off. The indexes stay open.
   * @param graceMs @default 10000
   */
  stop(graceMs?: number): Promise<void>;
}
