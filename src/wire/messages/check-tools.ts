import { type Census, checkMarker } from './check-blocks.ts';
import type { ModelRules } from './profile.ts';
import { isRecord, mustBeInteger, mustBeOneOf, mustKnow, refuse } from './refuse.ts';

export const toolName: RegExp = /^[a-zA-Z0-9_-]{1,64}$/;

const toolFields = new Set([
  'type',
  'name',
  'description',
  'input_schema',
  'strict',
  'input_examples',
  'cache_control',
  'eager_input_streaming',
  'defer_loading',
  'allowed_callers',
]);

/** Names the service fixes for its own tools, by the type without its date. */
const fixedNames: Readonly<Record<string, string>> = {
  web_search: 'web_search',
  web_fetch: 'web_fetch',
  code_execution: 'code_execution',
  bash: 'bash',
};

const maxStrictTools = 20;
const maxOptional = 24;
const maxUnions = 16;

/** A tool of the service rather than the caller's own: its `type` ends in a date. */
export const isNative = (tool: { readonly type?: unknown }): boolean =>
  typeof tool.type === 'string' && /_\d{8}$/.test(tool.type);

export function checkTools(tools: unknown, field: string, rules: ModelRules | undefined, census: Census): Set<string> {
  if (!Array.isArray(tools)) refuse(field, 'must be a list');
  const names = new Set<string>();
  let strict = 0;
  const load = { optional: 0, unions: 0 };
  tools.forEach((tool: unknown, at) => {
    const path = `${field}[${at}]`;
    if (!isRecord(tool)) refuse(path, 'must be a tool definition');
    if (typeof tool.name !== 'string' || !toolName.test(tool.name)) {
      refuse(`${path}.name`, `${JSON.stringify(tool.name)} must be 1 to 64 letters, digits, "_" or "-"`);
    }
    if (names.has(tool.name)) refuse(`${path}.name`, `"${tool.name}" is used twice`);
    names.add(tool.name);
    if (isNative(tool)) checkNative(tool, path, rules);
    else {
      checkOwn(tool, path);
      if (tool.strict === true) {
        strict += 1;
        countLoad(tool.input_schema, load);
      }
    }
    checkMarker(tool, path, census);
  });
  if (strict > maxStrictTools) refuse(field, `holds ${strict} strict tools, the limit is ${maxStrictTools}`);
  if (load.optional > maxOptional) {
    refuse(field, `holds ${load.optional} optional parameters in strict tools, the limit is ${maxOptional}`);
  }
  if (load.unions > maxUnions) {
    refuse(field, `holds ${load.unions} union parameters in strict tools, the limit is ${maxUnions}`);
  }
  return names;
}

function checkOwn(tool: Record<string, unknown>, field: string): void {
  if (tool.parameters !== undefined) {
    refuse(`${field}.parameters`, 'is written input_schema here', 'The dialect decides how it is spelt on the wire.');
  }
  if (tool.inputSchema !== undefined)
    refuse(`${field}.inputSchema`, 'is written input_schema here', '`toolsFromMcp` converts.');
  mustKnow(tool, field, toolFields);
  if (tool.type !== undefined) mustBeOneOf(tool.type, `${field}.type`, ['custom']);
  if (tool.description !== undefined && typeof tool.description !== 'string')
    refuse(`${field}.description`, 'must be a string');
  if (!isRecord(tool.input_schema) || tool.input_schema.type !== 'object') {
    refuse(`${field}.input_schema`, 'must be a JSON Schema with type "object"');
  }
}

function checkNative(tool: Record<string, unknown>, field: string, rules: ModelRules | undefined): void {
  const type = tool.type as string; // isNative has looked
  const kind = type.replace(/_\d{8}$/, '');
  const fixed = fixedNames[kind] ?? (type === 'text_editor_20250728' ? 'str_replace_based_edit_tool' : undefined);
  if (fixed !== undefined && tool.name !== fixed) refuse(`${field}.name`, `must be "${fixed}" for ${type}`);
  if (kind !== 'web_search' && kind !== 'web_fetch') return;
  if (tool.max_uses !== undefined && tool.max_uses !== null) mustBeInteger(tool.max_uses, `${field}.max_uses`, 1);
  if (tool.allowed_domains && tool.blocked_domains) {
    refuse(`${field}.blocked_domains`, 'cannot be combined with allowed_domains');
  }
  for (const key of ['allowed_domains', 'blocked_domains']) {
    const domains = tool[key];
    if (domains === undefined || domains === null) continue;
    if (!Array.isArray(domains)) refuse(`${field}.${key}`, 'must be a list');
    domains.forEach((domain: unknown, at) => {
      if (typeof domain !== 'string' || domain === '' || domain.includes('://')) {
        refuse(`${field}.${key}[${at}]`, `must be a domain without scheme, not ${JSON.stringify(domain)}`);
      }
    });
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

/** @returns whether some tool is forced */
export function checkToolChoice(choice: unknown, names: ReadonlySet<string>, field: string): boolean {
  if (typeof choice === 'string') {
    mustBeOneOf(choice, field, ['auto', 'any', 'none'], 'A named tool is { type: "tool", name }.');
  } else if (isRecord(choice)) {
    mustBeOneOf(choice.type, `${field}.type`, ['auto', 'any', 'tool', 'none']);
    if (choice.type === 'tool' && (typeof choice.name !== 'string' || !names.has(choice.name))) {
      refuse(`${field}.name`, `must be the name of a tool of this request, not ${JSON.stringify(choice.name)}`);
    }
  } else {
    refuse(field, 'must be "auto", "any", "none" or an object');
  }
  const type = typeof choice === 'string' ? choice : choice.type;
  if (names.size === 0 && type !== 'none') refuse(field, `"${String(type)}" needs tools, and there are none`);
  return type === 'any' || type === 'tool';
}
