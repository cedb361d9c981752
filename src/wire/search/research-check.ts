import {
  type Check,
  checkFields,
  type Fields,
  fields,
  integer,
  list,
  refuse,
  required,
  requireText,
} from '../http/check.ts';
import { responseFormat, userLocation } from './answer-check.ts';
import { known, string, tagged, textOr } from './check.ts';
import { checkFilters, filterFields, language, type SearchFilters } from './check-filters.ts';
import type { ResearchRequest } from './research-types.ts';

const tokens = integer(1, 1_000_000);

/** Names of the service's own tools, which a function must not take. */
export const reservedFunctions: ReadonlySet<string> = new Set([
  ...['web_search', 'search_web', 'people_search', 'search_people', 'fetch_url', 'finance_search', 'sandbox'],
]);

const filters: Check = (field, value) => {
  fields(filterFields)(field, value);
  if (value !== undefined) checkFilters(field, value as SearchFilters); // its fields have just been checked
};

/** The service takes amounts beyond these in silence, and bills them. */
const tool = tagged({
  web_search: {
    ...known('search_context_size', 'search_type'),
    config: filters,
    filters,
    max_results: integer(1, 50),
    max_tokens: tokens,
    max_tokens_per_page: tokens,
    user_location: userLocation,
  },
  fetch_url: { max_urls: integer(1, 10), total_budget_tokens: integer(1, 120_000) },
  function: known('name', 'description', 'parameters', 'strict'),
  mcp: known('server_label', 'server_url', 'allowed_tools', 'authorization', 'headers'),
  people_search: {},
  finance_search: {},
  sandbox: {},
});

const parts = textOr(tagged({ input_text: { text: requireText }, input_image: { image_url: requireText } }));

const item = tagged({
  message: { ...known('role'), content: required(parts) },
  function_call: { ...known('call_id', 'name', 'thought_signature'), arguments: string },
  function_call_output: { ...known('call_id', 'name', 'thought_signature'), output: string },
});

const requestFields: Fields = {
  ...known('model', 'models', 'preset', 'instructions', 'tool_choice', 'temperature', 'top_p', 'metadata'),
  ...known('parallel_tool_calls', 'truncation', 'previous_response_id', 'store', 'background'),
  input: required(textOr(item)),
  tools: list(tool),
  max_tokens: tokens,
  max_output_tokens: tokens,
  max_steps: integer(1, 100),
  max_tool_calls: integer(0),
  response_format: responseFormat,
  reasoning: fields(known('effort')),
  language_preference: language,
};

/**
 * Refuses what the service silently accepts but cannot mean. What the service refuses at once is left to it.
 * @throws IbidError INVALID_ARGUMENT naming the field
 */
export function checkResearch(request: ResearchRequest): void {
  checkFields('', request, requestFields);
  const { max_tokens: limit, max_output_tokens: publicLimit, tools = [] } = request;
  if (limit !== undefined && publicLimit !== undefined && limit !== publicLimit) {
    refuse('max_tokens', 'contradicts max_output_tokens', 'They are two spellings of one field; give one.');
  }
  for (const [index, given] of tools.entries()) {
    if (given.type === 'web_search' && given.config !== undefined && given.filters !== undefined) {
      refuse(`tools[${index}].config`, 'and filters are two spellings of one field; give one');
    }
  }
}
