import { invalidAnswer, shaped, type Where } from '../http/answer.ts';

/** Times of single characters, as the service sends them with HTTP answers; seconds. */
export interface Alignment {
  readonly characters: readonly string[];
  readonly character_start_times_seconds: readonly number[];
  readonly character_end_times_seconds: readonly number[];
}

/** Who speaks when, in dialogue answers; the end index is exclusive. */
export interface VoiceSegment {
  readonly voice_id: string;
  readonly start_time_seconds: number;
  readonly end_time_seconds: number;
  readonly character_start_index: number;
  readonly character_end_index: number;
  readonly dialogue_input_index: number;
}

export interface TimedWord {
  readonly text: string;
  /** Seconds. */
  readonly start: number;
  readonly end: number;
}

const emptyAlignment: Alignment = {
  characters: [],
  character_start_times_seconds: [],
  character_end_times_seconds: [],
};

/** An alignment field: null and absent give null. @throws WireError RESPONSE_INVALID */
export function parseAlignment(where: Where, value: unknown, field: string): Alignment | null {
  if (value === null || value === undefined) return null;
  const alignment = shaped<Alignment>(
    where,
    value,
    { characters: 'array', character_start_times_seconds: 'array', character_end_times_seconds: 'array' },
    field,
  );
  const { characters, character_start_times_seconds: starts, character_end_times_seconds: ends } = alignment;
  checkTimes(where, field, characters, starts, ends);
  return alignment;
}

/** As many times as characters, all of them numbers. @throws WireError RESPONSE_INVALID */
export function checkTimes(
  where: Where,
  field: string,
  characters: readonly unknown[],
  ...times: readonly (readonly unknown[])[]
): void {
  for (const list of times) {
    if (list.length !== characters.length) {
      throw invalidAnswer(where, `${field} has ${characters.length} characters and ${list.length} times`);
    }
    if (!list.every(Number.isFinite)) throw invalidAnswer(where, `${field} holds a time that is no number`);
  }
}

export function shiftAlignment(alignment: Alignment, seconds: number): Alignment {
  if (seconds === 0) return alignment;
  const move = (times: readonly number[]): number[] => times.map((time) => time + seconds);
  return {
    characters: alignment.characters,
    character_start_times_seconds: move(alignment.character_start_times_seconds),
    character_end_times_seconds: move(alignment.character_end_times_seconds),
  };
}

export function joinAlignments(parts: readonly Alignment[]): Alignment {
  return parts.length === 0
    ? emptyAlignment
    : {
        characters: parts.flatMap((part) => part.characters),
        character_start_times_seconds: parts.flatMap((part) => part.character_start_times_seconds),
        character_end_times_seconds: parts.flatMap((part) => part.character_end_times_seconds),
      };
}

/**
 * Groups characters into words at white space.
 * @param options.dropTags leave `[…]` audio tags out, as captions want it. @default false
 */
export function alignmentWords(alignment: Alignment, options: { readonly dropTags?: boolean } = {}): TimedWord[] {
  const words: TimedWord[] = [];
  let text = '';
  let start = 0;
  let end = 0;
  let tag = false;
  const finish = (): void => {
    if (text !== '') words.push({ text, start, end });
    text = '';
  };
  for (const [i, character] of alignment.characters.entries()) {
    if (options.dropTags === true && !tag) tag = beginsTag(alignment.characters, i);
    if (tag) {
      finish();
      if (character === ']') tag = false;
      continue;
    }
    if (character.trim() === '') {
      finish();
      continue;
    }
    if (text === '') start = alignment.character_start_times_seconds[i]!;
    text += character;
    end = alignment.character_end_times_seconds[i]!;
  }
  finish();
  return words;
}

/** Longest text of an audio tag, in characters. */
const TAG = 120;

function beginsTag(characters: readonly string[], at: number): boolean {
  if (characters[at] !== '[') return false;
  const next = characters.slice(at + 1, at + TAG + 2).find((character) => /[[\]\n]/.test(character));
  return next === ']';
}

/**
 * Times of a stream on one clock. Whether they start anew with every chunk is not documented: a chunk that begins
 * before the last one ended is moved behind the sound that came before it, if that brings it nearer to where the last
 * one ended (times that only overlap a little are left alone).
 */
export class AlignmentClock {
  #end = 0;

  /** @param before seconds of sound that came before this chunk; `undefined` when the format cannot be measured */
  place(alignment: Alignment, before: number | undefined): Alignment {
    const first = alignment.character_start_times_seconds[0];
    if (first === undefined) return alignment;
    const offset = before ?? this.#end;
    const restarted = first < this.#end && Math.abs(first + offset - this.#end) < Math.abs(first - this.#end);
    const placed = restarted ? shiftAlignment(alignment, offset) : alignment;
    this.#end = Math.max(this.#end, placed.character_end_times_seconds.at(-1) ?? 0);
    return placed;
  }
}
