import { IbidError } from '../../core/errors.ts';
import { parseFormat } from './formats.ts';

/**
 * Re-cuts a stream of 16-bit samples at sample edges: every piece has an even number of bytes. @throws RESPONSE_INVALID
 * when one byte is left over at the end
 */
export async function* alignSamples(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let carry: number | undefined;
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    let piece = chunk;
    if (carry !== undefined) {
      piece = new Uint8Array(chunk.length + 1);
      piece[0] = carry;
      piece.set(chunk, 1);
      carry = undefined;
    }
    if (piece.length % 2 === 1) {
      carry = piece[piece.length - 1];
      piece = piece.subarray(0, -1);
    }
    if (piece.length > 0) yield piece;
  }
  if (carry !== undefined)
    throw new IbidError('RESPONSE_INVALID', 'the stream of 16-bit samples ended inside a sample');
}

/** The 44-byte RIFF header of mono 16-bit little-endian samples. */
export function wavHeader(sampleRate: number, dataBytes: number): Uint8Array {
  const header = new Uint8Array(44);
  const view = new DataView(header.buffer);
  const name = (at: number, text: string): void => header.set(new TextEncoder().encode(text), at);
  name(0, 'RIFF');
  view.setUint32(4, 36 + dataBytes, true);
  name(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true); // linear PCM
  view.setUint16(22, 1, true); // mono
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  name(36, 'data');
  view.setUint32(40, dataBytes, true);
  return header;
}

export interface WavData {
  readonly sampleRate: number;
  readonly channels: number;
  readonly bitsPerSample: number;
  /** Samples without any header. */
  readonly data: Uint8Array;
}

/**
 * Takes the samples out of a RIFF file. A data size that was written before the length was known (0 or the largest
 * number) means "to the end"; a size beyond the end means that the file was cut.
 * @throws IbidError RESPONSE_INVALID when it is no WAV file or ends early
 */
export function readWav(bytes: Uint8Array): WavData {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tag = (at: number): string =>
    at + 4 <= bytes.length ? String.fromCharCode(...bytes.subarray(at, at + 4)) : '';
  if (tag(0) !== 'RIFF' || tag(8) !== 'WAVE') throw new IbidError('RESPONSE_INVALID', 'the audio has no RIFF header');
  let format: Omit<WavData, 'data'> | undefined;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = view.getUint32(at + 4, true);
    const start = at + 8;
    if (tag(at) === 'fmt ' && start + 16 <= bytes.length) {
      format = {
        channels: view.getUint16(start + 2, true),
        sampleRate: view.getUint32(start + 4, true),
        bitsPerSample: view.getUint16(start + 14, true),
      };
    } else if (tag(at) === 'data' && format !== undefined) {
      const open = size === 0xffff_ffff || size === 0;
      if (!open && start + size > bytes.length) {
        throw new IbidError(
          'RESPONSE_INVALID',
          `the WAV file is cut: ${bytes.length - start} of ${size} bytes of sound`,
        );
      }
      return { ...format, data: bytes.subarray(start, open ? bytes.length : start + size) };
    }
    at = start + size + (size % 2);
  }
  throw new IbidError('RESPONSE_INVALID', 'the WAV file has no samples');
}

/** The same samples as a WAV file. @param formatName a `pcm_` or `wav_` format */
export function toWav(samples: Uint8Array, formatName: string): Uint8Array {
  const format = parseFormat(formatName);
  if (format.codec !== 'pcm' && format.codec !== 'wav') {
    throw new IbidError('INVALID_ARGUMENT', `output_format: ${formatName} does not hold samples`);
  }
  const file = new Uint8Array(44 + samples.length);
  file.set(wavHeader(format.sampleRate, samples.length));
  file.set(samples, 44);
  return file;
}
