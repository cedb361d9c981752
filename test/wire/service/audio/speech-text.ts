import type { AudioContext, Dictionary, Rule, SpeechModel } from './context.ts';

/** About 1,000 characters a minute. */
export const SECONDS_PER_CHARACTER = 0.06;

const digits = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** The spoken form: digits as words (flash and turbo leave them), aliases and phonemes of the dictionaries applied. */
export function spokenForm(text: string, model: SpeechModel, rules: readonly Rule[], normalise: boolean): string {
  let spoken = text;
  for (const rule of rules) {
    if (rule.type === 'alias') spoken = spoken.replaceAll(rule.string_to_replace, rule.alias ?? '');
    else if (model.phonemes) spoken = spoken.replaceAll(rule.string_to_replace, rule.phoneme ?? '');
  }
  return normalise ? spoken.replace(/\d/g, (digit) => ` ${digits[Number(digit)]} `).replace(/ {2,}/g, ' ') : spoken;
}

export interface Locator {
  readonly pronunciation_dictionary_id: string;
  readonly version_id?: string | null;
}

/** Rules in the order of the locators; the first that matches wins. `undefined` when one is unknown. */
export function rulesOf(context: AudioContext, locators: readonly Locator[]): readonly Rule[] | undefined {
  const rules: Rule[] = [];
  for (const locator of locators) {
    const dictionary: Dictionary | undefined = context.dictionaries.get(locator.pronunciation_dictionary_id);
    const version =
      locator.version_id == null
        ? dictionary?.versions.at(-1)
        : dictionary?.versions.find(({ id }) => id === locator.version_id);
    if (version === undefined) return undefined;
    for (const rule of version.rules) {
      if (!rules.some((known) => known.string_to_replace === rule.string_to_replace)) rules.push(rule);
    }
  }
  return rules;
}

export interface Alignment {
  readonly characters: readonly string[];
  readonly character_start_times_seconds: readonly number[];
  readonly character_end_times_seconds: readonly number[];
}

/** Rounded to 0.1 ms, as floats would otherwise print their noise. */
const tidy = (seconds: number): number => Math.round(seconds * 1e4) / 1e4;

/** Each character takes the same share of the audio. `from` is added to all times. */
export function align(
  text: string,
  seconds: number,
  from = 0,
  freezeAfter: number = Number.POSITIVE_INFINITY,
): Alignment {
  const characters = Array.from(text);
  const each = characters.length === 0 ? 0 : seconds / characters.length;
  const time = (at: number) => tidy(Math.min(from + at * each, freezeAfter));
  return {
    characters,
    character_start_times_seconds: characters.map((_, at) => time(at)),
    character_end_times_seconds: characters.map((_, at) => time(at + 1)),
  };
}

/** Pieces of about this many characters, cut after spaces; their join is the text. */
export function textPieces(text: string, length = 50): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const word of text.split(/(?<=\s)/)) {
    if (piece.length + word.length > length && piece !== '') {
      pieces.push(piece);
      piece = '';
    }
    piece += word;
  }
  if (piece !== '') pieces.push(piece);
  return pieces;
}
