import { checkInteger, checkKnown, checkModel, checkOneOf, checkRecord, checkText, refuse, shown } from './check.ts';
import type { EncodingFormat } from './embedding-decode.ts';
import type { ContextualRequest, EmbeddingsOptions, EmbeddingsRequest } from './embeddings.ts';
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

const fields = ['input', 'model', 'dimensions', 'encoding_format'];

function checkShape(
  profile: SearchProfile,
  request: EmbeddingsRequest | ContextualRequest,
  kind: 'embedding' | 'contextual',
): Omit<CheckedEmbeddings, 'tokens'> {
  checkRecord('request', request);
  checkKnown('', request, fields);
  const model = checkModel('model', request.model, profile.models, kind);
  const full = model.dimensions ?? 0;
  checkInteger('dimensions', request.dimensions, embeddingLimits.minDimensions, full);
  checkOneOf('encoding_format', request.encoding_format, ['base64_int8', 'base64_binary']);
  const dimensions = request.dimensions ?? full;
  const encoding = request.encoding_format ?? 'base64_int8';
  if (encoding === 'base64_binary' && dimensions % 8 !== 0) {
    refuse('dimensions', `must be a multiple of 8 for base64_binary, got ${dimensions}`);
  }
  return { model, dimensions, encoding };
}

/** @throws IbidError INVALID_ARGUMENT naming the field and the limit */
export function checkEmbeddings(
  profile: SearchProfile,
  request: EmbeddingsRequest,
  options: EmbeddingsOptions,
): CheckedEmbeddings {
  const checked = checkShape(profile, request, 'embedding');
  const texts = typeof request.input === 'string' ? [request.input] : request.input;
  checkList('input', texts, 'texts', embeddingLimits.items);
  const count = counter(options);
  let tokens = 0;
  texts.forEach((text, index) => {
    const at = typeof request.input === 'string' ? 'input' : `input[${index}]`;
    checkText(at, text);
    const own = count(text);
    if (own > checked.model.contextTokens) tooLong(at, own, checked.model.contextTokens, 'text', options);
    tokens += own;
  });
  return { ...checked, tokens: checkTotal(tokens, options) };
}

/** @throws IbidError INVALID_ARGUMENT naming the field and the limit */
export function checkContextual(
  profile: SearchProfile,
  request: ContextualRequest,
  options: EmbeddingsOptions,
): CheckedEmbeddings {
  const checked = checkShape(profile, request, 'contextual');
  checkList('input', request.input, 'documents', embeddingLimits.items);
  const count = counter(options);
  let tokens = 0;
  let chunks = 0;
  request.input.forEach((document, index) => {
    const at = `input[${index}]`;
    if (!Array.isArray(document)) {
      refuse(
        at,
        `must be an array of chunks, got ${shown(document)}`,
        'A query is a document of one chunk: [["query"]].',
      );
    }
    if (document.length === 0) refuse(at, 'must not be an empty array');
    chunks += document.length;
    let own = 0;
    document.forEach((chunk: unknown, position) => {
      checkText(`${at}[${position}]`, chunk);
      own += count(chunk);
    });
    if (own > checked.model.contextTokens) tooLong(at, own, checked.model.contextTokens, 'document', options);
    tokens += own;
  });
  if (chunks > embeddingLimits.chunks)
    refuse('input', `holds ${chunks} chunks; the limit is ${embeddingLimits.chunks}`);
  return { ...checked, tokens: checkTotal(tokens, options) };
}

function checkList(field: string, list: unknown, what: string, max: number): void {
  if (!Array.isArray(list)) refuse(field, `must be an array of ${what}, got ${shown(list)}`);
  if (list.length === 0) refuse(field, 'must not be an empty array');
  if (list.length > max) refuse(field, `holds ${list.length} ${what}; the limit is ${max} per request`);
}

const counter = ({ countTokens = estimateTokens }: EmbeddingsOptions): ((text: string) => number) => countTokens;

function checkTotal(tokens: number, options: EmbeddingsOptions): number {
  if (tokens > embeddingLimits.requestTokens)
    tooLong('input', tokens, embeddingLimits.requestTokens, 'request', options);
  return tokens;
}

function tooLong(field: string, tokens: number, limit: number, per: string, options: EmbeddingsOptions): never {
  const estimated = options.countTokens === undefined;
  const hint = estimated
    ? 'This is a generous estimate: pass countTokens to count exactly.'
    : 'Send less at once; a long document is cut into several on chunk borders.';
  return refuse(field, `holds ${estimated ? 'about ' : ''}${tokens} tokens; the limit is ${limit} per ${per}`, hint);
}
