import type { ModelRequest } from './request.ts';
import type { Citation } from './types.ts';

/** A citation as an answer carries it; the first three kinds also have `file_id`. */
export type AnswerCitation = Citation & { readonly file_id?: string | null };

/** A block of an answer before the service fills in ids and signatures. Blocks of other types are sent as they are. */
export type DraftBlock =
  | { readonly type: 'text'; readonly text: string; readonly citations?: readonly AnswerCitation[] | null }
  | { readonly type: 'thinking'; readonly thinking: string }
  | { readonly type: 'redacted_thinking' }
  | { readonly type: 'tool_use'; readonly name: string; readonly input: unknown; readonly id?: string }
  | { readonly type: 'raw'; readonly block: Readonly<Record<string, unknown>> };

/** What a stand-in model answers. */
export interface Draft {
  readonly content: readonly DraftBlock[];
  /** @default tool_use when the answer calls a tool, else end_turn */
  readonly stopReason?: string;
  readonly stopDetails?: unknown;
  /** Replaces keys of `usage`, for servers that count otherwise. */
  readonly usage?: Readonly<Record<string, unknown>>;
  readonly webSearches?: number;
}

export type StandIn = (request: ModelRequest) => Draft | Promise<Draft>;

export function textDraft(text: string): Draft {
  return { content: [{ type: 'text', text }] };
}
