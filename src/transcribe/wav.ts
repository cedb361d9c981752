import { type FileHandle, open } from 'node:fs/promises';

/** The layout of the samples in a WAV file. */
export interface WavHeader {
  /** `int`: whole numbers of `bits`; `float`: of 32 or 64 bits; `other`: a codec that is not looked into. */
  readonly encoding: 'int' | 'float' | 'other';
  readonly channels: number;
  readonly sampleRate: number;
  readonly bits: number;
  /** Bytes of one sample of all channels. */
  readonly blockAlign: number;
  /** The `fmt ` chunk, as it is. */
  readonly format: Uint8Array;
  readonly dataAt: number;
  /** Bytes of samples that are there. */
  readonly dataBytes: number;
  /** Bytes that the header promises and the file does not hold. */
  readonly missingBytes: number;
}

/** Chunks before the samples: cue points and notes of editors. */
const MOST_CHUNKS = 1000;
/** Programs that do not know the length yet write 0, or nearly the most that the header or their own number holds. */
const isUnknown = (bytes: number): boolean =>
  bytes === 0 || bytes >= 0xffff_ff00 || (bytes >= 0x7fff_f000 && bytes <= 0x7fff_ffff);

/** The header of a WAV file (RIFF or RF64); undefined when there is none. @throws what `fs` throws */
export async function readWavHeader(path: string): Promise<WavHeader | undefined> {
  const file = await open(path, 'r');
  try {
    return await headerOf(file, (await file.stat()).size);
  } finally {
    await file.close();
  }
}

async function headerOf(file: FileHandle, size: number): Promise<WavHeader | undefined> {
  const read = async (at: number, length: number): Promise<Buffer> => {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, at);
    return buffer.subarray(0, bytesRead);
  };
  const riff = await read(0, 12);
  if (!/^(?:RIFF|RF64)$/.test(riff.toString('latin1', 0, 4)) || riff.toString('latin1', 8) !== 'WAVE') return undefined;
  let format: Buffer | undefined;
  let longBytes: number | undefined;
  for (let at = 12, chunks = 0; at + 8 <= size && chunks < MOST_CHUNKS; chunks++) {
    const head = await read(at, 8);
    const name = head.toString('latin1', 0, 4);
    const bytes = head.readUInt32LE(4);
    if (name === 'ds64') longBytes = Number((await read(at + 16, 8)).readBigUInt64LE(0));
    if (name === 'fmt ') format = await read(at + 8, Math.min(bytes, 64));
    if (name === 'data') {
      if (!format || format.length < 16) return undefined;
      const promised = longBytes ?? (isUnknown(bytes) ? size - at - 8 : bytes);
      const dataBytes = Math.min(promised, size - at - 8);
      return { ...layoutOf(format), format, dataAt: at + 8, dataBytes, missingBytes: promised - dataBytes };
    }
    at += 8 + bytes + (bytes % 2);
  }
  return undefined;
}

function layoutOf(format: Buffer): Pick<WavHeader, 'encoding' | 'channels' | 'sampleRate' | 'bits' | 'blockAlign'> {
  const extensible = format.readUInt16LE(0) === 0xfffe && format.length >= 26;
  const tag = extensible ? format.readUInt16LE(24) : format.readUInt16LE(0);
  const layout = {
    channels: format.readUInt16LE(2),
    sampleRate: format.readUInt32LE(4),
    blockAlign: Math.max(1, format.readUInt16LE(12)),
    bits: format.readUInt16LE(14),
  };
  const { channels, sampleRate, blockAlign, bits } = layout;
  const isWhole = channels > 0 && sampleRate > 0 && blockAlign >= (channels * bits) / 8;
  const encoding = isWhole && widths[tag]?.includes(bits) ? (tag === 1 ? 'int' : 'float') : 'other';
  return { encoding, ...layout };
}

/** Bits of a sample that are looked into, by the tag of the format: whole numbers, and floats. */
const widths: Readonly<Record<number, readonly number[]>> = { 1: [8, 16, 24, 32], 3: [32, 64] };

/** A header for `dataBytes` bytes of samples of the same kind. */
export function wavHeader({ format }: Pick<WavHeader, 'format'>, dataBytes: number): Buffer {
  const header = Buffer.alloc(20 + format.length + 8);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(Math.min(0xffff_ffff, 20 + format.length + dataBytes), 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(format.length, 16);
  header.set(format, 20);
  header.write('data', 20 + format.length, 'latin1');
  header.writeUInt32LE(Math.min(0xffff_ffff, dataBytes), 24 + format.length);
  return header;
}
