import { isRecord } from '../../core/records.ts';
import type { Where } from '../http/answer.ts';
import { Pieces } from '../http/pieces.ts';
import { contentText, readSources } from './answer-parse.ts';
import type { AnswerEvent, ChatResponse, ReasoningStep } from './answer-types.ts';
import { reported } from './failures.ts';
import type { Source } from './markers.ts';
import { jsonOf, type Open, optionalText, records } from './parse.ts';
import { ReasoningSplitter } from './reasoning.ts';

const objects = new Set([
  'chat.completion',
  'chat.completion.chunk',
  'chat.completion.done',
  'chat.reasoning',
  'chat.reasoning.done',
]);

/**
 * Puts the chunks of a stream together, full or concise, into the body the same request would have had without a
 * stream. Top-level fields keep their last value that is not null (usage is cumulative, only the last cost counts); the
 * text is the sum of the deltas, or the final message's where that holds more.
 */
export class AnswerAccumulator {
  readonly #where: Where;
  readonly #splitter: ReasoningSplitter;
  #fields: Record<string, unknown> = {};
  #message: Record<string, unknown> = {};
  #choice: Record<string, unknown> = {};
  readonly #deltas: Pieces = new Pieces();
  #whole: string | undefined;
  #steps: ReasoningStep[] = [];
  #finalSteps: unknown;
  #sources: readonly Source[] = [];
  #seen = false;
  #ended = false;
  #finished = false;

  /** @param reasons whether the model writes its reasoning in front of the answer */
  constructor(where: Where, reasons: boolean) {
    this.#where = where;
    this.#splitter = new ReasoningSplitter(reasons);
  }

  /** The done chunk or the end mark has come: nothing of use follows. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The end of the body now is the end of the answer. */
  get complete(): boolean {
    return this.#ended || this.#finished;
  }

  /** What has arrived, as raw text with its reasoning block. */
  get content(): string {
    return this.#deltas.toString();
  }

  /**
   * @returns what the chunk brought, `done` excepted
   * @throws WireError RESPONSE_INVALID for what is no JSON object; the service's error for an error inside the stream
   */
  push(data: string): readonly AnswerEvent[] {
    const text = data.trim();
    if (text === '') return [];
    if (text === '[DONE]') {
      this.#ended = this.#seen; // the mark alone is no answer
      return this.#splitter.end();
    }
    const chunk = jsonOf(this.#where, text);
    if (chunk.error !== undefined && chunk.error !== null) throw reported(this.#where, chunk);
    this.#seen = true;
    const object = optionalText(chunk.object) ?? 'chat.completion.chunk';
    // Loops instead of spreads and filters here and below: a stream has hundreds of thousands of these.
    for (const name in chunk) {
      const value = chunk[name];
      if (value !== null && name !== 'object' && name !== 'choices') this.#fields[name] = value;
    }
    const choice = choiceOf(chunk.choices);
    const events = choice === undefined ? [] : this.#take(choice, object);
    if (chunk.citations !== undefined || chunk.search_results !== undefined) events.push(...this.#sourceEvents(chunk));
    if (!objects.has(object)) events.push({ type: 'other', object, chunk });
    if (object === 'chat.completion.done') {
      this.#ended = true;
      events.push(...this.#splitter.end());
    }
    return events;
  }

  /** Call at the end of the body: what was held back while a tag could have followed. */
  flush(): readonly AnswerEvent[] {
    return this.#splitter.end();
  }

  #take(choice: Record<string, unknown>, object: string): AnswerEvent[] {
    const { delta, message } = choice;
    for (const name in choice) {
      const value = choice[name];
      if (value !== null && name !== 'delta' && name !== 'message') this.#choice[name] = value;
    }
    if (typeof choice.finish_reason === 'string' && object !== 'chat.reasoning.done') this.#finished = true;
    let events: AnswerEvent[] = [];
    if (isRecord(delta)) {
      for (const name in delta) {
        const value = delta[name];
        if (value !== null && name !== 'content' && name !== 'reasoning_steps') this.#message[name] = value;
      }
      const steps = delta.reasoning_steps;
      for (const step of steps === undefined ? [] : records(steps)) {
        this.#steps.push(step);
        events.push({ type: 'step', step });
      }
      const text = contentText(delta.content);
      if (text !== '') {
        this.#deltas.add(text);
        const pieces = this.#splitter.push(text);
        if (events.length === 0) events = pieces;
        else events.push(...pieces);
      }
    }
    if (isRecord(message)) {
      const { content, reasoning_steps: steps, ...others } = message;
      Object.assign(this.#message, withoutNulls(others));
      if (Array.isArray(steps) && steps.length > 0) this.#finalSteps = steps;
      if (contentText(content) !== '') this.#whole = contentText(content);
    }
    // A stream that sends the text only with its last message still yields it.
    if (object === 'chat.completion.done' && this.#deltas.length === 0 && this.#whole !== undefined) {
      events.push(...this.#splitter.push(this.#whole));
    }
    return events;
  }

  /** Most chunks repeat the sources; only a change is told. */
  #sourceEvents(chunk: Open): readonly AnswerEvent[] {
    const { citations, search_results: results } = chunk;
    if (!Array.isArray(citations) && !Array.isArray(results)) return [];
    const known = this.#sources;
    const same = (urls: readonly unknown[]): boolean =>
      urls.length === known.length && urls.every((url, index) => url === known[index]!.url);
    if (!Array.isArray(results) && Array.isArray(citations) && same(citations)) return [];
    const sources = readSources(this.#fields);
    if (same(sources.map(({ url }) => url)) && sources.every(({ title }, i) => title === known[i]!.title)) return [];
    this.#sources = sources;
    return [{ type: 'sources', sources }];
  }

  /** Before its end a stream tells costs of zero: what it has cost by then is not known. */
  #usage(): { readonly usage?: unknown } {
    const { usage } = this.#fields;
    if (this.complete || !isRecord(usage)) return {};
    const { cost: _untold, ...counts } = usage;
    return { usage: counts };
  }

  /** The body as it would have come without a stream; before the end, of what has come so far. */
  response(): ChatResponse {
    const deltas = this.content;
    const whole = this.#whole;
    const content = whole !== undefined && whole.length > deltas.length ? whole : deltas;
    const steps = this.#finalSteps ?? (this.#steps.length > 0 ? this.#steps : undefined);
    const message = {
      role: 'assistant',
      ...this.#message,
      content,
      ...(steps === undefined ? {} : { reasoning_steps: steps }),
    };
    const choice = { index: 0, finish_reason: null, ...this.#choice, message };
    // The fields are as they came, unchecked like those of a body.
    return {
      ...this.#fields,
      ...this.#usage(),
      object: 'chat.completion',
      choices: [choice],
    } as unknown as ChatResponse;
  }
}

/** The choice that counts: number 0, else the first. */
function choiceOf(choices: unknown): Record<string, unknown> | undefined {
  if (!Array.isArray(choices)) return undefined;
  const [first] = choices as readonly unknown[];
  if (isRecord(first) && (choices.length === 1 || first.index === 0)) return first;
  const known = records(choices);
  return known.find(({ index }) => index === 0) ?? known[0];
}

function withoutNulls(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}
