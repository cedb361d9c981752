import { documentsRequest, searchRequest } from '../request-shapes.ts';
import { searchIndexes } from '../routes/search.ts';
import type { ObjectSchema } from '../schema.ts';
import { type Tool, tool } from './tool.ts';
import { type Filter, placesOf, string, warnings } from './tool-schemas.ts';
import { described, placeOf, withoutShards } from './tool-texts.ts';

const { where } = documentsRequest.properties;

interface SearchInput {
  readonly query: string;
  readonly limit?: number;
  readonly where?: Filter;
  readonly index?: string | readonly string[];
}

const searchInput: ObjectSchema<SearchInput> = {
  type: 'object',
  properties: {
    query: searchRequest.properties.query,
    limit: { type: 'integer', minimum: 1, maximum: 30, default: 5, description: 'Passages.' },
    where,
    index: searchRequest.properties.index,
  },
  required: ['query'],
  additionalProperties: false,
};

export const search: Tool = tool<SearchInput>({
  name: 'search',
  title: 'Search the documents',
  description:
    'Finds passages of the indexed documents by words and meaning. Each has a reference for `read` and for citing.',
  scope: 'read',
  input: searchInput,
  output: {
    type: 'object',
    properties: {
      hits: placesOf({ title: string, place: string, score: { type: 'number' }, text: string }),
      warnings,
    },
    required: ['hits'],
  },
  run: async ({ limit = 5, ...input }, call) => {
    const found = await searchIndexes({ ...input, limit }, call);
    const hits = found.hits.map((hit) => ({
      ref: hit.reference,
      title: hit.title,
      place: placeOf(hit.place, hit.heading),
      score: Math.round(hit.score * 100) / 100,
      text: hit.text.trim(),
      ...(hit.index !== undefined && { index: hit.index }),
    }));
    const lines = hits.map((hit, i) => `[${i + 1}] ${described(hit)}\n${hit.text}`);
    const { warnings: failures, shards } = found.report;
    return {
      text: [lines.join('\n\n') || 'Nothing was found.', ...withoutShards(shards)].join('\n\n'),
      structured: { hits, ...(failures.length > 0 && { warnings: failures }) },
    };
  },
});
