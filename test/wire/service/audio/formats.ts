import { type AudioContext, atLeast, type Plan, refuse } from './context.ts';

export interface AudioFormat {
  readonly id: string;
  readonly codec: 'mp3' | 'pcm' | 'wav' | 'ulaw' | 'alaw' | 'opus';
  readonly sampleRate: number;
  readonly kbps: number | undefined;
}

const rates = [8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];

/** Format → lowest plan. */
const formats: ReadonlyMap<string, Plan> = new Map<string, Plan>([
  ...['22050_32', '24000_48', '44100_32', '44100_64', '44100_96', '44100_128'].map((id): [string, Plan] => [
    `mp3_${id}`,
    'free',
  ]),
  ['mp3_44100_192', 'creator'],
  ...rates.map((rate): [string, Plan] => [`pcm_${rate}`, rate >= 44_100 ? 'pro' : 'free']),
  ...rates.map((rate): [string, Plan] => [`wav_${rate}`, rate >= 44_100 ? 'pro' : 'free']),
  ['ulaw_8000', 'starter'],
  ['alaw_8000', 'starter'],
  ...[32, 64, 96, 128, 192].map((kbps): [string, Plan] => [`opus_48000_${kbps}`, 'starter']),
]);

/** @param streamed WAV needs a length in its header, so only complete answers have it */
export function readFormat(context: AudioContext, id: string | null, streamed: boolean): AudioFormat {
  const wanted = id ?? 'mp3_44100_128';
  const plan = formats.get(wanted);
  if (plan === undefined)
    refuse(context, 400, 'invalid_output_format', `Unknown output format ${wanted}`, { param: 'output_format' });
  const [codec, rate, kbps] = wanted.split('_');
  if (codec === 'wav' && streamed) {
    refuse(context, 400, 'invalid_output_format', 'WAV cannot be streamed', { param: 'output_format' });
  }
  const lowest = codec === 'wav' && context.script.wavRefused === true ? 'pro' : plan;
  if (!atLeast(context.plan, lowest)) {
    refuse(context, 403, 'output_format_not_allowed', `Output format ${wanted} needs the ${lowest} plan or above`, {
      param: 'output_format',
    });
  }
  return {
    id: wanted,
    codec: codec as AudioFormat['codec'],
    sampleRate: Number(rate),
    kbps: kbps === undefined ? undefined : Number(kbps),
  };
}

/**
 * Sound of a length: a sine whose pitch tells voices apart. PCM, WAV, µ-law and A-law are real; MP3 and Opus are a
 * train of well-formed frame or page headers with nothing in them, of the right length for their bit rate.
 */
export function synthesise(format: AudioFormat, seconds: number, pitch: number): Uint8Array {
  switch (format.codec) {
    case 'mp3':
      return mp3Frames(format, seconds);
    case 'opus':
      return oggPages(format, seconds);
    case 'pcm':
      return pcmBytes(sine(format.sampleRate, seconds, pitch));
    case 'wav':
      return wavFile(sine(format.sampleRate, seconds, pitch), format.sampleRate);
    case 'ulaw':
      return Uint8Array.from(sine(format.sampleRate, seconds, pitch), muLaw);
    case 'alaw':
      return Uint8Array.from(sine(format.sampleRate, seconds, pitch), aLaw);
  }
}

function sine(rate: number, seconds: number, pitch: number): Int16Array {
  const samples = new Int16Array(Math.round(rate * seconds));
  const step = (2 * Math.PI * pitch) / rate;
  for (let at = 0; at < samples.length; at++) samples[at] = Math.round(8000 * Math.sin(at * step));
  return samples;
}

/** Signed 16 bit, little-endian. */
function pcmBytes(samples: Int16Array): Uint8Array {
  const bytes = Buffer.alloc(samples.length * 2);
  samples.forEach((value, at) => {
    bytes.writeInt16LE(value, at * 2);
  });
  return bytes;
}

export function wavFile(samples: Int16Array, rate: number, channels = 1): Uint8Array {
  const data = pcmBytes(samples);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + data.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * channels * 2, 28);
  header.writeUInt16LE(channels * 2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}

/** G.711: bias, then sign, exponent and mantissa, inverted. */
function muLaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample) + 132, 32_767);
  const exponent = Math.floor(Math.log2(magnitude)) - 7;
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
}

function aLaw(sample: number): number {
  const sign = sample < 0 ? 0 : 0x80;
  const magnitude = Math.min(Math.abs(sample), 32_767);
  const exponent = magnitude < 256 ? 0 : Math.floor(Math.log2(magnitude)) - 7;
  const mantissa = exponent === 0 ? magnitude >> 4 : (magnitude >> (exponent + 3)) & 0x0f;
  return (sign | (exponent << 4) | mantissa) ^ 0x55;
}

const mpeg1Rates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const mpeg2Rates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

/** Layer III: 1,152 samples a frame at 44.1 kHz (MPEG-1), 576 at 22.05 and 24 kHz (MPEG-2). */
function mp3Frames({ sampleRate, kbps = 128 }: AudioFormat, seconds: number): Uint8Array {
  const mpeg1 = sampleRate >= 32_000;
  const samplesPerFrame = mpeg1 ? 1152 : 576;
  const frameBytes = Math.floor((samplesPerFrame / 8) * ((kbps * 1000) / sampleRate));
  const rateIndex = [44_100, 48_000, 32_000].indexOf(mpeg1 ? sampleRate : sampleRate * 2);
  const header = [
    0xff,
    mpeg1 ? 0xfb : 0xf3,
    ((mpeg1 ? mpeg1Rates : mpeg2Rates).indexOf(kbps) << 4) | (rateIndex << 2),
    0xc0,
  ];
  const frames = Math.max(1, Math.ceil((seconds * sampleRate) / samplesPerFrame));
  const bytes = Buffer.alloc(frames * frameBytes);
  for (let frame = 0; frame < frames; frame++) bytes.set(header, frame * frameBytes);
  return bytes;
}

/** One page per 20 ms, capture pattern and granule position set. */
function oggPages({ kbps = 64 }: AudioFormat, seconds: number): Uint8Array {
  const pageBytes = 27 + Math.round((kbps * 1000) / 8 / 50);
  const pages = Math.max(1, Math.ceil(seconds * 50));
  const bytes = Buffer.alloc(pages * pageBytes);
  for (let page = 0; page < pages; page++) {
    bytes.write('OggS', page * pageBytes);
    bytes.writeBigUInt64LE(BigInt((page + 1) * 960), page * pageBytes + 6);
    bytes.writeUInt32LE(page, page * pageBytes + 18);
  }
  return bytes;
}

/** Pieces of an odd size, so that frames and 16 bit samples are cut. */
export function* piecesOf(bytes: Uint8Array, size = 4001): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
