import { isRecord } from '../../core/records.ts';
import {
  anything,
  boolean,
  type Check,
  type Fields,
  fields,
  integer,
  kinds,
  list,
  nullable,
  oneOf,
  partly,
  pattern,
  record,
  refuse,
  required,
  string,
} from '../http/check.ts';
import { type Census, countMarker } from './census.ts';
import type { ModelRules } from './profile.ts';

/** The name of a tool. */
export const toolName: Check = required(pattern(/^[a-zA-Z0-9_-]{1,64}$/, '1 to 64 letters, digits, "_" or "-"'));

const elsewhere =
  (hint: string): Check =>
  (field, value) => {
    if (value !== undefined) refuse(field, 'is written input_schema here', hint);
  };

const ownTool: Check = fields({
  type: oneOf(['custom']),
  name: toolName,
  description: string,
  parameters: elsewhere('The dialect decides how it is spelt on the wire.'),
  inputSchema: elsewhere('`toolsFromMcp` converts.'),
  input_schema: required(kinds({ object: {} })),
  strict: boolean,
  input_examples: anything,
  cache_control: anything,
  eager_input_streaming: anything,
  defer_loading: anything,
  allowed_callers: anything,
});

const domains = nullable(list(pattern(/^(?!.*:\/\/)./, 'a domain without scheme')));
const webTool: Check = partly({
  max_uses: nullable(integer(1)),
  allowed_domains: domains,
  blocked_domains: domains,
});

/** Names the service fixes for its own tools, by the type without its date. */
const fixedNames: Readonly<Record<string, string>> = {
  web_search: 'web_search',
  web_fetch: 'web_fetch',
  code_execution: 'code_execution',
  bash: 'bash',
};

const limits = { strict: 20, optional: 24, unions: 16 };
const tooMany = {
  strict: 'strict tools',
  optional: 'optional parameters in strict tools',
  unions: 'union parameters in strict tools',
};

/** A tool of the service rather than the caller's own: its `type` ends in a date. */
export const isNative = (tool: { readonly type?: unknown }): boolean =>
  typeof tool.type === 'string' && /_\d{8}$/.test(tool.type);

/** @returns the names of the tools */
export function checkTools(
  field: string,
  tools: unknown,
  rules: ModelRules | undefined,
  census: Census,
): ReadonlySet<string> {
  list(record)(field, tools);
  const names = new Set<string>();
  const load = { strict: 0, optional: 0, unions: 0 };
  for (const [at, tool] of ((tools ?? []) as Record<string, unknown>[]).entries()) {
    const path = `${field}[${at}]`;
    toolName(`${path}.name`, tool.name);
    const name = tool.name as string; // as was checked
    if (names.has(name)) refuse(`${path}.name`, `"${name}" is used twice`);
    names.add(name);
    if (isNative(tool)) checkNative(tool, path, rules);
    else {
      ownTool(path, tool);
      if (tool.strict === true) {
        load.strict += 1;
        countLoad(tool.input_schema, load);
      }
    }
    countMarker(tool, path, census);
  }
  for (const key of ['strict', 'optional', 'unions'] as const) {
    if (load[key] > limits[key]) refuse(field, `holds ${load[key]} ${tooMany[key]}, the limit is ${limits[key]}`);
  }
  return names;
}

function checkNative(tool: Record<string, unknown>, field: string, rules: ModelRules | undefined): void {
  const type = tool.type as string; // isNative has looked
  const kind = type.replace(/_\d{8}$/, '');
  const fixed = fixedNames[kind] ?? (type === 'text_editor_20250728' ? 'str_replace_based_edit_tool' : undefined);
  if (fixed !== undefined && tool.name !== fixed) refuse(`${field}.name`, `must be "${fixed}" for ${type}`);
  if (kind !== 'web_search' && kind !== 'web_fetch') return;
  webTool(field, tool);
  if (tool.allowed_domains && tool.blocked_domains) {
    refuse(`${field}.blocked_domains`, 'cannot be combined with allowed_domains');
  }
  const callers = tool.allowed_callers;
  const direct = Array.isArray(callers) && callers.length === 1 && callers[0] === 'direct';
  if (rules?.directCallersOnly === true && Number(type.slice(-8)) >= 20260209 && !direct) {
    refuse(`${field}.allowed_callers`, 'must be ["direct"] for this model', `Or use the first version of ${kind}.`);
  }
}

/** Optional and union parameters of a strict tool's schema, counted through all its objects. */
function countLoad(schema: unknown, load: { optional: number; unions: number }): void {
  if (!isRecord(schema)) return;
  if (Array.isArray(schema.anyOf) || Array.isArray(schema.type)) load.unions += 1;
  if (isRecord(schema.properties)) {
    const required = new Set(Array.isArray(schema.required) ? schema.required : []);
    for (const [name, value] of Object.entries(schema.properties)) {
      if (!required.has(name)) load.optional += 1;
      countLoad(value, load);
    }
  }
  countLoad(schema.items, load);
  for (const key of ['anyOf', 'allOf']) {
    const list = schema[key];
    if (Array.isArray(list)) for (const part of list) countLoad(part, load);
  }
}

const choices = ['auto', 'any', 'none'];
const choiceKinds: Readonly<Record<string, Fields>> = { auto: {}, any: {}, tool: {}, none: {} };

/** @returns whether some tool is forced */
export function checkToolChoice(field: string, choice: unknown, names: ReadonlySet<string>): boolean {
  if (choice === undefined) return false;
  if (typeof choice === 'string') oneOf(choices, 'A named tool is { type: "tool", name }.')(field, choice);
  else kinds(choiceKinds)(field, choice);
  const { type, name } = isRecord(choice) ? choice : { type: choice, name: undefined };
  if (type === 'tool' && !names.has(name as string)) {
    refuse(`${field}.name`, `must be the name of a tool of this request, got ${JSON.stringify(name)}`);
  }
  if (names.size === 0 && type !== 'none') refuse(field, `"${String(type)}" needs tools, and there are none`);
  return type === 'any' || type === 'tool';
}
