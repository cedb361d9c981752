import { objectOf } from '../../core/arguments.ts';
import { definedOnly } from '../../core/records.ts';
import { shaped } from '../http/answer.ts';
import { number, oneOf, partly, refuse } from '../http/check.ts';
import type { Operation, Socket, WireCallOptions } from '../http/contract.ts';
import { errorFromBody, WireError } from '../http/errors.ts';
import { type AudioContext, chooseModel } from './context.ts';
import { converse, drain, iteratorOf } from './converse.ts';
import { jsonOf } from './json.ts';
import { send } from './live.ts';
import { keyterms } from './transcript-request.ts';
import type { TranscriptWord } from './transcript-types.ts';

/** Fields of the WebSocket's address in the wire's spelling, and our own in camelCase. */
export interface RealtimeRequest {
  readonly model_id?: string | undefined;
  /** What the chunks hold: 16-bit little-endian mono samples, or 8-bit µ-law. @default pcm_16000 */
  readonly audio_format?: string | undefined;
  readonly language_code?: string | undefined;
  /** `manual`: nothing becomes final without a commit; `vad`: at pauses. @default manual */
  readonly commit_strategy?: 'manual' | 'vad' | undefined;
  readonly vad_silence_threshold_secs?: number | undefined;
  readonly vad_threshold?: number | undefined;
  readonly min_speech_duration_ms?: number | undefined;
  readonly min_silence_duration_ms?: number | undefined;
  readonly include_timestamps?: boolean | undefined;
  readonly include_language_detection?: boolean | undefined;
  /** At most 50 of at most 20 characters. */
  readonly keyterms?: readonly string[] | undefined;
  readonly no_verbatim?: boolean | undefined;
  readonly enable_logging?: boolean | undefined;
  readonly token?: string | undefined;
  /** Text before the audio, sent with the first chunk. */
  readonly previous_text?: string | undefined;
  /**
   * Seconds of sound after which this client commits by itself, with `manual`; 0 leaves it to `{ commit: true }`.
   * @default 25
   */
  readonly commitSeconds?: number | undefined;
  /** Without a word from the service for this long after the end of the sound, the session ends. @default 10,000 */
  readonly finishMs?: number | undefined;
}

/** Sound in any cut, or the wish to make final what was sent. */
export type RealtimeInput = Uint8Array | { readonly commit: true };

export type RealtimeEvent =
  | { readonly type: 'session_started'; readonly session_id: string | undefined; readonly config: unknown }
  | { readonly type: 'partial_transcript'; readonly text: string }
  | { readonly type: 'committed_transcript'; readonly text: string }
  | {
      readonly type: 'committed_transcript_with_timestamps';
      readonly text: string;
      readonly language_code: string | undefined;
      readonly words: readonly TranscriptWord[];
    }
  /** A message this client does not know; it is handed on as it came. */
  | { readonly type: 'other'; readonly message_type: string; readonly raw: Readonly<Record<string, unknown>> };

const formats = ['pcm_8000', 'pcm_16000', 'pcm_22050', 'pcm_24000', 'pcm_44100', 'pcm_48000', 'ulaw_8000'];

const errorTypes =
  /^(error|.*_error|quota_exceeded|commit_throttled|unaccepted_terms|rate_limited|queue_overflow|resource_exhausted|session_time_limit_exceeded|chunk_size_exceeded|insufficient_audio_activity)$/;

/** Behind `transcripts.realtime`. */
export async function* realtimeTranscript(
  context: AudioContext,
  operation: Operation,
  audio: AsyncIterable<RealtimeInput> | Iterable<RealtimeInput>,
  request: RealtimeRequest = {},
  options?: WireCallOptions,
): AsyncGenerator<RealtimeEvent, void, undefined> {
  objectOf(request, 'the request');
  const { previous_text, commitSeconds = 25, finishMs = 10_000, ...query } = request;
  checkRealtime(request);
  const named = chooseModel(context, request.model_id ?? context.profile.defaultRealtimeModel, 'realtime');
  const format = request.audio_format ?? 'pcm_16000';
  const sampleRate = Number(format.split('_')[1]);
  const width = format.startsWith('pcm') ? 2 : 1;
  /** The most that goes into one message, whatever the cut: the service refuses large ones. */
  const second = sampleRate * width;
  const manual = request.commit_strategy !== 'vad';
  const socket = await context.transport.socket(operation, {
    query: { ...query, model_id: named.wireId, audio_format: format },
    attributes: { 'gen_ai.request.model': named.wireId },
    options,
  });
  const finish = new Finish(socket, finishMs, request.include_timestamps === true, manual);

  const speak = async (signal: AbortSignal): Promise<void> => {
    let carry = new Uint8Array();
    let first = previous_text;
    let uncommitted = 0;
    const post = (bytes: Uint8Array, commit: boolean): Promise<void> => {
      const message = {
        message_type: 'input_audio_chunk',
        audio_base_64: Buffer.from(bytes).toString('base64'),
        commit,
        sample_rate: sampleRate,
        previous_text: first,
      };
      first = undefined;
      uncommitted = commit ? 0 : uncommitted + bytes.length;
      if (commit) finish.committed();
      return send(socket, definedOnly(message));
    };
    const empty = new Uint8Array();
    /** The service refuses to commit less than 0.3 s of sound: silence fills it up. */
    const commit = async (): Promise<void> => {
      const missing = Math.ceil(sampleRate * 0.3) * width - uncommitted;
      if (missing > 0) await post(new Uint8Array(missing).fill(width === 1 ? 0xff : 0), false);
      await post(empty, true);
    };
    await drain(
      iteratorOf(audio),
      async (input) => {
        if (!(input instanceof Uint8Array)) return uncommitted > 0 ? commit() : undefined;
        const joined = carry.length === 0 ? input : Buffer.concat([carry, input]);
        const even = joined.length - (joined.length % width);
        carry = Uint8Array.from(joined.subarray(even));
        for (let at = 0; at < even; at += second) {
          await post(joined.subarray(at, Math.min(at + second, even)), false);
          if (manual && commitSeconds > 0 && uncommitted >= commitSeconds * second) await commit();
        }
      },
      async () => {}, // the service allows silence
      60_000,
      signal,
    );
    if (carry.length > 0) refuse('audio', 'ended inside a 16-bit sample');
    if (uncommitted > 0) await commit();
    finish.ended();
  };
  try {
    yield* converse(operation, socket, speak, (message) => {
      const event = parseEvent(operation, message);
      return { value: event, done: finish.heard(event) };
    });
  } catch (error) {
    if (!finish.timedOut || !(error instanceof WireError) || error.code !== 'STREAM_BROKEN') throw error;
  } finally {
    finish.dispose();
  }
}

const checkFields = partly({
  audio_format: oneOf(formats),
  keyterms: keyterms(50, 20),
  commitSeconds: number(0, 90),
  finishMs: number(1, 600_000),
});

function checkRealtime(request: RealtimeRequest): void {
  checkFields('', request);
  if (request.commit_strategy === 'vad') return;
  for (const field of Object.keys(request)) {
    // a key of its own
    const voiceActivity = /^(vad_|min_)/.test(field) && request[field as keyof RealtimeRequest] !== undefined;
    if (voiceActivity) refuse(field, 'has no effect without commit_strategy: "vad"');
  }
}

/** How long another transcript is waited for, where the service makes final what it has heard by itself. */
const ANOTHER_MS = 2_000;

/** Decides when everything that was said has been heard: the service does not close by itself. */
class Finish {
  readonly #socket: Socket;
  readonly #finishMs: number;
  readonly #timed: boolean;
  readonly #manual: boolean;
  #open = 0;
  #ended = false;
  #timer: NodeJS.Timeout | undefined;
  timedOut = false;

  constructor(socket: Socket, finishMs: number, timed: boolean, manual: boolean) {
    this.#socket = socket;
    this.#finishMs = finishMs;
    this.#timed = timed;
    this.#manual = manual;
  }

  committed(): void {
    this.#open++;
  }

  /** All sound is sent. Silence from now on means that nothing is left to say. */
  ended(): void {
    this.#ended = true;
    this.#wait(this.#open === 0 ? 1 : this.#finishMs);
  }

  /** @returns whether this was the last event */
  heard(event: RealtimeEvent): boolean {
    const closing = this.#timed ? 'committed_transcript_with_timestamps' : 'committed_transcript';
    if (event.type === closing && this.#open > 0) this.#open--;
    if (!this.#ended) return false;
    const isAnswered = event.type === closing && this.#open === 0;
    if (isAnswered && this.#manual) return true;
    // what the service has made final by itself comes as the answer to a commit does: another may follow
    this.#wait(isAnswered ? Math.min(this.#finishMs, ANOTHER_MS) : this.#finishMs);
    return false;
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.timedOut = true;
      void this.#socket.close(1000);
    }, ms);
  }
}

/** @throws WireError as the message says when it is an error */
function parseEvent(operation: Operation, message: string): RealtimeEvent {
  const where = { operation };
  const raw = shaped<Readonly<Record<string, unknown>>>(where, jsonOf(where, message), { message_type: 'string' });
  const type = raw.message_type as string; // checked above
  if (errorTypes.test(type)) {
    const text = typeof raw.error === 'string' ? raw.error : undefined;
    throw errorFromBody({ message: text, error: type }, { service: 'audio', operation: operation.name });
  }
  switch (type) {
    case 'session_started':
      return { type, session_id: typeof raw.session_id === 'string' ? raw.session_id : undefined, config: raw.config };
    case 'partial_transcript':
    case 'committed_transcript':
      return { type, text: shaped<{ text: string }>(where, raw, { text: 'string' }).text };
    case 'committed_transcript_with_timestamps': {
      const timed = shaped<{ text: string; words?: readonly TranscriptWord[] | null; language_code?: string | null }>(
        where,
        raw,
        { text: 'string', words: 'array?' },
      );
      return { type, text: timed.text, language_code: timed.language_code ?? undefined, words: timed.words ?? [] };
    }
    default:
      return { type: 'other', message_type: type, raw };
  }
}
