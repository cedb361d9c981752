import { randomUUID } from 'node:crypto';
import { nameOf, type ServedHit } from '../answer-shapes.ts';
import type { SearchRequest } from '../request-shapes.ts';
import { type Route, route } from '../route.ts';
import { searchIndexes } from '../routes/search.ts';
import type { AnyObjectSchema } from '../schema.ts';
import { addressOf, dateOf, dayOf, dialectProblem } from './asking.ts';
import { type DocumentFilterFields, documentFilter, filterSchemas } from './filters.ts';

interface RawSearchRequest extends DocumentFilterFields {
  readonly query: string | readonly string[];
  readonly max_results?: number | null;
}

const query = { type: 'string', minLength: 1, maxLength: 4000 } as const;
const rawSearchRequest: AnyObjectSchema = {
  type: 'object',
  properties: {
    query: { anyOf: [query, { type: 'array', items: query, minItems: 1, maxItems: 5 }] },
    max_results: { anyOf: [{ type: 'integer', minimum: 1, maximum: 100 }, { type: 'null' }] },
    ...filterSchemas,
  },
  required: ['query'],
};

/** The raw search of the search service. */
export const rawSearchRoute: Route = route<RawSearchRequest>({
  path: '/search',
  methods: ['POST'],
  summary: 'Passages in the dialect of the search service.',
  scope: 'read',
  request: rawSearchRequest,
  problem: dialectProblem,
  handle: async (call) => {
    const { query: asked, max_results } = call.input;
    const where = documentFilter(call.input) as unknown as SearchRequest['where']; // SQL of bound values, as in `questionOf`
    const limit = max_results ?? 10;
    const lists = await Promise.all(
      [asked].flat().map((one) => searchIndexes({ query: one, limit, ...(where !== undefined && { where }) }, call)),
    );
    const hits = lists.length === 1 ? lists[0]!.hits : inTurns(lists.map(({ hits: own }) => own)).slice(0, limit);
    const results = hits.map((hit) => ({
      title: nameOf(hit),
      url: addressOf(hit.reference, call, hit.index),
      snippet: hit.text,
      date: dateOf(hit.metadata),
      last_updated: dayOf(hit.metadata.updated),
    }));
    return { json: { id: randomUUID(), results, server_time: new Date().toISOString() } };
  },
});

/** The first of each list, then the second of each, each passage once. */
function inTurns(lists: readonly (readonly ServedHit[])[]): readonly ServedHit[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  const all = Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list[i] ?? [])).flat();
  return all.filter(
    (hit, i) => all.findIndex((one) => one.reference === hit.reference && one.index === hit.index) === i,
  );
}
