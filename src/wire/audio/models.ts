/** What an operation asks of a model; a model is refused before sending when it does not do the job. */
import { refuse, shown } from '../http/check.ts';
export type ModelJob = 'speech' | 'dialogue' | 'transcript' | 'realtime';

/**
 * One row of the capability map. Ids are the neutral ones of the reference document; `AudioProfile.modelIds` turns them
 * into what a service calls them. `undefined` is "not given": such a rule is not checked.
 */
export interface AudioModel {
  readonly jobs: readonly ModelJob[];
  /** Characters of text per request. */
  readonly maxCharacters: number | undefined;
  readonly creditsPerCharacter: number | undefined;
  /** How neighbouring requests are told about each other: by request ids (and texts), by texts alone, or not at all. */
  readonly continuity: 'ids' | 'text' | 'none';
  /** The WebSocket that serves it. */
  readonly socket: 'speech' | 'dialogue' | 'none';
  /** Whether `language_code` has an effect. */
  readonly languageCode: boolean;
  /** `stability` is one of 0, 0.5 and 1. */
  readonly stabilitySteps: boolean;
  /** Phoneme rules of pronunciation dictionaries are followed; elsewhere only aliases are. */
  readonly phonemes: boolean;
  readonly deprecated: boolean;
}

const speech: AudioModel = {
  jobs: ['speech'],
  maxCharacters: undefined,
  creditsPerCharacter: 1,
  continuity: 'ids',
  socket: 'speech',
  languageCode: true,
  stabilitySteps: false,
  phonemes: false,
  deprecated: false,
};
const third: AudioModel = {
  ...speech,
  jobs: ['speech', 'dialogue'],
  socket: 'dialogue',
  stabilitySteps: true,
  phonemes: true,
};
const listening: AudioModel = {
  ...speech,
  jobs: ['transcript'],
  creditsPerCharacter: undefined,
  continuity: 'none',
  socket: 'none',
};

/**
 * Limits, prices and continuity of the reference document, other capabilities of the wire reference. What is not in the
 * reference document has the public service's rules.
 */
export const audioModels: Readonly<Record<string, AudioModel>> = {
  voice_v3: { ...third, maxCharacters: 5_000 },
  voice_multilingual_v2: { ...speech, maxCharacters: 10_000, languageCode: false },
  voice_flash_v2_5: { ...speech, maxCharacters: 40_000, creditsPerCharacter: 0.5 },
  voice_turbo_v2_5: { ...speech, maxCharacters: 40_000, creditsPerCharacter: 0.5, deprecated: true },
  voice_monolingual_v1: { ...speech, maxCharacters: 10_000, deprecated: true },
  voice_flash_v2: { ...speech, maxCharacters: 30_000, creditsPerCharacter: 0.5, phonemes: true },
  voice_turbo_v2: { ...speech, maxCharacters: 30_000, creditsPerCharacter: 0.5, phonemes: true, deprecated: true },
  voice_v3_conversational: { ...third, creditsPerCharacter: undefined, continuity: 'none' },
  scribe_v2: listening,
  scribe_v1: { ...listening, deprecated: true },
  scribe_v2_realtime: { ...listening, jobs: ['realtime'] },
};

/**
 * Characters as the limits count them: code points, the smaller of the two readings, so that nothing valid is refused.
 */
export function countCharacters(text: string): number {
  if (typeof text !== 'string') refuse('text', `must be a string, got ${shown(text)}`);
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) count--;
  }
  return count;
}
