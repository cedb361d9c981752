import { isRecord } from '../../core/records.ts';
import { refuse } from '../http/check.ts';
import { type CheckOptions, checkCount, checkMessage, checkSize, maxMessageBytes } from './check.ts';
import { isNative } from './check-tools.ts';
import { type MessagesProfile, modelName, modelRules } from './profile.ts';
import type {
  AnyToolDefinition,
  CountTokensRequest,
  MessageCallOptions,
  MessageParam,
  MessageRequest,
  ToolChoice,
} from './types.ts';

/** A request as it goes out: one dialect's spelling, and the beta features it needs. */
export interface WireRequest {
  readonly body: Record<string, unknown>;
  readonly betas: readonly string[];
  /** Characters of the large strings: a lower bound of the body's bytes. */
  readonly weight: number;
}

/** Checks and spells a message request. */
export function serialiseMessage(
  request: MessageRequest,
  profile: MessagesProfile,
  options: Pick<MessageCallOptions, 'betas' | 'extraBody'> & CheckOptions = {},
): WireRequest {
  const checked = checkMessage(request, profile, options);
  const body: Record<string, unknown> = { ...spell(request, profile), max_tokens: request.max_tokens };
  for (const key of plainFields) if (request[key] !== undefined) body[key] = request[key];
  addExtra(body, options.extraBody);
  if (options.batch !== true) checkSize(body, checked.weight, maxMessageBytes, 'request');
  return { body, betas: betasOf(request, profile, checked.usesFiles, options), weight: checked.weight };
}

/** Checks and spells a token count. */
export function serialiseCount(
  request: CountTokensRequest,
  profile: MessagesProfile,
  options: Pick<MessageCallOptions, 'betas' | 'extraBody'> = {},
): WireRequest {
  const checked = checkCount(request, profile);
  const body = spell(request, profile);
  addExtra(body, options.extraBody);
  checkSize(body, checked.weight, maxMessageBytes, 'request');
  return { body, betas: betasOf(request, profile, checked.usesFiles, options), weight: checked.weight };
}

const plainFields = [
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'metadata',
  'service_tier',
  'inference_geo',
  'container',
  'context_management',
] as const;

function spell(request: CountTokensRequest, profile: MessagesProfile): Record<string, unknown> {
  const body: Record<string, unknown> = { model: modelName(profile, request.model) };
  // Tools and system first: the order in which the service hashes a prefix for its cache.
  if (request.tools !== undefined) body.tools = request.tools.map((tool) => spellTool(tool, profile));
  if (request.tool_choice !== undefined) body.tool_choice = spellToolChoice(request.tool_choice, profile);
  if (request.system !== undefined) body.system = request.system;
  body.messages = spellMessages(request.messages, request.citations);
  if (request.cache_control !== undefined) body.cache_control = request.cache_control;
  if (request.thinking !== undefined) body.thinking = request.thinking;
  const output: Record<string, unknown> = {};
  if (request.effort !== undefined) {
    if (profile.effortPlacement === 'top') body.effort = request.effort;
    else output.effort = request.effort;
  }
  if (request.output_config?.format !== undefined) output.format = request.output_config.format;
  if (Object.keys(output).length > 0) body.output_config = output;
  return body;
}

function spellTool(tool: AnyToolDefinition, profile: MessagesProfile): unknown {
  if (isNative(tool) || profile.toolSchemaKey === 'input_schema') return tool;
  const { input_schema: schema, ...rest } = tool;
  return { ...rest, parameters: schema };
}

/** The string form cannot name a tool, so that is said as an object in both dialects. */
function spellToolChoice(choice: ToolChoice, profile: MessagesProfile): unknown {
  const object = typeof choice === 'string' ? { type: choice } : choice;
  if (profile.toolChoiceForm === 'object' || object.type === 'tool') return object;
  if ('disable_parallel_tool_use' in object && object.disable_parallel_tool_use === true) {
    refuse(
      'tool_choice.disable_parallel_tool_use',
      `cannot be said with "${object.type}" in the ${profile.name} dialect, which writes a string`,
    );
  }
  return object.type;
}

type Block = Record<string, unknown>;

/**
 * Turns as the service wants them: neighbours of one role joined, white-space text of the assistant left out, the
 * request's citation switch written on every source. What needs no change is passed on as it is, not copied.
 */
function spellMessages(messages: readonly MessageParam[], citations: boolean | undefined): unknown[] {
  const turns: { role: string; content: string | readonly unknown[] }[] = [];
  for (const { role, content } of messages) {
    const spelt = typeof content === 'string' ? content : spellBlocks(content, role, citations);
    if (spelt.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role !== role) turns.push({ role, content: spelt });
    else last.content = [...asBlocks(last.content), ...asBlocks(spelt)];
  }
  return turns;
}

const asBlocks = (content: string | readonly unknown[]): readonly unknown[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

function spellBlocks(
  blocks: readonly unknown[],
  role: MessageParam['role'],
  citations: boolean | undefined,
): readonly unknown[] {
  const out: unknown[] = [];
  let changed = false;
  for (const value of blocks) {
    const block = value as Block; // checked before
    const next = role === 'assistant' ? echo(block) : spellUserBlock(block, citations);
    changed ||= next !== block;
    if (next !== undefined) out.push(next);
  }
  return changed ? out : blocks;
}

const citationsWithFile = new Set(['char_location', 'page_location', 'content_block_location']);

/**
 * A block of an answer on its way back: untouched, but for `file_id`, which the request form of three citation kinds
 * does not have.
 */
function echo(block: Block): Block | undefined {
  if (block.type !== 'text') return block;
  if ((block.text as string).trim() === '') return undefined;
  const { citations } = block;
  if (!Array.isArray(citations)) return block;
  const surplus = (citation: unknown): boolean =>
    isRecord(citation) && citationsWithFile.has(citation.type as string) && 'file_id' in citation;
  if (!citations.some(surplus)) return block;
  return {
    ...block,
    citations: citations.map((citation: Record<string, unknown>) => {
      if (!surplus(citation)) return citation;
      const { file_id: _dropped, ...rest } = citation;
      return rest;
    }),
  };
}

function spellUserBlock(block: Block, citations: boolean | undefined): Block {
  if (block.type === 'tool_result') {
    const { content } = block;
    // An empty text is refused by the service, an absent one is not.
    if (typeof content === 'string') return content.trim() === '' ? withoutContent(block) : block;
    if (!Array.isArray(content)) return block;
    if (content.length === 0) return withoutContent(block);
    if (citations === undefined) return block;
    return { ...block, content: content.map((part: Block) => spellUserBlock(part, citations)) };
  }
  if (citations === undefined || (block.type !== 'document' && block.type !== 'search_result')) return block;
  return { ...block, citations: { enabled: citations } };
}

function withoutContent(block: Block): Block {
  const { content: _dropped, ...rest } = block;
  return rest;
}

function addExtra(body: Record<string, unknown>, extra: Readonly<Record<string, unknown>> | undefined): void {
  for (const [key, value] of Object.entries(extra ?? {})) {
    if (key in body || key === 'stream') refuse(`extraBody.${key}`, 'is a field of the request itself');
    body[key] = value;
  }
}

function betasOf(
  request: CountTokensRequest & Partial<MessageRequest>,
  profile: MessagesProfile,
  usesFiles: boolean,
  options: Pick<MessageCallOptions, 'betas'> & CheckOptions,
): readonly string[] {
  const betas = new Set(options.betas ?? []);
  if (usesFiles && profile.filesBetaHeader !== false) betas.add(profile.filesBetaHeader);
  for (const { type } of request.context_management?.edits ?? []) {
    betas.add(type.startsWith('compact_') ? profile.compactionBeta : profile.contextManagementBeta);
  }
  const cap = modelRules(profile, request.model)?.maxOutputTokens;
  if (options.batch === true && cap !== undefined && (request.max_tokens ?? 0) > cap) betas.add(profile.longOutputBeta);
  return [...betas];
}
