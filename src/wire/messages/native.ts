import { definedOnly } from '../../core/records.ts';
import type { CacheControl } from './blocks.ts';
import type { ContextEdit, NativeToolDefinition } from './types.ts';

/** A two-letter country, a city …: where searches are made from. */
export interface UserLocation {
  readonly city?: string | undefined;
  readonly region?: string | undefined;
  readonly country?: string | undefined;
  readonly timezone?: string | undefined;
}

export interface WebToolOptions {
  /** Calls per answer. Each search costs 0.01 USD. */
  readonly maxUses?: number | undefined;
  /** Domains without scheme, subdomains included; not together with `blockedDomains`. */
  readonly allowedDomains?: readonly string[] | undefined;
  readonly blockedDomains?: readonly string[] | undefined;
  /** Versions from 20260209 on are called by code unless this is `['direct']`, which it is by default here. */
  readonly allowedCallers?: readonly string[] | undefined;
  readonly cacheControl?: CacheControl | undefined;
}

export interface WebSearchOptions extends WebToolOptions {
  /** @default '20250305' */
  readonly version?: '20250305' | '20260209' | '20260318' | undefined;
  readonly userLocation?: UserLocation | undefined;
}

export interface WebFetchOptions extends WebToolOptions {
  /** @default '20250910' */
  readonly version?: '20250910' | '20260209' | '20260309' | '20260318' | undefined;
  /** @default false */
  readonly citations?: boolean | undefined;
  readonly maxContentTokens?: number | undefined;
  /** From version 20260309 on. */
  readonly useCache?: boolean | undefined;
}

const webFields = (options: WebToolOptions, version: string): Record<string, unknown> =>
  definedOnly({
    max_uses: options.maxUses,
    allowed_domains: options.allowedDomains,
    blocked_domains: options.blockedDomains,
    allowed_callers: options.allowedCallers ?? (Number(version) >= 20260209 ? ['direct'] : undefined),
    cache_control: options.cacheControl,
  });

/** The service searches the web itself; results come as `web_search_tool_result` blocks and are cited. */
export function webSearchTool(options: WebSearchOptions = {}): NativeToolDefinition {
  const version = options.version ?? '20250305';
  const { userLocation } = options;
  return {
    type: `web_search_${version}`,
    name: 'web_search',
    ...webFields(options, version),
    ...(userLocation === undefined
      ? {}
      : { user_location: { type: 'approximate', ...definedOnly({ ...userLocation }) } }),
  };
}

/** The service fetches addresses that already stand in the conversation. Only tokens are billed. */
export function webFetchTool(options: WebFetchOptions = {}): NativeToolDefinition {
  const version = options.version ?? '20250910';
  return {
    type: `web_fetch_${version}`,
    name: 'web_fetch',
    ...webFields(options, version),
    ...definedOnly({
      citations: options.citations === undefined ? undefined : { enabled: options.citations },
      max_content_tokens: options.maxContentTokens,
      use_cache: options.useCache,
    }),
  };
}

/**
 * Sandboxed Python at the service. `message.container.id` goes into the next request's `container` to go on in the same
 * sandbox.
 */
export function codeExecutionTool(
  options: { readonly version?: '20250825' | '20260120' | '20260521' | undefined } = {},
): NativeToolDefinition {
  return { type: `code_execution_${options.version ?? '20250825'}`, name: 'code_execution' };
}

/** Run by the caller: pair it with a handler through `handleNative`. */
export function bashTool(): NativeToolDefinition {
  return { type: 'bash_20250124', name: 'bash' };
}

/** Run by the caller, as `bashTool`. */
export function textEditorTool(options: { readonly maxCharacters?: number | undefined } = {}): NativeToolDefinition {
  return {
    type: 'text_editor_20250728',
    name: 'str_replace_based_edit_tool',
    ...definedOnly({ max_characters: options.maxCharacters }),
  };
}

export interface ComputerToolOptions {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly displayNumber?: number | undefined;
  /** The reference names no dates for this tool. @default '20250124' */
  readonly version?: `20${number}` | undefined;
}

/** Run by the caller, as `bashTool`; needs the beta of its version in `betas`. */
export function computerTool(options: ComputerToolOptions): NativeToolDefinition {
  return {
    type: `computer_${options.version ?? '20250124'}`,
    name: 'computer',
    display_width_px: options.widthPx,
    display_height_px: options.heightPx,
    ...definedOnly({ display_number: options.displayNumber }),
  };
}

export interface CompactionOptions {
  /** Input tokens from which on the service summarises; at least 50,000. @default 150,000 at the service */
  readonly triggerTokens?: number | undefined;
  /** Stop with `compaction` instead of going on. */
  readonly pauseAfter?: boolean | undefined;
  readonly instructions?: string | undefined;
}

/**
 * Server-side summary of a long conversation: an entry of `context_management.edits`. The `compaction` block must be
 * sent back.
 */
export function compaction(options: CompactionOptions = {}): ContextEdit {
  return {
    type: 'compact_20260112',
    ...definedOnly({
      trigger: options.triggerTokens === undefined ? undefined : { type: 'input_tokens', value: options.triggerTokens },
      pause_after_compaction: options.pauseAfter,
      instructions: options.instructions,
    }),
  };
}

/** Drops thinking of earlier turns; must be the first edit. */
export function clearThinking(options: { readonly keepTurns?: number | 'all' | undefined } = {}): ContextEdit {
  const { keepTurns } = options;
  return {
    type: 'clear_thinking_20251015',
    ...definedOnly({ keep: typeof keepTurns === 'number' ? { type: 'thinking_turns', value: keepTurns } : keepTurns }),
  };
}

export interface ClearToolUsesOptions {
  readonly trigger?: { readonly type: 'input_tokens' | 'tool_uses'; readonly value: number } | undefined;
  /** The last so many tool uses stay. */
  readonly keep?: number | undefined;
  readonly clearAtLeastTokens?: number | undefined;
  readonly excludeTools?: readonly string[] | undefined;
  readonly clearInputs?: boolean | undefined;
}

/** Drops old tool results once the conversation is long. */
export function clearToolUses(options: ClearToolUsesOptions = {}): ContextEdit {
  return {
    type: 'clear_tool_uses_20250919',
    ...definedOnly({
      trigger: options.trigger,
      keep: options.keep === undefined ? undefined : { type: 'tool_uses', value: options.keep },
      clear_at_least:
        options.clearAtLeastTokens === undefined
          ? undefined
          : { type: 'input_tokens', value: options.clearAtLeastTokens },
      exclude_tools: options.excludeTools,
      clear_tool_inputs: options.clearInputs,
    }),
  };
}

/** The mark that ends a reusable prefix: put it on the last block that stays the same from call to call. */
export function cacheControl(ttl?: '5m' | '1h'): CacheControl {
  return ttl === undefined ? { type: 'ephemeral' } : { type: 'ephemeral', ttl };
}
