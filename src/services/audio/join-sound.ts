import { IbidError } from '../../core/errors.ts';
import { type AudioFormat, secondsOf } from '../../wire/audio/formats.ts';
import { readWav, wavHeader } from '../../wire/audio/pcm.ts';
import { concatBytes } from '../../wire/audio/sound.ts';

/** Sound of a whole text, in one file. */
export interface JoinedSound {
  readonly audio: Uint8Array;
  /** `output_format` of the pieces. */
  readonly format: string;
  readonly mediaType: string;
  /** `undefined` when the format cannot be measured. */
  readonly seconds: number | undefined;
}

/** Puts pieces of bare sound together, with the same silence between every two. */
export class SoundJoiner {
  readonly #format: AudioFormat;
  readonly #gap: Uint8Array;
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(format: AudioFormat, gap: Uint8Array) {
    this.#format = format;
    this.#gap = gap;
  }

  /** @returns where the piece starts in the whole, in seconds; `undefined` when the format cannot be measured */
  add(audio: Uint8Array): number | undefined {
    if (this.#pieces.length > 0) this.#push(this.#gap);
    const start = secondsOf(this.#format, this.#bytes);
    this.#push(audio);
    return start;
  }

  /** @param wav one RIFF header before samples. @default true */
  finish(wav = true): JoinedSound {
    const { codec, name, sampleRate, mediaType } = this.#format;
    const samples = codec === 'pcm' || codec === 'wav';
    const header = samples && wav ? [wavHeader(sampleRate, this.#bytes)] : [];
    return {
      audio: concatBytes([...header, ...this.#pieces]),
      format: name,
      mediaType: header.length > 0 ? 'audio/wav' : samples ? 'audio/pcm' : mediaType,
      seconds: secondsOf(this.#format, this.#bytes),
    };
  }

  #push(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
  }
}

/** Sound of one segment without its container, ready to be put beside others. */
export function bareSound(format: AudioFormat, bytes: Uint8Array): Uint8Array {
  if (format.codec === 'wav') return readWav(bytes).data;
  if (format.codec === 'pcm' && bytes.length % 2 === 1) {
    throw new IbidError('RESPONSE_INVALID', `${bytes.length} bytes are not a whole number of 16-bit samples`);
  }
  return format.codec === 'mp3' ? stripId3(bytes) : bytes;
}

/** Without a leading ID3v2 and a trailing ID3v1 tag, which would lie in the middle of joined files. */
function stripId3(bytes: Uint8Array): Uint8Array {
  let start = 0;
  if (bytes.length > 10 && bytes[0] === 0x49 && bytes[1] === 0x44 && bytes[2] === 0x33) {
    const size = (bytes[6]! << 21) | (bytes[7]! << 14) | (bytes[8]! << 7) | bytes[9]!; // four times seven bits
    start = Math.min(bytes.length, 10 + size + ((bytes[5]! & 0x10) === 0 ? 0 : 10));
  }
  const tail = bytes.length - 128;
  const tagged = tail >= start && bytes[tail] === 0x54 && bytes[tail + 1] === 0x41 && bytes[tail + 2] === 0x47;
  return bytes.subarray(start, tagged ? tail : bytes.length);
}

/**
 * Silence in the format's own code: zero samples, or the byte that stands for zero. @returns undefined for coded
 * formats
 */
export function silence(format: AudioFormat, ms: number): Uint8Array | undefined {
  const samples = Math.round((format.sampleRate * ms) / 1_000);
  if (format.codec === 'pcm' || format.codec === 'wav') return new Uint8Array(samples * 2);
  if (format.codec === 'ulaw') return new Uint8Array(samples).fill(0xff);
  if (format.codec === 'alaw') return new Uint8Array(samples).fill(0xd5);
  return undefined;
}
