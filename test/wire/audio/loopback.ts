import { afterAll, beforeEach } from 'vitest';
import { type AudioService, createAudioService } from '../../../src/wire/audio/index.ts';
import { audioService } from '../service/audio/audio-service.ts';
import { type Harness, serve } from '../service/harness.ts';

export interface Loopback {
  readonly stand: ReturnType<typeof audioService>;
  readonly harness: Harness;
  /** A client of the stand-in. */
  readonly audio: AudioService;
}

/** The stand-in and a client of it, for all tests of a file. */
export async function loopback(options: Parameters<typeof audioService>[0] = {}): Promise<Loopback> {
  const stand = audioService(options);
  const harness = await serve([stand]);
  const audio = createAudioService({ apiKey: 'test-audio-key', baseUrl: harness.url });
  afterAll(async () => {
    await audio.close();
    await harness.close();
  });
  beforeEach(() => harness.clear());
  return { stand, harness, audio };
}
