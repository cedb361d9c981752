import { Writable } from 'node:stream';
import type { CallOptions } from '../core/types.ts';
import { type SoundEncoder, SoundWriter } from '../speak/sound-writer.ts';
import type { SpokenScript } from './spoken-script.ts';

/** Of a WAV file. */
const HEADER_BYTES = 44;

/** The conversation as mp3. @throws IbidError PROGRAM_FAILED */
export async function mp3Of(
  sound: SpokenScript,
  encoder: SoundEncoder | undefined,
  { signal }: CallOptions,
): Promise<SpokenScript> {
  const pieces: Buffer[] = [];
  const out = new Writable({
    write(piece: Buffer, _, done) {
      pieces.push(piece);
      done();
    },
  });
  const writer = new SoundWriter(out, 'mp3', 'pcm', encoder);
  const stop = (): void => writer.stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await writer.write({ audio: sound.audio.subarray(HEADER_BYTES), sampleRate: sound.sampleRate });
    await writer.end();
  } finally {
    signal?.removeEventListener('abort', stop);
    signal?.throwIfAborted();
  }
  return { ...sound, audio: Buffer.concat(pieces), mediaType: 'audio/mpeg' };
}
