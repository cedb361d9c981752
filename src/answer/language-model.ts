import type { CallOptions } from '../core/types.ts';
import type { ToolModel } from './tool-model.ts';

/** A source that a model reads. A passage is the smallest part that can be cited; all passages joined are the text. */
export interface ModelSource {
  /** Stable; comes back in citations. */
  readonly id: string;
  readonly title: string;
  /** Each holds something besides white space. */
  readonly passages: readonly string[];
}

/** A page or a picture that a model looks at beside the sources. Untrusted, as they are. */
export interface ModelMedia {
  /** Names it in citations: of a page, with the words that stand on it. */
  readonly id: string;
  readonly title: string;
  /** A PDF has one page. */
  readonly mediaType: 'application/pdf' | 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
  readonly bytes: Uint8Array;
  /** Tells the same page of the same file again. */
  readonly digest: string;
  /** Of the service, where the file was uploaded before: it stands for the bytes. */
  readonly fileId?: string | undefined;
}

/** A turn of the conversation before the question. */
export interface ModelTurn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** What stood beside a question of the user when it was asked. */
  readonly sources?: readonly ModelSource[] | undefined;
  readonly media?: readonly ModelMedia[] | undefined;
}

/** In tokens. */
export interface ModelLimits {
  /** Input and output together. */
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
}

/** What a model is asked to write from. */
export interface ModelRequest {
  /** What the model is, and the rules; the same for every question, so that it can be cached. */
  readonly instructions: string;
  /** The conversation so far, oldest first; the last one is the question. */
  readonly turns: readonly ModelTurn[];
  /** Untrusted text. The model receives it as data beside the question, never among the instructions. */
  readonly sources: readonly ModelSource[];
  /** Only for a model that `looks`. */
  readonly media?: readonly ModelMedia[] | undefined;
  /** Of the answer; what a model thinks before it comes on top. */
  readonly maxTokens: number;
  /** The next request will begin with this one and its sources: the service should cache them. @default false */
  readonly continues?: boolean | undefined;
}

/** A place in a source that the model names for its words. Every citation is checked before it is shown. */
export interface ModelCitation {
  /** `ModelSource.id`. */
  readonly source: string;
  /** Passages `[first, end)` of the source. */
  readonly first: number;
  readonly end: number;
  /** What the model or the service says stands there; absent when it only points. */
  readonly quoted?: string | undefined;
  /** `quoted` is a part of the passages, its white space not the source's. */
  readonly isPart?: boolean | undefined;
}

/** Why a model stopped. `length`: its limit; `broken`: the connection, after something was written. */
export type ModelStop = 'end' | 'length' | 'refusal' | 'context' | 'broken';

/** Tokens of one call, or the sum of several. */
export interface ModelUsage {
  /** All input, cached or not. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

/**
 * What a model writes, piece by piece. `block` numbers the parts of an answer from 0: one claim each, with the
 * citations that support it, which may come before its text, between, or after.
 */
export type ModelEvent =
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'text'; readonly block: number; readonly text: string }
  | { readonly type: 'citation'; readonly block: number; readonly citation: ModelCitation }
  /** A citation that names no source of the request, or is otherwise not to be understood. */
  | { readonly type: 'unusable'; readonly block: number; readonly why: string }
  | { readonly type: 'blockEnd'; readonly block: number }
  /** Always last, also after a broken stream. */
  | {
      readonly type: 'stop';
      readonly stop: ModelStop;
      readonly usage: ModelUsage;
      readonly costUsd: number;
      /** What the service's cache has saved; below 0 where writing it has cost more. */
      readonly savedUsd?: number | undefined;
      readonly error?: Error | undefined;
    };

export interface ModelWriteOptions extends CallOptions {
  /**
   * Asks for money beyond the estimate, for a call that the model would have to make once more. False: the budget does
   * not cover it, and the model stops. @default any is paid
   */
  readonly pays?: ((usd: number) => boolean) | undefined;
}

/** A model that writes answers from sources. */
export interface LanguageModel extends ModelLimits {
  readonly id: string;
  /**
   * The limits that the service states now, where it states any. The fields of the model hold the limits known without
   * a call.
   */
  limits?(options?: CallOptions): Promise<ModelLimits>;
  /** False: the instructions ask the model for `[source.passage]` marks, which are then parsed. */
  readonly citesPassages: boolean;
  /** The same model with tools, which carries the mode `agent`. @default the model calls none */
  readonly tools?: ToolModel | undefined;
  /** Whether it can look at pages and pictures. @default false */
  readonly looks?: boolean | undefined;
  /** @throws IbidError what the service throws before the first word; afterwards the stream ends in `stop: 'broken'` */
  write(request: ModelRequest, options?: ModelWriteOptions): AsyncIterable<ModelEvent>;
  /** Most a request could cost, all of `maxTokens` written; undefined for a model without a price. */
  estimateUsd(request: ModelRequest): number | undefined;
  /** The same, with tokens that the service counts where that may bring the price below `leftUsd`. */
  countedUsd?(request: ModelRequest, leftUsd: number, options?: CallOptions): Promise<number>;
}
