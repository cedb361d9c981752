import { IbidError } from '../../core/errors.ts';
import { formatPlans, type PlanName, planRank } from './prices.ts';

export type AudioCodec = 'mp3' | 'pcm' | 'wav' | 'ulaw' | 'alaw' | 'opus';

/** `codec_samplerate[_kbps]` taken apart. */
export interface AudioFormat {
  readonly name: string;
  readonly codec: AudioCodec;
  /** Samples per second; all formats are mono. */
  readonly sampleRate: number;
  readonly kbps: number | undefined;
  readonly mediaType: string;
  readonly extension: string;
}

export const defaultFormat = 'mp3_44100_128';

const rates = [8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];

/** Every `output_format` of the wire reference. */
export const outputFormats: readonly string[] = [
  'mp3_22050_32',
  'mp3_24000_48',
  ...[32, 64, 96, 128, 192].map((kbps) => `mp3_44100_${kbps}`),
  ...rates.map((rate) => `pcm_${rate}`),
  ...rates.map((rate) => `wav_${rate}`),
  'ulaw_8000',
  'alaw_8000',
  ...[32, 64, 96, 128, 192].map((kbps) => `opus_48000_${kbps}`),
];

/** By the requested format: the service declares `audio/mpeg` whatever it sends. */
const media: Readonly<Record<AudioCodec, readonly [type: string, extension: string]>> = {
  mp3: ['audio/mpeg', 'mp3'],
  pcm: ['audio/pcm', 'pcm'],
  wav: ['audio/wav', 'wav'],
  ulaw: ['audio/basic', 'ulaw'],
  alaw: ['audio/x-alaw-basic', 'alaw'],
  opus: ['audio/ogg; codecs=opus', 'opus'],
};

/**
 * @param extra formats a newer service knows, from `AudioProfile.extraFormats`
 * @throws IbidError INVALID_ARGUMENT for a name that is in neither list or does not follow the pattern
 */
export function parseFormat(name: string, extra: readonly string[] = []): AudioFormat {
  const match = /^(mp3|pcm|wav|ulaw|alaw|opus)_(\d+)(?:_(\d+))?$/.exec(name);
  if (match === null || !(outputFormats.includes(name) || extra.includes(name))) {
    throw new IbidError('INVALID_ARGUMENT', `output_format: "${name}" is not a known format`, {
      hint: `One of ${outputFormats.join(', ')}; newer ones go into the profile's extraFormats.`,
    });
  }
  const codec = match[1] as AudioCodec; // the pattern lists exactly the codecs
  const [mediaType, extension] = media[codec];
  const kbps = match[3] === undefined ? undefined : Number(match[3]);
  return { name, codec, sampleRate: Number(match[2]), kbps, mediaType, extension };
}

/** Whether the plan's price page allows the format; true when the minimum is not given. */
export function formatAllowed(name: string, plan: PlanName): boolean {
  const minimum = formatPlans[name] ?? (name.startsWith('opus_') ? formatPlans.opus : undefined);
  return minimum === undefined || planRank(plan) >= planRank(minimum);
}

/** Bytes per second where the format has a fixed number of them: all but opus. A WAV header does not count. */
function bytesPerSecond(format: AudioFormat): number | undefined {
  switch (format.codec) {
    case 'pcm':
    case 'wav':
      return format.sampleRate * 2;
    case 'ulaw':
    case 'alaw':
      return format.sampleRate;
    case 'mp3':
      return format.kbps === undefined ? undefined : (format.kbps * 1_000) / 8;
    default:
      return undefined;
  }
}

/**
 * Length in seconds of `bytes` bytes of sound: exact for pcm, ulaw and alaw, close for constant-rate mp3, unknown for
 * opus.
 */
export function secondsOf(format: AudioFormat, bytes: number): number | undefined {
  const rate = bytesPerSecond(format);
  return rate === undefined ? undefined : bytes / rate;
}
