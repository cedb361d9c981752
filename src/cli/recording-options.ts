import type { Command } from 'commander';
import type { TranscribeOptions } from '../index.ts';
import { programEnvironment } from './environment.ts';
import { countFromOne, nonNegative } from './options.ts';

export interface TranscribeFlags {
  readonly transcribe?: boolean;
  readonly hourPrice?: number;
  readonly speech?: string;
  readonly speakers?: number;
  readonly multichannel?: boolean;
  readonly keyterms: boolean;
}

/** The options of `ingest` for recordings. */
export function transcribeOptions(command: Command): Command {
  return command
    .option('--transcribe', 'let the audio service write down recordings that have no transcript beside them (billed)')
    .option('--hour-price <usd>', 'what your plan bills for an hour of sound; a --budget needs it', nonNegative)
    .option('--speech <code>', 'language of the recordings, e.g. en (default: detected)')
    .option('--speakers <n>', 'most speakers of a recording', countFromOne)
    .option('--multichannel', 'each channel is one speaker, and is billed')
    .option('--no-keyterms', 'do not tell the service the names in the index, for a fifth less of its price');
}

/** What the flags mean to the library; undefined without `--transcribe`. */
export function transcribeChoice(
  flags: TranscribeFlags,
  onProgress: TranscribeOptions['onProgress'],
): TranscribeOptions | undefined {
  if (!flags.transcribe) return undefined;
  return {
    usdPerHour: flags.hourPrice,
    language: flags.speech,
    speakers: flags.speakers,
    multichannel: flags.multichannel,
    keyterms: flags.keyterms ? 'index' : false,
    ffmpeg: { environment: programEnvironment() },
    onProgress,
  };
}
