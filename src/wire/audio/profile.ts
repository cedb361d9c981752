import { IbidError } from '../../core/errors.ts';
import { chooseProfile, type ProfileName, type Profiles } from '../http/profile.ts';
import { type AudioModel, audioModels } from './models.ts';

/** How a service of this kind spells things; every difference between the dialects is a row here. */
export interface AudioProfile {
  /** Header that carries the key on every request and on the upgrade of a WebSocket. */
  readonly keyHeader: string;
  /** Fields of `/v1/user` that may repeat the key; removed before the answer is handed over. */
  readonly keyFields: readonly string[];
  /** Header of a delivery that carries `t=…,v0=…`. */
  readonly signatureHeader: string;
  /** Neutral model id → what the service calls it; an id that is not here goes as it is. */
  readonly modelIds: Readonly<Record<string, string>>;
  /** Capability map and limits by neutral id. */
  readonly models: Readonly<Record<string, AudioModel>>;
  /** A model id that is in no table: refuse it, or send it unchecked. */
  readonly unknownModels: 'refuse' | 'send';
  readonly defaultSpeechModel: string;
  readonly defaultDialogueModel: string;
  readonly defaultTranscriptModel: string;
  readonly defaultRealtimeModel: string;
  /** Where `output_format` and `enable_logging` go; never in both places. */
  readonly placement: 'query' | 'body';
  /** Lines of a stream with times: an optional `data:` before the JSON, or JSON alone. */
  readonly timedStream: 'tolerant' | 'plain';
  /** `language_code` for a model that has no use for it: send it as asked, or leave it out with a warning. */
  readonly uselessLanguageCode: 'send' | 'drop';
  /** `stability` between the steps of a model that has steps: take the nearest with a warning, or refuse. */
  readonly stabilityBetweenSteps: 'snap' | 'refuse';
  /** Settings of a voice beyond the five known ones: pass them on, or refuse. */
  readonly extraVoiceSettings: 'send' | 'refuse';
  /** Inclusive range of `speed`. */
  readonly speedRange: readonly [number, number];
  /** Warn when a deprecated model is asked for. */
  readonly warnDeprecated: boolean;
  readonly dialogueCharacters: number;
  readonly dialogueVoices: number;
  readonly keyterms: number;
  /** Headers with the credits charged, first one wins. */
  readonly costHeaders: readonly string[];
  readonly extraFormats: readonly string[];
}

/** The reference document's dialect. */
const reference: AudioProfile = {
  keyHeader: 'x-audio-api-key',
  keyFields: ['x_audio_api_key', 'x-audio-api-key'],
  signatureHeader: 'x-audio-signature',
  modelIds: {},
  models: audioModels,
  unknownModels: 'refuse',
  defaultSpeechModel: 'voice_multilingual_v2',
  defaultDialogueModel: 'voice_v3',
  defaultTranscriptModel: 'scribe_v2',
  defaultRealtimeModel: 'scribe_v2_realtime',
  placement: 'query',
  timedStream: 'tolerant',
  uselessLanguageCode: 'send',
  stabilityBetweenSteps: 'snap',
  extraVoiceSettings: 'send',
  speedRange: [0.25, 4],
  warnDeprecated: false,
  dialogueCharacters: 5_000,
  dialogueVoices: 10,
  keyterms: 1_000,
  costHeaders: ['character-cost', 'x-character-count'],
  extraFormats: [],
};

/** Models of other products, which have no row in the table: voice changing, sound effects, voice design. */
const otherModels = [
  'voice_multilingual_sts_v2',
  'voice_english_sts_v2',
  'voice_text_to_sound_v2',
  'voice_multilingual_ttv_v2',
  'voice_ttv_v3',
];

const publicNames = Object.fromEntries(
  [...Object.keys(audioModels), ...otherModels]
    .filter((id) => id.startsWith('voice_'))
    .map((id) => [id, `eleven_${id.slice('voice_'.length)}`]),
);

/** The compatible public service: its header and model names, and the rules where it differs. */
const compatible: AudioProfile = {
  ...reference,
  keyHeader: 'xi-api-key',
  keyFields: ['xi_api_key', 'xi-api-key'],
  signatureHeader: 'elevenlabs-signature',
  modelIds: publicNames,
  uselessLanguageCode: 'drop',
  warnDeprecated: true,
  // the third generation refuses continuity fields there: 400 `unsupported_model`
  models: { ...audioModels, voice_v3: { ...audioModels.voice_v3!, continuity: 'none' } },
  dialogueCharacters: 2_000,
};

export const audioProfiles: Profiles<AudioProfile> = {
  reference,
  public: compatible,
};

export type ProfileOption = ProfileName | Partial<AudioProfile>;

/** A part of a profile fills the rest from `reference`; `models` are added to the table row by row. */
export function resolveProfile(option?: ProfileOption): AudioProfile {
  return chooseProfile(audioProfiles, option, ['models']);
}

/** The service's name of a model that is only passed on; `undefined` stays. */
export function wireModel(profile: AudioProfile, id: string | undefined): string | undefined {
  return id === undefined ? undefined : (profile.modelIds[id] ?? id);
}

export interface NamedModel {
  /** What goes over the wire. */
  readonly wireId: string;
  /** The neutral id, or the given one when it is in no table. */
  readonly id: string;
  /** `undefined` for an unknown model that is sent unchecked. */
  readonly model: AudioModel | undefined;
}

/**
 * Looks a model up by its neutral or its wire name.
 * @throws IbidError INVALID_ARGUMENT for an unknown one, unless the profile sends those unchecked
 */
export function findModel(profile: AudioProfile, name: string): NamedModel {
  const id =
    profile.models[name] !== undefined
      ? name
      : (Object.entries(profile.modelIds).find(([, wire]) => wire === name)?.[0] ?? name);
  const model = profile.models[id];
  if (model === undefined && profile.unknownModels === 'refuse') {
    throw new IbidError('INVALID_ARGUMENT', `model_id: "${name}" is not in the model table`, {
      hint: `Known are ${Object.keys(profile.models).join(', ')}; a newer one goes into the profile's models, or set unknownModels to "send".`,
    });
  }
  return { wireId: profile.modelIds[id] ?? id, id, model };
}
