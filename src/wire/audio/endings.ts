import { messageOf } from '../../core/errors.ts';
import type { AudioContext } from './context.ts';
import { type AudioFormat, secondsOf } from './formats.ts';
import { readWav } from './pcm.ts';

/** Reading speed that no voice reaches; fewer seconds than the text needs at it means that the end is missing. */
const FASTEST_CHARACTERS_PER_SECOND = 40;

/** True when measured sound is far too short for its text (audio tags do not count). */
export function looksShort(text: string, seconds: number | undefined, speed = 1): boolean {
  const spoken = text.replace(/\[[^[\]\n]{1,120}\]/g, '').trim().length;
  return seconds !== undefined && spoken >= 100 && seconds * speed < spoken / FASTEST_CHARACTERS_PER_SECOND;
}

/**
 * Warns when sound ended early as far as that can be known: it is far too short for its text, ends inside a sample, or
 * lacks bytes its own header promises. An error after the status 200 shows in no other way.
 */
export function warnIfShort(
  context: AudioContext,
  { text, speed }: { readonly text: string; readonly speed?: number | undefined },
  format: AudioFormat,
  sound: Uint8Array | number,
): void {
  const bytes = typeof sound === 'number' ? sound : sound.length;
  const seconds = secondsOf(format, bytes);
  const warn = (message: string): void => context.warn({ code: 'AUDIO_SHORT', message });
  if (looksShort(text, seconds, speed)) {
    warn(`${seconds?.toFixed(1)} s of sound for ${text.length} characters: the end may be missing`);
  } else if (format.codec === 'pcm' && bytes % 2 === 1) {
    warn('the sound ends inside a sample');
  } else if (format.codec === 'wav' && typeof sound !== 'number') {
    try {
      readWav(sound);
    } catch (error) {
      warn(messageOf(error));
    }
  }
}
