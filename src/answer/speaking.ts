import { optionsOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { type Budget, Meter } from '../core/meter.ts';
import type { CallOptions, Span } from '../core/types.ts';
import { type Caption, captionsOf } from '../speak/captions.ts';
import type { SoundFormat, Speaker, SpeechUsage, SpokenSpan, SpokenTurn } from '../speak/contract.ts';
import { checkSpeaker, pricePer1000 } from '../speak/own-speaker.ts';
import { SentenceStream } from '../speak/sentence-stream.ts';
import { checkPrice, speakTurns } from '../speak/speech.ts';
import { languageOf } from '../text/languages/detect.ts';
import type { Answer, AnswerEvent, Citation } from './contract.ts';

export interface SpeakAnswerOptions extends CallOptions {
  /** One of `Speaker.formats`. @default pcm */
  readonly format?: SoundFormat | undefined;
  /** ISO 639. @default found from the first sentence, else en */
  readonly language?: string | undefined;
  /** Maximum cost of the speech: a number of USD, or a meter that calls share. @default no limit */
  readonly budget?: Budget | undefined;
}

/** An answer while it is spoken. */
export type SpokenEvent =
  /** The sounds in order are the answer's. */
  | { readonly type: 'sound'; readonly audio: Uint8Array; readonly sampleRate: number }
  /** The last event. Captions name the citations of their sentence. */
  | { readonly type: 'spoken'; readonly captions: readonly Caption[]; readonly usage: SpeechUsage };

/**
 * Speaks an answer while it is written: a sentence goes to the speaker as soon as the next one begins. Marks of
 * citations are not spoken. The events of the answer come through as they are.
 * @throws IbidError as `ask`; BUDGET_EXCEEDED and the errors of the speaker after the last event of the answer, which
 * may have been paid for
 */
export async function* speakAnswer(
  events: AsyncIterable<AnswerEvent>,
  speaker: Speaker,
  options: SpeakAnswerOptions = {},
): AsyncGenerator<AnswerEvent | SpokenEvent, void, undefined> {
  const meter = Meter.of(optionsOf(options).budget);
  checkSpeaker(speaker);
  if (typeof events?.[Symbol.asyncIterator] !== 'function')
    throw new IbidError('INVALID_ARGUMENT', 'there are no events of an answer', { hint: 'Give what `ask` returns.' });
  checkPrice(pricePer1000(speaker), speaker, meter); // before the answer is asked for
  const abort = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, abort.signal]) : abort.signal;
  const turns = new Queue<SpokenTurn>();
  const out = new Queue<AnswerEvent | SpokenEvent>();
  const stream = new SentenceStream();
  const sentences: Span[] = [];
  const language = Promise.withResolvers<string | undefined>();
  let answer: Answer | undefined;
  const tell = (spans: readonly Span[]): void => {
    for (const { start, end } of spans) {
      const text = stream.text.slice(start, end);
      if (sentences.length === 0) language.resolve(options.language ?? languageIn(text));
      sentences.push({ start, end });
      turns.push({ text });
    }
  };
  const source = events[Symbol.asyncIterator]();
  const listen = async (): Promise<void> => {
    for (let next = await source.next(); !next.done; next = await source.next()) {
      signal.throwIfAborted();
      const event = next.value;
      if (event.type === 'text') tell(stream.push(event.text));
      if (event.type === 'done') answer = event.answer;
      out.push(event);
    }
    tell(stream.end());
    language.resolve(options.language); // no sentence came
    turns.end();
  };
  const speak = async (): Promise<void> => {
    const { format } = options;
    const spoken: SpokenSpan[] = [];
    const parts = speakTurns(speaker, turns, { meter, format, language: await language.promise, signal });
    let part = await parts.next();
    for (; !part.done; part = await parts.next()) {
      const { audio, sampleRate, spans } = part.value;
      spoken.push(...spans);
      if (audio.length > 0) out.push({ type: 'sound', audio, sampleRate });
    }
    const captions = captionsOfAnswer(stream.text, sentences, spoken, answer?.citations ?? []);
    out.push({ type: 'spoken', captions, usage: part.value });
  };
  const fail = (error: unknown): void => {
    out.fail(error);
    turns.fail(error);
    language.resolve(undefined);
    abort.abort(error);
  };
  let unspoken: { readonly reason: unknown } | undefined;
  const goOnSilent = (reason: unknown): void => {
    if (signal.aborted) fail(reason);
    else unspoken = { reason };
  };
  const work = Promise.all([listen().catch(fail), speak().catch(goOnSilent)]).then(() => {
    if (unspoken) out.fail(unspoken.reason);
    else out.end();
  });
  try {
    yield* out;
  } finally {
    fail(new Error('nobody listens any more'));
    void Promise.resolve(source.return?.()).catch(() => {}); // an answer that nobody hears is not written on
    void work;
  }
}

function languageIn(sentence: string): string | undefined {
  const found = languageOf(sentence);
  return found === 'und' ? undefined : found;
}

/** A sentence's caption reaches to the next sentence, marks between them included. */
function captionsOfAnswer(
  text: string,
  sentences: readonly Span[],
  spoken: readonly SpokenSpan[],
  citations: readonly Citation[],
): Caption[] {
  const byTurn = Map.groupBy(spoken, ({ turn }) => turn);
  return sentences.flatMap(({ start }, turn) => {
    const end = sentences[turn + 1]?.start ?? text.length;
    const cited = citations.filter(({ answerSpan }) => answerSpan.start < end && answerSpan.end > start);
    const notes = cited.map(({ n, reference, media }) => `[${n}] ${media ?? reference}`);
    return captionsOf(text.slice(start, end).trimEnd(), byTurn.get(turn) ?? [], notes);
  });
}

/** Values that one side gives and the other takes, in order. */
class Queue<T> implements AsyncIterable<T> {
  readonly #values: T[] = [];
  #ended = false;
  #error: { readonly reason: unknown } | undefined;
  #wake: (() => void) | undefined;

  push(value: T): void {
    if (this.#ended) return;
    this.#values.push(value);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** After what was given before, unless it has ended. */
  fail(reason: unknown): void {
    if (this.#ended) return;
    this.#error = { reason };
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (;;) {
      while (this.#values.length > 0) yield this.#values.shift()!;
      if (this.#error) throw this.#error.reason;
      if (this.#ended) return;
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
  }
}
