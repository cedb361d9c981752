import {
  anything,
  type Check,
  choose,
  flag,
  integer,
  isRecord,
  list,
  mapping,
  number,
  oneOf,
  record,
  tagged,
  text,
} from '../shape.ts';
import { jsonSchemaFormat, userLocation } from './chat-request.ts';
import { checkBody, refuse, type SearchContext } from './context.ts';
import { filterFields, readFilters } from './filters.ts';
import type { WebFilters } from './web.ts';

/** Preset → steps and searches; the short names are newer. */
const presets: Readonly<Record<string, { readonly steps: number; readonly searches: number }>> = {
  'fast-search': { steps: 1, searches: 1 },
  'pro-search': { steps: 3, searches: 1 },
  'deep-research': { steps: 10, searches: 2 },
  'advanced-deep-research': { steps: 20, searches: 3 },
  fast: { steps: 1, searches: 1 },
  low: { steps: 3, searches: 1 },
  medium: { steps: 10, searches: 2 },
  high: { steps: 20, searches: 3 },
  xhigh: { steps: 30, searches: 3 },
};

export interface DeclaredFunction {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export type InputItem =
  | { readonly type: 'message'; readonly role: string; readonly text: string }
  | {
      readonly type: 'function_call';
      readonly call_id: string;
      readonly name: string;
      readonly thought_signature?: string;
    }
  | { readonly type: 'function_call_output'; readonly call_id: string; readonly output: string };

/** A research request after the checks that need no earlier run. */
export interface ResearchRequest {
  readonly body: Readonly<Record<string, unknown>>;
  readonly items: readonly InputItem[];
  /** What runs: the first available of the chain; undefined when none is. */
  readonly model: string | undefined;
  /** As echoed before completion. */
  readonly label: string;
  readonly preset: { readonly steps: number; readonly searches: number } | undefined;
  readonly web: { readonly filters: WebFilters; readonly results: number } | undefined;
  readonly fetches: boolean;
  readonly sandbox: boolean;
  readonly functions: readonly DeclaredFunction[];
  readonly maxOutputTokens: number | undefined;
  readonly schema: Record<string, unknown> | undefined;
  readonly stream: boolean;
  readonly background: boolean;
  readonly store: boolean;
  readonly previousId: string | undefined;
}

const reservedNames = [
  'web_search',
  'search_web',
  'people_search',
  'search_people',
  'fetch_url',
  'finance_search',
  'sandbox',
];

const signature = { 'thought_signature?': text() } as const;

const inputItem = tagged('type', {
  message: {
    role: oneOf('user', 'assistant', 'system', 'developer'),
    content: choose((value) =>
      typeof value === 'string'
        ? text()
        : list(tagged('type', { input_text: { text: text() }, input_image: { image_url: text({ min: 1 }) } }), {
            min: 1,
          }),
    ),
  },
  function_call: { call_id: text({ min: 1 }), name: text({ min: 1 }), arguments: text(), ...signature },
  function_call_output: { call_id: text({ min: 1 }), output: text(), 'name?': text(), ...signature },
});

const webBudget = {
  'max_results?': integer(1, 50),
  'max_tokens?': integer(1),
  'max_tokens_per_page?': integer(1),
  'search_context_size?': oneOf('low', 'medium', 'high'),
  'search_type?': oneOf('web', 'fast'),
  'user_location?': userLocation,
} as const;

const filters = record(filterFields);

const otherTools = {
  fetch_url: { 'max_urls?': integer(1, 10), 'total_budget_tokens?': integer(1, 120_000) },
  function: {
    name: text({ pattern: /^[A-Za-z0-9_-]{1,64}$/ }),
    'description?': text(),
    parameters: mapping(anything),
    'strict?': flag,
  },
  people_search: {},
  finance_search: {},
  sandbox: {},
  mcp: {
    server_label: text({ min: 1 }),
    server_url: text({ min: 1 }),
    'allowed_tools?': list(text()),
    'authorization?': text(),
    'headers?': mapping(text()),
  },
} as const;

const common = {
  input: choose((value) => (typeof value === 'string' ? text({ min: 1 }) : list(inputItem, { min: 1 }))),
  'model?': text({ min: 1 }),
  'models?': list(text({ min: 1 }), { min: 1, max: 5 }),
  'preset?': oneOf(...Object.keys(presets)),
  'instructions?': text(),
  'tool_choice?': choose((value) => {
    if (typeof value === 'string') return oneOf('none', 'auto', 'required');
    return isRecord(value) && Object.hasOwn(value, 'name') ? record({ name: text() }) : record({ type: text() });
  }),
  'max_steps?': integer(1, 100),
  'max_tool_calls?': integer(0),
  'stream?': flag,
  'response_format?': tagged('type', { json_schema: jsonSchemaFormat('name') }),
  'reasoning?': record({ effort: oneOf('minimal', 'low', 'medium', 'high', 'xhigh') }),
  'temperature?': number(0, 2),
  'top_p?': number(0, 1),
  'parallel_tool_calls?': flag,
  'language_preference?': text({ pattern: /^[a-z]{2}$/ }),
  'metadata?': mapping(text(), { max: 16 }),
  'truncation?': oneOf('auto', 'disabled'),
  'previous_response_id?': text({ min: 1 }),
  'store?': flag,
  'background?': flag,
} as const satisfies Record<string, Check>;

/** Seed: `max_tokens`, and the search tool's `config`. Public: `max_output_tokens`, and its `filters`. */
const shapes = {
  reference: record({
    ...common,
    'max_tokens?': integer(1),
    'tools?': list(
      tagged('type', {
        web_search: { 'config?': record({ ...filterFields, ...webBudget }), ...webBudget },
        ...otherTools,
      }),
      { max: 16 },
    ),
  }),
  public: record({
    ...common,
    'max_output_tokens?': integer(1),
    'tools?': list(tagged('type', { web_search: { 'filters?': filters, ...webBudget }, ...otherTools }), { max: 16 }),
  }),
} as const;

export function readResearchRequest(context: SearchContext, given: unknown): ResearchRequest {
  const body = checkBody(context, given, shapes[context.dialect], true);
  const tools = (body.tools as { type: string; [key: string]: unknown }[] | undefined) ?? [];
  const preset = body.preset === undefined ? undefined : presets[String(body.preset)];
  const chain = (body.models as string[] | undefined) ?? (body.model === undefined ? [] : [String(body.model)]);
  if (chain.length === 0 && preset === undefined) {
    refuse(400, 'invalid_request', 'one of model, models or preset is required', 'model');
  }
  for (const model of chain) {
    if (![...context.models.research, ...context.models.unavailable].includes(model)) {
      refuse(400, 'invalid_model', `Invalid model '${model}'`, body.models === undefined ? 'model' : 'models');
    }
  }
  const model =
    chain.length === 0 ? context.models.research[0] : chain.find((id) => !context.models.unavailable.includes(id));
  const functions = readFunctions(tools);
  const off = body.tool_choice === 'none' || body.max_tool_calls === 0;
  checkChoice(body.tool_choice, tools, preset !== undefined);
  const webTool = tools.find(({ type }) => type === 'web_search');
  const limit = body[context.dialect === 'reference' ? 'max_tokens' : 'max_output_tokens'] as number | undefined;
  const format = body.response_format as { json_schema: { schema: Record<string, unknown> } } | undefined;
  return {
    body,
    items: readItems(body.input),
    model,
    label: String(body.preset ?? chain[0]),
    preset,
    // A list of tools takes the place of the preset's own.
    web: off || (webTool === undefined && (preset === undefined || tools.length > 0)) ? undefined : readWeb(webTool),
    fetches: !off && tools.some(({ type }) => type === 'fetch_url'),
    sandbox: !off && tools.some(({ type }) => type === 'sandbox'),
    functions: off ? [] : functions,
    maxOutputTokens: limit === undefined ? undefined : Math.max(16, limit),
    schema: format?.json_schema.schema,
    stream: body.stream === true,
    background: body.background === true,
    store: body.store !== false,
    previousId: body.previous_response_id as string | undefined,
  };
}

function readItems(input: unknown): InputItem[] {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', text: input }];
  return (input as Record<string, unknown>[]).map((item) => {
    if (item.type !== 'message') return item as unknown as InputItem;
    const { content } = item as { content: string | { text?: string }[] };
    const said = typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('\n');
    return { type: 'message', role: String(item.role), text: said };
  });
}

function readFunctions(tools: readonly Readonly<Record<string, unknown>>[]): DeclaredFunction[] {
  const functions: DeclaredFunction[] = [];
  for (const [at, tool] of tools.entries()) {
    if (tool.type !== 'function') continue;
    const { name, parameters } = tool as { name: string; parameters: Record<string, unknown> };
    if (reservedNames.includes(name)) {
      refuse(400, 'invalid_request', `function name '${name}' is reserved`, `tools[${at}].name`);
    }
    if (functions.some((other) => other.name === name)) {
      refuse(400, 'invalid_request', `function '${name}' is declared twice`, `tools[${at}].name`);
    }
    // What is wrong inside a schema is not said.
    if (parameters.type !== 'object') refuse(400, 'invalid_request', 'invalid request');
    functions.push({ name, parameters });
  }
  return functions;
}

function checkChoice(choice: unknown, tools: readonly Readonly<Record<string, unknown>>[], hasPreset: boolean): void {
  if (!isRecord(choice)) return;
  const known = tools.some((tool) => ('name' in choice ? tool.name === choice.name : tool.type === choice.type));
  const presetOwn = hasPreset && tools.length === 0 && choice.type === 'web_search';
  if (!known && !presetOwn)
    refuse(400, 'invalid_request', 'tool_choice names a tool that is not in tools', 'tool_choice');
}

function readWeb(tool: Readonly<Record<string, unknown>> | undefined): NonNullable<ResearchRequest['web']> {
  const inner = ((tool?.config ?? tool?.filters) as Record<string, unknown> | undefined) ?? {};
  return {
    filters: readFilters(inner, ['tools']),
    results: (tool?.max_results as number | undefined) ?? (inner.max_results as number | undefined) ?? 5,
  };
}
