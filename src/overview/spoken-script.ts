import { IbidError } from '../core/errors.ts';
import { affordable, type Meter } from '../core/meter.ts';
import type { CallOptions } from '../core/types.ts';
import type { SpeakCall, Speaker, SpeechUsage, SpokenTurn } from '../speak/contract.ts';
import { sayable } from '../speak/sayable.ts';
import { wavHeader } from '../wire/audio/pcm.ts';
import type { OverviewScript, ScriptVoice } from './script.ts';

/** When a sentence of a script is said. */
export interface SpokenSentence {
  /** Of the script, from 0. */
  readonly turn: number;
  /** Of the turn, from 0. */
  readonly sentence: number;
  /** From the start of the whole, in ms. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** A conversation as it is heard. */
export interface SpokenScript {
  readonly audio: Uint8Array;
  readonly mediaType: 'audio/wav' | 'audio/mpeg';
  readonly seconds: number;
  /** Every sentence, in order. */
  readonly sentences: readonly SpokenSentence[];
  readonly usage: SpeechUsage;
}

/** A part of the conversation has been said. */
export interface SentenceSpokenEvent {
  readonly type: 'spoken';
  readonly part: number;
  readonly parts: number;
  /** Of sound, so far. */
  readonly seconds: number;
}

export interface SpokenScriptOptions extends CallOptions {
  /** Names of the speaker's voices. @default its first two */
  readonly voices?: readonly string[] | undefined;
  /** ISO 639. */
  readonly language?: string | undefined;
  readonly meter: Meter;
}

/** A part is one call: what fails late costs no more than that. */
const PART_CHARS = 2_000;
/** Between two parts, which begin with another voice. */
const GAP_MS = 250;
/** Sound that begins or ends away from zero is heard as a click: both ends of a part are led there. */
const FADE_MS = 5;

/** A sentence, and where it stands in the script. */
interface Said {
  readonly turn: number;
  readonly sentence: number;
  readonly voice: ScriptVoice;
  readonly text: string;
}

/**
 * Says a script, part by part, joined without a click. Each sentence is a turn for the speaker, so that its time is
 * known also from a speaker that knows no others.
 * @throws IbidError BUDGET_EXCEEDED, INVALID_ARGUMENT, CONTRACT_BROKEN, and what the speaker throws
 */
export async function* spokenScript(
  script: OverviewScript,
  speaker: Speaker,
  { voices = speaker.voices, language, meter, signal }: SpokenScriptOptions,
): AsyncGenerator<SentenceSpokenEvent, SpokenScript> {
  const nameOf = (voice: ScriptVoice): string => voices[voice === 'A' ? 0 : 1] ?? voices[0]!;
  const parts = partsOf(script, language);
  const pieces: Uint8Array[] = [];
  const sentences: SpokenSentence[] = [];
  let sampleRate = 0;
  let samples = 0;
  let characters = 0;
  let costUsd: number | undefined = 0;
  for (const [i, part] of parts.entries()) {
    signal?.throwIfAborted();
    const turns = part.map(({ voice, text }): SpokenTurn => ({ text, voice: nameOf(voice) }));
    const size = turns.reduce((sum, { text }) => sum + text.length, 0);
    const price = priceOf(speaker, size);
    const reservation = meter.reserve(affordable(price, speaker.id, meter));
    let began = false;
    let heard: Heard;
    try {
      heard = await hear(speaker, turns, { language, signal }, () => {
        began = true;
      });
    } finally {
      // what has begun to sound is billed, whatever became of it
      if (began) reservation.settle(price ?? 0);
      else reservation.cancel();
    }
    characters += size;
    costUsd = price === undefined || costUsd === undefined ? undefined : costUsd + price;
    if (i > 0 && heard.sampleRate !== sampleRate) throw broken(speaker, 'its sound has another sample rate each time');
    sampleRate = heard.sampleRate;
    if (i > 0) {
      const gap = new Uint8Array(2 * Math.round((sampleRate * GAP_MS) / 1000));
      pieces.push(gap);
      samples += gap.length / 2;
    }
    const startMs = (1000 * samples) / sampleRate;
    part.forEach(({ turn, sentence }, at) => {
      const [from, to] = heard.times[at]!;
      sentences.push({ turn, sentence, fromMs: startMs + from, toMs: startMs + to });
    });
    pieces.push(faded(heard.audio, sampleRate));
    samples += heard.audio.length / 2;
    yield { type: 'spoken', part: i + 1, parts: parts.length, seconds: samples / sampleRate };
  }
  const seconds = samples / sampleRate;
  const usage: SpeechUsage = {
    ...{ speaker: speaker.id, turns: script.turns.length, characters, seconds },
    ...(costUsd === undefined ? {} : { costUsd }),
  };
  const audio = Buffer.concat([wavHeader(sampleRate, 2 * samples), ...pieces]);
  return { audio, mediaType: 'audio/wav', seconds, sentences, usage };
}

function priceOf(speaker: Speaker, characters: number): number | undefined {
  const price = speaker.price?.();
  return price === undefined ? undefined : (price * characters) / 1000;
}

/** Whole turns, as many as one call should hold. */
function partsOf({ turns }: OverviewScript, language: string | undefined): Said[][] {
  const parts: Said[][] = [];
  let size = Number.POSITIVE_INFINITY;
  turns.forEach(({ voice, sentences }, turn) => {
    const said = sentences.map(({ text: written }, sentence) => {
      // in brackets some voices take words for a direction: of a document they are none
      const text = sayable(written, language)
        .text.replace(/[[<{]/g, '(')
        .replace(/[\]>}]/g, ')');
      return { turn, sentence, voice, text };
    });
    const own = said.reduce((sum, { text }) => sum + text.length, 0);
    if (size + own > PART_CHARS) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)!.push(...said);
    size += own;
  });
  return parts;
}

interface Heard {
  readonly audio: Uint8Array;
  readonly sampleRate: number;
  /** Of each turn, in ms. */
  readonly times: readonly (readonly [from: number, to: number])[];
}

async function hear(
  speaker: Speaker,
  turns: readonly SpokenTurn[],
  call: SpeakCall,
  onBegin: () => void,
): Promise<Heard> {
  const pieces: Uint8Array[] = [];
  const times = new Map<number, [number, number]>();
  let sampleRate = 0;
  for await (const part of speaker.speak(turns, { ...call, format: 'pcm' })) {
    onBegin();
    pieces.push(part.audio);
    sampleRate = part.sampleRate;
    for (const { turn, startMs, endMs } of part.spans) {
      const known = times.get(turn);
      times.set(turn, known ? [Math.min(known[0], startMs), Math.max(known[1], endMs)] : [startMs, endMs]);
    }
  }
  const audio = Buffer.concat(pieces);
  if (audio.length === 0 || audio.length % 2 === 1 || !(sampleRate > 0))
    throw broken(speaker, 'it gave no whole samples');
  const ordered = turns.map((_, i) => times.get(i));
  if (ordered.includes(undefined)) throw broken(speaker, 'it gave a turn no time');
  return { audio, sampleRate, times: ordered.map((time) => time!) };
}

const broken = ({ id }: Speaker, why: string): IbidError =>
  new IbidError('CONTRACT_BROKEN', `the speaker "${id}": ${why}`);

/** The samples, with both ends led to zero along half a cosine. */
export function faded(audio: Uint8Array, sampleRate: number): Uint8Array {
  const out = Buffer.from(audio);
  const samples = out.length / 2;
  const length = Math.min(Math.round((sampleRate * FADE_MS) / 1000), Math.floor(samples / 2));
  for (let i = 0; i < length; i++) {
    const gain = (1 - Math.cos((Math.PI * i) / length)) / 2;
    for (const at of [i, samples - 1 - i]) out.writeInt16LE(Math.round(gain * out.readInt16LE(2 * at)), 2 * at);
  }
  return out;
}
