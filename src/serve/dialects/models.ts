import { IbidError } from '../../core/errors.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import { Refusal } from '../problem.ts';
import { type Call, type Route, route } from '../route.ts';
import { modesOf } from '../routes/status.ts';
import type { AnyObjectSchema } from '../schema.ts';
import { dialectProblem } from './asking.ts';

interface EmbeddingsRequest {
  readonly input: string | readonly string[];
  readonly model?: string;
  readonly encoding_format?: 'float' | 'base64' | 'base64_int8' | null;
  readonly dimensions?: number | null;
}

const text = { type: 'string', minLength: 1, maxLength: 100_000 } as const;
const embeddingsRequest: AnyObjectSchema = {
  type: 'object',
  properties: {
    input: { anyOf: [text, { type: 'array', items: text, minItems: 1, maxItems: 512 }] },
    model: { type: 'string', maxLength: 200 },
    encoding_format: { anyOf: [{ type: 'string', enum: ['float', 'base64', 'base64_int8'] }, { type: 'null' }] },
    dimensions: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
  },
  required: ['input'],
};

/** The name of the index's own embedder among the models. */
const embedderName = 'ibid-embedder';

export const embeddingsRoute: Route = route<EmbeddingsRequest>({
  path: '/v1/embeddings',
  methods: ['POST'],
  summary: "Vectors of the index's own embedder, of length 1.",
  scope: 'read',
  request: embeddingsRequest,
  problem: dialectProblem,
  handle: async ({ input: { input, encoding_format, dimensions }, access, indexes, signal }) => {
    const chosen = indexes.chosen(undefined);
    if (chosen.length > 1)
      throw new IbidError('INVALID_ARGUMENT', 'the server has several indexes, each with an embedder of its own');
    const texts = [input].flat();
    const wanted = { signal, budget: access.budget, ...(dimensions && { dimensions }) };
    const vectors = await access.view(chosen[0]![1]).embed(texts, wanted);
    const data = vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: encoded(vector, encoding_format ?? 'float'),
    }));
    const tokens = texts.reduce((sum, one) => sum + countTokens(one), 0);
    return {
      json: { object: 'list', data, model: embedderName, usage: { prompt_tokens: tokens, total_tokens: tokens } },
    };
  },
});

function encoded(vector: Int8Array, format: 'float' | 'base64' | 'base64_int8'): readonly number[] | string {
  if (format === 'base64_int8') return Buffer.from(vector.buffer, vector.byteOffset, vector.length).toString('base64');
  let squares = 0;
  for (const component of vector) squares += component * component;
  const unit = Float32Array.from(vector, (component) => (squares === 0 ? 0 : component / Math.sqrt(squares)));
  return format === 'base64' ? Buffer.from(unit.buffer).toString('base64') : [...unit];
}

const modelsAnswer = (access: Call['access']): readonly object[] =>
  [...(access.has('ask') ? modesOf(access) : []), ...(access.token?.where === undefined ? [embedderName] : [])].map(
    (id) => ({
      ...{ id, object: 'model', created: 0, owned_by: 'ibid' },
    }),
  );

export const modelRoutes: readonly Route[] = [
  {
    path: '/v1/models',
    methods: ['GET'],
    summary: 'The modes that the caller may use, and the embedder, as models.',
    scope: 'read',
    problem: dialectProblem,
    handle: ({ access }) => ({ json: { object: 'list', data: modelsAnswer(access) } }),
  },
  {
    path: '/v1/models/*',
    methods: ['GET'],
    summary: 'One model.',
    scope: 'read',
    problem: dialectProblem,
    handle: ({ access, rest }) => {
      const model = modelsAnswer(access).find((one) => 'id' in one && one.id === rest);
      if (!model) throw new Refusal(404, 'NOT_FOUND', 'there is no such model');
      return { json: model };
    },
  },
];
