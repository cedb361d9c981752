import { invalidAnswer } from '../http/answer.ts';
import { anything, integer, number, oneOf, partly, refuse, required, text } from '../http/check.ts';
import type { WireCallOptions } from '../http/contract.ts';
import { bytes } from '../http/endpoint.ts';
import { type Acknowledged, acknowledged } from './acknowledged.ts';
import type { Answer, AudioContext, AudioRows, AudioSent } from './context.ts';
import { type DubbingProjectsApi, dubbingProjectRows } from './dubbing-projects.ts';
import { untilStatus, type WaitOptions, whenReady } from './poll.ts';
import { type AudioStream, collectBytes, streamOf } from './sound.ts';
import { fieldParts, sourceParts, type Upload } from './upload.ts';

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
  ): Answer<{ readonly dubbing_id: string; readonly expected_duration_sec?: number | null | undefined }>;
  get(dubbingId: string, options?: WireCallOptions): Answer<Dubbing>;
  /**
   * Asks until the state is final.
   * @throws WireError RUN_FAILED when it ended as failed, TIMEOUT after `waitMs`
   */
  wait(dubbingId: string, options?: WaitOptions): Answer<Dubbing>;
  /** @throws WireError NOT_READY until it is made; with `waitMs` it is asked for again that long */
  audio(dubbingId: string, languageCode: string, options?: WaitOptions): Promise<DubbedStream>;
  /** Captions as text. @throws WireError NOT_READY, as `audio` */
  transcript(
    dubbingId: string,
    languageCode: string,
    formatType?: 'srt' | 'webvtt',
    options?: WaitOptions,
  ): Promise<string>;
  delete(dubbingId: string, options?: WireCallOptions): Acknowledged;
  readonly projects: DubbingProjectsApi;
}

/** The operations among the methods. */
export interface DubbingCalls extends Omit<DubbingApi, 'wait' | 'projects'> {
  readonly projects: Omit<DubbingProjectsApi, 'wait' | 'waitLanguage'>;
}

/** What would be refused only after the film was sent. */
const checkRequest = partly({
  target_lang: required(text),
  num_speakers: integer(0, 32),
  start_time: number(0, Number.MAX_SAFE_INTEGER),
  end_time: number(0, Number.MAX_SAFE_INTEGER),
});

const dub = { dubbing_id: 'string', status: 'string' } as const;

/** With `waitMs` it is asked for again until it is made. */
const asReady = (sent: AudioSent): ReturnType<typeof bytes<AudioContext>> =>
  whenReady(sent.operation, () => bytes(sent), sent.call.options);

export const dubbingRows: AudioRows<DubbingCalls> = {
  create: {
    at: 'POST /v1/dubbing',
    group: 'dubbing',
    form: ([{ file, source_url, ...fields }]) => {
      checkRequest('', fields);
      if (Number(fields.end_time) < (fields.start_time ?? 0)) refuse('end_time', 'is before start_time');
      return [...fieldParts(fields), ...sourceParts(file, source_url)];
    },
    answer: { dubbing_id: 'string' },
  },
  get: { at: 'GET /v1/dubbing/{dubbing_id}', answer: dub },
  audio: {
    at: 'GET /v1/dubbing/{dubbing_id}/audio/{language_code}',
    answer: async (sent) => {
      const reply = await asReady(sent);
      const mediaType = reply.headers['content-type'] ?? 'application/octet-stream';
      return { ...streamOf(sent.wiring.profile, sent.operation, reply), mediaType };
    },
  },
  transcript: {
    at: 'GET /v1/dubbing/{dubbing_id}/transcript/{language_code}',
    query: anything,
    spell: ([, , format = 'srt']) => {
      oneOf(['srt', 'webvtt'])('format_type', format);
      return { query: { format_type: format } };
    },
    answer: async (sent) => {
      const captions = new TextDecoder().decode(await collectBytes(sent.operation, await asReady(sent)));
      if (captions.trim() === '') throw invalidAnswer(sent, 'the transcript is empty');
      return captions;
    },
  },
  delete: { at: 'DELETE /v1/dubbing/{dubbing_id}', answer: acknowledged },
  projects: dubbingProjectRows,
};

/** The operations, and the methods that wait. */
export function dubbingApi(calls: DubbingCalls): DubbingApi {
  const { projects } = calls;
  return {
    ...calls,
    wait: (id, options) => untilStatus('audio.dubbing.get', () => calls.get(id, options), ['dubbed'], options),
    projects: {
      ...projects,
      wait: (id, options) =>
        untilStatus('audio.dubbing.projects.get', () => projects.get(id, options), ['ready'], options),
      waitLanguage: (id, languageId, options) => {
        const ask = () => projects.getLanguage(id, languageId, options);
        return untilStatus('audio.dubbing.projects.getLanguage', ask, ['completed', 'stale'], options);
      },
    },
  };
}
