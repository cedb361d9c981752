import { IbidError } from '../core/errors.ts';

/** Length of samples of 16 bits, one channel. */
export const msOf = (bytes: number, sampleRate: number): number => (bytes / 2 / sampleRate) * 1000;

/** The header of a WAV file of such samples. @param bytes of samples; Infinity: not known yet */
export function waveHeader(sampleRate: number, bytes: number): Buffer {
  const header = Buffer.alloc(44);
  const size = (value: number): number => Math.min(0xffff_ffff, value);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(size(36 + bytes), 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20); // linear PCM
  header.writeUInt16LE(1, 22); // one channel
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(size(bytes), 40);
  return header;
}

/** Samples and their rate. */
export interface Samples {
  /** A whole number of samples of 16 bits. */
  readonly audio: Uint8Array;
  readonly sampleRate: number;
}

/** Longest header that is waited for, in bytes: notes of editors stand before the samples. */
const MOST_HEADER = 2 ** 20;

/**
 * The samples of a WAV file while it comes.
 * @throws IbidError RESPONSE_INVALID for anything but 16 bits of one channel
 */
export async function* samplesOfWave(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Samples, void, undefined> {
  let held: Buffer = Buffer.alloc(0);
  let found: { readonly sampleRate: number; left: number } | undefined;
  for await (const piece of bytes) {
    held = held.length === 0 ? Buffer.from(piece) : Buffer.concat([held, piece]);
    if (!found) {
      const start = startOfSamples(held);
      if (start === undefined) {
        if (held.length > MOST_HEADER) throw invalid('it has no samples');
        continue;
      }
      found = { sampleRate: start.sampleRate, left: start.bytes };
      held = held.subarray(start.at);
    }
    const whole = Math.min(found.left, held.length - (held.length % 2));
    if (whole > 0) yield { audio: held.subarray(0, whole), sampleRate: found.sampleRate };
    found.left -= whole;
    held = found.left > 0 ? held.subarray(whole) : Buffer.alloc(0);
  }
  if (!found) throw invalid(held.length === 0 ? 'it is empty' : 'it is no WAV file');
}

function startOfSamples(head: Buffer): { at: number; bytes: number; sampleRate: number } | undefined {
  if (head.length >= 12 && (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE')) {
    throw invalid('it is no WAV file');
  }
  let sampleRate: number | undefined;
  for (let at = 12; at + 8 <= head.length; ) {
    const name = head.toString('latin1', at, at + 4);
    const size = head.readUInt32LE(at + 4);
    if (name === 'data' && sampleRate !== undefined) {
      const isOpen = size === 0 || size >= 0x7fff_f000; // programs that write to a pipe do not know it yet
      return { at: at + 8, bytes: isOpen ? Number.POSITIVE_INFINITY : size - (size % 2), sampleRate };
    }
    if (name === 'fmt ') {
      if (at + 24 > head.length) return undefined;
      const [channels, bits] = [head.readUInt16LE(at + 10), head.readUInt16LE(at + 22)];
      if (channels !== 1 || bits !== 16) throw invalid(`it has ${channels} channels of ${bits} bits`);
      sampleRate = head.readUInt32LE(at + 12);
    }
    at += 8 + size + (size % 2);
  }
  return undefined;
}

function invalid(why: string): IbidError {
  return new IbidError('RESPONSE_INVALID', `the sound cannot be used: ${why}`, {
    hint: 'Sound of 16 bits and one channel is needed, as WAV.',
  });
}
