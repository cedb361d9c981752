import type { ReplyInfo, WireCallOptions } from '../http/contract.ts';
import type { Cost } from '../http/cost.ts';
import type { EncodingFormat } from './embedding-decode.ts';
import type { Open } from './parse.ts';
import type { CostEstimate } from './prices.ts';
import type { TokenCounter } from './token-estimate.ts';

export interface RequestBase<E extends EncodingFormat> {
  readonly model: string;
  /** 128 up to the model's own 1,024 (0.6b) or 2,560 (4b), the default. */
  readonly dimensions?: number | undefined;
  /** @default 'base64_int8' */
  readonly encoding_format?: E | undefined;
}

export interface EmbeddingsRequest<E extends EncodingFormat = EncodingFormat> extends RequestBase<E> {
  /** At most 512 texts. */
  readonly input: string | readonly string[];
}

export interface ContextualRequest<E extends EncodingFormat = EncodingFormat> extends RequestBase<E> {
  /** At most 512 documents of chunks in document order, 16,000 chunks in all. */
  readonly input: readonly (readonly string[])[];
}

export interface EmbeddingsOptions extends WireCallOptions {
  /** Counts tokens for the limits (32,000 per text or document, 120,000 per request). @default a generous estimate */
  readonly countTokens?: TokenCounter | undefined;
  /** When the service refuses the request as too long, send it in two halves, and so on. @default false */
  readonly halve?: boolean | undefined;
  /** Fields newer than this client, sent as they are. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Int8Array: one component each; Uint8Array: packed bits, component i is bit `i % 8` (least significant first) of byte
 * `floor(i / 8)`.
 */
export type Vector<E extends EncodingFormat> = E extends 'base64_binary' ? Uint8Array : Int8Array;

export interface EmbeddingsUsage extends Open {
  readonly prompt_tokens?: number;
  readonly total_tokens?: number;
}

export interface EmbeddingsReply<V> {
  /** In the order and nesting of the input. Not normalised: compare int8 by cosine, bits by Hamming distance. */
  readonly vectors: readonly V[];
  readonly dimensions: number;
  readonly encoding: EncodingFormat;
  /** As the service names it. */
  readonly model: string;
  readonly usage: EmbeddingsUsage;
  readonly cost: Cost;
  /** The bodies as they came, without `data`; more than one after halving. */
  readonly responses: readonly Open[];
  readonly infos: readonly ReplyInfo[];
}

export interface Embeddings {
  create<E extends EncodingFormat = 'base64_int8'>(
    request: EmbeddingsRequest<E>,
    options?: EmbeddingsOptions,
  ): Promise<EmbeddingsReply<Vector<E>>>;
  /** Chunks embedded with their neighbours: one list of vectors per document. */
  contextual<E extends EncodingFormat = 'base64_int8'>(
    request: ContextualRequest<E>,
    options?: EmbeddingsOptions,
  ): Promise<EmbeddingsReply<readonly Vector<E>[]>>;
  /** Price of a request of either kind, from counted or generously estimated tokens. */
  estimateCost(
    request: EmbeddingsRequest | ContextualRequest,
    options?: Pick<EmbeddingsOptions, 'countTokens'>,
  ): CostEstimate;
}
