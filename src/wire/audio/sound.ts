import { invalidAnswer, type Where } from '../http/answer.ts';
import type { Call, Operation, StreamReply, WireCallOptions } from '../http/contract.ts';
import { bytes, type Wiring } from '../http/endpoint.ts';
import { WireError } from '../http/errors.ts';
import { type AudioContext, type AudioInfo, type AudioSent, infoOf } from './context.ts';
import { warnIfShort } from './endings.ts';
import { type AudioFormat, defaultFormat } from './formats.ts';

export interface AudioResult extends AudioInfo {
  readonly audio: Uint8Array;
  /** `output_format` that was asked for in the end. */
  readonly format: string;
  /** Derived from the format: the service declares `audio/mpeg` for everything. */
  readonly mediaType: string;
}

/** Audio as it is made. Chunk edges are arbitrary: they may lie inside an MP3 frame or a 16-bit sample. */
export interface AudioStream<Piece = Uint8Array> extends AudioInfo, AsyncIterable<Piece> {
  readonly format: string;
  readonly mediaType: string;
  /** Ends the connection without reading on. */
  cancel(): Promise<void>;
}

/** Sound as it is stored; its format is the one it was made in. */
export type StoredAudio = Omit<AudioResult, 'format'>;

/** A request for sound that is ready to be sent. */
export interface PreparedSound {
  readonly call: Call;
  readonly format: AudioFormat;
  /** What is to be heard; sound that is far too short for it is warned of. */
  readonly said?: { readonly text: string; readonly speed?: number | undefined } | undefined;
}

type Send<T> = (
  context: AudioContext,
  operation: Operation,
  prepared: PreparedSound,
  options: WireCallOptions | undefined,
) => Promise<T>;

/** How the method of a row comes to be. */
export interface Sounding<R, T> {
  readonly method: (
    wiring: () => Wiring<AudioContext>,
    operation: Operation,
  ) => (request: R, options?: WireCallOptions) => Promise<T>;
}

/**
 * The method of an operation that answers with sound: prepared once, sent, and sent again in the default format where
 * the service refuses the format for the plan and the caller opted in. A form is not sent again: its file may be gone.
 */
export function sounding<R extends object, T>(
  prepare: (context: AudioContext, request: R) => PreparedSound,
  send: Send<T>,
): Sounding<R, T> {
  return {
    method: (wiring, operation) => async (request, options) => {
      const context = wiring().profile;
      const first = prepare(context, request);
      try {
        return await send(context, operation, first, options);
      } catch (error) {
        const again = context.stepDown && first.format.name !== defaultFormat && first.call.form === undefined;
        if (!again || !formatRefused(error)) throw error;
        context.warn({
          code: 'FORMAT_STEPPED_DOWN',
          message: `the service does not allow ${first.format.name}; ${defaultFormat} is used`,
        });
        return send(context, operation, prepare(context, { ...request, output_format: defaultFormat }), options);
      }
    },
  };
}

function formatRefused(error: unknown): boolean {
  if (!(error instanceof WireError)) return false;
  return /output_format_not_allowed/.test(`${error.type} ${error.body} ${error.message}`);
}

const looksLikeJson = (bytes: Uint8Array): boolean => {
  let i = 0;
  while (i < bytes.length && i < 64 && (bytes[i] === 0x20 || bytes[i] === 0x0a || bytes[i] === 0x0d)) i++;
  if (bytes[i] !== 0x7b) return false;
  return /^\{\s*"[a-z_]+"\s*:/i.test(new TextDecoder().decode(bytes.subarray(i, i + 80)));
};

const notAudio = (operation: Operation, what: string): WireError =>
  invalidAnswer({ operation }, `${what} where audio was expected`, 'The service answered 200 without sound.');

/** Passes the chunks of an audio body on, and refuses an empty or a JSON one. @param ended told the size at the end */
async function* soundOnly(
  operation: Operation,
  reply: StreamReply<Uint8Array>,
  ended?: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const type = reply.headers['content-type'] ?? '';
  let bytes = 0;
  if (/\bjson\b|text\/html/i.test(type)) {
    await reply.cancel();
    throw notAudio(operation, `a body of type ${type.split(';')[0]}`);
  }
  for await (const chunk of reply) {
    if (chunk.length === 0) continue;
    if (bytes === 0 && looksLikeJson(chunk)) throw notAudio(operation, 'a JSON body');
    bytes += chunk.length;
    yield chunk;
  }
  if (bytes === 0) throw notAudio(operation, 'an empty body');
  ended?.(bytes);
}

export function concatBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}

/** Largest body that is read as a whole: two hours of sound as MP3. */
const MAX_WHOLE_BYTES = 134_217_728;

/** @throws WireError RESPONSE_INVALID past `MAX_WHOLE_BYTES`; nothing beyond is read */
export async function collectBytes(
  operation: Where['operation'],
  chunks: AsyncIterable<Uint8Array>,
): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MAX_WHOLE_BYTES)
      throw invalidAnswer({ operation }, `the body is over ${MAX_WHOLE_BYTES} bytes`, 'Stream what is that large.');
    all.push(chunk);
  }
  return concatBytes(all);
}

/** The complete sound. */
export const wholeSound: Send<AudioResult> = async (context, operation, { call, format, said }, options) => {
  const reply = await context.transport.bytes(operation, { ...call, options });
  const audio = await collectBytes(operation, soundOnly(operation, reply));
  if (said !== undefined) warnIfShort(context, said, format, audio);
  return { ...infoOf(context.profile, reply), audio, format: format.name, mediaType: format.mediaType };
};

/** Sound as it comes. */
export const streamedSound: Send<AudioStream> = async (context, operation, { call, format, said }, options) => {
  const reply = await context.transport.bytes(operation, { ...call, options });
  const ended = (size: number): void => {
    if (said !== undefined) warnIfShort(context, said, format, size);
  };
  return { ...streamOf(context, operation, reply, ended), format: format.name, mediaType: format.mediaType };
};

export function streamOf(
  context: AudioContext,
  operation: Operation,
  reply: StreamReply<Uint8Array>,
  ended?: (bytes: number) => void,
): Omit<AudioStream, 'format' | 'mediaType'> {
  return {
    ...infoOf(context.profile, reply),
    cancel: () => reply.cancel(),
    [Symbol.asyncIterator]: () => soundOnly(operation, reply, ended),
  };
}

/** The complete sound in the format it has. */
export async function storedSound(sent: AudioSent): Promise<StoredAudio> {
  const reply = await bytes(sent);
  const audio = await collectBytes(sent.operation, soundOnly(sent.operation, reply));
  const mediaType = reply.headers['content-type'] ?? 'application/octet-stream';
  return { ...infoOf(sent.wiring.profile.profile, reply), audio, mediaType };
}
