import { IbidError } from '../core/errors.ts';
import type { Meter } from '../core/meter.ts';
import type { CallOptions } from '../core/types.ts';
import type { Speaker, SpeechUsage, SpokenTurn } from '../speak/contract.ts';
import { pricePer1000 } from '../speak/own-speaker.ts';
import { waveHeader } from '../speak/pcm.ts';
import { sayable } from '../speak/sayable.ts';
import { type SpeechOptions, speakTurns } from '../speak/speech.ts';
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
  /** Samples a second. */
  readonly sampleRate: number;
  readonly seconds: number;
  /** Every sentence, in order. */
  readonly sentences: readonly SpokenSentence[];
  readonly usage: SpeechUsage;
}

/** A part of the conversation has been said. */
export interface SpokenPartEvent {
  readonly type: 'spoken';
  readonly part: number;
  readonly parts: number;
  /** Of sound, so far. */
  readonly seconds: number;
}

interface SpokenScriptOptions extends CallOptions {
  /** Names of the speaker's voices. @default its first two */
  readonly voices?: readonly string[] | undefined;
  /** ISO 639. */
  readonly language?: string | undefined;
  readonly meter: Meter;
}

/** A part is one call, and one request of a service: its times freeze after about a minute of a conversation. */
const PART_CHARS = 700;
/** Between two parts, which mostly begin with another voice. */
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
  { voices = speaker.voices, ...options }: SpokenScriptOptions,
): AsyncGenerator<SpokenPartEvent, SpokenScript> {
  const nameOf = (voice: ScriptVoice): string => voices[voice === 'A' ? 0 : 1] ?? voices[0]!;
  const parts = partsOf(script);
  // half of a conversation is worth nothing: the whole is paid, or none of it
  const characters = charactersOf(script, options.language);
  const price = pricePer1000(speaker, nameOf('A') !== nameOf('B')) ?? 0;
  options.meter.reserve((price * characters) / 1000).cancel();
  const pieces: Uint8Array[] = [];
  const sentences: SpokenSentence[] = [];
  const usages: SpeechUsage[] = [];
  let sampleRate = 0;
  let samples = 0;
  for (const [i, part] of parts.entries()) {
    options.signal?.throwIfAborted();
    const turns = part.map(({ voice, text }): SpokenTurn => ({ text, voice: nameOf(voice) }));
    const heard = await hear(speaker, turns, options);
    if (i > 0 && heard.sampleRate !== sampleRate) throw broken(speaker, 'its sound has another sample rate each time');
    sampleRate = heard.sampleRate;
    usages.push(heard.usage);
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
  const usage = { ...sumOf(usages), speaker: speaker.id, turns: script.turns.length, seconds };
  const audio = Buffer.concat([waveHeader(sampleRate, 2 * samples), ...pieces]);
  return { audio, mediaType: 'audio/wav', sampleRate, seconds, sentences, usage };
}

/** That are handed to the speaker. @param language ISO 639 */
export function charactersOf(script: OverviewScript, language: string | undefined): number {
  return partsOf(script)
    .flat()
    .reduce((sum, { text }) => sum + sayable(text, language).text.length, 0);
}

/** The price is known where that of each part is. */
function sumOf(usages: readonly SpeechUsage[]): Pick<SpeechUsage, 'characters' | 'costUsd'> {
  const characters = usages.reduce((sum, usage) => sum + usage.characters, 0);
  if (usages.some(({ costUsd }) => costUsd === undefined)) return { characters };
  return { characters, costUsd: usages.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0) };
}

/** Whole turns, as many as one call should hold; a turn that is too long for one is cut between its sentences. */
function partsOf({ turns }: OverviewScript): Said[][] {
  const parts: Said[][] = [];
  let size = Number.POSITIVE_INFINITY;
  const lengthOf = (said: readonly Said[]): number => said.reduce((sum, { text }) => sum + text.length, 0);
  turns.forEach(({ voice, sentences }, turn) => {
    const said = sentences.map(({ text }, sentence): Said => {
      // some voices take words in brackets for a direction: of a document they are none
      return { turn, sentence, voice, text: text.replace(/[[<{]/g, '(').replace(/[\]>}]/g, ')') };
    });
    for (const own of lengthOf(said) > PART_CHARS ? said.map((one) => [one]) : [said]) {
      if (size + lengthOf(own) > PART_CHARS) {
        parts.push([]);
        size = 0;
      }
      parts.at(-1)!.push(...own);
      size += lengthOf(own);
    }
  });
  return parts;
}

interface Heard {
  readonly audio: Uint8Array;
  readonly sampleRate: number;
  /** Of each turn, in ms. */
  readonly times: readonly (readonly [from: number, to: number])[];
  readonly usage: SpeechUsage;
}

async function hear(speaker: Speaker, turns: readonly SpokenTurn[], options: SpeechOptions): Promise<Heard> {
  const pieces: Uint8Array[] = [];
  const times = new Map<number, [number, number]>();
  let sampleRate = 0;
  const speaking = speakTurns(speaker, turns, { ...options, format: 'pcm' });
  let step = await speaking.next();
  for (; !step.done; step = await speaking.next()) {
    const part = step.value;
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
  return { audio, sampleRate, times: ordered.map((time) => time!), usage: step.value };
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
