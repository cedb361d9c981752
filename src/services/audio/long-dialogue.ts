import { listOf, objectOf, optionsOf } from '../../core/arguments.ts';
import { mapConcurrent } from '../../core/async.ts';
import type { VoiceSegment } from '../../wire/audio/alignment.ts';
import type { AudioService } from '../../wire/audio/client.ts';
import { chooseFormat } from '../../wire/audio/context.ts';
import { checkInputs, type DialogueInput, type DialogueRequest } from '../../wire/audio/dialogue-request.ts';
import type { AudioFormat } from '../../wire/audio/formats.ts';
import type { AudioResult } from '../../wire/audio/sound.ts';
import { shiftSegment, type TimedAudio } from '../../wire/audio/timed.ts';
import { integer, number, partly, refuse } from '../../wire/http/check.ts';
import type { WireCallOptions } from '../../wire/http/contract.ts';
import { bareSound, type JoinedSound, SoundJoiner, silence } from './join-sound.ts';
import { hashOf, keptOrMade, type SegmentStore, type StoredSegment, signalOf } from './segment-store.ts';
import { splitText } from './split-text.ts';

export interface LongDialogueOptions extends WireCallOptions {
  /**
   * Characters per request. The default keeps each under a minute of speech (about 1,000 characters), after which the
   * service's times freeze; without `timestamps` it is the dialogue limit less 5 %.
   */
  readonly maxCharacters?: number | undefined;
  /** Silence between requests, and so between two turns. @default 0 */
  readonly silenceMs?: number | undefined;
  /** @default true */
  readonly wav?: boolean | undefined;
  /** Ask who speaks when. @default false */
  readonly timestamps?: boolean | undefined;
  /** Requests at once. @default 2 */
  readonly concurrency?: number | undefined;
  /** Finished requests are kept here, so that a run that was stopped pays for none of them twice. @default nothing is kept */
  readonly store?: SegmentStore | undefined;
}

/** A dialogue of any length as one sound. */
export interface LongDialogue extends JoinedSound {
  /** With `timestamps`: seconds of the whole; `dialogue_input_index` counts the inputs of the whole request. */
  readonly voice_segments: readonly VoiceSegment[];
  /** Requests sent or taken from the store. */
  readonly parts: number;
  readonly credits: number | undefined;
}

interface Part {
  readonly inputs: readonly DialogueInput[];
  /** Index in the whole script of each input here. */
  readonly indices: readonly number[];
}

/**
 * Whole turns in requests of at most `most` characters and `voices` voices; a turn that is longer alone is cut like a
 * long text.
 */
export function packTurns(inputs: readonly DialogueInput[], most: number, voices: number): Part[] {
  const parts: { inputs: DialogueInput[]; indices: number[]; size: number }[] = [];
  inputs.forEach((input, index) => {
    for (const { text } of splitText(input.text, most)) {
      const last = parts.at(-1);
      const others = new Set(last?.inputs.map(({ voice_id }) => voice_id)).add(input.voice_id).size;
      if (last === undefined || last.size + text.length > most || others > voices) {
        parts.push({ inputs: [{ text, voice_id: input.voice_id }], indices: [index], size: text.length });
      } else {
        last.inputs.push({ text, voice_id: input.voice_id });
        last.indices.push(index);
        last.size += text.length;
      }
    }
  });
  return parts;
}

/**
 * A script of any length, in requests of whole turns, joined; turns are placed by measured sound.
 * @throws IbidError INVALID_ARGUMENT when the format cannot be joined
 */
export async function longDialogue(
  audio: Pick<AudioService, 'dialogue' | 'settings'>,
  request: DialogueRequest,
  options: LongDialogueOptions = {},
): Promise<LongDialogue> {
  objectOf(audio, 'the client', 'dialogue', 'settings');
  listOf(objectOf(request, 'the request').inputs, 'inputs');
  optionsOf(options);
  const { profile } = audio.settings;
  checkInputs('inputs', request.inputs);
  const most = integer(130, profile.dialogueCharacters);
  partly({ maxCharacters: most, silenceMs: number(0, 60_000), concurrency: integer(1, 64) })('options', options);
  const format = chooseFormat(audio.settings, request.output_format ?? 'pcm_24000');
  const gap = silence(format, options.silenceMs ?? 0);
  if (gap === undefined) refuse('output_format', `${format.name} requests do not join cleanly`, 'Ask for pcm.');
  const limit = Math.floor(profile.dialogueCharacters * 0.95);
  const length = options.maxCharacters ?? (options.timestamps === true ? Math.min(800, limit) : limit);
  const parts = packTurns(request.inputs, length, profile.dialogueVoices);
  const plain = { ...request, output_format: format.name };
  const spoken = mapConcurrent(
    parts,
    (part, signal) => {
      const own = { ...options, signal: signalOf(options, signal) };
      return speakPart(audio.dialogue, { ...plain, inputs: part.inputs }, format, own);
    },
    { concurrency: options.concurrency ?? 2, signal: options.signal },
  );
  const sound = new SoundJoiner(format, gap);
  const voiceSegments: VoiceSegment[] = [];
  let credits: number | undefined = 0;
  let index = 0;
  for await (const part of spoken) {
    const start = sound.add(part.audio) ?? 0; // every format that joins can be measured
    for (const segment of part.voiceSegments ?? []) {
      const whole = parts[index]!.indices[segment.dialogue_input_index] ?? segment.dialogue_input_index;
      voiceSegments.push({ ...shiftSegment(segment, start), dialogue_input_index: whole });
    }
    credits = credits === undefined || part.credits === undefined ? undefined : credits + part.credits;
    index++;
  }
  return { ...sound.finish(options.wav), voice_segments: voiceSegments, parts: parts.length, credits };
}

async function speakPart(
  dialogue: AudioService['dialogue'],
  request: DialogueRequest,
  format: AudioFormat,
  options: LongDialogueOptions,
): Promise<StoredSegment> {
  const timestamps = options.timestamps === true;
  const { enable_logging, ...shaping } = request;
  const key = hashOf({ ...shaping, timestamps });
  const make = () => takePart(dialogue, request, format, options);
  const { fromStore, ...part } = await keptOrMade(options.store, key, options.signal, make);
  return fromStore ? { ...part, credits: 0 } : part;
}

async function takePart(
  dialogue: AudioService['dialogue'],
  request: DialogueRequest,
  format: AudioFormat,
  options: LongDialogueOptions,
): Promise<StoredSegment> {
  const result: AudioResult | TimedAudio =
    options.timestamps === true
      ? await dialogue.withTimestamps(request, options)
      : await dialogue.create(request, options);
  const segments = (result as Partial<TimedAudio>).voice_segments; // absent without times
  if (result.format !== format.name) {
    refuse('output_format', `the service gave ${result.format} instead of ${format.name}`);
  }
  return {
    audio: bareSound(format, result.audio),
    requestId: result.requestId,
    credits: result.credits,
    alignment: null,
    createdAt: Date.now(),
    ...(segments === undefined ? {} : { voiceSegments: segments }),
  };
}
