import { IbidError } from '../../core/errors.ts';
import { Meter } from '../../core/meter.ts';
import type { CallOptions } from '../../core/types.ts';
import type { EmbedDocument, Embedder } from '../../embed/contract.ts';
import { toInt8 } from '../../embed/int8.ts';
import type { EmbedContext, SendTexts, ServiceModel } from '../../embed/service/contract.ts';
import { ServiceEmbedder } from '../../embed/service/embedder.ts';
import { Spread, storedDimensions } from '../../embed/spread.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import type { CommonService } from '../../wire/common/index.ts';
import { tooLongIsOurs } from '../embedder.ts';
import type { Abilities } from './abilities.ts';

export interface CommonEmbedderOptions {
  /** As the server names it. */
  readonly model: string;
  /** @default what the model gives, learned with one request when an index is made */
  readonly dimensions?: number | undefined;
  /** Stands before each query: `query: `, `search_query: `, or an instruction. @default '' */
  readonly queryPrefix?: string | undefined;
  /** Stands before each text of a document: `passage: `, `search_document: `. @default '' */
  readonly documentPrefix?: string | undefined;
  /** Longest text that the model reads whole, prefix included; what is longer is cut. @default 512 */
  readonly maxTokens?: number | undefined;
  /** Texts of one request. @default 32 */
  readonly batch?: number | undefined;
  /** Requests at the same time. @default 2 */
  readonly concurrency?: number | undefined;
  /** @default 0 */
  readonly usdPerMillionTokens?: number | undefined;
  /**
   * What stands around the text of a chunk, within `maxTokens`: nothing; title and headings; or also the end of the
   * chunk before and the beginning of the chunk behind. @default 'headings'
   */
  readonly context?: EmbedContext | undefined;
}

const MAX_TOKENS = 512;
const BATCH = 32;
const CONCURRENCY = 2;

/**
 * A model of a server of the common dialect behind the `Embedder` contract. Its id names model and dimensions and not
 * the server, so that an index finds its embedder again when the server moves.
 * @throws IbidError INVALID_ARGUMENT
 */
export function commonEmbedder(
  service: CommonService,
  abilities: Abilities,
  options: CommonEmbedderOptions,
): CommonEmbedder {
  const { model, dimensions, maxTokens = MAX_TOKENS, batch = BATCH, usdPerMillionTokens = 0 } = options;
  if (typeof model !== 'string' || model.trim() === '') throw invalid('`model` must be the name of a model');
  for (const [name, value] of Object.entries({ dimensions: dimensions ?? 1, maxTokens, batch })) {
    if (!Number.isSafeInteger(value) || value < 1) throw invalid(`${name} must be a whole number from 1, not ${value}`);
  }
  if (!(usdPerMillionTokens >= 0)) throw invalid(`usdPerMillionTokens must be from 0, not ${usdPerMillionTokens}`);
  return new CommonEmbedder({ service, abilities, options }, dimensions);
}

const invalid = (why: string): IbidError => new IbidError('INVALID_ARGUMENT', `the embedder cannot be used: ${why}`);

interface Parts {
  readonly service: CommonService;
  readonly abilities: Abilities;
  readonly options: CommonEmbedderOptions;
}

/** Packs and sends through the embedder of services, which is made when the dimensions are known. */
class CommonEmbedder implements Embedder {
  readonly #parts: Parts;
  readonly #meter: Meter;
  #dimensions: number | undefined;
  #inner: ServiceEmbedder | undefined;
  #learning: Promise<number> | undefined;

  constructor(parts: Parts, dimensions: number | undefined, meter: Meter = new Meter()) {
    this.#parts = parts;
    this.#meter = meter;
    this.#dimensions = dimensions;
  }

  get id(): string {
    const { model } = this.#parts.options;
    return this.#dimensions === undefined ? model : `${model}@${this.#dimensions}`;
  }

  /** Of what is stored: more than the model's own where that are few. 0 until they are known. */
  get dimensions(): number {
    return this.#dimensions === undefined ? 0 : storedDimensions(this.#dimensions);
  }

  async identify(made: string | undefined, call: CallOptions = {}): Promise<Embedder> {
    if (this.#dimensions !== undefined) return this;
    const { model } = this.#parts.options;
    const known = made?.startsWith(`${model}@`) ? Number(made.slice(model.length + 1)) : Number.NaN;
    const dimensions = Number.isSafeInteger(known) ? known : await this.#learn(call);
    return new CommonEmbedder(this.#parts, dimensions, this.#meter);
  }

  async embedDocuments(
    documents: readonly EmbedDocument[],
    call: CallOptions = {},
  ): Promise<readonly (readonly Int8Array[])[]> {
    call.signal?.throwIfAborted();
    return await (await this.#ready(call)).embedDocuments(documents, call);
  }

  async embedQuery(query: string, call: CallOptions = {}): Promise<Int8Array> {
    return await (await this.#ready(call)).embedQuery(query, call);
  }

  async embedQueries(queries: readonly string[], call: CallOptions = {}): Promise<void> {
    await (await this.#ready(call)).embedQueries(queries, call);
  }

  withMeter(meter: Meter): Embedder {
    const twin = new CommonEmbedder(this.#parts, this.#dimensions, meter);
    twin.#inner = this.#inner?.withMeter(meter);
    return twin;
  }

  async #ready(call: CallOptions): Promise<ServiceEmbedder> {
    this.#dimensions ??= await this.#learn(call);
    this.#inner ??= openInner(this.#parts, this.#dimensions, this.#meter);
    return this.#inner;
  }

  /** The length of a vector of one word. */
  async #learn({ signal }: CallOptions): Promise<number> {
    this.#learning ??= embed(this.#parts, ['dimensions'], undefined, { signal }).then(
      ({ vectors }) => vectors[0]!.length,
    );
    this.#learning.catch(() => {
      this.#learning = undefined;
    });
    return await this.#learning;
  }
}

function openInner(parts: Parts, dimensions: number, meter: Meter): ServiceEmbedder {
  const { model, maxTokens = MAX_TOKENS, batch = BATCH, concurrency = CONCURRENCY } = parts.options;
  const { queryPrefix = '', documentPrefix = '', usdPerMillionTokens = 0, context } = parts.options;
  const room = maxTokens - Math.max(countTokens(documentPrefix), countTokens(queryPrefix));
  if (room < 1) throw invalid(`a prefix takes all of the ${maxTokens} tokens that the model reads`);
  const spread = new Spread(dimensions);
  const send: SendTexts = async (texts, { signal, onUnanswered, isQuery = false }) => {
    const prefix = isQuery ? queryPrefix : documentPrefix;
    const input = texts.flat().map((text) => prefix + text);
    const reply = await embed(parts, input, parts.options.dimensions, { signal, onUnanswered });
    const wrong = reply.vectors.find((vector) => vector.length !== dimensions);
    if (wrong) {
      throw new IbidError('RESPONSE_INVALID', `"${model}" gives ${wrong.length} numbers, ${dimensions} were expected`, {
        hint: `Give \`dimensions: ${wrong.length}\` and rebuild the index, or use the model it was made with.`,
      });
    }
    return { vectors: reply.vectors.map((vector) => [toInt8(spread.apply(vector))]), tokens: reply.tokens };
  };
  const served: ServiceModel = {
    ...{ name: model, dimensions: spread.components, contextual: false, context, usdPerMillionTokens },
    limits: { documents: batch, chunks: batch, tokens: batch * room, tokensPerDocument: room },
  };
  return new ServiceEmbedder({ model: served, send, meter, concurrency });
}

function embed(
  { service, abilities, options: { model } }: Parts,
  input: readonly string[],
  dimensions: number | undefined,
  call: CallOptions & { readonly onUnanswered?: (() => void) | undefined },
) {
  const can = (ability: 'dimensions' | 'encoding_format'): boolean => !abilities.lacks(model, ability);
  const send = () =>
    service.embeddings(
      {
        model,
        input,
        ...(dimensions !== undefined && can('dimensions') ? { dimensions } : {}),
        encoding_format: can('encoding_format') ? 'base64' : 'float',
      },
      call,
    );
  return abilities.adapt(model, ['encoding_format', 'dimensions'], () => tooLongIsOurs(send));
}
