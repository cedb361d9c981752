import type { Sound } from '../../src/transcribe/contract.ts';

/** Small recordings, made by hand. */

/** One channel of a tone of 440 Hz, quiet in the given stretches, 16-bit. @param quietMs from and to, in ms */
export function pcm(
  ms: number,
  {
    rate = 8000,
    quietMs = [],
  }: { readonly rate?: number; readonly quietMs?: readonly (readonly [number, number])[] } = {},
): Buffer {
  const samples = Buffer.alloc(2 * Math.round((ms * rate) / 1000));
  for (let i = 0; i < samples.length / 2; i++) {
    const at = (i * 1000) / rate;
    const isQuiet = quietMs.some(([from, to]) => at >= from && at < to);
    samples.writeInt16LE(isQuiet ? 0 : Math.round(8000 * Math.sin((2 * Math.PI * 440 * i) / rate)), 2 * i);
  }
  return samples;
}

/** A RIFF file. @param promised bytes of samples that the header claims */
export function wav(
  samples: Uint8Array,
  {
    rate = 8000,
    channels = 1,
    bits = 16,
    tag = 1,
    promised = samples.length,
  }: { rate?: number; channels?: number; bits?: number; tag?: number; promised?: number } = {},
): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + promised, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(tag, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE((rate * channels * bits) / 8, 28);
  head.writeUInt16LE((channels * bits) / 8, 32);
  head.writeUInt16LE(bits, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(promised, 40);
  return Buffer.concat([head, samples]);
}

/** Frames of MPEG 1 layer III at 128 kbit/s and 44,100 Hz, all zero: 26.12 ms each. @param tags ID3v2 frames */
export function mp3(frames: number, tags: Readonly<Record<string, Buffer>> = {}): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0xc4]);
  const sound = Buffer.concat(Array.from({ length: frames }, () => frame));
  const bodies = Object.entries(tags).map(([id, body]) => id3Frame(id.slice(0, 4), body));
  if (bodies.length === 0) return sound;
  const body = Buffer.concat(bodies);
  const head = Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, 0, 0, 0, 0]);
  for (let i = 0; i < 4; i++) head[9 - i] = (body.length >> (7 * i)) & 0x7f;
  return Buffer.concat([head, body, sound]);
}

/** A frame of ID3v2.3. */
function id3Frame(id: string, body: Uint8Array): Buffer {
  const head = Buffer.alloc(10);
  head.write(id, 0, 'latin1');
  head.writeUInt32BE(body.length, 4);
  return Buffer.concat([head, body]);
}

/** The body of a text frame of ID3v2: Latin 1. */
export function id3Text(text: string): Buffer {
  return Buffer.concat([Buffer.from([0]), Buffer.from(text, 'latin1')]);
}

/** A chapter of ID3v2. @see https://id3.org/id3v2-chapters-1.0 */
export function id3Chapter(id: string, title: string, fromMs: number, toMs: number): Buffer {
  const times = Buffer.alloc(16, 0xff);
  times.writeUInt32BE(fromMs, 0);
  times.writeUInt32BE(toMs, 4);
  return Buffer.concat([Buffer.from(`${id}\0`, 'latin1'), times, id3Frame('TIT2', id3Text(title))]);
}

/** Words at a steady pace, as a service writes a transcript. */
export function spokenJson(
  turns: readonly (readonly [speaker: string, text: string])[],
  { startMs = 0, wordMs = 400 }: { readonly startMs?: number; readonly wordMs?: number } = {},
): string {
  let at = startMs;
  const words: object[] = [];
  for (const [speaker_id, text] of turns) {
    for (const word of text.split(' ')) {
      if (words.length > 0) words.push({ text: ' ', type: 'spacing', start: at / 1000, end: at / 1000, speaker_id });
      words.push({ text: word, type: 'word', start: at / 1000, end: (at + wordMs - 50) / 1000, speaker_id });
      at += wordMs;
    }
  }
  return JSON.stringify({ language_code: 'en', text: turns.map(([, text]) => text).join(' '), words });
}

/** Bytes as a transcriber gets them. */
export function soundOf(name: string, bytes: Uint8Array, seconds: number, channels: number = 1): Sound {
  return {
    ...{ name, seconds, channels, sizeBytes: bytes.length },
    async *open() {
      yield bytes;
    },
  };
}
