import type { Dialect } from '../contract.ts';
import type { ModelSpec } from './catalogue.ts';
import { refuse, refuseField } from './errors.ts';
import { checkOutputSchema } from './json-schema.ts';
import { checkMessages } from './rules-messages.ts';
import type { Block, CacheControl, CountBody, CreateBody, ToolChoiceObject } from './types.ts';

/** What the rules need to know beside the body. */
export interface RuleContext {
  readonly dialect: Dialect;
  readonly model: ModelSpec;
  readonly betas: ReadonlySet<string>;
  /** Whether a last assistant turn is refused on models without prefill. */
  readonly allowPrefill: boolean;
  readonly zeroMaxTokens: boolean;
  readonly filesBeta: boolean;
  readonly hasFile: (id: string) => boolean;
  /** True when an echoed block of a native tool is the one that was issued, or was never issued here. */
  readonly isTrueEcho: (block: Block) => boolean;
  /** Signatures of the thinking that came with a tool call issued here. */
  readonly thinkingBefore: (toolUseId: string) => readonly string[];
  readonly inBatch: boolean;
}

/** The choice of tools in one form, whatever the dialect. */
export function toolChoiceOf(body: CountBody): ToolChoiceObject | undefined {
  const choice = body.tool_choice;
  if (typeof choice !== 'string') return choice;
  if (choice !== 'tool') return { type: choice as 'auto' | 'any' | 'none' };
  if (body.tools?.length !== 1) refuseField('tool_choice', "'tool' without a name needs exactly one tool");
  return { type: 'tool', name: body.tools[0]!.name };
}

/** Everything a well-formed body can still be refused for (400), in the order the service looks. */
export function checkRules(body: CountBody | CreateBody, context: RuleContext): void {
  checkTools(body, context);
  checkThinking(body, context);
  checkMessages(body, context);
  checkCitations(body);
  checkCacheMarkers(body);
  checkContextManagement(body, context);
  if (body.output_config?.format !== undefined)
    checkOutputSchema(body.output_config.format.schema, 'output_config.format.schema');
  if ('max_tokens' in body) checkGeneration(body, context);
}

function checkGeneration(body: CreateBody, context: RuleContext): void {
  const { model, inBatch, betas } = context;
  if (body.max_tokens === 0) checkWarmUp(body, context);
  const most = inBatch && betas.has('output-300k-2026-03-24') && model.efforts.length > 0 ? 300_000 : model.maxOutput;
  if (body.max_tokens > most) {
    refuseField(
      'max_tokens',
      `${body.max_tokens} > ${most}, which is the maximum allowed number of output tokens for ${model.id}`,
    );
  }
  if (body.temperature !== undefined && body.top_p !== undefined) {
    refuse(400, '`temperature` and `top_p` cannot both be specified for this model. Please use only one.');
  }
  if (body.inference_geo !== undefined && !model.inferenceGeo)
    refuseField('inference_geo', `${model.id} does not support inference_geo`);
  if (inBatch && body.stream === true) refuseField('stream', 'streaming is not supported in batches');
  const thinks = body.thinking?.type === 'enabled' || body.thinking?.type === 'adaptive';
  if (!thinks) return;
  if (body.temperature !== undefined && body.temperature !== 1) {
    refuseField('temperature', 'may only be set to 1 when thinking is enabled');
  }
  if (body.top_k !== undefined) refuseField('top_k', 'must be unset when thinking is enabled');
  if (body.top_p !== undefined && body.top_p < 0.95)
    refuseField('top_p', 'must be greater than or equal to 0.95 or unset when thinking is enabled');
  if (body.thinking.type === 'enabled' && (body.thinking.budget_tokens ?? 0) >= body.max_tokens) {
    refuse(400, '`max_tokens` must be greater than `thinking.budget_tokens`.');
  }
}

/** `max_tokens: 0` writes the cache and answers nothing, so nothing may be asked for. */
function checkWarmUp(body: CreateBody, { inBatch, zeroMaxTokens }: RuleContext): void {
  if (!zeroMaxTokens) refuseField('max_tokens', 'Input should be greater than or equal to 1');
  const choice = toolChoiceOf(body)?.type;
  const asked =
    inBatch ||
    body.stream === true ||
    body.thinking?.type === 'enabled' ||
    body.output_config?.format !== undefined ||
    choice === 'any' ||
    choice === 'tool';
  if (asked)
    refuseField(
      'max_tokens',
      '0 cannot be combined with batches, streaming, enabled thinking, a format or a forced tool',
    );
}

function checkThinking(body: CountBody, { model }: RuleContext): void {
  const { thinking } = body;
  if (thinking?.type === 'adaptive' && !model.adaptive)
    refuseField('thinking.type', `adaptive thinking is not supported on ${model.id}`);
  const choice = toolChoiceOf(body)?.type;
  if (thinking?.type === 'enabled' && (choice === 'any' || choice === 'tool')) {
    refuse(400, 'Thinking may not be enabled when tool_choice forces tool use.');
  }
  const effort = body.effort ?? body.output_config?.effort;
  if (effort !== undefined && !model.efforts.includes(effort)) {
    refuse(
      400,
      model.efforts.length === 0
        ? `${model.id} does not support the effort parameter.`
        : `effort: '${effort}' is not supported on ${model.id}`,
    );
  }
}

function checkTools(body: CountBody, { model }: RuleContext): void {
  const names = new Set<string>();
  let strict = 0;
  for (const [i, tool] of (body.tools ?? []).entries()) {
    if (names.has(tool.name)) refuseField('tools', `Tool names must be unique, "${tool.name}" is not`);
    names.add(tool.name);
    if ('strict' in tool && tool.strict === true) strict += 1;
    if ('allowed_domains' in tool && tool.allowed_domains !== undefined && tool.blocked_domains !== undefined) {
      refuseField(`tools.${i}`, 'only one of allowed_domains and blocked_domains may be given');
    }
    const needsCode = /^web_(search|fetch)_(20260209|20260309|20260318)$/.test(tool.type ?? '');
    const callers = 'allowed_callers' in tool ? (tool.allowed_callers as readonly string[] | undefined) : undefined;
    if (needsCode && !model.adaptive && !(callers ?? []).includes('direct')) {
      refuseField(`tools.${i}`, `${model.id} needs allowed_callers ["direct"] for ${tool.type}`);
    }
  }
  if (strict > 20) refuseField('tools', 'too many strict tools (limit: 20)');
  const choice = toolChoiceOf(body);
  if (choice === undefined || choice.type === 'none') return;
  if (names.size === 0) refuseField('tool_choice', 'may only be specified while providing tools');
  if (choice.type === 'tool' && !names.has(choice.name ?? ''))
    refuseField('tool_choice', `Tool '${choice.name}' not found in provided tools`);
}

/** Documents and search results of the whole request, wherever they stand. */
function citables(body: CountBody): { path: string; enabled: boolean }[] {
  const found: { path: string; enabled: boolean }[] = [];
  const look = (block: Block, path: string): void => {
    if (block.type === 'document' || block.type === 'search_result')
      found.push({ path, enabled: block.citations?.enabled === true });
    if (block.type === 'tool_result' && Array.isArray(block.content))
      block.content.forEach((inner, i) => void look(inner, `${path}.content.${i}`));
  };
  body.messages.forEach((message, m) => {
    if (typeof message.content !== 'string')
      message.content.forEach((block, b) => void look(block, `messages.${m}.content.${b}`));
  });
  return found;
}

function checkCitations(body: CountBody): void {
  const found = citables(body);
  const first = found[0];
  if (first === undefined) return;
  const odd = found.find((entry) => entry.enabled !== first.enabled);
  if (odd !== undefined)
    refuseField(odd.path, 'Citations must be enabled for all documents and search results of a request or for none');
  if (first.enabled && body.output_config?.format !== undefined)
    refuse(400, 'Citations cannot be used together with output_config.format');
  const search = (body.tools ?? []).some((tool) => tool.type?.startsWith('web_search_') === true);
  if (search && !first.enabled) refuseField(first.path, 'citations must be enabled when the web_search tool is used');
}

function checkCacheMarkers(body: CountBody): void {
  const markers: (CacheControl & { path: string })[] = [];
  const take = (control: CacheControl | undefined, path: string): void => {
    if (control !== undefined) markers.push({ ...control, path });
  };
  body.tools?.forEach((tool, i) => void take(tool.cache_control, `tools.${i}`));
  if (Array.isArray(body.system)) body.system.forEach((block, i) => void take(block.cache_control, `system.${i}`));
  body.messages.forEach((message, m) => {
    if (typeof message.content === 'string') return;
    message.content.forEach((block: Block, b) => {
      if ('cache_control' in block) take(block.cache_control, `messages.${m}.content.${b}`);
      if (block.type === 'tool_result' && Array.isArray(block.content)) {
        block.content.forEach((inner, i) => void take(inner.cache_control, `messages.${m}.content.${b}.content.${i}`));
      }
    });
  });
  take(body.cache_control, 'cache_control');
  if (markers.length > 4)
    refuse(400, `A maximum of 4 blocks with cache_control may be provided. Found ${markers.length}.`);
  const firstShort = markers.findIndex((marker) => (marker.ttl ?? '5m') === '5m');
  const late = firstShort < 0 ? undefined : markers.slice(firstShort).find((marker) => marker.ttl === '1h');
  if (late !== undefined)
    refuseField(late.path, "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block");
}

function checkContextManagement(body: CountBody, { betas, model, dialect }: RuleContext): void {
  const edits = body.context_management?.edits;
  if (edits === undefined) return;
  for (const [i, edit] of edits.entries()) {
    const beta = edit.type === 'compact_20260112' ? 'compact-2026-01-12' : 'context-management-2025-06-27';
    if (!betas.has(beta)) refuseField('context_management', `Extra inputs are not permitted (beta ${beta} is not set)`);
    if (edit.type === 'clear_thinking_20251015' && i > 0)
      refuseField('context_management.edits', 'clear_thinking_20251015 must come first');
    if (edit.type === 'compact_20260112' && !(dialect === 'reference' ? model.referenceCompaction : model.compaction))
      refuseField(`context_management.edits.${i}`, `${model.id} does not support compaction`);
  }
}
