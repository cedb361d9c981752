import type { IncomingHttpHeaders } from 'node:http';
import type { Access } from './access.ts';
import type { NamedIndexes } from './indexes.ts';
import type { Problem } from './problem.ts';
import type { AnyObjectSchema, Schema } from './schema.ts';
import type { Scope } from './tokens.ts';

/** One request, checked. */
export interface Call<T = unknown> {
  readonly input: T;
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  /** The text in place of `*` in the path of the route. */
  readonly rest: string;
  readonly access: Access;
  readonly indexes: NamedIndexes;
  /** Aborts when the client goes away, when the time is over, and when the server stops. */
  readonly signal: AbortSignal;
}

/** One event of a stream, as server-sent events have it. */
export interface ServerEvent {
  /** Absent: an event without a name, as dialects have them. */
  readonly event?: string;
  /** An object is sent as JSON. */
  readonly data: unknown;
}

export interface FileReply {
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly type: string;
}

type Headers = Readonly<Record<string, string>>;

/** The answer of a route. */
export type Reply =
  | { readonly json: unknown; readonly status?: number; readonly headers?: Headers }
  | { readonly text: string | Uint8Array; readonly type: string; readonly status?: number; readonly headers?: Headers }
  | { readonly events: AsyncIterable<ServerEvent>; readonly problemOf?: (error: unknown) => ServerEvent }
  | { readonly file: FileReply; readonly headers?: Headers };

/** A path of the server, which may end with `*`: what it takes, what it gives, and who may call it. */
export interface Route<T = unknown> {
  readonly path: string;
  /** GET also means HEAD. */
  readonly methods: readonly ('GET' | 'POST' | 'DELETE')[];
  readonly summary: string;
  /** Undefined: everybody may call it, even without a token. */
  readonly scope: Scope | undefined;
  /** The schema of the body, or of the query of the address. */
  readonly request?: AnyObjectSchema;
  readonly answer?: Schema;
  /** The media type of the answer where it is not JSON. */
  readonly media?: string;
  /** The question, or several, in a request that has it elsewhere than in `question`. */
  question?(request: T): string | readonly string[] | undefined;
  /** False for what is answered at once and must be answered even when all places are taken. @default true */
  readonly queued?: boolean;
  /** The body of an error in the path's own dialect. @default the shape of our own API */
  readonly problem?: (problem: Problem) => unknown;
  handle(call: Call<T>): Promise<Reply> | Reply;
}

/** Keeps the type of a route's request, which its schema proves. */
export function route<T>(definition: Route<T>): Route {
  return definition as Route; // the schema of the route was checked before it is handled
}
