import { checkLocation, checkSchemaName, contextSizes } from './answer-check.ts';
import {
  checkBoolean,
  checkInteger,
  checkKnown,
  checkNumber,
  checkOneOf,
  checkRecord,
  checkText,
  checkTexts,
  isRecord,
  refuse,
  shown,
} from './check.ts';
import { checkFilters, checkLanguage, filterFields } from './check-filters.ts';
import type { ResearchRequest } from './research-types.ts';

const presets = ['fast-search', 'pro-search', 'deep-research', 'advanced-deep-research'];
const newPresets = ['fast', 'low', 'medium', 'high', 'xhigh'];
const efforts = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
const maxModels = 5;
const maxMcpServers = 16;
const maxMetadata = 16;
const maxSteps = 100;
const maxTokens = 1_000_000;

/** Names of the service's own tools, which a function must not take. */
export const reservedFunctions: ReadonlySet<string> = new Set([
  ...['web_search', 'search_web', 'people_search', 'search_people', 'fetch_url', 'finance_search', 'sandbox'],
]);

const known: readonly string[] = [
  ...['model', 'models', 'preset', 'input', 'instructions', 'tools', 'tool_choice', 'max_tokens', 'max_output_tokens'],
  ...['max_steps', 'max_tool_calls', 'response_format', 'reasoning', 'temperature', 'top_p', 'parallel_tool_calls'],
  ...['language_preference', 'metadata', 'truncation', 'previous_response_id', 'store', 'background', 'stream'],
];

const toolFields: Readonly<Record<string, readonly string[]>> = {
  web_search: [
    ...['config', 'filters', 'max_results', 'max_tokens', 'max_tokens_per_page', 'search_context_size'],
    ...['search_type', 'user_location'],
  ],
  fetch_url: ['max_urls', 'total_budget_tokens'],
  function: ['name', 'description', 'parameters', 'strict'],
  mcp: ['server_label', 'server_url', 'allowed_tools', 'authorization', 'headers'],
  people_search: [],
  finance_search: [],
  sandbox: [],
};

const itemFields: Readonly<Record<string, readonly string[]>> = {
  message: ['role', 'content'],
  function_call: ['call_id', 'name', 'arguments', 'thought_signature'],
  function_call_output: ['call_id', 'output', 'name', 'thought_signature'],
};

/**
 * Refuses what the service would refuse, and what it silently accepts but cannot mean.
 * @throws IbidError INVALID_ARGUMENT naming the field
 */
export function checkResearch(request: ResearchRequest, stream: boolean): void {
  checkRecord('request', request);
  if ('stream' in request && request.stream !== undefined && request.stream !== stream) {
    refuse('stream', `is ${shown(request.stream)}, but this method sends ${stream}`, 'Use create or stream instead.');
  }
  if ('text' in request) refuse('text', 'is not taken here', 'Put the schema into response_format.');
  checkKnown('', request, known);
  checkModels(request);
  checkInput(request.input);
  if (request.instructions !== undefined && typeof request.instructions !== 'string') {
    refuse('instructions', `must be a string, got ${shown(request.instructions)}`);
  }
  checkTools(request.tools);
  checkToolChoice(request);
  for (const field of ['max_tokens', 'max_output_tokens'] as const) checkInteger(field, request[field], 1, maxTokens);
  if (
    request.max_tokens !== undefined &&
    request.max_output_tokens !== undefined &&
    request.max_tokens !== request.max_output_tokens
  ) {
    refuse('max_tokens', 'contradicts max_output_tokens', 'They are two spellings of one field; give one.');
  }
  checkInteger('max_steps', request.max_steps, 1, maxSteps);
  checkInteger('max_tool_calls', request.max_tool_calls, 0, Number.MAX_SAFE_INTEGER);
  checkFormat(request.response_format);
  if (request.reasoning !== undefined) {
    checkRecord('reasoning', request.reasoning);
    checkKnown('reasoning', request.reasoning, ['effort']);
    checkOneOf('reasoning.effort', request.reasoning.effort ?? null, efforts);
  }
  checkNumber('temperature', request.temperature, 0, 2);
  checkNumber('top_p', request.top_p, 0, 1);
  for (const field of ['parallel_tool_calls', 'store', 'background'] as const) checkBoolean(field, request[field]);
  checkLanguage('language_preference', request.language_preference);
  if (request.metadata !== undefined) {
    checkRecord('metadata', request.metadata);
    const keys = Object.keys(request.metadata).length;
    if (keys > maxMetadata) refuse('metadata', `has ${keys} keys; the limit is ${maxMetadata}`);
  }
  if (request.previous_response_id !== undefined) checkText('previous_response_id', request.previous_response_id);
}

function checkModels(request: ResearchRequest): void {
  checkTexts('models', request.models, maxModels);
  if (request.model !== undefined) checkText('model', request.model);
  for (const [field, name] of [
    ['model', request.model],
    ...(request.models ?? []).map((model, index) => [`models[${index}]`, model]),
  ] as const) {
    if (name !== undefined && !/^[^/\s]+\/\S+$/.test(name)) {
      refuse(field!, `must have the form <provider>/<model>, got ${shown(name)}`);
    }
  }
  if (request.preset !== undefined) {
    checkText('preset', request.preset);
    // Presets may change over time; only what cannot be a name is refused.
    if (!/^[a-z0-9][a-z0-9_.-]*$/i.test(request.preset)) {
      refuse(
        'preset',
        `is not a preset: ${shown(request.preset)}`,
        `Known: ${[...presets, ...newPresets].join(', ')}.`,
      );
    }
  }
  if (request.model === undefined && request.models === undefined && request.preset === undefined) {
    refuse('model', 'is required without models and preset', `Presets: ${presets.join(', ')}.`);
  }
}

function checkInput(input: unknown): void {
  if (!Array.isArray(input)) {
    checkText('input', input);
    return;
  }
  if (input.length === 0) refuse('input', 'must not be empty');
  const called = new Set<unknown>();
  input.forEach((item: unknown, index) => {
    const at = `input[${index}]`;
    checkRecord(at, item);
    checkOneOf(`${at}.type`, item.type ?? null, Object.keys(itemFields));
    const type = String(item.type);
    checkKnown(at, item, ['type', ...(itemFields[type] ?? [])]);
    if (type === 'message') {
      checkMessage(at, item);
      return;
    }
    checkText(`${at}.call_id`, item.call_id);
    if (type === 'function_call') {
      checkText(`${at}.name`, item.name);
      if (typeof item.arguments !== 'string') refuse(`${at}.arguments`, 'must be a string of JSON');
      called.add(item.call_id);
      return;
    }
    if (typeof item.output !== 'string') refuse(`${at}.output`, `must be a string, got ${shown(item.output)}`);
    if (!called.has(item.call_id)) refuse(`${at}.call_id`, 'answers no function_call before it');
  });
}

function checkMessage(at: string, item: Readonly<Record<string, unknown>>): void {
  checkOneOf(`${at}.role`, item.role ?? null, ['user', 'assistant', 'system', 'developer']);
  if (!Array.isArray(item.content)) {
    checkText(`${at}.content`, item.content);
    return;
  }
  if (item.content.length === 0) refuse(`${at}.content`, 'must not be empty');
  item.content.forEach((part: unknown, index) => {
    const where = `${at}.content[${index}]`;
    checkRecord(where, part);
    checkOneOf(`${where}.type`, part.type ?? null, ['input_text', 'input_image']);
    const field = part.type === 'input_text' ? 'text' : 'image_url';
    checkKnown(where, part, ['type', field]);
    checkText(`${where}.${field}`, part[field]);
  });
}

function checkTools(tools: unknown): void {
  if (tools === undefined) return;
  if (!Array.isArray(tools)) refuse('tools', `must be an array, got ${shown(tools)}`);
  const names = new Set<unknown>();
  let servers = 0;
  tools.forEach((tool: unknown, index) => {
    const at = `tools[${index}]`;
    checkRecord(at, tool);
    checkOneOf(`${at}.type`, tool.type ?? null, Object.keys(toolFields));
    const type = String(tool.type);
    checkKnown(at, tool, ['type', ...(toolFields[type] ?? [])]);
    if (type === 'web_search') checkWebSearch(at, tool);
    if (type === 'fetch_url') {
      checkInteger(`${at}.max_urls`, tool.max_urls, 1, 10);
      checkInteger(`${at}.total_budget_tokens`, tool.total_budget_tokens, 1, 120_000);
    }
    if (type === 'function') {
      checkFunctionName(`${at}.name`, tool.name);
      if (names.has(tool.name)) refuse(`${at}.name`, `is declared twice: ${shown(tool.name)}`);
      names.add(tool.name);
      if (tool.parameters !== undefined) checkRecord(`${at}.parameters`, tool.parameters);
      checkBoolean(`${at}.strict`, tool.strict);
    }
    if (type === 'mcp') {
      checkText(`${at}.server_label`, tool.server_label);
      checkText(`${at}.server_url`, tool.server_url);
      if (++servers > maxMcpServers) refuse('tools', `hold more than ${maxMcpServers} mcp servers`);
    }
  });
}

/** A function's name as the service takes it. */
export function checkFunctionName(field: string, name: unknown): void {
  checkText(field, name);
  if (reservedFunctions.has(name)) refuse(field, `"${name}" is reserved for a tool of the service`);
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) refuse(field, `must be 1 to 64 letters, digits, _ or -, got ${shown(name)}`);
}

function checkWebSearch(at: string, tool: Readonly<Record<string, unknown>>): void {
  for (const field of ['config', 'filters']) {
    const filters = tool[field];
    if (filters === undefined) continue;
    checkRecord(`${at}.${field}`, filters);
    checkKnown(`${at}.${field}`, filters, filterFields);
    checkFilters(`${at}.${field}`, filters);
  }
  if (tool.config !== undefined && tool.filters !== undefined) {
    refuse(`${at}.config`, 'and filters are two spellings of one field; give one');
  }
  checkInteger(`${at}.max_results`, tool.max_results, 1, 50);
  checkInteger(`${at}.max_tokens`, tool.max_tokens, 1, maxTokens);
  checkInteger(`${at}.max_tokens_per_page`, tool.max_tokens_per_page, 1, maxTokens);
  checkOneOf(`${at}.search_context_size`, tool.search_context_size, contextSizes);
  checkOneOf(`${at}.search_type`, tool.search_type, ['web', 'fast']);
  if (tool.user_location !== undefined) {
    checkRecord(`${at}.user_location`, tool.user_location);
    checkLocation(`${at}.user_location`, tool.user_location);
  }
}

function checkToolChoice({ tool_choice, tools }: ResearchRequest): void {
  const choice: unknown = tool_choice;
  if (choice === undefined) return;
  if (typeof choice === 'string') {
    checkOneOf('tool_choice', choice, ['none', 'auto', 'required']);
    return;
  }
  checkRecord('tool_choice', choice);
  const { name, type } = choice;
  if (name !== undefined) {
    const declared = tools?.some((tool) => tool.type === 'function' && tool.name === name);
    if (declared !== true) refuse('tool_choice.name', `names no function of tools: ${shown(name)}`);
  } else if (typeof type !== 'string' || type === '') {
    refuse('tool_choice', 'must be none, auto, required, {name} or {type}');
  }
}

function checkFormat(format: unknown): void {
  if (format === undefined) return;
  checkRecord('response_format', format);
  checkKnown('response_format', format, ['type', 'json_schema']);
  checkOneOf('response_format.type', format.type ?? null, ['json_schema']);
  const schema = format.json_schema;
  if (!isRecord(schema)) refuse('response_format.json_schema', 'is required');
  checkKnown('response_format.json_schema', schema, ['name', 'schema', 'description', 'strict']);
  checkSchemaName('response_format.json_schema.name', schema.name);
  checkRecord('response_format.json_schema.schema', schema.schema);
}

const maxBodyBytes = 32 * 1024 * 1024;

/** Refuses a body over 32 MiB. Only one whose texts come near it is written out to be measured. */
export function checkSize({ input }: ResearchRequest, body: unknown): void {
  let chars = 0;
  if (typeof input === 'string') chars = input.length;
  else {
    for (const item of input) {
      if (item.type !== 'message') chars += item.type === 'function_call' ? item.arguments.length : item.output.length;
      else if (typeof item.content === 'string') chars += item.content.length;
      else for (const part of item.content) chars += (part.type === 'input_text' ? part.text : part.image_url).length;
    }
  }
  if (chars < maxBodyBytes / 6) return; // a character is written as six bytes at most
  const bytes = Buffer.byteLength(JSON.stringify(body));
  if (bytes > maxBodyBytes) refuse('input', `makes a body of ${bytes} bytes; the limit is ${maxBodyBytes}`);
}
