import {
  fields,
  filled,
  integer,
  kinds,
  list,
  optional,
  refuse,
  required,
  string,
  text,
  textOr,
} from '../http/check.ts';
import { responseFormat, userLocation } from './answer-check.ts';
import { known } from './check.ts';
import { checkFilters, filterFields, language, type SearchFilters } from './check-filters.ts';
import type { ResearchRequest } from './research-types.ts';

const tokens = integer(1, 1_000_000);

/** Names of the service's own tools, which a function must not take. */
export const reservedFunctions: ReadonlySet<string> = new Set([
  ...['web_search', 'search_web', 'people_search', 'search_people', 'fetch_url', 'finance_search', 'sandbox'],
]);

const someFilters = fields(filterFields);

const filters = optional((field, value) => {
  someFilters(field, value);
  checkFilters(field, value as SearchFilters); // its fields have just been checked
});

/** The service takes amounts beyond these in silence, and bills them. */
const tool = kinds(
  {
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
  },
  fields,
);

const part = kinds({ input_text: { text: required(text) }, input_image: { image_url: required(text) } }, fields);

const item = kinds(
  {
    message: { ...known('role'), content: required(textOr(filled(part))) },
    function_call: { ...known('call_id', 'name', 'thought_signature'), arguments: required(string) },
    function_call_output: { ...known('call_id', 'name', 'thought_signature'), output: required(string) },
  },
  fields,
);

const checkRequest = fields({
  ...known('model', 'models', 'preset', 'instructions', 'tool_choice', 'temperature', 'top_p', 'metadata'),
  ...known('parallel_tool_calls', 'truncation', 'previous_response_id', 'store', 'background'),
  input: required(textOr(filled(item))),
  tools: list(tool),
  max_tokens: tokens,
  max_output_tokens: tokens,
  max_steps: integer(1, 100),
  max_tool_calls: integer(0),
  response_format: responseFormat,
  reasoning: fields(known('effort')),
  language_preference: language,
});

/**
 * Refuses what the service silently accepts but cannot mean. What the service refuses at once is left to it.
 * @throws IbidError INVALID_ARGUMENT naming the field
 */
export function checkResearch(request: ResearchRequest): void {
  checkRequest('', request);
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
