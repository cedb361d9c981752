import { IbidError } from '../core/errors.ts';
import { runProgram } from '../core/program.ts';
import type { CallOptions } from '../core/types.ts';
import type { SpokenScript } from './spoken-script.ts';

/** Of one voice at a time: twice what speech needs to sound as it did. */
const BITS = '64k';
const LEAST_TIMEOUT_MS = 60_000;

/**
 * The conversation as mp3, made by the `ffmpeg` of the machine.
 * @throws IbidError FILE_UNSUPPORTED without one
 */
export async function mp3Of(
  sound: SpokenScript,
  { signal, environment }: CallOptions & { readonly environment?: Readonly<Record<string, string>> | undefined },
): Promise<SpokenScript> {
  const args = ['-hide_banner', '-loglevel', 'error', '-i', 'pipe:0', '-codec:a', 'libmp3lame', '-b:a', BITS];
  const audio = await runProgram('ffmpeg', [...args, '-f', 'mp3', 'pipe:1'], {
    ...{ input: sound.audio, maxOutputBytes: sound.audio.length + 65_536, environment, signal },
    timeoutMs: Math.max(LEAST_TIMEOUT_MS, sound.seconds * 1000),
  });
  if (audio) return { ...sound, audio, mediaType: 'audio/mpeg' };
  throw new IbidError('FILE_UNSUPPORTED', 'mp3 is made by ffmpeg, which is not there', {
    hint: 'Ask for a .wav file, or install ffmpeg: apt-get install ffmpeg, brew install ffmpeg.',
  });
}
