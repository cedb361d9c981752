import { markRules, renderSources } from '../../answer/grounded/numbered.ts';
import type { ModelSource } from '../../answer/language-model.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import type { ChatMessage, ChatRequest, ChatTool } from '../../wire/common/index.ts';
import type {
  ContentBlockParam,
  MessageParam,
  MessageRequest,
  ToolResultBlockParam,
} from '../../wire/messages/index.ts';

type ToolFields = Pick<ChatRequest, 'messages' | 'tools' | 'tool_choice'>;

/** A request with fewer results of tools, so that it fits. */
export interface FittingRequest extends ToolFields {
  /** Whether older results were taken out: the model no longer has what they showed. */
  readonly isShortened: boolean;
}

/** Newest results of tools, which stay whatever the window. */
const KEPT_RESULTS = 2;
const REMOVED = 'Removed, to make room. Search again for what is still needed.';
const TOKENS_PER_MESSAGE = 8;

/**
 * A request of the messages service in the common dialect. Sources become numbered passages, and where citations are
 * wanted the rules ask for marks. When the conversation is over `roomTokens`, the oldest results of tools are taken out.
 */
export function fittingRequest(request: MessageRequest, roomTokens: number): FittingRequest {
  const fields = toolFields(request);
  const messages = [...fields.messages];
  const sizes = messages.map(({ content }) => countTokens(String(content ?? '')) + TOKENS_PER_MESSAGE);
  let tokens = sizes.reduce((sum, size) => sum + size, countTokens(JSON.stringify(fields.tools ?? [])));
  const results = messages.flatMap(({ role }, i) => (role === 'tool' ? [i] : [])).slice(0, -KEPT_RESULTS);
  let isShortened = false;
  for (const at of results) {
    if (tokens <= roomTokens) break;
    tokens -= sizes[at]!;
    messages[at] = { ...(messages[at] as ChatMessage & { role: 'tool' }), content: REMOVED }; // by its role, above
    isShortened = true;
  }
  return { ...fields, messages, isShortened };
}

function toolFields({ system, messages, tools = [], tool_choice: choice, citations }: MessageRequest): ToolFields {
  const rules = typeof system === 'string' ? system : (system ?? []).map(({ text }) => text).join('\n');
  const named = typeof choice === 'object' && choice.type === 'tool' ? choice.name : undefined;
  const word = typeof choice === 'object' ? choice.type : choice;
  return {
    messages: [
      { role: 'system', content: citations ? `${rules}\n${markRules}` : rules },
      ...messages.flatMap(chatMessages),
    ],
    ...(tools.length > 0 ? { tools: tools.flatMap(chatTool) } : {}),
    ...(tools.length === 0 || choice === undefined
      ? {}
      : {
          tool_choice: named
            ? { type: 'function', function: { name: named } }
            : word === 'any'
              ? 'required'
              : word === 'none'
                ? 'none'
                : 'auto',
        }),
  };
}

/** Tools that the messages service runs itself are not for other servers. */
function chatTool(tool: NonNullable<MessageRequest['tools']>[number]): ChatTool[] {
  if (!('input_schema' in tool)) return [];
  const {
    name,
    description,
    input_schema: parameters,
  } = tool as { name: string; description?: string; input_schema: object };
  return [{ type: 'function', function: { name, description, parameters: { ...parameters } } }];
}

/** Results of tools are messages of their own, before what else the user says. */
function chatMessages({ role, content }: MessageParam): ChatMessage[] {
  if (typeof content === 'string') return [{ role, content }];
  if (role === 'assistant') return [assistantMessage(content)];
  const results = content.flatMap((block): ChatMessage[] =>
    block.type === 'tool_result' ? [{ role: 'tool', tool_call_id: block.tool_use_id, content: resultText(block) }] : [],
  );
  const rest = textOf(content.filter(({ type }) => type !== 'tool_result'));
  return rest === '' ? results : [...results, { role: 'user', content: rest }];
}

function assistantMessage(content: readonly ContentBlockParam[]): ChatMessage {
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  const calls = content.flatMap((block) =>
    block.type === 'tool_use'
      ? [
          {
            id: block.id,
            type: 'function' as const,
            function: { name: block.name, arguments: JSON.stringify(block.input) },
          },
        ]
      : [],
  );
  return { role: 'assistant', content: text === '' ? null : text, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
}

function resultText({ content = '', is_error: isError }: ToolResultBlockParam): string {
  const text = typeof content === 'string' ? content : textOf(content);
  return isError && !text.startsWith('Error') ? `Error: ${text}` : text;
}

/** Sources as numbered passages, then the text. What a model of texts cannot read is named. */
function textOf(content: readonly { readonly type: string }[]): string {
  const blocks = content as readonly ContentBlockParam[]; // contents of messages and of results are of these kinds
  const sources = blocks.flatMap((block): ModelSource[] =>
    block.type === 'search_result'
      ? [{ id: block.source, title: block.title, passages: block.content.map(({ text }) => text) }]
      : [],
  );
  const texts = blocks.flatMap((block) => {
    if (block.type === 'text') return [block.text];
    return block.type === 'search_result' ? [] : [`(a block of type ${block.type}, which is not shown)`];
  });
  return [...(sources.length > 0 ? [renderSources(sources)] : []), ...texts].join('\n\n');
}
