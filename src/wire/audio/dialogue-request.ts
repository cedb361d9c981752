import { objectOf } from '../../core/arguments.ts';
import { type Check, list, partly, refuse, required, text } from '../http/check.ts';
import { type AudioContext, chooseFormat, chooseModel, place } from './context.ts';
import { countCharacters } from './models.ts';
import type { PreparedSound } from './sound.ts';
import {
  checkLanguage,
  checkVoiceSettings,
  type DictionaryLocator,
  speechAttributes,
  type TextNormalization,
} from './speech-request.ts';

export interface DialogueInput {
  /** May hold audio tags: `[whispers] Come closer.` */
  readonly text: string;
  readonly voice_id: string;
}

/** For the whole request; there are no settings per line. */
export interface DialogueSettings {
  readonly stability?: number | undefined;
  readonly use_speaker_boost?: boolean | undefined;
}

/** Fields in the wire's spelling. There is no continuity between dialogue requests. */
export interface DialogueRequest {
  readonly inputs: readonly DialogueInput[];
  readonly model_id?: string | undefined;
  readonly language_code?: string | undefined;
  readonly settings?: DialogueSettings | undefined;
  readonly seed?: number | undefined;
  readonly pronunciation_dictionary_locators?: readonly DictionaryLocator[] | undefined;
  readonly apply_text_normalization?: TextNormalization | undefined;
  readonly output_format?: string | undefined;
  readonly enable_logging?: boolean | undefined;
}

/** The turns of a dialogue; the sum of their texts and the number of voices are the caller's to check. */
export const checkInputs: Check = required(
  list(partly({ text: required(text), voice_id: required(text) }), undefined, 1),
);

/** The one serialiser of dialogue requests. */
export function prepareDialogue(context: AudioContext, request: DialogueRequest): PreparedSound {
  const { profile } = context;
  objectOf(request, 'the request');
  const { output_format, enable_logging, ...rest } = request;
  const named = chooseModel(context, request.model_id ?? profile.defaultDialogueModel, 'dialogue');
  checkInputs('inputs', request.inputs);
  const characters = request.inputs.reduce((sum, { text }) => sum + countCharacters(text), 0);
  if (characters > profile.dialogueCharacters) {
    const problem = `has ${characters} characters in all, the limit is ${profile.dialogueCharacters}`;
    refuse('inputs', problem, 'Use longDialogue, which splits at turns and joins.');
  }
  const format = chooseFormat(context, output_format);
  const body = {
    ...rest,
    inputs: request.inputs.map(({ text, voice_id }) => ({ text, voice_id })),
    model_id: named.wireId,
    language_code: checkLanguage(context, request.language_code, named),
    settings: checkVoiceSettings(context, request.settings, named.model, 'settings'),
  };
  const sent = { output_format: output_format === undefined ? undefined : format.name, enable_logging };
  return {
    call: { ...place(profile, sent, body), attributes: speechAttributes(named) },
    format,
    said: { text: request.inputs.map(({ text }) => text).join(' ') },
  };
}
