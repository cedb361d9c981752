import type { WebSocket } from 'ws';
import type { Ledger } from './ledger.ts';

/**
 * `reference`: the spelling of the reference documents, the default. `public`: the spelling of the public services. A
 * service takes one of them at a time; a body that holds a key of the other one is refused like any unknown key.
 */
export type Dialect = 'reference' | 'public';

export type ServiceName = 'search' | 'messages' | 'audio' | 'common';

/** One part of a `multipart/form-data` body, in the order sent. */
export interface MultipartPart {
  readonly name: string;
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
  readonly bytes: Buffer;
  /** `bytes` as UTF-8. */
  readonly text: string;
}

/** What a client sent, kept for assertions. */
export interface RecordedRequest {
  /** From 0, in the order the request heads arrived. */
  readonly n: number;
  /** `performance.now()` when the head arrived, in ms. */
  readonly atMs: number;
  readonly method: string;
  /** Without the query, as sent (still percent-encoded). */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Lower-case names; repeated headers joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as sent, before any content decoding. */
  readonly raw: Buffer;
  readonly text: string;
  /** The parsed JSON body; `undefined` when it is empty, not JSON, or multipart. */
  readonly body: unknown;
  readonly parts: readonly MultipartPart[];
  /** The service that took it and the route (`POST /v1/messages`); undefined before routing or when nothing matched. */
  service: ServiceName | undefined;
  operation: string | undefined;
  /** Answered status; 0 while open, or when the connection was cut before a status was sent. */
  status: number;
  /** Kind of every fault that was applied to it. */
  faults: string[];
  /** True when the client went away before the answer was complete. */
  aborted: boolean;
  /** Messages received on a WebSocket, in order. */
  readonly frames: (string | Buffer)[];
}

/**
 * One server-sent event. `data` that is no string is sent as JSON; an `event` of '' or undefined sends no `event:`
 * line.
 */
export interface SseEvent {
  readonly event?: string | undefined;
  readonly data: unknown;
}

/** What a route answers: exactly one of `json`, `bytes`, `chunks`, `events`, or none (an empty body). */
export interface Reply {
  /** @default 200 */
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly json?: unknown;
  /** A body sent with content-length. */
  readonly bytes?: Uint8Array | string | undefined;
  /** A body sent piece by piece (chunked), as the client reads. */
  readonly chunks?: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string> | undefined;
  /** `text/event-stream`, as the client reads. */
  readonly events?: AsyncIterable<SseEvent> | Iterable<SseEvent> | undefined;
}

/** A request on its way through a route. */
export interface Exchange {
  readonly request: RecordedRequest;
  /** Values of `{name}` in the route's path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly ledger: Ledger;
  /** Aborted when the client goes away or the service closes. */
  readonly signal: AbortSignal;
  /** The service's own address, for absolute links in answers. */
  readonly url: string;
}

/** A server end of a WebSocket: what it sends passes the scripted faults, what it receives is recorded. */
export interface ServedSocket {
  send(message: string | Uint8Array): void;
  close(code?: number, reason?: string): void;
  onMessage(listener: (message: string | Buffer) => void): void;
  onClose(listener: (code: number, reason: string) => void): void;
  readonly raw: WebSocket;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/v1/files/{id}/content`; the first route that fits wins, so fixed paths come before ones with `{…}`. */
  readonly path: string;
  /** Largest body in bytes, else `Service.fail(413)`. @default 32 MiB */
  readonly maxBytes?: number | undefined;
  /**
   * Throw `Refusal` for a refusal in the service's own shape; anything else thrown is a defect of the stand-in and
   * fails loudly (500 and `service.defects`).
   */
  handle(exchange: Exchange): Reply | Promise<Reply>;
}

export interface SocketRoute {
  readonly path: string;
  /** Called before the upgrade; throw `Refusal` to answer with a plain HTTP status instead. */
  check?(exchange: Exchange): void;
  open(exchange: Exchange, socket: ServedSocket): void;
}

/** One of the services the harness serves side by side. Implement this to add one. */
export interface WireService {
  readonly name: ServiceName;
  readonly routes: readonly Route[];
  readonly sockets?: readonly SocketRoute[] | undefined;
  /**
   * How sure the service is, from the headers alone, that a request is meant for it: 0 no, 1 perhaps, 2 by the key's
   * header, 3 by the key itself. Decides between services that share a path.
   */
  claims(headers: Readonly<Record<string, string>>): number;
  /**
   * The service's error body for what the harness itself refuses: unknown path 404, method 405, body not JSON 400, too
   * large 413, defect 500.
   */
  fail(status: number, message: string, request: RecordedRequest): Reply;
  /** Headers on every answer of this service, errors included: request ids, rate limits. */
  headers?(exchange: Exchange, reply: Reply): Readonly<Record<string, string>>;
}

/** Thrown by a route to answer with an error. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reply: Reply;
  constructor(reply: Reply, message = `refused with ${reply.status ?? 200}`) {
    super(message);
    this.reply = reply;
  }
}
