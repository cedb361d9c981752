import { defaultInstructions, recentTurns } from '../../answer/grounded/request.ts';
import type { ToolModel } from '../../answer/tool-model.ts';
import type { Meter } from '../../core/meter.ts';
import { modelFields, thinkingTokens } from '../../services/language-model.ts';
import {
  type ContextEdit,
  cacheControl,
  clearToolUses,
  compaction,
  type MessageParam,
  type MessageRequest,
  modelRules,
} from '../../wire/messages/index.ts';
import type { AgentOptions } from './contract.ts';
import { agentPresets } from './presets.ts';
import type { AgentTools } from './tools.ts';

const MAX_TOKENS = 2048;
const HISTORY_TOKENS = 20_000;
/** Rounds of tools above which a conversation may outgrow what a model reads well. */
const LONG_RUN = agentPresets['pro-search'];
/** Share of the tokens and the money that is kept for an answer, when searching has used up the rest. */
export const KEPT_BACK = 0.25;

const instructions = [
  defaultInstructions,
  'Search before you answer. Use short queries, other words when the first find nothing, and read around a passage that is cut.',
  'Answer as soon as the sources do; when they do not, say so.',
].join('\n');

/** The question behind the conversation so far, whose questions have their passages beside them. */
export function conversationOf(
  question: string,
  { history = [] }: AgentOptions,
  tools: AgentTools,
): readonly MessageParam[] {
  const turns = recentTurns(history, HISTORY_TOKENS).map(({ role, text, hits = [] }): MessageParam => {
    const sources = role === 'user' ? tools.remember(hits) : [];
    return { role, content: sources.length > 0 ? [...sources, { type: 'text', text }] : text };
  });
  return [...turns, { role: 'user', content: question }];
}

/** A long run thinks as long as it needs, where the model can decide that, and where money is not short. */
export function requestOf(
  messages: readonly MessageParam[],
  service: ToolModel,
  steps: number,
  { leftUsd }: Meter,
  options: AgentOptions,
): MessageRequest {
  const request = plainRequest(messages, service, steps, options);
  const canAdapt = modelRules(service.profile, options.model)?.thinking?.includes('adaptive') === true;
  if (options.thinking || steps <= LONG_RUN || !canAdapt) return request;
  const thinking = { type: 'adaptive' } as const;
  const thoughtful = { ...request, thinking, max_tokens: request.max_tokens + thinkingTokens(thinking) };
  const left = Math.min(leftUsd, options.maxUsd ?? Infinity);
  return (service.estimateCost(thoughtful)?.usd ?? 0) <= KEPT_BACK * left ? thoughtful : request;
}

function plainRequest(
  messages: readonly MessageParam[],
  service: ToolModel,
  steps: number,
  options: AgentOptions,
): MessageRequest {
  const cache = cacheControl(options.cache === '1h' ? '1h' : undefined);
  return {
    model: options.model,
    max_tokens: (options.maxTokens ?? MAX_TOKENS) + thinkingTokens(options.thinking),
    system: [{ type: 'text', text: instructions, cache_control: cache }], // tools stand before it and are cached with it
    messages,
    cache_control: cache, // what the tools have shown is read again with every step
    citations: true,
    ...modelFields(options),
    ...(steps > LONG_RUN ? { context_management: { edits: contextEdits(service, options.model) } } : {}),
  };
}

/**
 * A long run may fill the window: from the service's own thresholds on, it sums up the conversation where the model can,
 * else drops old results of tools.
 */
function contextEdits({ profile }: ToolModel, model: string): readonly ContextEdit[] {
  return [modelRules(profile, model)?.compaction === true ? compaction() : clearToolUses()];
}
