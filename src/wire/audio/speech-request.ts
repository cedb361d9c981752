import { objectOf } from '../../core/arguments.ts';
import { number, partly, refuse, requireId, requireText } from '../http/check.ts';
import { type AudioContext, chooseFormat, chooseModel, place } from './context.ts';
import { type AudioModel, countCharacters } from './models.ts';
import type { NamedModel } from './profile.ts';
import type { PreparedSound } from './sound.ts';

export interface VoiceSettings {
  /** 0 to 1; the third generation takes 0, 0.5 and 1 only. */
  readonly stability?: number | undefined;
  /** 0 to 1. */
  readonly similarity_boost?: number | undefined;
  /** 0 to 1. */
  readonly style?: number | undefined;
  readonly speed?: number | undefined;
  readonly use_speaker_boost?: boolean | undefined;
}

export interface DictionaryLocator {
  readonly pronunciation_dictionary_id: string;
  /** Latest version when omitted. */
  readonly version_id?: string | undefined;
}

export type TextNormalization = 'auto' | 'on' | 'off';

/**
 * Fields in the wire's spelling; `voice_id` goes into the path, `output_format` and `enable_logging` where the dialect
 * wants them.
 */
export interface SpeechRequest {
  readonly voice_id: string;
  readonly text: string;
  readonly model_id?: string | undefined;
  /** ISO 639-1. */
  readonly language_code?: string | undefined;
  readonly voice_settings?: VoiceSettings | undefined;
  /** @default mp3_44100_128 */
  readonly output_format?: string | undefined;
  /** `false` keeps nothing at the service; stitching by ids is off then. */
  readonly enable_logging?: boolean | undefined;
  readonly optimize_streaming_latency?: number | undefined;
  readonly seed?: number | undefined;
  readonly previous_text?: string | undefined;
  readonly next_text?: string | undefined;
  readonly previous_request_ids?: readonly string[] | undefined;
  readonly next_request_ids?: readonly string[] | undefined;
  readonly pronunciation_dictionary_locators?: readonly DictionaryLocator[] | undefined;
  readonly apply_text_normalization?: TextNormalization | undefined;
  readonly apply_language_text_normalization?: boolean | undefined;
  readonly use_pvc_as_ivc?: boolean | undefined;
}

const share = number(0, 1);
const settingChecks = { stability: share, similarity_boost: share, style: share };
const known = [...Object.keys(settingChecks), 'speed', 'use_speaker_boost'];

/** Checks the ranges and moves `stability` to a step where the model has steps. */
export function checkVoiceSettings(
  context: AudioContext,
  settings: VoiceSettings | undefined,
  model: AudioModel | undefined,
  field = 'voice_settings',
): VoiceSettings | undefined {
  if (settings === undefined) return undefined;
  const { profile } = context;
  partly({ ...settingChecks, speed: number(...profile.speedRange) })(field, settings);
  const extra = Object.keys(settings).find((name) => !known.includes(name));
  if (extra !== undefined && profile.extraVoiceSettings === 'refuse') {
    refuse(`${field}.${extra}`, 'is not a setting of a voice', `Known are ${known.join(', ')}.`);
  }
  const { stability } = settings;
  if (stability === undefined || model?.stabilitySteps !== true || stability * 2 === Math.round(stability * 2)) {
    return settings;
  }
  const snapped = Math.round(stability * 2) / 2;
  if (profile.stabilityBetweenSteps === 'refuse') {
    refuse(`${field}.stability`, `${stability} is none of 0, 0.5 and 1, which is all this model takes`);
  }
  context.warn({
    code: 'STABILITY_SNAPPED',
    message: `stability ${stability} became ${snapped}: the model takes 0, 0.5 and 1 only`,
  });
  return { ...settings, stability: snapped };
}

/** `language_code`, or nothing where the model has no use for it and the dialect leaves it out. */
export function checkLanguage(context: AudioContext, code: string | undefined, named: NamedModel): string | undefined {
  if (code === undefined) return undefined;
  if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(code)) {
    refuse('language_code', `"${code}" is not an ISO 639 code`, 'Two letters, like "en".');
  }
  if (named.model === undefined || named.model.languageCode) return code;
  if (context.profile.uselessLanguageCode === 'send') return code;
  context.warn({ code: 'LANGUAGE_DROPPED', message: `language_code has no effect on ${named.id} and was left out` });
  return undefined;
}

/** @throws IbidError INVALID_ARGUMENT when the text is surely longer than the model takes */
function checkModelLimit(field: string, text: string, named: NamedModel): void {
  const limit = named.model?.maxCharacters;
  if (limit === undefined || text.length <= limit) return;
  const characters = countCharacters(text);
  if (characters <= limit) return;
  refuse(field, `has ${characters} characters, ${named.id} takes ${limit}`, 'Use longSpeech, which splits and joins.');
}

/**
 * The one serialiser of text-to-speech requests, for all four HTTP forms. The service refuses at once what does not fit
 * together; here is refused what it would speak, and bill, otherwise than asked.
 */
export function prepareSpeech(context: AudioContext, request: SpeechRequest): PreparedSound {
  const { profile } = context;
  objectOf(request, 'the request');
  const { voice_id, output_format, enable_logging, optimize_streaming_latency, ...rest } = request;
  const named = chooseModel(context, request.model_id ?? profile.defaultSpeechModel, 'speech');
  requireText('text', request.text);
  checkModelLimit('text', request.text, named);
  for (const field of ['previous_request_ids', 'next_request_ids'] as const) {
    if (enable_logging !== false || (request[field] ?? []).length === 0) continue;
    refuse(field, 'needs enable_logging, without which the service keeps no earlier request');
  }
  const format = chooseFormat(context, output_format);
  const body = {
    ...rest,
    model_id: named.wireId,
    language_code: checkLanguage(context, request.language_code, named),
    voice_settings: checkVoiceSettings(context, request.voice_settings, named.model),
  };
  const sent = { output_format: output_format === undefined ? undefined : format.name, enable_logging };
  return {
    call: {
      path: { voice_id: requireId('voice_id', voice_id) },
      ...place(profile, sent, body, optimize_streaming_latency === undefined ? {} : { optimize_streaming_latency }),
      attributes: speechAttributes(named),
    },
    format,
    said: { text: request.text, speed: request.voice_settings?.speed },
  };
}

/** Attributes of the trace. */
export const speechAttributes = ({ wireId }: NamedModel): Record<string, string> => ({
  'gen_ai.request.model': wireId,
  'gen_ai.output.type': 'speech',
});
