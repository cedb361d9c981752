import { objectOf } from '../../core/arguments.ts';
import { shaped } from '../http/answer.ts';
import { oneOf, record, requireId, requireText } from '../http/check.ts';
import type { FormPart, WireCallOptions } from '../http/contract.ts';
import { bytes, object } from '../http/endpoint.ts';
import { type Answer, type AudioContext, type AudioRows, chooseFormat, type WithInfo, withFormat } from './context.ts';
import { wireModel } from './profile.ts';
import {
  type AudioResult,
  type AudioStream,
  type PreparedSound,
  sounding,
  storedSound,
  streamedSound,
  streamOf,
  wholeSound,
} from './sound.ts';
import { checkVoiceSettings, type VoiceSettings } from './speech-request.ts';
import { fieldParts, filePart, jsonPart, type Upload } from './upload.ts';
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
  design(request: VoiceDesignRequest, options?: WireCallOptions): Answer<VoiceDesign>;
  /** Keeps one of the previews. */
  create(
    request: { readonly voice_name: string; readonly voice_description: string; readonly generated_voice_id: string },
    options?: WireCallOptions,
  ): Answer<Voice>;
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
  create(request: { readonly file: Upload; readonly text: string }, options?: WireCallOptions): Answer<ForcedAlignment>;
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
  create(request: PodcastRequest, options?: WireCallOptions): Answer<PodcastProject>;
}

export const voiceDesignRows: AudioRows<VoiceDesignApi> = {
  design: {
    at: 'POST /v1/text-to-voice/design',
    group: 'sounds',
    json: record,
    spell: ([request], context) => {
      const { output_format, ...body } = objectOf(request, 'the request');
      return withFormat(context, output_format, body).call;
    },
    answer: { previews: [{ generated_voice_id: 'string', audio_base_64: 'string' }] },
  },
  create: { at: 'POST /v1/text-to-voice', json: record, answer: { voice_id: 'string' } },
};

const checkFileFormat = oneOf(['other', 'pcm_s16le_16']);

function prepareChange(context: AudioContext, request: VoiceChangeRequest): PreparedSound {
  objectOf(request, 'the request');
  const { voice_id, audio, voice_settings, output_format, enable_logging, ...fields } = request;
  checkFileFormat('file_format', request.file_format);
  const format = chooseFormat(context, output_format);
  const placed = { output_format: output_format === undefined ? undefined : format.name, enable_logging };
  const inQuery = context.profile.placement === 'query';
  const form = [
    ...fieldParts({ ...fields, model_id: wireModel(context.profile, fields.model_id), ...(inQuery ? {} : placed) }),
    ...jsonPart('voice_settings', checkVoiceSettings(context, voice_settings, undefined)),
    filePart('audio', audio),
  ];
  return { call: { path: { voice_id: requireId('voice_id', voice_id) }, query: inQuery ? placed : {}, form }, format };
}

export const voiceChangerRows: AudioRows<VoiceChangerApi> = {
  create: { at: 'POST /v1/speech-to-speech/{voice_id}', group: 'speech', ...sounding(prepareChange, wholeSound) },
  stream: {
    at: 'POST /v1/speech-to-speech/{voice_id}/stream',
    group: 'speech',
    ...sounding(prepareChange, streamedSound),
  },
};

function isolationForm({ audio, file_format }: IsolationRequest): readonly FormPart[] {
  checkFileFormat('file_format', file_format);
  return [...fieldParts({ file_format }), filePart('audio', audio)];
}

export const isolationRows: AudioRows<IsolationApi> = {
  create: {
    at: 'POST /v1/audio-isolation',
    group: 'sounds',
    form: ([request]) => isolationForm(request),
    answer: async (sent) => ({ ...(await storedSound(sent)), format: '' }),
  },
  stream: {
    at: 'POST /v1/audio-isolation/stream',
    group: 'sounds',
    form: ([request]) => isolationForm(request),
    answer: async (sent) => {
      const stream = streamOf(sent.wiring.profile, sent.operation, await bytes(sent));
      return { ...stream, format: '', mediaType: 'audio/mpeg' };
    },
  },
};

export const alignmentRows: AudioRows<AlignmentApi> = {
  create: {
    at: 'POST /v1/forced-alignment',
    group: 'transcripts',
    form: ([{ file, text }]) => {
      requireText('text', text);
      return [...fieldParts({ text }), filePart('file', file)];
    },
    answer: { characters: 'array', words: [{ text: 'string', start: 'number', end: 'number' }] },
  },
};

export const podcastRows: AudioRows<PodcastsApi> = {
  create: {
    at: 'POST /v1/studio/podcasts',
    group: 'podcasts',
    json: record,
    spell: ([request], { profile }) => ({
      json: { ...request, model_id: wireModel(profile, objectOf(request, 'the request').model_id) },
    }),
    answer: async (sent) => {
      const made = await object<WithInfo<PodcastProject>, AudioContext>(sent, { project: 'object' });
      shaped(sent, made.project, { project_id: 'string' }, 'project');
      return made;
    },
  },
};
