import { isRecord } from '../../core/records.ts';
import { invalidAnswer } from '../http/answer.ts';
import type { Operation } from '../http/contract.ts';
import { errorFromBody, WireError } from '../http/errors.ts';
import { checkTimes } from './alignment.ts';
import { type AudioFormat, secondsOf } from './formats.ts';
import { jsonOf } from './json.ts';
import { decodeBase64 } from './timed.ts';

/** Times of single characters in milliseconds, from the start of everything spoken in this session (or context). */
export interface LiveAlignment {
  readonly chars: readonly string[];
  readonly startTimesMs: readonly number[];
  readonly durationsMs: readonly number[];
}

/** One message of a speaking WebSocket. */
export interface LiveChunk {
  /** Empty when the message holds no sound. */
  readonly audio: Uint8Array;
  readonly alignment: LiveAlignment | null;
  readonly normalizedAlignment: LiveAlignment | null;
  /** Everything is spoken; comes once, last. */
  readonly isFinal: boolean;
  /** Dialogue: the last sound of a turn. */
  readonly isFinalForTurn: boolean;
  /** Multi-context sessions only. */
  readonly contextId: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** The first of several spellings that is there. */
const pick = (fields: Fields, ...names: readonly string[]): unknown =>
  names.map((name) => fields[name]).find((value) => value !== undefined && value !== null);

function parseTimes(value: unknown, operation: Operation, shiftMs: number): LiveAlignment | null {
  if (!isRecord(value)) return null;
  const chars = pick(value, 'chars', 'characters');
  const starts = pick(value, 'charStartTimesMs', 'char_start_times_ms');
  const durations = pick(value, 'charDurationsMs', 'charsDurationsMs', 'char_durations_ms', 'chars_durations_ms');
  if (!Array.isArray(chars) || !Array.isArray(starts) || !Array.isArray(durations)) {
    throw invalidAnswer({ operation }, 'an alignment lacks its characters, starts or durations');
  }
  checkTimes({ operation }, 'an alignment', chars, starts, durations);
  return { chars, startTimesMs: starts.map((ms: number) => ms + shiftMs), durationsMs: durations };
}

/**
 * Reads the messages of one session or context. Their times count from the message's own sound, which is why the sound
 * before it is measured; in formats that cannot be measured times stay as they are.
 */
export class LiveReader {
  readonly #operation: Operation;
  readonly #format: AudioFormat;
  readonly #bytes = new Map<string, number>();

  constructor(operation: Operation, format: AudioFormat) {
    this.#operation = operation;
    this.#format = format;
  }

  /** @throws WireError as the message says when it is an error; RESPONSE_INVALID when it is not JSON */
  read(message: string): LiveChunk {
    const where = { operation: this.#operation };
    const body = jsonOf(where, message);
    if (!isRecord(body)) throw invalidAnswer(where, 'a message is not an object');
    if (body.error !== undefined && body.error !== null) throw socketError(body, this.#operation);
    const contextId = pick(body, 'contextId', 'context_id');
    const name = typeof contextId === 'string' ? contextId : '';
    const before = this.#bytes.get(name) ?? 0;
    const shiftMs = (secondsOf(this.#format, before) ?? 0) * 1_000;
    const sound = pick(body, 'audio');
    const audio = typeof sound === 'string' ? decodeBase64(where, sound, 'audio') : new Uint8Array();
    const isFinal = pick(body, 'isFinal', 'is_final') === true;
    if (isFinal)
      this.#bytes.delete(name); // a context of this name that is opened again begins anew
    else this.#bytes.set(name, before + audio.length);
    return {
      audio,
      alignment: parseTimes(body.alignment, this.#operation, shiftMs),
      normalizedAlignment: parseTimes(
        pick(body, 'normalizedAlignment', 'normalized_alignment'),
        this.#operation,
        shiftMs,
      ),
      isFinal,
      isFinalForTurn: pick(body, 'is_final_audio_for_turn', 'isFinalAudioForTurn') === true,
      contextId: typeof contextId === 'string' ? contextId : undefined,
    };
  }
}

/** `{message, error, code}` of the sockets; the code is a close code, not an HTTP status. */
function socketError(body: Fields, operation: Operation): WireError {
  const error = errorFromBody(body, { service: 'audio', operation: operation.name });
  if (body.error !== 'input_timeout_exceeded') return error;
  return new WireError('TIMEOUT', error.message, {
    service: 'audio',
    operation: operation.name,
    type: 'input_timeout_exceeded',
    retryable: true,
    hint: 'No text came for too long: raise inactivity_timeout, or open the socket when the text is ready.',
  });
}
