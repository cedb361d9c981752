import type { ToolModel } from '../../answer/tool-model.ts';
import type { CallOptions } from '../../core/types.ts';
import { countedTokens, sourceBlock } from '../../services/language-model.ts';
import { estimateInputTokens, type MessageRequest } from '../../wire/messages/index.ts';
import type { ToolRun } from '../tools/loop.ts';
import type { AgentTools } from './tools.ts';
import type { UsageTracker } from './usage.ts';

/** An answer shorter than this is not worth asking for. */
const MIN_ANSWER_TOKENS = 200;

/**
 * The request for an answer without more tools, when steps, tokens or money have run out. If the rest of the budget
 * covers the whole transcript, the request has the transcript; else the question with as many sources as the rest covers.
 * @returns undefined when the rest does not cover the question with one source
 */
export async function lastWordRequest(
  service: ToolModel,
  request: MessageRequest,
  run: ToolRun,
  tools: AgentTools,
  tracker: UsageTracker,
  { signal }: CallOptions,
): Promise<MessageRequest | undefined> {
  const pays = (candidate: MessageRequest): boolean => {
    const tokens = estimateInputTokens(candidate) + candidate.max_tokens;
    if (tokens > tracker.leftTokens) return false;
    return tracker.leftUsd === Infinity || (service.estimateCost(candidate)?.usd ?? 0) <= tracker.leftUsd;
  };
  const { cache_control: _nobodyReadsIt, ...plain } = request;
  const whole: MessageRequest = {
    ...plain,
    messages: run.messages,
    tools: tools.definitions.map(({ definition }) => definition),
    tool_choice: 'none',
  };
  if (pays(whole)) return whole;
  const tokens = (await countedTokens(service, whole, { signal })) ?? Infinity;
  const usd = service.estimateCost(whole, { inputTokens: tokens })?.usd ?? 0;
  if (tokens + whole.max_tokens <= tracker.leftTokens && usd <= tracker.leftUsd) return whole;
  const { thinking: _tooDear, ...lean } = plain;
  const most = Math.min(request.max_tokens, 1024);
  for (let maxTokens = most; maxTokens >= Math.min(most, MIN_ANSWER_TOKENS); maxTokens = Math.floor(maxTokens / 2)) {
    const withSources = (sources: number): MessageRequest => ({
      ...lean,
      max_tokens: maxTokens,
      messages: [
        ...request.messages.slice(0, -1),
        {
          role: 'user',
          content: [
            ...tools.sources.slice(0, sources).map(sourceBlock),
            { type: 'text', text: String(request.messages.at(-1)!.content) },
          ],
        },
      ],
    });
    for (let sources = tools.sources.length; sources > 0; sources--) {
      const candidate = withSources(sources);
      if (pays(candidate)) return candidate;
    }
  }
  return undefined;
}
