import { objectOf } from '../../core/arguments.ts';
import { isRecord } from '../../core/records.ts';
import { byIndex, infoOf, invalidAnswer, shaped, type Where } from '../http/answer.ts';
import type { Settled } from '../http/contract.ts';
import { ask } from '../http/endpoint.ts';
import { quantityOf, textOf } from './read.ts';
import type { CommonContext } from './routes.ts';
import type { CommonCallOptions, CommonEmbeddingsReply, CommonEmbeddingsRequest } from './types.ts';

/** @throws WireError RESPONSE_INVALID for vectors that are not one for each text, of one length, of finite numbers */
export function commonEmbeddings({ transport, routes }: CommonContext) {
  return async (request: CommonEmbeddingsRequest, options: CommonCallOptions = {}): Promise<CommonEmbeddingsReply> => {
    objectOf(request, 'the request');
    const { extraBody, ...rest } = options;
    const texts = typeof request.input === 'string' ? [request.input] : request.input;
    const json = { encoding_format: 'base64', ...request, ...extraBody };
    const { reply, where } = await routes.first('embeddings', ({ embeddings: operation }) => ({
      operation,
      send: () =>
        ask({
          wiring: { transport, profile: undefined },
          operation,
          call: {
            json,
            attributes: { 'gen_ai.request.model': request.model },
            settle: settled,
            options: rest,
          },
        }),
    }));
    const body = shaped<{ data?: unknown; model?: unknown; usage?: unknown }>(where, reply.body, {});
    const vectors = byIndex(where, 'data', body.data, texts.length).map(({ embedding }, i) =>
      vectorOf(where, `data[${i}].embedding`, embedding),
    );
    const length = vectors[0]?.length ?? 0;
    const other = vectors.findIndex((vector) => vector.length !== length || length === 0);
    if (other >= 0) {
      throw invalidAnswer(where, `data[${other}].embedding has ${vectors[other]!.length} numbers, the first ${length}`);
    }
    return { vectors, model: textOf(body.model), tokens: tokensOf(body.usage), info: infoOf(reply) };
  };
}

/** Numbers, or their 32-bit little-endian bytes as base64: servers answer in either form, whatever they were asked. */
function vectorOf(where: Where, at: string, value: unknown): Float32Array {
  const vector = typeof value === 'string' ? decoded(where, at, value) : listed(where, at, value);
  const broken = vector.findIndex((component) => !Number.isFinite(component));
  if (broken >= 0) throw invalidAnswer(where, `${at}[${broken}] is not a finite number`);
  return vector;
}

function listed(where: Where, at: string, value: unknown): Float32Array {
  if (!Array.isArray(value)) throw invalidAnswer(where, `${at} is neither a list of numbers nor base64`);
  const wrong = value.findIndex((component) => typeof component !== 'number');
  if (wrong >= 0) throw invalidAnswer(where, `${at}[${wrong}] is not a finite number`);
  return Float32Array.from(value as number[]); // as was looked at
}

function decoded(where: Where, at: string, text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length % 4 !== 0 || bytes.length !== Buffer.byteLength(text, 'base64')) {
    throw invalidAnswer(where, `${at} is not base64 of 32-bit numbers`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}

function tokensOf(usage: unknown): number | undefined {
  return isRecord(usage) ? (quantityOf(usage.total_tokens) ?? quantityOf(usage.prompt_tokens)) : undefined;
}

const settled = (body: unknown): Settled | undefined =>
  isRecord(body) ? { inputTokens: tokensOf(body.usage), model: textOf(body.model) } : undefined;
