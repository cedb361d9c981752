import { IbidError } from '../../core/errors.ts';
import { pack, unpack } from '../../retrieve/shards/packed.ts';
import { mostTerms, type RemoteQuestion } from '../../retrieve/shards/remote-contract.ts';
import { type Route, route } from '../route.ts';
import { type AnyObjectSchema, checkValue, type Schema } from '../schema.ts';

const text: Schema = { type: 'string', maxLength: 4000 };
/** What stands between quotes in a long question has so many terms, and a long question so many quotes. */
const words: Schema = { type: 'array', items: text, maxItems: 20_000 };
const lists: Schema = { type: 'array', items: words, maxItems: 1000 };
const where: Schema = { type: 'string', maxLength: 200_000 };
const count: Schema = { type: 'integer', minimum: 0 };
const number: Schema = { type: 'number' };

function object(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): AnyObjectSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

const named = { name: text, words };
const listOf = (items: Schema, maxItems: number): Schema => ({ type: 'array', items, maxItems });
const counts = { type: 'integer', minimum: 1, maximum: 10_000 } as const;

/** What each kind of question takes. */
const requests: Readonly<Record<RemoteQuestion['kind'], AnyObjectSchema | undefined>> = {
  open: undefined,
  model: undefined,
  terms: object({ terms: listOf(object(named), mostTerms) }),
  dictionary: object({ start: text, mostBlocks: { type: 'integer', minimum: 0, maximum: 1024 } }),
  candidates: object(
    {
      collection: object({
        ...{ liveRows: count, text: count, title: count, headings: count, body: count, window: count, wholes: count },
      }),
      terms: listOf(
        object({ ...named, count: number, idf: number, windowIdf: number, alone: { type: 'boolean' } }),
        100,
      ),
      phrases: lists,
      excluded: lists,
      counts: object({ body: counts, window: counts, dense: counts, read: counts }, ['read']),
      vector: object({ 'base64:int8': { type: 'string', maxLength: 100_000 } }),
      where,
    },
    ['vector', 'where'],
  ),
  find: object({ where }),
  rows: object({ ordinals: listOf(count, 1000) }),
};

/** @throws IbidError INVALID_ARGUMENT that names the field */
function mustFit({ kind, ...rest }: Omit<ShardRequest, 'index'>): void {
  const request = requests[kind];
  checkValue(object(request ? { view: { type: 'string', maxLength: 100 }, request } : {}), rest);
}

interface ShardRequest {
  readonly kind: RemoteQuestion['kind'];
  readonly index?: string;
}

/** Between machines that rank their indexes as one; its answers hold packed arrays, and change with the version. */
export const shardRoute: Route = route<ShardRequest>({
  path: '/api/shard',
  methods: ['POST'],
  summary: 'Answers a coordinator that ranks this index with others as one. For ibid itself: it may change.',
  scope: 'read',
  request: {
    type: 'object',
    properties: { kind: { type: 'string', enum: Object.keys(requests) } },
    required: ['kind'],
  },
  async handle({ input: { index: name, ...question }, access, indexes, signal }) {
    mustFit(question);
    const chosen = name === undefined ? indexes.chosen(undefined) : [[name, indexes.get(name)] as const];
    if (chosen.length > 1) throw new IbidError('INVALID_ARGUMENT', 'the server has several indexes: name one');
    const [[, index]] = chosen as [readonly [string, Parameters<typeof access.view>[0]]];
    const answer = await access.view(index).answerShard(unpack(question) as object, { signal });
    return { text: pack(answer), type: 'application/json' };
  },
});
