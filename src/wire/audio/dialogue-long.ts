import { mapConcurrent } from '../../core/async.ts';
import type { WireCallOptions } from '../http/contract.ts';
import type { VoiceSegment } from './alignment.ts';
import { checkRange, invalid } from './check.ts';
import type { AudioContext, AudioResult } from './context.ts';
import { chooseFormat, concatBytes } from './context.ts';
import type { DialogueApi } from './dialogue.ts';
import type { DialogueInput, DialogueRequest } from './dialogue-request.ts';
import { checkInputs } from './dialogue-request.ts';
import type { AudioFormat } from './formats.ts';
import { secondsOf } from './formats.ts';
import type { SegmentStore, StoredSegment } from './long-store.ts';
import { hashOf } from './long-store.ts';
import { bareSound, silence, wavHeader } from './pcm.ts';
import { splitText } from './split.ts';
import type { TimedAudio } from './timed.ts';
import { shiftSegment } from './timed.ts';

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
  readonly store?: SegmentStore | undefined;
}

export interface LongDialogue {
  readonly audio: Uint8Array;
  readonly format: string;
  readonly mediaType: string;
  /** With `timestamps`: seconds of the whole; `dialogue_input_index` counts the inputs of the whole request. */
  readonly voice_segments: readonly VoiceSegment[];
  /** Requests sent or taken from the store. */
  readonly parts: number;
  readonly credits: number | undefined;
  readonly seconds: number | undefined;
}

interface Part {
  readonly inputs: readonly DialogueInput[];
  /** Index in the whole script of each input here. */
  readonly indices: readonly number[];
}

/** Whole turns in requests of at most `most` characters and `voices` voices; a turn that is longer alone is cut like a long text. */
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

/** Behind `dialogue.long`. */
export async function longDialogue(
  context: AudioContext,
  dialogue: Pick<DialogueApi, 'create' | 'withTimestamps'>,
  request: DialogueRequest,
  options: LongDialogueOptions = {},
): Promise<LongDialogue> {
  checkInputs(request.inputs);
  checkRange('silenceMs', options.silenceMs, 0, 60_000);
  checkRange('maxCharacters', options.maxCharacters, 130, context.profile.dialogueCharacters, true);
  checkRange('concurrency', options.concurrency, 1, 64, true);
  const timestamps = options.timestamps === true;
  const format = chooseFormat(context, request.output_format ?? 'pcm_24000');
  const gap = silence(format, options.silenceMs ?? 0);
  if (gap === undefined) throw invalid('output_format', `${format.name} requests do not join cleanly`, 'Ask for pcm.');
  const limit = Math.floor(context.profile.dialogueCharacters * 0.95);
  const most = options.maxCharacters ?? (timestamps ? Math.min(800, limit) : limit);
  const parts = packTurns(request.inputs, most, context.profile.dialogueVoices);
  const plain = { ...request, output_format: format.name };
  const spoken = mapConcurrent(
    parts,
    (part, signal) => speakPart(dialogue, { ...plain, inputs: part.inputs }, format, { ...options, signal }),
    { concurrency: options.concurrency ?? 2, signal: options.signal },
  );
  const pieces: Uint8Array[] = [];
  const voiceSegments: VoiceSegment[] = [];
  let bytes = 0;
  let credits: number | undefined = 0;
  let index = 0;
  for await (const part of spoken) {
    if (index > 0) {
      pieces.push(gap);
      bytes += gap.length;
    }
    const start = secondsOf(format, bytes) ?? 0;
    for (const segment of part.voiceSegments ?? []) {
      const whole = parts[index]!.indices[segment.dialogue_input_index] ?? segment.dialogue_input_index;
      voiceSegments.push({ ...shiftSegment(segment, start), dialogue_input_index: whole });
    }
    credits = credits === undefined || part.credits === undefined ? undefined : credits + part.credits;
    pieces.push(part.audio);
    bytes += part.audio.length;
    index++;
  }
  const header = (format.codec === 'pcm' || format.codec === 'wav') && (options.wav ?? true);
  if (header) pieces.unshift(wavHeader(format.sampleRate, bytes));
  return {
    audio: concatBytes(pieces),
    format: format.name,
    mediaType: header ? 'audio/wav' : format.mediaType,
    voice_segments: voiceSegments,
    parts: parts.length,
    credits,
    seconds: secondsOf(format, bytes),
  };
}

async function speakPart(
  dialogue: Pick<DialogueApi, 'create' | 'withTimestamps'>,
  request: DialogueRequest,
  format: AudioFormat,
  options: LongDialogueOptions,
): Promise<StoredSegment> {
  const timestamps = options.timestamps === true;
  const { enable_logging, ...shaping } = request;
  const key = hashOf({ ...shaping, timestamps });
  const kept = await options.store?.get(key);
  if (kept !== undefined) return { ...kept, credits: 0 };
  const result: AudioResult | TimedAudio = timestamps
    ? await dialogue.withTimestamps(request, options)
    : await dialogue.create(request, options);
  const segments = (result as Partial<TimedAudio>).voice_segments; // absent without times
  if (result.format !== format.name) {
    throw invalid('output_format', `the service gave ${result.format} instead of ${format.name}`);
  }
  const part: StoredSegment = {
    audio: bareSound(format, result.audio),
    requestId: result.requestId,
    credits: result.credits,
    alignment: null,
    createdAt: Date.now(),
    ...(segments === undefined ? {} : { voiceSegments: segments }),
  };
  await options.store?.put(key, part);
  return part;
}
