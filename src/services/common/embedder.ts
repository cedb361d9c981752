import { objectOf, wholeOf } from '../../core/arguments.ts';
import { IbidError } from '../../core/errors.ts';
import { hash32 } from '../../core/hash.ts';
import { Meter } from '../../core/meter.ts';
import type { CallOptions } from '../../core/types.ts';
import type { EmbedDocument, Embedder } from '../../embed/contract.ts';
import { cosineOf, toInt8 } from '../../embed/int8.ts';
import { Int8Sample, noteRecall } from '../../embed/int8-recall.ts';
import type {
  EmbedContext,
  EmbedEstimate,
  EmbedUsage,
  ExpectedTime,
  KeepableEmbedder,
  Keeping,
  KeepingEmbedder,
  KeptSpace,
  SendTexts,
  ServiceModel,
} from '../../embed/service/contract.ts';
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
  /** @default 0 for a server without a key, else unknown: a budget for documents then needs it */
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
  { service, abilities, isKeyless }: Omit<Parts, 'options'>,
  options: CommonEmbedderOptions,
): CommonEmbedder {
  const {
    model,
    dimensions,
    maxTokens = MAX_TOKENS,
    batch = BATCH,
    usdPerMillionTokens = 0,
  } = objectOf(options, 'the options', 'model');
  if (typeof model !== 'string' || model.trim() === '') throw invalid('`model` must be the name of a model');
  for (const [name, value] of Object.entries({ dimensions: dimensions ?? 1, maxTokens, batch }))
    wholeOf(value, `${name} of the embedder`, 1);
  if (!(usdPerMillionTokens >= 0)) throw invalid(`usdPerMillionTokens must be from 0, not ${usdPerMillionTokens}`);
  return new CommonEmbedder({ service, abilities, isKeyless, options }, dimensions);
}

const invalid = (why: string): IbidError => new IbidError('INVALID_ARGUMENT', `the embedder cannot be used: ${why}`);

interface Parts {
  readonly service: CommonService;
  readonly abilities: Abilities;
  readonly isKeyless: boolean;
  readonly options: CommonEmbedderOptions;
}

/** A text whose vector tells whether a server still has the model that made the kept vectors. */
const PROBE = 'The same model gives the same text the same vector.';
/** Least cosine of two vectors of one text by one model, on any machine. */
const SAME = 0.999;

/** Packs and sends through the embedder of services, which is made when the dimensions are known. */
class CommonEmbedder implements KeepableEmbedder, KeepingEmbedder, KeptSpace {
  readonly #parts: Parts;
  readonly #meter: Meter;
  readonly #keeping: Keeping | undefined;
  #dimensions: number | undefined;
  #inner: ServiceEmbedder | undefined;
  #sample: Int8Sample | undefined;
  /** Vectors of the sample when it was last measured. */
  #measured = 0;
  #learning: Promise<number> | undefined;
  #recognising: Promise<void> | undefined;

  constructor(parts: Parts, dimensions: number | undefined, meter: Meter = new Meter(), keeping?: Keeping) {
    this.#parts = parts;
    this.#meter = meter;
    this.#dimensions = dimensions;
    this.#keeping = keeping;
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

  keeping(keeping: Keeping): CommonEmbedder {
    return new CommonEmbedder(this.#parts, this.#dimensions, keeping.meter ?? this.#meter, keeping);
  }

  async embedDocuments(
    documents: readonly EmbedDocument[],
    call: CallOptions = {},
  ): Promise<readonly (readonly Int8Array[])[]> {
    call.signal?.throwIfAborted();
    if (this.#keeping && documents.length > 0) {
      this.#recognising ??= this.#recognise(call);
      this.#recognising.catch(() => {
        this.#recognising = undefined;
      });
      await this.#recognising;
    }
    const vectors = await (await this.#ready(call)).embedDocuments(documents, call);
    await this.#noteRecall();
    return vectors;
  }

  async embedQuery(query: string, call: CallOptions = {}): Promise<Int8Array> {
    return await (await this.#ready(call)).embedQuery(query, call);
  }

  async embedQueries(queries: readonly string[], call: CallOptions = {}): Promise<void> {
    await (await this.#ready(call)).embedQueries(queries, call);
  }

  withMeter(meter: Meter): Embedder {
    const twin = new CommonEmbedder(this.#parts, this.#dimensions, meter, this.#keeping);
    twin.#inner = this.#inner?.withMeter(meter);
    return twin;
  }

  get usage(): EmbedUsage {
    const none = { requests: 0, chunks: 0, cachedChunks: 0, tokens: 0, costUsd: 0, fill: 0 };
    return this.#inner?.usage ?? { ...none, unanswered: { attempts: 0, maxUsd: 0 } };
  }

  async estimate(documents: readonly EmbedDocument[], foretold?: Set<string>): Promise<EmbedEstimate> {
    return await (await this.#ready({})).estimate(documents, foretold);
  }

  async expect(estimate: Pick<EmbedEstimate, 'requests' | 'tokens'>): Promise<ExpectedTime> {
    return await (await this.#ready({})).expect(estimate);
  }

  /** @throws Error before `space` */
  keysOf(documents: readonly EmbedDocument[]): Set<string> {
    return this.#inner!.keysOf(documents);
  }

  async space(): Promise<string> {
    await this.#ready({});
    return await this.#space();
  }

  async #ready(call: CallOptions): Promise<ServiceEmbedder> {
    this.#dimensions ??= await this.#learn(call);
    this.#inner ??= this.#open(this.#dimensions, this.#keeping && (await this.#space()));
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

  /** Where the vector of the probe stands; it is sent as a query. */
  get #probeNote(): string {
    const { queryPrefix = '' } = this.#parts.options;
    return `probe-${encodeURIComponent(this.id)}-${hash32(queryPrefix)}`;
  }

  /** Of the vectors that this server's model of this name makes now: another one may have taken its place. */
  async #space(): Promise<string> {
    return `own-${hash32(this.id).toString(16)}-${(await this.#probed())?.turn ?? 1}`;
  }

  async #probed(): Promise<{ readonly turn: number; readonly vector: readonly number[] } | undefined> {
    const noted = await this.#keeping?.cache.note?.(this.#probeNote);
    return noted === undefined ? undefined : JSON.parse(noted); // written by `#recognise`
  }

  /** Leaves kept vectors alone that another model of the same name has made. */
  async #recognise(call: CallOptions): Promise<void> {
    const vector = await (await this.#ready(call)).embedQuery(PROBE, call);
    const before = await this.#probed();
    if (before && cosineOf(before.vector, vector) >= SAME) return;
    const noted = { turn: before ? before.turn + 1 : 1, vector: [...vector] };
    await this.#keeping!.cache.putNote?.(this.#probeNote, JSON.stringify(noted));
    if (before) this.#inner = undefined; // with the keys of a new space
  }

  /** After a batch that has doubled what is measured, so that a run that is killed has a figure. */
  async #noteRecall(): Promise<void> {
    const size = this.#keeping ? (this.#sample?.size ?? 0) : 0;
    if (size < 2 * this.#measured || size === 0) return;
    this.#measured = size;
    const measured = await this.#sample!.measure();
    if (measured) await noteRecall(this.#keeping!.cache, this.id, measured);
  }

  #open(dimensions: number, space: string | undefined): ServiceEmbedder {
    const { model, maxTokens = MAX_TOKENS, batch = BATCH, concurrency = CONCURRENCY } = this.#parts.options;
    const { queryPrefix = '', documentPrefix = '', context } = this.#parts.options;
    const { usdPerMillionTokens = this.#parts.isKeyless ? 0 : undefined } = this.#parts.options;
    const room = maxTokens - Math.max(countTokens(documentPrefix), countTokens(queryPrefix));
    if (room < 1) throw invalid(`a prefix takes all of the ${maxTokens} tokens that the model reads`);
    const spread = new Spread(dimensions);
    const sample = this.#keeping && new Int8Sample(dimensions);
    this.#sample = sample;
    const send: SendTexts = async (texts, { signal, onUnanswered, isQuery = false }) => {
      const prefix = isQuery ? queryPrefix : documentPrefix;
      const input = texts.flat().map((text) => prefix + text);
      const reply = await embed(this.#parts, input, this.#parts.options.dimensions, { signal, onUnanswered });
      const wrong = reply.vectors.find((vector) => vector.length !== dimensions);
      if (wrong) {
        throw new IbidError(
          'RESPONSE_INVALID',
          `"${model}" gives ${wrong.length} numbers, ${dimensions} were expected`,
          {
            hint: `Give \`dimensions: ${wrong.length}\` and rebuild the index, or use the model it was made with.`,
          },
        );
      }
      const vectors = reply.vectors.map((vector) => {
        const stored = toInt8(spread.apply(vector));
        if (!isQuery) sample?.add(vector, stored);
        return [stored];
      });
      return { vectors, tokens: reply.tokens };
    };
    const served: ServiceModel = {
      ...{ name: `own:${model}`, dimensions: spread.components, contextual: false, context, usdPerMillionTokens },
      limits: { documents: batch, chunks: batch, tokens: batch * room, tokensPerDocument: room },
      ...{ prefix: documentPrefix, space },
    };
    const { cache, onAnswered } = this.#keeping ?? {};
    return new ServiceEmbedder({ model: served, send, meter: this.#meter, concurrency, cache, onAnswered });
  }
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
