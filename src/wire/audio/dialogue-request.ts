import type { Call } from '../http/contract.ts';
import { checkChoice, checkList, checkRange, invalid, requireId, requireText } from './check.ts';
import type { AudioContext } from './context.ts';
import { chooseFormat, chooseModel, place } from './context.ts';
import type { AudioFormat } from './formats.ts';
import { countCharacters } from './models.ts';
import type { DictionaryLocator, TextNormalization } from './speech-request.ts';
import { checkLanguage, checkLocators, checkVoiceSettings } from './speech-request.ts';

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

export interface PreparedDialogue {
  readonly call: Call;
  readonly format: AudioFormat;
}

/** Shape of the turns; the sum of texts and the number of voices are the caller's to check. */
export function checkInputs(inputs: readonly DialogueInput[]): void {
  checkList('inputs', inputs, Number.MAX_SAFE_INTEGER, 1);
  if (inputs === undefined) throw invalid('inputs', 'is missing');
  inputs.forEach((input, i) => {
    requireText(`inputs[${i}].text`, input.text);
    requireId(`inputs[${i}].voice_id`, input.voice_id);
  });
}

/** The one serialiser of dialogue requests. */
export function prepareDialogue(context: AudioContext, request: DialogueRequest, whole: boolean): PreparedDialogue {
  const { profile } = context;
  const { output_format, enable_logging, ...rest } = request;
  checkInputs(request.inputs);
  const named = chooseModel(context, request.model_id ?? profile.defaultDialogueModel, 'dialogue');
  const voices = new Set(request.inputs.map(({ voice_id }) => voice_id)).size;
  if (voices > profile.dialogueVoices) {
    throw invalid('inputs', `has ${voices} voices, the limit is ${profile.dialogueVoices}`);
  }
  const characters = request.inputs.reduce((sum, { text }) => sum + countCharacters(text), 0);
  if (characters > profile.dialogueCharacters) {
    throw invalid(
      'inputs',
      `has ${characters} characters in all, the limit is ${profile.dialogueCharacters}`,
      'Use longDialogue of ibid, which splits at turns and joins.',
    );
  }
  checkRange('seed', request.seed, 0, 4_294_967_295, true);
  checkChoice('apply_text_normalization', request.apply_text_normalization, ['auto', 'on', 'off']);
  checkLocators(context, request.pronunciation_dictionary_locators);
  const format = chooseFormat(context, output_format);
  if (!whole && format.codec === 'wav') {
    throw invalid('output_format', `${format.name} is for complete answers only`);
  }
  const body = {
    ...rest,
    inputs: request.inputs.map(({ text, voice_id }) => ({ text, voice_id })),
    model_id: named.wireId,
    language_code: checkLanguage(context, request.language_code, named),
    settings: checkVoiceSettings(context, request.settings, named.model, 'settings'),
  };
  return {
    call: {
      ...place(profile, { output_format: output_format === undefined ? undefined : format.name, enable_logging }, body),
      attributes: { 'gen_ai.request.model': named.wireId, 'gen_ai.output.type': 'speech' },
    },
    format,
  };
}
