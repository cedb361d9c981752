import type { Call, FormPart, Operation, WireCallOptions } from '../http/contract.ts';
import {
  checkChoice,
  checkLength,
  checkRange,
  checkUrl,
  invalid,
  requireId,
  requireText,
  shaped,
  shapedList,
} from './check.ts';
import type { AudioContext, AudioResult, AudioStream, WithInfo } from './context.ts';
import { chooseFormat, place, readAudio, streamAudio, withInfo } from './context.ts';
import type { AudioFormat } from './formats.ts';
import { audioOperations as operations } from './operations.ts';
import { wireModel } from './profile.ts';
import type { VoiceSettings } from './speech-request.ts';
import { checkVoiceSettings } from './speech-request.ts';
import type { Upload } from './upload.ts';
import { fieldParts, filePart, jsonPart } from './upload.ts';
import type { Voice } from './voices.ts';

export interface VoiceDesignRequest {
  /** 20 to 1,000 characters. */
  readonly voice_description: string;
  /** 100 to 1,000 characters; or `auto_generate_text`. */
  readonly text?: string | undefined;
  readonly auto_generate_text?: boolean | undefined;
  readonly model_id?: string | undefined;
  readonly output_format?: string | undefined;
  readonly seed?: number | undefined;
  readonly loudness?: number | undefined;
  readonly guidance_scale?: number | undefined;
}

export interface VoicePreview {
  readonly audio_base_64: string;
  readonly generated_voice_id: string;
  readonly media_type?: string | null | undefined;
  readonly duration_secs?: number | null | undefined;
}

export interface VoiceDesign {
  readonly previews: readonly VoicePreview[];
  readonly text?: string | null | undefined;
}

export interface VoiceDesignApi {
  /** Previews of a voice that fits the description. */
  design(request: VoiceDesignRequest, options?: WireCallOptions): Promise<WithInfo<VoiceDesign>>;
  /** Keeps one of the previews. */
  create(
    request: { readonly voice_name: string; readonly voice_description: string; readonly generated_voice_id: string },
    options?: WireCallOptions,
  ): Promise<WithInfo<Voice>>;
}

export interface VoiceChangeRequest {
  readonly voice_id: string;
  readonly audio: Upload;
  readonly model_id?: string | undefined;
  /** Sent as JSON text, as this form wants it. */
  readonly voice_settings?: VoiceSettings | undefined;
  readonly seed?: number | undefined;
  readonly remove_background_noise?: boolean | undefined;
  readonly file_format?: 'pcm_s16le_16' | 'other' | undefined;
  readonly output_format?: string | undefined;
  readonly enable_logging?: boolean | undefined;
}

/** Recorded speech in another voice. */
export interface VoiceChangerApi {
  create(request: VoiceChangeRequest, options?: WireCallOptions): Promise<AudioResult>;
  stream(request: VoiceChangeRequest, options?: WireCallOptions): Promise<AudioStream>;
}

export interface IsolationRequest {
  readonly audio: Upload;
  readonly file_format?: 'pcm_s16le_16' | 'other' | undefined;
}

/** A recording without its background. The service chooses the format. */
export interface IsolationApi {
  create(request: IsolationRequest, options?: WireCallOptions): Promise<AudioResult>;
  stream(request: IsolationRequest, options?: WireCallOptions): Promise<AudioStream>;
}

export interface ForcedAlignment {
  readonly characters: readonly { readonly text: string; readonly start: number; readonly end: number }[];
  readonly words: readonly {
    readonly text: string;
    readonly start: number;
    readonly end: number;
    readonly loss?: number | null | undefined;
  }[];
  readonly loss?: number | null | undefined;
}

/** Times for a text that is known; also where a dialogue's own times fail. */
export interface AlignmentApi {
  create(
    request: { readonly file: Upload; readonly text: string },
    options?: WireCallOptions,
  ): Promise<WithInfo<ForcedAlignment>>;
}

export type PodcastSource =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'url'; readonly url: string };

export interface PodcastRequest {
  readonly model_id: string;
  readonly mode:
    | {
        readonly type: 'conversation';
        readonly conversation: { readonly host_voice_id: string; readonly guest_voice_id: string };
      }
    | { readonly type: 'bulletin'; readonly bulletin: { readonly host_voice_id: string } };
  readonly source: PodcastSource | readonly PodcastSource[];
  readonly duration_scale?: 'short' | 'default' | 'long' | undefined;
  readonly intro?: string | undefined;
  readonly outro?: string | undefined;
  readonly language?: string | undefined;
  readonly callback_url?: string | undefined;
}

export interface PodcastProject {
  readonly project: {
    readonly project_id: string;
    readonly creation_meta?:
      | {
          readonly status: 'pending' | 'creating' | 'finished' | 'failed' | (string & {});
          readonly creation_progress?: number | null | undefined;
          readonly type?: string | null | undefined;
        }
      | null
      | undefined;
  };
}

/** Given on request only. The project is made later; `callback_url` is told. */
export interface PodcastsApi {
  create(request: PodcastRequest, options?: WireCallOptions): Promise<WithInfo<PodcastProject>>;
}

export function voiceDesignApi(context: AudioContext): VoiceDesignApi {
  const { transport } = context;
  return {
    async design(request, options) {
      const { output_format, ...body } = request;
      requireText('voice_description', request.voice_description);
      checkLength('voice_description', request.voice_description, 20, 1_000);
      checkLength('text', request.text, 100, 1_000);
      if (request.text === undefined && request.auto_generate_text !== true) {
        throw invalid('text', 'is needed, unless auto_generate_text is true');
      }
      const format = chooseFormat(context, output_format);
      const sent = { output_format: output_format === undefined ? undefined : format.name };
      const json = { ...body, model_id: wireModel(context.profile, request.model_id) };
      const reply = await transport.json(operations.voiceDesign, { ...place(context.profile, sent, json), options });
      const design = shaped<VoiceDesign>(reply.body, operations.voiceDesign, { previews: 'array' });
      const shape = { generated_voice_id: 'string', audio_base_64: 'string' } as const;
      shapedList<VoicePreview>(design.previews, operations.voiceDesign, shape, 'previews');
      return withInfo(context, reply, design);
    },
    async create(request, options) {
      requireText('voice_name', request.voice_name);
      requireText('generated_voice_id', request.generated_voice_id);
      checkLength('voice_description', request.voice_description, 20, 1_000);
      const reply = await transport.json(operations.voiceDesignCreate, { json: { ...request }, options });
      return withInfo(context, reply, shaped<Voice>(reply.body, operations.voiceDesignCreate, { voice_id: 'string' }));
    },
  };
}

export function voiceChangerApi(context: AudioContext): VoiceChangerApi {
  const prepare = (
    request: VoiceChangeRequest,
    whole: boolean,
  ): { readonly call: Call; readonly format: AudioFormat } => {
    const { voice_id, audio, voice_settings, output_format, enable_logging, ...fields } = request;
    requireId('voice_id', voice_id);
    checkRange('seed', request.seed, 0, 4_294_967_295, true);
    checkChoice('file_format', request.file_format, ['other', 'pcm_s16le_16']);
    const format = chooseFormat(context, output_format);
    if (!whole && format.codec === 'wav') throw invalid('output_format', `${format.name} is for complete answers only`);
    const placed = { output_format: output_format === undefined ? undefined : format.name, enable_logging };
    const inQuery = context.profile.placement === 'query';
    const form: FormPart[] = [
      ...fieldParts({ ...fields, model_id: wireModel(context.profile, fields.model_id), ...(inQuery ? {} : placed) }),
      ...jsonPart('voice_settings', checkVoiceSettings(context, voice_settings, undefined)),
      filePart('audio', audio),
    ];
    return { call: { path: { voice_id }, query: inQuery ? placed : {}, form }, format };
  };
  return {
    async create(request, options) {
      const { call, format } = prepare(request, true);
      const result = await readAudio(context, operations.voiceChanger, { ...call, options });
      return { ...result, format: format.name, mediaType: format.mediaType };
    },
    async stream(request, options) {
      const { call, format } = prepare(request, false);
      return streamAudio(context, operations.voiceChangerStream, { ...call, options }, format);
    },
  };
}

export function isolationApi(context: AudioContext): IsolationApi {
  const prepare = (request: IsolationRequest): Call => {
    checkChoice('file_format', request.file_format, ['other', 'pcm_s16le_16']);
    return { form: [...fieldParts({ file_format: request.file_format }), filePart('audio', request.audio)] };
  };
  const unnamed = { name: '', mediaType: 'audio/mpeg' };
  return {
    async create(request, options) {
      const result = await readAudio(context, operations.isolation, { ...prepare(request), options });
      return { ...result, format: unnamed.name, mediaType: result.headers['content-type'] ?? unnamed.mediaType };
    },
    async stream(request, options) {
      return streamAudio(context, operations.isolationStream, { ...prepare(request), options }, unnamed);
    },
  };
}

export function alignmentApi(context: AudioContext): AlignmentApi {
  const operation: Operation = operations.alignment;
  return {
    async create({ file, text }, options) {
      requireText('text', text);
      const form = [...fieldParts({ text }), filePart('file', file)];
      const reply = await context.transport.json(operation, { form, options });
      const body = shaped<ForcedAlignment>(reply.body, operation, { characters: 'array', words: 'array' });
      shapedList(body.words, operation, { text: 'string', start: 'number', end: 'number' }, 'words');
      return withInfo(context, reply, body);
    },
  };
}

export function podcastsApi(context: AudioContext): PodcastsApi {
  const operation = operations.podcast;
  return {
    async create(request, options) {
      requireText('model_id', request.model_id);
      checkChoice('mode.type', request.mode?.type, ['conversation', 'bulletin']);
      checkChoice('duration_scale', request.duration_scale, ['short', 'default', 'long']);
      checkUrl('callback_url', request.callback_url);
      if (request.mode === undefined) throw invalid('mode', 'is missing');
      const { mode } = request;
      if (mode.type === 'conversation') {
        requireText('mode.conversation.host_voice_id', mode.conversation?.host_voice_id);
        requireText('mode.conversation.guest_voice_id', mode.conversation?.guest_voice_id);
      } else requireText('mode.bulletin.host_voice_id', mode.bulletin?.host_voice_id);
      const sources = [request.source ?? []].flat();
      if (sources.length === 0) throw invalid('source', 'is missing');
      sources.forEach((source, i) => {
        if (source.type === 'text') requireText(`source[${i}].text`, source.text);
        else checkUrl(`source[${i}].url`, source.url ?? '');
      });
      const model_id = wireModel(context.profile, request.model_id);
      const reply = await context.transport.json(operation, { json: { ...request, model_id }, options });
      const body = shaped<PodcastProject>(reply.body, operation, { project: 'object' });
      shaped(body.project, operation, { project_id: 'string' }, 'project');
      return withInfo(context, reply, body);
    },
  };
}
