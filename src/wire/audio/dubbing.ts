import type { FormPart, WireCallOptions } from '../http/contract.ts';
import {
  acknowledged,
  badAnswer,
  checkChoice,
  checkOneOf,
  checkRange,
  checkUrl,
  requireId,
  requireText,
  shaped,
} from './check.ts';
import type { AudioContext, AudioStream, WithInfo } from './context.ts';
import { infoOf, soundOnly, withInfo } from './context.ts';
import type { DubbingProjectsApi } from './dubbing-projects.ts';
import { dubbingProjectsApi } from './dubbing-projects.ts';
import { audioOperations as operations } from './operations.ts';
import type { WaitOptions } from './poll.ts';
import { poll, throwIfFailed, whenReady } from './poll.ts';
import type { Upload } from './upload.ts';
import { fieldParts, filePart } from './upload.ts';

/** Fields in the wire's spelling; exactly one of `file` and `source_url`. */
export interface DubbingRequest {
  readonly file?: Upload | undefined;
  readonly source_url?: string | undefined;
  readonly target_lang: string;
  /** @default auto */
  readonly source_lang?: string | undefined;
  /** 0 finds out. */
  readonly num_speakers?: number | undefined;
  readonly name?: string | undefined;
  readonly watermark?: boolean | undefined;
  /** Seconds. */
  readonly start_time?: number | undefined;
  readonly end_time?: number | undefined;
  readonly highest_resolution?: boolean | undefined;
  readonly drop_background_audio?: boolean | undefined;
  readonly use_profanity_filter?: boolean | undefined;
  readonly disable_voice_cloning?: boolean | undefined;
}

export type DubbingStatus = 'dubbing' | 'dubbed' | 'failed';

export interface Dubbing {
  readonly dubbing_id: string;
  readonly status: DubbingStatus | (string & {});
  readonly name?: string | null | undefined;
  readonly target_languages?: readonly string[] | null | undefined;
  readonly error?: string | null | undefined;
}

/** Sound or film, by the media type the service names. */
export type DubbedStream = Omit<AudioStream, 'format'>;

export interface DubbingApi {
  create(
    request: DubbingRequest,
    options?: WireCallOptions,
  ): Promise<WithInfo<{ readonly dubbing_id: string; readonly expected_duration_sec?: number | null | undefined }>>;
  get(dubbingId: string, options?: WireCallOptions): Promise<WithInfo<Dubbing>>;
  /**
   * Asks until the state is final.
   * @throws WireError RUN_FAILED when it ended as failed, TIMEOUT after `waitMs`
   */
  wait(dubbingId: string, options?: WaitOptions): Promise<WithInfo<Dubbing>>;
  /** @throws WireError NOT_READY until it is made; with `waitMs` it is asked for again that long */
  audio(dubbingId: string, languageCode: string, options?: WaitOptions): Promise<DubbedStream>;
  /** Captions as text. @throws WireError NOT_READY, as `audio` */
  transcript(
    dubbingId: string,
    languageCode: string,
    formatType?: 'srt' | 'webvtt',
    options?: WaitOptions,
  ): Promise<string>;
  delete(dubbingId: string, options?: WireCallOptions): Promise<{ readonly status: string }>;
  readonly projects: DubbingProjectsApi;
}

export function dubbingApi(context: AudioContext): DubbingApi {
  const { transport } = context;
  const at = (id: string): { readonly dubbing_id: string } => ({ dubbing_id: requireId('dubbing_id', id) });
  const in_ = (id: string, language: string): Readonly<Record<string, string>> => ({
    ...at(id),
    language_code: requireId('language_code', language),
  });
  const api: DubbingApi = {
    async create(request, options) {
      const { file, source_url, ...fields } = request;
      checkOneOf({ file, source_url });
      checkUrl('source_url', source_url);
      requireText('target_lang', request.target_lang);
      checkRange('num_speakers', request.num_speakers, 0, 32, true);
      checkRange('start_time', request.start_time, 0, Number.MAX_SAFE_INTEGER);
      checkRange('end_time', request.end_time, request.start_time ?? 0, Number.MAX_SAFE_INTEGER);
      const form: FormPart[] = [
        ...fieldParts({ source_url, ...fields }),
        ...(file === undefined ? [] : [filePart('file', file, 'media')]),
      ];
      const reply = await transport.json(operations.dubbing, { form, options });
      return withInfo(context, reply, shaped(reply.body, operations.dubbing, { dubbing_id: 'string' }));
    },
    async get(dubbingId, options) {
      const reply = await transport.json(operations.dubbingGet, { path: at(dubbingId), options });
      return withInfo(
        context,
        reply,
        shaped<Dubbing>(reply.body, operations.dubbingGet, { dubbing_id: 'string', status: 'string' }),
      );
    },
    async wait(dubbingId, options) {
      return poll(
        operations.dubbingGet,
        async () => {
          const dubbing = await api.get(dubbingId, options);
          options?.onStatus?.(dubbing.status);
          throwIfFailed(operations.dubbingGet, dubbing.status, dubbing.error);
          return dubbing.status === 'dubbed' ? dubbing : undefined;
        },
        options,
      );
    },
    async audio(dubbingId, languageCode, options) {
      const path = in_(dubbingId, languageCode);
      const operation = operations.dubbingAudio;
      const reply = await whenReady(operation, () => transport.bytes(operation, { path, options }), options);
      return {
        ...infoOf(context.profile, reply),
        mediaType: reply.headers['content-type'] ?? 'application/octet-stream',
        cancel: () => reply.cancel(),
        [Symbol.asyncIterator]: () => soundOnly(operation, reply),
      };
    },
    async transcript(dubbingId, languageCode, formatType = 'srt', options) {
      checkChoice('format_type', formatType, ['srt', 'webvtt']);
      const call = { path: in_(dubbingId, languageCode), query: { format_type: formatType }, options };
      const operation = operations.dubbingTranscript;
      const reply = await whenReady(operation, () => transport.bytes(operation, call), options);
      let text = '';
      const decoder = new TextDecoder('utf-8');
      for await (const chunk of reply) text += decoder.decode(chunk, { stream: true });
      text += decoder.decode();
      if (text.trim() === '') throw badAnswer(operation, 'the transcript is empty');
      return text;
    },
    async delete(dubbingId, options) {
      return acknowledged(await transport.json(operations.dubbingDelete, { path: at(dubbingId), options }));
    },
    projects: dubbingProjectsApi(context),
  };
  return api;
}
