import type { Exchange, Reply, Route } from '../contract.ts';
import { type Check, integer, list, oneOf, record, text } from '../shape.ts';
import { checkBody, countText, demand, keyed, refuse, type SearchContext, usd } from './context.ts';
import type { EmbeddingScript } from './script.ts';

const embeddingLimits = {
  texts: 512,
  documents: 512,
  chunks: 16_000,
  /** "32K" read the strict way. */
  tokensPerItem: 32_000,
  tokensPerRequest: 120_000,
} as const;

interface EmbeddingModel {
  readonly id: string;
  readonly nativeDimensions: number;
  /** USD. */
  readonly perMillion: number;
}

const small = { nativeDimensions: 1024, perMillion: 0.004 };
const large = { nativeDimensions: 2560, perMillion: 0.03 };

export function embeddingRoutes(context: SearchContext): Route[] {
  const { embedding, contextual } = context.models;
  const standardModels = [
    { id: embedding.small, ...small },
    { id: embedding.large, ...large },
  ];
  const contextualModels = [
    { id: contextual.small, ...small },
    { id: contextual.large, ...large },
  ];
  const oneText: Check = text({ min: 1 });
  const texts = list(oneText, { min: 1, max: embeddingLimits.texts });
  const documents = list(list(oneText, { min: 1 }), { min: 1, max: embeddingLimits.documents });
  return [
    keyed(context, 'POST', '/v1/embeddings', (exchange) => {
      const input: Check = (value, path) => (typeof value === 'string' ? oneText : texts)(value, path);
      const request = readRequest(context, exchange.request.body, standardModels, input);
      const given = (typeof request.input === 'string' ? [request.input] : request.input) as string[];
      return answer(
        context,
        exchange,
        'embeddings',
        request,
        given.map((item) => [item]),
        false,
      );
    }),
    keyed(context, 'POST', '/v1/contextualizedembeddings', (exchange) => {
      const request = readRequest(context, exchange.request.body, contextualModels, documents);
      return answer(context, exchange, 'contextualizedembeddings', request, request.input as string[][], true);
    }),
  ];
}

interface EmbeddingRequest {
  readonly input: unknown;
  readonly model: EmbeddingModel;
  readonly dimensions: number;
  readonly format: 'base64_int8' | 'base64_binary';
}

function readRequest(
  context: SearchContext,
  body: unknown,
  models: readonly EmbeddingModel[],
  input: Check,
): EmbeddingRequest {
  const checked = checkBody(
    context,
    body,
    record({
      input,
      model: text(),
      'dimensions?': integer(),
      'encoding_format?': oneOf('base64_int8', 'base64_binary'),
    }),
  );
  const model = models.find(({ id }) => id === checked.model);
  if (model === undefined) refuse(400, 'invalid_model', `Invalid model '${String(checked.model)}'`, 'model');
  const dimensions = (checked.dimensions as number | undefined) ?? model.nativeDimensions;
  const format = (checked.encoding_format as EmbeddingRequest['format'] | undefined) ?? 'base64_int8';
  checkBody(context, dimensions, (value) => integer(128, model.nativeDimensions)(value, ['dimensions']));
  demand(
    context,
    format !== 'base64_binary' || dimensions % 8 === 0,
    ['dimensions'],
    'dimensions must be a multiple of 8 for base64_binary',
  );
  return { input: checked.input, model, dimensions, format };
}

async function answer(
  context: SearchContext,
  { ledger }: Exchange,
  operation: string,
  request: EmbeddingRequest,
  documents: readonly (readonly string[])[],
  nested: boolean,
): Promise<Reply> {
  const tokens = countAll(context, documents, nested);
  const { model, dimensions, format } = request;
  const embedded = await context.embedder.embed(documents, {
    model: model.id,
    dimensions,
    nativeDimensions: model.nativeDimensions,
  });
  const script = context.script.embeddings ?? {};
  const entries = embedded.map((vectors, index) => {
    const own = vectors.map((vector, at) => ({
      object: 'embedding',
      index: nested ? at : index,
      embedding: encode(vector, format, script.shortVectors === true),
    }));
    return nested ? { object: script.outerObject ?? 'list', index, data: disturb(own, script) } : own[0];
  });
  const cost = usd(tokens, model.perMillion);
  ledger.add({
    service: 'search',
    operation,
    model: model.id,
    inputTokens: tokens,
    usd: cost,
    items: documents.flat(),
  });
  return {
    json: { object: 'list', model: model.id, data: disturb(entries, script), ...usage(tokens, cost, script) },
  };
}

/** @returns tokens of all texts; refuses what is over a limit (nothing is truncated) */
function countAll(context: SearchContext, documents: readonly (readonly string[])[], nested: boolean): number {
  const chunks = documents.reduce((sum, document) => sum + document.length, 0);
  demand(
    context,
    chunks <= embeddingLimits.chunks,
    ['input'],
    `at most ${embeddingLimits.chunks} chunks per request, not ${chunks}`,
  );
  let total = 0;
  for (const [index, document] of documents.entries()) {
    const tokens = document.reduce((sum, chunk) => sum + countText(chunk), 0);
    demand(
      context,
      tokens <= embeddingLimits.tokensPerItem,
      ['input', index],
      `${nested ? 'document' : 'text'} of ${tokens} tokens is over the maximum length of ${embeddingLimits.tokensPerItem} tokens`,
    );
    total += tokens;
  }
  demand(
    context,
    total <= embeddingLimits.tokensPerRequest,
    ['input'],
    `request of ${total} tokens is over the maximum length of ${embeddingLimits.tokensPerRequest} tokens`,
  );
  return total;
}

function usage(tokens: number, cost: number, script: EmbeddingScript): Record<string, unknown> {
  if (script.usage === 'absent') return {};
  const counts = { prompt_tokens: tokens, total_tokens: tokens };
  if (script.usage === 'without-cost') return { usage: counts };
  return { usage: { ...counts, cost: { input_cost: cost, total_cost: cost, currency: 'USD' } } };
}

function encode(vector: Int8Array, format: EmbeddingRequest['format'], short: boolean): string {
  const bytes =
    format === 'base64_int8' ? new Uint8Array(vector.buffer, vector.byteOffset, vector.length) : packSigns(vector);
  return Buffer.from(short ? bytes.subarray(1) : bytes).toString('base64');
}

/** Bit i mod 8, least significant first, of byte ⌊i / 8⌋ is 1 when component i is at least 0. */
export function packSigns(vector: Int8Array): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(vector.length / 8));
  vector.forEach((value, at) => {
    if (value >= 0) bytes[at >> 3] = bytes[at >> 3]! | (1 << (at & 7));
  });
  return bytes;
}

/** Order, doubles and gaps by script. A rotation moves every entry of a list of two or more. */
function disturb<T>(entries: readonly T[], script: EmbeddingScript): T[] {
  let list = [...entries];
  if (script.missing === true) list = list.slice(0, -1);
  if (script.duplicate === true && list.length > 0) list = [...list.slice(0, -1), list[0]!];
  if (script.shuffle === true) list = [...list.slice(1).reverse(), ...list.slice(0, 1)];
  return list;
}
