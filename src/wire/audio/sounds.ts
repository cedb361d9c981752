import { objectOf } from '../../core/arguments.ts';
import { invalidAnswer, shaped } from '../http/answer.ts';
import { record } from '../http/check.ts';
import type { WireCallOptions } from '../http/contract.ts';
import { errorFromBody } from '../http/errors.ts';
import { type AudioContext, type AudioRows, infoOf, type WithInfo, withFormat } from './context.ts';
import { parseMixed } from './mixed.ts';
import { wireModel } from './profile.ts';
import {
  type AudioResult,
  type AudioStream,
  collectBytes,
  type PreparedSound,
  sounding,
  streamedSound,
  wholeSound,
} from './sound.ts';

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
  /** 10,000 to 300,000 by the reference; newer models allow 3,000 to 600,000. Only with `prompt`. */
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

const prepare = (context: AudioContext, request: SoundEffectRequest | MusicRequest): PreparedSound => {
  objectOf(request, 'the request');
  const { output_format, ...body } = request;
  return withFormat(context, output_format, body);
};

export const soundEffectRows: AudioRows<SoundEffectsApi> = {
  create: { at: 'POST /v1/sound-generation', group: 'sounds', ...sounding(prepare, wholeSound) },
};

export const musicRows: AudioRows<MusicApi> = {
  create: {
    at: 'POST /v1/music',
    group: 'music',
    ...sounding(prepare, async (context, operation, prepared, options) => {
      const song = await wholeSound(context, operation, prepared, options);
      return { ...song, songId: song.headers['song-id'] };
    }),
  },
  stream: { at: 'POST /v1/music/stream', group: 'music', ...sounding(prepare, streamedSound) },
  detailed: {
    at: 'POST /v1/music/detailed',
    group: 'music',
    ...sounding(prepare, async (context, operation, { call, format }, options): Promise<MusicDetailed> => {
      const reply = await context.transport.bytes(operation, { ...call, options });
      const where = { operation, info: reply };
      const parts = parseMixed(await collectBytes(operation, reply), reply.headers['content-type'] ?? '', where);
      const json = parts.find(({ headers }) => /\bjson\b/i.test(headers['content-type'] ?? ''));
      const sound = parts.find((part) => part !== json && part.body.length > 0);
      if (json === undefined || sound === undefined) throw invalidAnswer(where, 'it lacks its details or its sound');
      return {
        ...infoOf(context.profile, reply),
        audio: sound.body,
        format: format.name,
        mediaType: format.mediaType,
        songId: reply.headers['song-id'],
        details: shaped(where, jsonOr(new TextDecoder().decode(json.body)), {}, 'details'),
        filename: /filename="?([^";]+)/i.exec(sound.headers['content-disposition'] ?? '')?.[1],
      };
    }),
  },
  streamDetailed: {
    at: 'POST /v1/music/detailed/stream',
    group: 'music',
    method: (wiring, operation) =>
      async function* (request, options) {
        const { call } = prepare(wiring().profile, request);
        const reply = await wiring().transport.events(operation, { ...call, options });
        let events = 0;
        for await (const { event, data } of reply) {
          if (data === '' || data === '[DONE]') continue;
          events++;
          const value = jsonOr(data);
          if (event === 'error') throw errorFromBody(value, { service: 'audio', operation: operation.name });
          yield { event, data: value };
        }
        if (events === 0) throw invalidAnswer({ operation }, 'the stream ended without an event');
      },
  },
  plan: {
    at: 'POST /v1/music/plan',
    group: 'music',
    json: record,
    spell: ([request], { profile }) => ({
      json: { ...request, model_id: wireModel(profile, objectOf(request, 'the request').model_id) },
    }),
  },
};

/** JSON, or the text as it is. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
