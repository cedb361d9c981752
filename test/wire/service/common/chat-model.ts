import type { ChatMessage, ChatRequest, ChatToolCall } from '../../../../src/wire/common/index.ts';

/** A request as it arrived. */
export interface SentChat extends ChatRequest {
  readonly stream?: boolean;
}

export interface ChatDraft {
  readonly content?: string | null;
  /** Apart from the text, in `reasoning_content`. */
  readonly thinking?: string;
  readonly tool_calls?: readonly ChatToolCall[];
  /** @default 'tool_calls' with calls, else 'stop' */
  readonly finish_reason?: string;
}

export type ChatStandIn = (request: SentChat) => ChatDraft;

interface Passage {
  readonly mark: string;
  readonly text: string;
}

/** Passages that stand in any message, by the marks before them. */
export function passagesOf(messages: readonly ChatMessage[]): Passage[] {
  return messages.flatMap(({ content }) =>
    [...String(content ?? '').matchAll(/^\[(s\d+\.\d+)\] (.*)$/gm)].map(([, mark, text]) => ({
      mark: mark!,
      text: text!,
    })),
  );
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];

/** Passages with most words of the question first. */
export function ranked(messages: readonly ChatMessage[]): Passage[] {
  const question = String(messages.findLast(({ role }) => role === 'user')?.content ?? '');
  const asked = new Set(wordsOf(question.slice(Math.max(0, question.lastIndexOf('Question: ')))));
  const shared = ({ text }: Passage): number => wordsOf(text).filter((word) => asked.has(word)).length;
  return passagesOf(messages)
    .filter((passage) => shared(passage) > 0)
    .sort((a, b) => shared(b) - shared(a));
}

/**
 * Answers with the two passages that share most words with the question, each with its mark; calls `search_index` first
 * where it is offered and nothing was shown yet.
 */
export const marksAnswerer: ChatStandIn = ({ messages, tools = [], tool_choice }) => {
  const best = ranked(messages).slice(0, 2);
  const canSearch = tools.some(({ function: { name } }) => name === 'search_index') && tool_choice !== 'none';
  const hasSearched = messages.some(({ role }) => role === 'tool');
  if (canSearch && !hasSearched) {
    const query = String(messages.findLast(({ role }) => role === 'user')!.content);
    const input = JSON.stringify({ query });
    return { tool_calls: [{ id: 'call_a', type: 'function', function: { name: 'search_index', arguments: input } }] };
  }
  if (best.length === 0) return { content: 'The sources do not answer this.' };
  return { content: best.map(({ mark, text }) => `${text.trim()} [${mark}]`).join(' ') };
};
