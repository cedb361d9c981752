/**
 * How the search service misbehaves beside the faults of the harness: what only its operations can get wrong. Set and
 * unset by tests.
 */
export interface SearchScript {
  /** Schema refusals as 422 with a `detail` list instead of 400 with the envelope. */
  detailErrors?: boolean | undefined;
  answer?: AnswerScript | undefined;
  research?: ResearchScript | undefined;
  search?: WebScript | undefined;
  embeddings?: EmbeddingScript | undefined;
}

export interface AnswerScript {
  /** The chat paths answer 403 `chat_completions_not_available`. */
  retired?: boolean | undefined;
  /** `data: [DONE]` after the last chunk. */
  done?: boolean | undefined;
  /** Ends like older streams: an ordinary chunk with `finish_reason`, no done-chunk. */
  oldEnding?: boolean | undefined;
  /** Chunks without the aggregated `message` (some captures). */
  withoutMessage?: boolean | undefined;
  /** No `cost` in `usage` (older bodies), or no `usage` at all. */
  usage?: 'without-cost' | 'absent' | undefined;
  /** Reasoning text without its opening tag. */
  openThink?: boolean | undefined;
  /** No `citations` field; `null` instead of a list. */
  citations?: 'absent' | 'null' | undefined;
  /** Text streamed in pieces of this many UTF-16 units, so that markers and tags are cut. @default whole words */
  pieceLength?: number | undefined;
  finishReason?: 'length' | undefined;
  /** Polls an asynchronous request answers before it is done. @default 1 */
  polls?: number | undefined;
  /** An asynchronous request that fails. */
  asyncFailure?: string | undefined;
  /** The answer's text as it is, instead of an extract of the pages. */
  text?: string | undefined;
}

export interface ResearchScript {
  /** Status of the next runs; all are sent with HTTP 200. */
  status?: 'failed' | 'incomplete' | 'cancelled' | 'requires_action' | undefined;
  error?: { message: string; code?: string; type?: string } | undefined;
  /** A named `event:` line before each event. */
  namedEvents?: boolean | undefined;
  done?: boolean | undefined;
  /** Terminal event left out: the stream just ends. */
  withoutTerminal?: boolean | undefined;
  /** An `error` event after so many events. */
  errorEventAfter?: number | undefined;
  /** Calls a function that was not declared. */
  unknownFunction?: boolean | undefined;
  /** Calls a declared function in every answer, whatever it was given. */
  endlessCalls?: boolean | undefined;
  /** Arguments of function calls that are no JSON. */
  brokenArguments?: boolean | undefined;
  /** Calls every declared function at once. @default one after the other */
  parallelCalls?: boolean | undefined;
  /** Polls a background run answers before it is done. @default 2 */
  polls?: number | undefined;
  /** Polls after a cancel before the run is cancelled. @default 1 */
  cancelPolls?: number | undefined;
  /** A cursor that has expired: 400. */
  expiredCursor?: boolean | undefined;
  /** Citation markers: `[1]`, `[web:0]` or Markdown links. @default numbers */
  markers?: 'numbers' | 'web' | 'links' | undefined;
  /** Fills `annotations`, mostly empty on the wire. */
  annotations?: boolean | undefined;
  /** Code that a run with the sandbox among its tools has run. */
  sandbox?: { code: string; stdout: string; stderr?: string; exitCode?: number } | undefined;
  /** Files the next runs share. */
  files?: readonly { filename: string; content: string }[] | undefined;
  /** Item types and events nobody knows yet. */
  unknownKinds?: boolean | undefined;
  text?: string | undefined;
}

export interface WebScript {
  /** Shape of several queries' results. @default flat */
  multi?: 'grouped' | 'flat' | 'first-only' | undefined;
  /** No results, status 200. */
  empty?: boolean | undefined;
  /** The same page again under address variants. */
  variants?: boolean | undefined;
}

export interface EmbeddingScript {
  /** Entries (and chunks within a document) in another order; `index` tells. */
  shuffle?: boolean | undefined;
  /** The last entry is the first one again, index included. */
  duplicate?: boolean | undefined;
  /** The last entry left out. */
  missing?: boolean | undefined;
  /** Name of the outer objects of a contextual answer. @default list */
  outerObject?: string | undefined;
  /** Vectors one byte short. */
  shortVectors?: boolean | undefined;
  usage?: 'without-cost' | 'absent' | undefined;
}
