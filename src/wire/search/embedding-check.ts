import { anything, fields, list, refuse, requireText, shown } from '../http/check.ts';
import { checkModel, known } from './check.ts';
import type { EncodingFormat } from './embedding-decode.ts';
import type { ContextualRequest, EmbeddingsOptions, EmbeddingsRequest } from './embedding-types.ts';
import type { SearchModel } from './models.ts';
import type { SearchProfile } from './profile.ts';
import { estimateTokens } from './token-estimate.ts';

/** Limits of one embeddings request. */
export const embeddingLimits = {
  /** Texts, or documents of the contextual operation. */
  items: 512,
  /** Chunks of all documents together. */
  chunks: 16_000,
  /** Tokens of all texts together. */
  requestTokens: 120_000,
  /** Smallest vector. */
  minDimensions: 128,
} as const;

export interface CheckedEmbeddings {
  readonly model: SearchModel;
  readonly dimensions: number;
  readonly encoding: EncodingFormat;
  readonly tokens: number;
}

const checkRequest = fields(known('input', 'model', 'dimensions', 'encoding_format'));
const items = list(anything, embeddingLimits.items, 1);

/**
 * One request that is too long is refused as a whole, by the service after an upload: counted here first.
 * @throws IbidError INVALID_ARGUMENT naming the field and the limit
 */
export function checkEmbeddings(
  profile: SearchProfile,
  request: EmbeddingsRequest | ContextualRequest,
  kind: 'embedding' | 'contextual',
  options: EmbeddingsOptions,
): CheckedEmbeddings {
  checkRequest('', request);
  const model = checkModel(request.model, profile.models, kind);
  const { input } = request;
  const single = kind === 'embedding' && typeof input === 'string';
  if (!single) items('input', input);
  const entries = single ? [input] : (input as readonly unknown[]); // a list, as was checked just before
  const { countTokens = estimateTokens } = options;
  let tokens = 0;
  let chunks = 0;
  for (const [index, item] of entries.entries()) {
    const at = single ? 'input' : `input[${index}]`;
    let own = 0;
    for (const [place, text] of kind === 'embedding' ? [[at, item] as const] : chunksOf(at, item)) {
      requireText(place, text);
      own += countTokens(text);
      chunks++;
    }
    if (own > model.contextTokens) {
      tooLong(at, own, model.contextTokens, kind === 'embedding' ? 'text' : 'document', options);
    }
    tokens += own;
  }
  if (chunks > embeddingLimits.chunks) {
    refuse('input', `holds ${chunks} chunks; the limit is ${embeddingLimits.chunks}`);
  }
  if (tokens > embeddingLimits.requestTokens) {
    tooLong('input', tokens, embeddingLimits.requestTokens, 'request', options);
  }
  const { dimensions = model.dimensions, encoding_format: encoding = 'base64_int8' } = request;
  // what comes is measured by them, after it is paid
  if (dimensions === undefined)
    refuse('dimensions', `is required: the profile does not say how many ${model.name} has`);
  if (encoding === 'base64_binary' && dimensions % 8 !== 0) {
    refuse('dimensions', `must be a multiple of 8 with base64_binary, got ${dimensions}`); // bits come in whole bytes
  }
  return { model, dimensions, encoding, tokens };
}

/** The chunks of a document, each with its place in the request. */
function chunksOf(at: string, document: unknown): readonly (readonly [place: string, chunk: unknown])[] {
  if (!Array.isArray(document)) {
    const hint = 'A query is a document of one chunk: [["query"]].';
    refuse(at, `must be a list of chunks, got ${shown(document)}`, hint);
  }
  if (document.length === 0) refuse(at, 'must not be an empty list');
  return document.map((chunk: unknown, position) => [`${at}[${position}]`, chunk]);
}

function tooLong(field: string, tokens: number, limit: number, per: string, options: EmbeddingsOptions): never {
  const estimated = options.countTokens === undefined;
  const hint = estimated
    ? 'This is a generous estimate: pass countTokens to count exactly.'
    : 'Send less at once; a long document is cut into several on chunk borders.';
  return refuse(field, `holds ${estimated ? 'about ' : ''}${tokens} tokens; the limit is ${limit} per ${per}`, hint);
}
