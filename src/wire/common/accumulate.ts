import { isRecord } from '../../core/records.ts';
import { invalidAnswer, type Where } from '../http/answer.ts';
import { quantityOf, textOf } from './read.ts';
import type { ChatCompletion, ChatDelta, ChatToolCall, ChatUsage } from './types.ts';

interface OpenCall {
  id: string;
  name: string;
  arguments: string;
}

/** An answer as its events add up. */
export class ChatAccumulator {
  #id: string | undefined;
  #model: string | undefined;
  #text = '';
  #thinking = '';
  #refusal: string | undefined;
  #usage: ChatUsage | undefined;
  #finishReason: string | undefined;
  readonly #calls = new Map<number, OpenCall>();

  /** Set once the model has stopped; the usage may come after. */
  get finishReason(): string | undefined {
    return this.#finishReason;
  }

  get completion(): ChatCompletion {
    return {
      id: this.#id,
      model: this.#model,
      text: this.#text,
      thinking: this.#thinking,
      toolCalls: [...this.#calls].sort(([a], [b]) => a - b).map(([at, call]) => callOf(at, call)),
      refusal: this.#refusal,
      finishReason: this.#finishReason ?? '',
      usage: this.#usage,
    };
  }

  /** Takes in one event. @throws WireError RESPONSE_INVALID */
  add(where: Where, event: Readonly<Record<string, unknown>>): ChatDelta {
    this.#id ??= textOf(event.id);
    this.#model ??= textOf(event.model);
    if (isRecord(event.usage)) this.#usage = usageOf(event.usage);
    const choice: unknown = Array.isArray(event.choices) ? event.choices[0] : undefined;
    if (!isRecord(choice)) return { text: '', thinking: '' }; // the usage comes without a choice
    const delta = isRecord(choice.delta) ? choice.delta : isRecord(choice.message) ? choice.message : {};
    const text = textOf(delta.content) ?? '';
    const thinking = textOf(delta.reasoning_content) ?? textOf(delta.reasoning) ?? '';
    this.#text += text;
    this.#thinking += thinking;
    if (typeof delta.refusal === 'string') this.#refusal = (this.#refusal ?? '') + delta.refusal;
    if (Array.isArray(delta.tool_calls)) for (const call of delta.tool_calls) this.#addCall(where, call);
    this.#finishReason = textOf(choice.finish_reason) ?? this.#finishReason;
    return { text, thinking };
  }

  #addCall(where: Where, given: unknown): void {
    if (!isRecord(given)) throw invalidAnswer(where, 'a call of a tool is not an object');
    const { name, arguments: input } = isRecord(given.function) ? given.function : {};
    const id = textOf(given.id);
    // some servers send each call whole and do not number them
    const at =
      quantityOf(given.index) ?? (id === undefined && name === undefined ? this.#calls.size - 1 : this.#calls.size);
    const call = this.#calls.get(at) ?? { id: '', name: '', arguments: '' };
    this.#calls.set(at, call);
    call.id ||= id ?? '';
    call.name ||= textOf(name) ?? '';
    // and some give the input as an object, not as JSON
    call.arguments += textOf(input) ?? (input === undefined || input === null ? '' : JSON.stringify(input));
  }
}

/** An id is made up where the server gives none: a result must name its call. */
const callOf = (at: number, { id, name, arguments: input }: OpenCall): ChatToolCall => ({
  id: id === '' ? `call_${at}` : id,
  type: 'function',
  function: { name, arguments: input === '' ? '{}' : input },
});

/** The answer of a call that was not streamed. @throws WireError RESPONSE_INVALID without a choice */
export function completionOf(where: Where, body: Readonly<Record<string, unknown>>): ChatCompletion {
  const whole = new ChatAccumulator();
  if (!Array.isArray(body.choices) || !isRecord(body.choices[0])) throw invalidAnswer(where, 'choices is empty');
  whole.add(where, body);
  return whole.completion;
}

function usageOf(usage: Readonly<Record<string, unknown>>): ChatUsage {
  const details = isRecord(usage.prompt_tokens_details) ? usage.prompt_tokens_details : undefined;
  return {
    prompt_tokens: quantityOf(usage.prompt_tokens),
    completion_tokens: quantityOf(usage.completion_tokens),
    total_tokens: quantityOf(usage.total_tokens),
    prompt_tokens_details: details && { cached_tokens: quantityOf(details.cached_tokens) },
  };
}
