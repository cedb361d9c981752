import type { Call } from '../http/contract.ts';
import { checkChoice, checkList, checkRange, invalid, requireId, requireText } from './check.ts';
import type { AudioContext } from './context.ts';
import { chooseFormat, chooseModel, place } from './context.ts';
import type { AudioFormat } from './formats.ts';
import type { AudioModel } from './models.ts';
import { countCharacters } from './models.ts';
import type { NamedModel } from './profile.ts';

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

/** Fields in the wire's spelling; `voice_id` goes into the path, `output_format` and `enable_logging` where the dialect wants them. */
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

export interface PreparedSpeech {
  readonly call: Call;
  readonly format: AudioFormat;
  readonly named: NamedModel;
}

const known = ['stability', 'similarity_boost', 'style', 'speed', 'use_speaker_boost'];

/** Checks the ranges and moves `stability` to a step where the model has steps. */
export function checkVoiceSettings(
  context: AudioContext,
  settings: VoiceSettings | undefined,
  model: AudioModel | undefined,
  field = 'voice_settings',
): VoiceSettings | undefined {
  if (settings === undefined) return undefined;
  const { profile } = context;
  if (typeof settings !== 'object' || settings === null) throw invalid(field, 'is not an object');
  checkRange(`${field}.stability`, settings.stability, 0, 1);
  checkRange(`${field}.similarity_boost`, settings.similarity_boost, 0, 1);
  checkRange(`${field}.style`, settings.style, 0, 1);
  checkRange(`${field}.speed`, settings.speed, profile.speedRange[0], profile.speedRange[1]);
  const extra = Object.keys(settings).find((name) => !known.includes(name));
  if (extra !== undefined && profile.extraVoiceSettings === 'refuse') {
    throw invalid(`${field}.${extra}`, 'is not a setting of a voice', `Known are ${known.join(', ')}.`);
  }
  const { stability } = settings;
  if (stability === undefined || model?.stabilitySteps !== true || stability * 2 === Math.round(stability * 2)) {
    return settings;
  }
  const snapped = Math.round(stability * 2) / 2;
  if (profile.stabilityBetweenSteps === 'refuse') {
    throw invalid(`${field}.stability`, `${stability} is none of 0, 0.5 and 1, which is all this model takes`);
  }
  context.warn({
    code: 'STABILITY_SNAPPED',
    message: `stability ${stability} became ${snapped}: the model takes 0, 0.5 and 1 only`,
  });
  return { ...settings, stability: snapped };
}

/** At most three dictionaries, each with an id. */
export function checkLocators(context: AudioContext, locators: readonly DictionaryLocator[] | undefined): void {
  checkList('pronunciation_dictionary_locators', locators, context.profile.dictionaries);
  locators?.forEach((locator, i) => {
    requireText(
      `pronunciation_dictionary_locators[${i}].pronunciation_dictionary_id`,
      locator.pronunciation_dictionary_id,
    );
  });
}

/** `language_code`, or nothing where the model has no use for it and the dialect leaves it out. */
export function checkLanguage(context: AudioContext, code: string | undefined, named: NamedModel): string | undefined {
  if (code === undefined) return undefined;
  if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(code)) {
    throw invalid('language_code', `"${code}" is not an ISO 639 code`, 'Two letters, like "en".');
  }
  if (named.model === undefined || named.model.languageCode) return code;
  if (context.profile.uselessLanguageCode === 'send') return code;
  context.warn({ code: 'LANGUAGE_DROPPED', message: `language_code has no effect on ${named.id} and was left out` });
  return undefined;
}

/** @throws IbidError INVALID_ARGUMENT when the text is surely longer than the model takes */
export function checkModelLimit(field: string, text: string, named: NamedModel): void {
  const limit = named.model?.maxCharacters;
  if (limit === undefined || text.length <= limit) return;
  const characters = countCharacters(text);
  if (characters <= limit) return;
  throw invalid(
    field,
    `has ${characters} characters, ${named.id} takes ${limit}`,
    'Use longSpeech of ibid, which splits and joins.',
  );
}

const continuityFields = ['previous_text', 'next_text', 'previous_request_ids', 'next_request_ids'] as const;

function checkContinuity(context: AudioContext, request: SpeechRequest, named: NamedModel): void {
  for (const field of continuityFields) {
    const value = request[field];
    if (value === undefined) continue;
    const ids = field.endsWith('ids');
    if (named.model?.continuity === 'none' || (ids && named.model?.continuity === 'text')) {
      throw invalid(field, `${named.id} does not take it`, 'Leave it out, or use a model of the second generation.');
    }
    if (!ids) continue;
    if (typeof value === 'string') throw invalid(field, 'is not a list');
    checkList(field, value, context.profile.continuityIds);
    value.forEach((id, i) => {
      requireText(`${field}[${i}]`, id);
    });
    if (request.enable_logging === false && value.length > 0) {
      throw invalid(field, 'needs enable_logging, without which the service keeps no earlier request');
    }
  }
}

/**
 * The one serialiser of text-to-speech requests, for all four HTTP forms.
 * @param whole the form gives a complete file; the streamed forms have no WAV
 */
export function prepareSpeech(context: AudioContext, request: SpeechRequest, whole: boolean): PreparedSpeech {
  const { profile } = context;
  const { voice_id, output_format, enable_logging, optimize_streaming_latency, ...rest } = request;
  requireId('voice_id', voice_id);
  requireText('text', request.text);
  const named = chooseModel(context, request.model_id ?? profile.defaultSpeechModel, 'speech');
  checkModelLimit('text', request.text, named);
  checkContinuity(context, request, named);
  checkRange('seed', request.seed, 0, 4_294_967_295, true);
  checkRange('optimize_streaming_latency', optimize_streaming_latency, 0, 4, true);
  checkChoice('apply_text_normalization', request.apply_text_normalization, ['auto', 'on', 'off']);
  checkLocators(context, request.pronunciation_dictionary_locators);
  const format = chooseFormat(context, output_format);
  if (!whole && format.codec === 'wav') {
    throw invalid(
      'output_format',
      `${format.name} is for complete answers only`,
      'Ask for pcm and add the header with toWav.',
    );
  }
  const body = {
    ...rest,
    model_id: named.wireId,
    language_code: checkLanguage(context, request.language_code, named),
    voice_settings: checkVoiceSettings(context, request.voice_settings, named.model),
  };
  const sent = { output_format: output_format === undefined ? undefined : format.name, enable_logging };
  return {
    call: {
      path: { voice_id },
      ...place(profile, sent, body, optimize_streaming_latency === undefined ? {} : { optimize_streaming_latency }),
      attributes: { 'gen_ai.request.model': named.wireId, 'gen_ai.output.type': 'speech' },
    },
    format,
    named,
  };
}
