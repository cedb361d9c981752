import { invalidAnswer, type Shape, shaped, shapedList, type Where } from '../http/answer.ts';
import type { Operation, WireCallOptions } from '../http/contract.ts';
import { errorFromBody } from '../http/errors.ts';
import { type Alignment, AlignmentClock, parseAlignment, type VoiceSegment } from './alignment.ts';
import { type AudioContext, infoOf } from './context.ts';
import { warnIfShort } from './endings.ts';
import { type AudioFormat, secondsOf } from './formats.ts';
import { jsonOf } from './json.ts';
import type { AudioResult, AudioStream, PreparedSound } from './sound.ts';

/** A piece of sound with the times of its characters; in a stream all times count from the start of the stream. */
export interface TimedChunk {
  readonly audio: Uint8Array;
  /** Follows the text as sent. */
  readonly alignment: Alignment | null;
  /** Follows the text as spoken, with numbers and abbreviations written out. */
  readonly normalized_alignment: Alignment | null;
  /** Dialogue only. */
  readonly voice_segments?: readonly VoiceSegment[] | undefined;
}

/** The complete sound with the times of its characters. */
export interface TimedAudio extends AudioResult, TimedChunk {}

export interface TimedStream extends AudioStream<TimedChunk> {}

/** Strict base64: the platform's decoder drops what it does not understand, and would turn damage into noise. */
export function decodeBase64(where: Where, text: string, field: string): Uint8Array {
  if (!/^[A-Za-z0-9+/_-]*={0,2}\s*$/.test(text)) throw invalidAnswer(where, `${field} is not base64`);
  return Buffer.from(text, 'base64');
}

const segmentShape: Shape = { voice_id: 'string', start_time_seconds: 'number', end_time_seconds: 'number' };

function parseTimed(where: Where, value: unknown): TimedChunk {
  const body = shaped<Readonly<Record<string, unknown>>>(where, value, { audio_base64: 'string?' });
  const segments = body.voice_segments ?? undefined;
  return {
    audio: decodeBase64(where, String(body.audio_base64 ?? ''), 'audio_base64'),
    alignment: parseAlignment(where, body.alignment, 'alignment'),
    normalized_alignment: parseAlignment(where, body.normalized_alignment, 'normalized_alignment'),
    ...(segments === undefined
      ? {}
      : { voice_segments: shapedList<VoiceSegment>(where, segments, segmentShape, 'voice_segments') }),
  };
}

/** The complete sound with its times. */
export async function timedSound(
  context: AudioContext,
  operation: Operation,
  { call, format, said }: PreparedSound,
  options: WireCallOptions | undefined,
): Promise<TimedAudio> {
  const reply = await context.transport.json(operation, { ...call, options });
  const where = { operation, info: reply };
  const timed = parseTimed(where, reply.body);
  if (timed.audio.length === 0) throw invalidAnswer(where, 'audio_base64 is empty');
  if (said !== undefined) warnIfShort(context, said, format, timed.audio);
  return { ...infoOf(context.profile, reply), ...timed, format: format.name, mediaType: format.mediaType };
}

/** Sound with times as it comes. */
export async function timedStream(
  context: AudioContext,
  operation: Operation,
  { call, format, said }: PreparedSound,
  options: WireCallOptions | undefined,
): Promise<TimedStream> {
  const reply = await context.transport.lines(operation, { ...call, options });
  const tolerant = context.profile.timedStream === 'tolerant';
  const ended = (bytes: number): void => {
    if (said !== undefined) warnIfShort(context, said, format, bytes);
  };
  return {
    ...infoOf(context.profile, reply),
    format: format.name,
    mediaType: format.mediaType,
    cancel: () => reply.cancel(),
    [Symbol.asyncIterator]: () => timedChunks(reply, operation, format, tolerant, ended),
  };
}

/**
 * One JSON object per line, with or without `data:` before it; comments, `event:` lines and `[DONE]` are left out.
 * An error object inside the stream is thrown as the error it is.
 * @param ended told the bytes of sound at the end
 */
async function* timedChunks(
  lines: AsyncIterable<string>,
  operation: Operation,
  format: AudioFormat,
  tolerant: boolean,
  ended: (bytes: number) => void,
): AsyncGenerator<TimedChunk> {
  const where = { operation };
  const clock = new AlignmentClock();
  const spoken = new AlignmentClock();
  let bytes = 0;
  for await (const line of lines) {
    const text = tolerant ? withoutPrefix(line) : line.trim();
    if (text === '') continue;
    const body = jsonOf(where, text, 'a line of the stream');
    throwIfError(body, operation);
    const chunk = parseTimed(where, body);
    const before = secondsOf(format, bytes);
    bytes += chunk.audio.length;
    const alignment = chunk.alignment === null ? null : clock.place(chunk.alignment, before);
    const moved =
      (alignment?.character_start_times_seconds[0] ?? 0) - (chunk.alignment?.character_start_times_seconds[0] ?? 0);
    yield {
      ...chunk,
      alignment,
      normalized_alignment:
        chunk.normalized_alignment === null ? null : spoken.place(chunk.normalized_alignment, before),
      ...(chunk.voice_segments === undefined || moved === 0
        ? {}
        : { voice_segments: chunk.voice_segments.map((segment) => shiftSegment(segment, moved)) }),
    };
  }
  if (bytes === 0) throw invalidAnswer(where, 'the stream ended without audio');
  ended(bytes);
}

export const shiftSegment = (segment: VoiceSegment, seconds: number): VoiceSegment => ({
  ...segment,
  start_time_seconds: segment.start_time_seconds + seconds,
  end_time_seconds: segment.end_time_seconds + seconds,
});

function withoutPrefix(line: string): string {
  if (/^(:|event:|id:|retry:)/.test(line)) return '';
  const text = line.replace(/^data:/, '').trim();
  return text === '[DONE]' ? '' : text;
}

function throwIfError(body: unknown, operation: Operation): void {
  const fields = body as { audio_base64?: unknown; detail?: unknown; error?: unknown } | null;
  if (typeof fields !== 'object' || fields === null || fields.audio_base64 !== undefined) return;
  if (fields.detail === undefined && fields.error === undefined) return;
  throw errorFromBody(body, { service: 'audio', operation: operation.name });
}
