import type { Operation, ReplyInfo, WireCallOptions } from '../http/contract.ts';
import { type Cost, sumCosts } from '../http/cost.ts';
import { WireError } from '../http/errors.ts';
import { serviceCost } from './answer-parse.ts';
import { isRecord } from './check.ts';
import { infoOf, type SearchContext } from './context.ts';
import { type CheckedEmbeddings, checkContextual, checkEmbeddings } from './embedding-check.ts';
import { byIndex, decodeVector, type EncodingFormat } from './embedding-decode.ts';
import { type Open, optionalQuantity, recordOf } from './parse.ts';
import { type CostEstimate, embeddingsListPrice } from './prices.ts';
import { defined } from './serialise.ts';
import { settledEmbeddings } from './settled.ts';
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

/** Int8Array: one component each; Uint8Array: packed bits, component i is bit `i % 8` (least significant first) of byte `floor(i / 8)`. */
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

export function embeddings(context: SearchContext): Embeddings {
  const { transport, profile, operations } = context;

  /** Sends one request and reads its entries with `read`. */
  async function ask<I, V>(
    operation: Operation,
    request: RequestBase<EncodingFormat>,
    input: readonly I[],
    checked: CheckedEmbeddings,
    options: EmbeddingsOptions,
    read: (where: { operation: Operation; info: ReplyInfo }, at: string, entry: Record<string, unknown>, item: I) => V,
  ): Promise<EmbeddingsReply<V>> {
    const { model, dimensions, encoding, tokens } = checked;
    try {
      const reply = await transport.json(operation, {
        json: {
          // Always said: clients of the compatible format default to floats, which the service refuses.
          ...defined({ input, model: model.wireName, dimensions: request.dimensions, encoding_format: encoding }),
          ...options.extraBody,
        },
        estimate: { inputTokens: tokens },
        attributes: { 'gen_ai.request.model': model.wireName, 'gen_ai.embeddings.dimension.count': dimensions },
        settle: settledEmbeddings,
        options,
      });
      const where = { operation, info: infoOf(reply) };
      const body = recordOf(where, 'the body', reply.body);
      const entries = byIndex(where, 'data', body.data, input.length);
      const vectors = entries.map((entry, index) => read(where, `data[${index}]`, entry, input[index]!));
      const { data: _, ...rest } = body;
      const usage: EmbeddingsUsage = isRecord(body.usage) ? body.usage : {};
      const billed = optionalQuantity(usage.total_tokens) ?? optionalQuantity(usage.prompt_tokens) ?? tokens;
      return {
        vectors,
        dimensions,
        encoding,
        model: typeof body.model === 'string' ? body.model : model.wireName,
        usage,
        cost: serviceCost(usage.cost) ?? embeddingsListPrice(profile.prices, model.name, billed),
        responses: [rest],
        infos: [where.info],
      };
    } catch (error) {
      if (options.halve !== true || input.length < 2 || !isTooLong(error)) throw error;
      const middle = Math.ceil(input.length / 2);
      const half = (part: readonly I[]): Promise<EmbeddingsReply<V>> =>
        ask(
          operation,
          request,
          part,
          { ...checked, tokens: Math.ceil((tokens * part.length) / input.length) },
          options,
          read,
        );
      const first = await half(input.slice(0, middle));
      return joined(first, await half(input.slice(middle)));
    }
  }

  return {
    create<E extends EncodingFormat>(request: EmbeddingsRequest<E>, options: EmbeddingsOptions = {}) {
      return rejecting(() => {
        const checked = checkEmbeddings(profile, request, options);
        const { dimensions, encoding } = checked;
        const input = typeof request.input === 'string' ? [request.input] : request.input;
        return ask(
          operations['embeddings.create'],
          request,
          input,
          checked,
          options,
          (where, at, entry) =>
            // The encoding that was asked for decides which of the two arrays it is.
            decodeVector(where, `${at}.embedding`, entry.embedding, dimensions, encoding) as Vector<E>,
        );
      });
    },

    contextual<E extends EncodingFormat>(request: ContextualRequest<E>, options: EmbeddingsOptions = {}) {
      return rejecting(() => {
        const checked = checkContextual(profile, request, options);
        const { dimensions, encoding } = checked;
        return ask(
          operations['embeddings.contextual'],
          request,
          request.input,
          checked,
          options,
          (where, at, entry, document) =>
            byIndex(where, `${at}.data`, entry.data, document.length).map(
              (chunk, index) =>
                decodeVector(
                  where,
                  `${at}.data[${index}].embedding`,
                  chunk.embedding,
                  dimensions,
                  encoding,
                ) as Vector<E>,
            ),
        );
      });
    },

    estimateCost(request, options = {}) {
      // Which of the two it is follows from the model; the checks say what does not fit together.
      const nested = Array.isArray(request.input) && Array.isArray(request.input[0]);
      const { model, tokens } = nested
        ? checkContextual(profile, request as ContextualRequest, options)
        : checkEmbeddings(profile, request as EmbeddingsRequest, options);
      const cost = embeddingsListPrice(profile.prices, model.name, tokens);
      return options.countTokens === undefined ? cost : { ...cost, maxUsd: cost.usd };
    },
  };
}

/** What `make` throws as a rejection: these methods are asynchronous in all they do. */
async function rejecting<T>(make: () => Promise<T>): Promise<T> {
  return await make();
}

/** Whether the service refused a request because it holds too many tokens or texts: only then may halves of it pass. */
export function isTooLong(error: unknown): boolean {
  if (!(error instanceof WireError)) return false;
  if (error.code === 'REQUEST_TOO_LARGE') return true;
  if (error.code !== 'REQUEST_REJECTED') return false;
  return /too (long|large|many)|length|tokens?\b.*(limit|exceed|max)|(limit|exceed|max)\w*\b.*tokens?\b/i.test(
    error.message,
  );
}

function joined<V>(a: EmbeddingsReply<V>, b: EmbeddingsReply<V>): EmbeddingsReply<V> {
  const sum = (field: 'prompt_tokens' | 'total_tokens'): number =>
    (optionalQuantity(a.usage[field]) ?? 0) + (optionalQuantity(b.usage[field]) ?? 0);
  return {
    ...a,
    vectors: [...a.vectors, ...b.vectors],
    usage: { prompt_tokens: sum('prompt_tokens'), total_tokens: sum('total_tokens') },
    cost: sumCosts([a.cost, b.cost]),
    responses: [...a.responses, ...b.responses],
    infos: [...a.infos, ...b.infos],
  };
}
