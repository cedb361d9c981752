import { IbidError, type TranscribeOptions } from '../index.ts';
import type { CommonFlags } from './context.ts';
import { programEnvironment } from './environment.ts';
import type { TranscribeFlags } from './recording-options.ts';

/**
 * What the flags mean to the library; undefined without `--transcribe`.
 * @throws IbidError INVALID_ARGUMENT for a flag that has no meaning without it
 */
export function transcribeChoice(
  flags: TranscribeFlags & Pick<CommonFlags, 'settings'>,
  onProgress: TranscribeOptions['onProgress'],
): TranscribeOptions | undefined {
  if (!flags.transcribe) {
    const { hourPrice, speech, speakers, multichannel, keyterms } = flags;
    const given = {
      ...{ '--hour-price': hourPrice, '--speech': speech, '--speakers': speakers },
      ...{ '--multichannel': multichannel, '--no-keyterms': keyterms ? undefined : true },
    };
    const alone = Object.entries(given).find(([, value]) => value !== undefined);
    if (alone) throw new IbidError('INVALID_ARGUMENT', `${alone[0]} has no meaning without --transcribe`);
    return undefined;
  }
  return {
    usdPerHour: flags.hourPrice ?? flags.settings.config.fees?.transcribedHour,
    language: flags.speech,
    speakers: flags.speakers,
    multichannel: flags.multichannel,
    keyterms: flags.keyterms ? 'index' : false,
    ffmpeg: { environment: programEnvironment() },
    onProgress,
  };
}
