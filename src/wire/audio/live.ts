import { objectOf } from '../../core/arguments.ts';
import { definedOnly } from '../../core/records.ts';
import { integer, refuse, requireId } from '../http/check.ts';
import type { Call, Operation, Socket, WireCallOptions } from '../http/contract.ts';
import { type AudioContext, chooseFormat, chooseModel } from './context.ts';
import { aborted, converse, drain, type Heard, iteratorOf, leave } from './converse.ts';
import type { AudioFormat } from './formats.ts';
import { type LiveChunk, LiveReader } from './live-message.ts';
import type { NamedModel } from './profile.ts';
import {
  checkLanguage,
  checkVoiceSettings,
  type DictionaryLocator,
  speechAttributes,
  type TextNormalization,
  type VoiceSettings,
} from './speech-request.ts';

/** Fields of the WebSocket's address and of its first message, in the wire's spelling. */
export interface LiveRequest {
  readonly voice_id: string;
  readonly model_id?: string | undefined;
  readonly language_code?: string | undefined;
  readonly output_format?: string | undefined;
  readonly enable_logging?: boolean | undefined;
  readonly enable_ssml_parsing?: boolean | undefined;
  /** Seconds, 1 to 180. @default 20 */
  readonly inactivity_timeout?: number | undefined;
  /** Times with every message. */
  readonly sync_alignment?: boolean | undefined;
  /** No buffering at the service; for text that comes in whole sentences. */
  readonly auto_mode?: boolean | undefined;
  readonly apply_text_normalization?: TextNormalization | undefined;
  readonly seed?: number | undefined;
  readonly single_use_token?: string | undefined;
  readonly voice_settings?: VoiceSettings | undefined;
  /** Characters gathered before the 1st, 2nd, 3rd, 4th and later generation, each 50 to 500. */
  readonly generation_config?: { readonly chunk_length_schedule: readonly number[] } | undefined;
  /** Need a `version_id` here. */
  readonly pronunciation_dictionary_locators?: readonly DictionaryLocator[] | undefined;
}

/** A piece of text in any cut (a language model's tokens), or text with a wish to speak what there is now. */
export type LiveText =
  | string
  | {
      readonly text?: string | undefined;
      readonly flush?: boolean | undefined;
      readonly try_trigger_generation?: boolean | undefined;
    };

export interface PreparedLive {
  readonly call: Call;
  readonly format: AudioFormat;
  readonly named: NamedModel;
  /** First message, without its text. */
  readonly opener: Readonly<Record<string, unknown>>;
  /** Silence of ours after which the socket is kept alive. */
  readonly keepAliveMs: number;
}

/** Checks the request; the one serialiser of both speaking WebSockets. */
export function prepareLive(context: AudioContext, request: LiveRequest): PreparedLive {
  objectOf(request, 'the request');
  const { voice_id, voice_settings, generation_config, pronunciation_dictionary_locators, ...query } = request;
  const named = chooseModel(context, request.model_id ?? context.profile.defaultSpeechModel, 'speech');
  if (named.model !== undefined && named.model.socket !== 'speech') {
    const hint = 'Use dialogue.live, or a model of the second generation.';
    refuse('model_id', `${named.id} is not served by this WebSocket`, hint);
  }
  const format = chooseFormat(context, request.output_format);
  integer(1, 180)('inactivity_timeout', request.inactivity_timeout); // decides when this client keeps the socket alive
  return {
    call: {
      path: { voice_id: requireId('voice_id', voice_id) },
      query: {
        ...query,
        model_id: named.wireId,
        language_code: checkLanguage(context, request.language_code, named),
        output_format: request.output_format === undefined ? undefined : format.name,
      },
      attributes: speechAttributes(named),
    },
    format,
    named,
    opener: definedOnly({
      voice_settings: checkVoiceSettings(context, voice_settings, named.model),
      generation_config,
      pronunciation_dictionary_locators,
    }),
    keepAliveMs: (request.inactivity_timeout ?? 20) * 600,
  };
}

/** Longest piece that is held back to wait for the end of a word (languages without spaces have none). */
const HOLD = 200;
const characters = new Intl.Segmenter();

/** Gathers pieces of any cut into messages that end after a word, as the service wants them. */
export class WordBuffer {
  #held = '';

  /** @returns text to send now, ending with a space; '' when a word is still open */
  push(text: string): string {
    this.#held += text;
    let cut = this.#held.search(/\s\S*$/) + 1;
    // the last character may go on: marks and parts of an emoji follow
    if (cut === 0 && this.#held.length >= HOLD) cut = [...characters.segment(this.#held)].at(-1)!.index;
    if (cut === 0 || this.#held.slice(0, cut).trim() === '') return '';
    const ready = this.#held.slice(0, cut);
    this.#held = this.#held.slice(cut);
    return /\s$/.test(ready) ? `${ready.trimEnd()} ` : `${ready} `;
  }

  /** What is left, ending with a space; '' when nothing is. */
  flush(): string {
    const rest = this.#held.trim() === '' ? '' : `${this.#held.trimEnd()} `;
    this.#held = '';
    return rest;
  }
}

/** The messages of one piece of text. */
export function textMessages(buffer: WordBuffer, piece: LiveText): Record<string, unknown>[] {
  const { text = '', flush = false, try_trigger_generation } = typeof piece === 'string' ? { text: piece } : piece;
  let words = buffer.push(text);
  if (flush || try_trigger_generation === true) words += buffer.flush();
  if (words === '') return flush ? [{ text: ' ', flush: true }] : [];
  return [definedOnly({ text: words, flush: flush ? true : undefined, try_trigger_generation })];
}

/** Behind `speech.live`. */
export async function* liveSpeech(
  context: AudioContext,
  operation: Operation,
  text: AsyncIterable<LiveText> | Iterable<LiveText>,
  request: LiveRequest,
  options?: WireCallOptions,
): AsyncGenerator<LiveChunk, void, undefined> {
  const { call, format, opener, keepAliveMs } = prepareLive(context, request);
  const iterator = iteratorOf(text);
  const opening = async (): Promise<{ first: LiveText; socket: Socket }> => {
    const first = await firstText(iterator, options?.signal);
    if (first === undefined) refuse('text', 'has ended without a word');
    return { first, socket: await context.transport.socket(operation, { ...call, options }) };
  };
  const { first, socket } = await opening().catch((error: unknown) => {
    leave(iterator);
    throw error;
  });
  const speak = async (signal: AbortSignal): Promise<void> => {
    const buffer = new WordBuffer();
    await send(socket, { text: ' ', ...opener });
    for (const message of textMessages(buffer, first)) await send(socket, message);
    await drain(
      iterator,
      async (piece) => {
        for (const message of textMessages(buffer, piece)) await send(socket, message);
      },
      () => send(socket, { text: ' ' }),
      keepAliveMs,
      signal,
    );
    const rest = buffer.flush();
    if (rest !== '') await send(socket, { text: rest });
    await send(socket, { text: '' });
  };
  yield* converse(operation, socket, speak, hearing(operation, format));
}

/** Reads the messages of a speaking socket up to the final one. */
export function hearing(operation: Operation, format: AudioFormat): (message: string) => Heard<LiveChunk> {
  const reader = new LiveReader(operation, format);
  return (message) => {
    const chunk = reader.read(message);
    return { value: chunk, done: chunk.isFinal };
  };
}

export const send = (socket: Socket, message: unknown): Promise<void> => socket.send(JSON.stringify(message));

/** The first piece with text in it: a socket that is opened before would sit idle. */
async function firstText(
  iterator: AsyncIterator<LiveText> | Iterator<LiveText>,
  signal: AbortSignal | undefined,
): Promise<LiveText | undefined> {
  const stop = aborted(signal);
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), stop.promise]);
      if (next.done === true) return undefined;
      const text = typeof next.value === 'string' ? next.value : (next.value.text ?? '');
      if (text.trim() !== '') return next.value;
    }
  } finally {
    stop.dispose();
  }
}
