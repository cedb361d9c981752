import type { Call, WireCallOptions } from '../http/contract.ts';
import { errorFromBody } from '../http/errors.ts';
import { badAnswer, checkLength, checkOneOf, checkRange, invalid, requireText, shaped } from './check.ts';
import type { AudioContext, AudioResult, AudioStream, WithInfo } from './context.ts';
import { chooseFormat, infoOf, place, readAudio, streamAudio, withInfo } from './context.ts';
import type { AudioFormat } from './formats.ts';
import { parseMixed } from './mixed.ts';
import { audioOperations as operations } from './operations.ts';
import { wireModel } from './profile.ts';

export interface SoundEffectRequest {
  readonly text: string;
  /** 0.5 to 30; chosen by the service when omitted. */
  readonly duration_seconds?: number | undefined;
  /** 0 to 1. @default 0.3 */
  readonly prompt_influence?: number | undefined;
  readonly loop?: boolean | undefined;
  readonly model_id?: string | undefined;
  readonly output_format?: string | undefined;
}

export interface SoundEffectsApi {
  create(request: SoundEffectRequest, options?: WireCallOptions): Promise<AudioResult>;
}

/** Either a prompt or a plan. */
export interface MusicRequest {
  readonly prompt?: string | undefined;
  readonly composition_plan?: Readonly<Record<string, unknown>> | undefined;
  /** 10,000 to 300,000 by the reference; newer models allow 3,000 to 600,000, and those are the limits checked. Only with `prompt`. */
  readonly music_length_ms?: number | undefined;
  readonly model_id?: string | undefined;
  readonly seed?: number | undefined;
  readonly force_instrumental?: boolean | undefined;
  readonly output_format?: string | undefined;
}

export interface MusicPlanRequest {
  readonly prompt: string;
  readonly music_length_ms?: number | undefined;
  readonly model_id?: string | undefined;
  readonly source_composition_plan?: Readonly<Record<string, unknown>> | undefined;
}

export interface MusicResult extends AudioResult {
  /** The header `song-id`. */
  readonly songId: string | undefined;
}

export interface MusicDetailed extends MusicResult {
  /** The JSON part: plan, song metadata, times of words when asked for. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly filename: string | undefined;
}

/** An event of a detailed stream, parsed when it is JSON. */
export interface MusicEvent {
  readonly event: string;
  readonly data: unknown;
}

export interface MusicApi {
  create(request: MusicRequest, options?: WireCallOptions): Promise<MusicResult>;
  stream(request: MusicRequest, options?: WireCallOptions): Promise<AudioStream>;
  /** Sound and its details in one answer. */
  detailed(
    request: MusicRequest & { readonly with_timestamps?: boolean | undefined },
    options?: WireCallOptions,
  ): Promise<MusicDetailed>;
  /** The same as server-sent events, as they come. */
  streamDetailed(
    request: MusicRequest & { readonly with_timestamps?: boolean | undefined },
    options?: WireCallOptions,
  ): AsyncGenerator<MusicEvent>;
  /** A composition plan to look at, change and send as `composition_plan`; free of charge. */
  plan(request: MusicPlanRequest, options?: WireCallOptions): Promise<WithInfo<Readonly<Record<string, unknown>>>>;
}

export function soundEffectsApi(context: AudioContext): SoundEffectsApi {
  return {
    async create(request, options) {
      const { output_format, ...body } = request;
      requireText('text', request.text);
      checkRange('duration_seconds', request.duration_seconds, 0.5, 30);
      checkRange('prompt_influence', request.prompt_influence, 0, 1);
      const { format, call } = withFormat(context, output_format, body);
      const result = await readAudio(context, operations.soundEffect, { ...call, options });
      return { ...result, format: format.name, mediaType: format.mediaType };
    },
  };
}

function withFormat(
  context: AudioContext,
  name: string | undefined,
  body: Readonly<Record<string, unknown>>,
): { readonly format: AudioFormat; readonly call: Call } {
  const format = chooseFormat(context, name);
  const json = { ...body, model_id: wireModel(context.profile, body.model_id as string | undefined) }; // of the callers' requests
  return {
    format,
    call: place(context.profile, { output_format: name === undefined ? undefined : format.name }, json),
  };
}

function prepareMusic(
  context: AudioContext,
  request: MusicRequest,
): { readonly format: AudioFormat; readonly call: Call } {
  const { output_format, ...body } = request;
  const { prompt, composition_plan } = request;
  checkOneOf({ prompt, composition_plan });
  if (prompt !== undefined) requireText('prompt', prompt);
  checkLength('prompt', prompt, 1, 4_100);
  checkRange('music_length_ms', request.music_length_ms, 3_000, 600_000, true);
  if (composition_plan !== undefined) {
    for (const field of ['music_length_ms', 'force_instrumental'] as const) {
      if (request[field] !== undefined) throw invalid(field, 'goes with prompt only, the plan has its own');
    }
  } else if (request.seed !== undefined) {
    throw invalid('seed', 'goes with composition_plan only');
  }
  return withFormat(context, output_format, body);
}

export function musicApi(context: AudioContext): MusicApi {
  const { transport } = context;
  return {
    async create(request, options) {
      const { call, format } = prepareMusic(context, request);
      const result = await readAudio(context, operations.music, { ...call, options });
      return { ...result, format: format.name, mediaType: format.mediaType, songId: result.headers['song-id'] };
    },
    async stream(request, options) {
      const { call, format } = prepareMusic(context, request);
      return streamAudio(context, operations.musicStream, { ...call, options }, format);
    },
    async detailed(request, options) {
      const { call, format } = prepareMusic(context, request);
      const operation = operations.musicDetailed;
      const reply = await transport.bytes(operation, { ...call, options });
      const chunks: Uint8Array[] = [];
      for await (const chunk of reply) chunks.push(chunk);
      const parts = parseMixed(Buffer.concat(chunks), reply.headers['content-type'] ?? '', operation);
      const json = parts.find(({ headers }) => /\bjson\b/i.test(headers['content-type'] ?? ''));
      const sound = parts.find((part) => part !== json && part.body.length > 0);
      if (json === undefined || sound === undefined)
        throw badAnswer(operation, 'the answer lacks its details or its sound');
      return {
        ...infoOf(context.profile, reply),
        audio: sound.body,
        format: format.name,
        mediaType: format.mediaType,
        songId: reply.headers['song-id'],
        details: parseDetails(json.body),
        filename: /filename="?([^";]+)/i.exec(sound.headers['content-disposition'] ?? '')?.[1],
      };
    },
    async *streamDetailed(request, options) {
      const { call } = prepareMusic(context, request);
      const operation = operations.musicDetailedStream;
      const reply = await transport.events(operation, { ...call, options });
      let events = 0;
      for await (const { event, data } of reply) {
        if (data === '' || data === '[DONE]') continue;
        events++;
        const value = jsonOr(data);
        if (event === 'error') throw errorFromBody(value, { service: 'audio', operation: operation.name });
        yield { event, data: value };
      }
      if (events === 0) throw badAnswer(operation, 'the stream ended without an event');
    },
    async plan(request, options) {
      requireText('prompt', request.prompt);
      checkLength('prompt', request.prompt, 1, 4_100);
      checkRange('music_length_ms', request.music_length_ms, 3_000, 600_000, true);
      const reply = await transport.json(operations.musicPlan, {
        json: { ...request, model_id: wireModel(context.profile, request.model_id) },
        options,
      });
      return withInfo(context, reply, shaped<Readonly<Record<string, unknown>>>(reply.body, operations.musicPlan, {}));
    },
  };
}

function parseDetails(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  return shaped(jsonOr(new TextDecoder().decode(bytes)), operations.musicDetailed, {}, 'details');
}

/** JSON, or the text as it is. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
