import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { IbidError } from '../core/errors.ts';
import { runProgram } from '../core/program.ts';
import type { CallOptions } from '../core/types.ts';
import type { Sound } from './contract.ts';
import { FRAME_MS, levelsOf, quietest } from './silence.ts';
import { readWavHeader, type WavHeader, wavHeader } from './wav.ts';

/** A recording on disk. */
export interface RecordingFile {
  readonly path: string;
  /** 0: not known. */
  readonly durationMs: number;
  readonly channels: number;
}

/** Takes stretches of sound out of a recording. */
export interface Cutter {
  /** The most that a second of a part weighs. */
  readonly bytesPerSecond: number;
  /** The quietest moment between two times, in ms. */
  quietMoment(fromMs: number, toMs: number, options: CallOptions): Promise<number>;
  /** The sound between two times. It is gone after the dispose. */
  part(fromMs: number, toMs: number, options: CallOptions): Promise<Sound & AsyncDisposable>;
}

export interface FfmpegOptions {
  /** Name or path of ffmpeg. @default 'ffmpeg' */
  readonly program?: string | undefined;
  /** Environment of ffmpeg, looked for on its `PATH`. @default the usual folders of programs */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

/** The whole file as it is. */
export async function wholeSound({ path, durationMs, channels }: RecordingFile): Promise<Sound> {
  const { size } = await stat(path);
  return {
    name: basename(path),
    seconds: durationMs / 1000,
    channels,
    sizeBytes: size,
    open: () => createReadStream(path),
  };
}

/** A cutter for this recording: WAV needs no program, all else needs ffmpeg. Undefined where there is none. */
export async function openCutter(
  file: RecordingFile,
  ffmpeg: FfmpegOptions,
  call: CallOptions,
): Promise<Cutter | undefined> {
  const header = await readWavHeader(file.path);
  if (header && header.encoding !== 'other') return wavCutter(file, header);
  return (await told(ffmpeg, ['-version'], 20_000, call)) && ffmpegCutter(file, ffmpeg);
}

/** Length of a recording whose container does not say it, in ms. @returns 0 where there is no ffmpeg to count it */
export async function countedMs(path: string, ffmpeg: FfmpegOptions, call: CallOptions): Promise<number> {
  const count = ['-i', path, '-map', '0:a:0', '-c', 'copy', '-progress', 'pipe:1', '-f', 'null', '-'];
  const output = await told(ffmpeg, ['-nostdin', '-loglevel', 'error', ...count], FFMPEG_TIMEOUT_MS, call);
  const times = output?.toString('latin1').matchAll(/^out_time_us=(\d+)/gmu) ?? [];
  return Math.round(Number([...times].at(-1)?.[1] ?? 0) / 1000);
}

/** The output of ffmpeg; undefined where ffmpeg is missing or fails. */
async function told(
  { program = 'ffmpeg', environment }: FfmpegOptions,
  args: readonly string[],
  timeoutMs: number,
  call: CallOptions,
): Promise<Buffer | undefined> {
  try {
    return await runProgram(program, args, { timeoutMs, maxOutputBytes: 2 ** 20, environment, ...call });
  } catch (error) {
    call.signal?.throwIfAborted();
    if (error instanceof IbidError) return undefined;
    throw error;
  }
}

function wavCutter({ path, channels }: RecordingFile, header: WavHeader): Cutter {
  const { sampleRate, blockAlign, dataAt, dataBytes } = header;
  const byteAt = (ms: number): number =>
    Math.min(dataBytes - (dataBytes % blockAlign), Math.max(0, Math.round((ms / 1000) * sampleRate) * blockAlign));
  return {
    bytesPerSecond: sampleRate * blockAlign,
    async quietMoment(fromMs, toMs) {
      await using file = await open(path, 'r');
      const from = byteAt(fromMs);
      const bytes = Buffer.alloc(byteAt(toMs) - from);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, dataAt + from);
      const mono = toMono(bytes.subarray(0, bytesRead), header);
      return fromMs + quietest(levelsOf(mono, sampleRate)) * FRAME_MS;
    },
    async part(fromMs, toMs) {
      const [from, to] = [byteAt(fromMs), byteAt(toMs)];
      const head = wavHeader(header, to - from);
      return {
        name: partName(path, fromMs, 'wav'),
        seconds: (to - from) / blockAlign / sampleRate,
        channels,
        sizeBytes: head.length + to - from,
        async *open() {
          yield head;
          if (to > from) yield* createReadStream(path, { start: dataAt + from, end: dataAt + to - 1 });
        },
        [Symbol.asyncDispose]: async () => {},
      };
    },
  };
}

/** The loudest channel of each moment as whole numbers of 16 bits: in a pause all are quiet. */
function toMono(bytes: Buffer, { encoding, bits, blockAlign, channels }: WavHeader): Buffer {
  const mono = Buffer.alloc(2 * Math.floor(bytes.length / blockAlign));
  const width = Math.floor(blockAlign / Math.max(1, channels));
  for (let at = 0, out = 0; at + blockAlign <= bytes.length; at += blockAlign, out += 2) {
    let loudest = 0;
    for (let channel = 0; channel < channels; channel++) {
      const sample = sampleAt(bytes, at + channel * width, encoding, bits);
      if (Math.abs(sample) > Math.abs(loudest)) loudest = sample;
    }
    mono.writeInt16LE(Math.round(Math.max(-1, Math.min(1, loudest)) * 32_767), out);
  }
  return mono;
}

function sampleAt(bytes: Buffer, at: number, encoding: WavHeader['encoding'], bits: number): number {
  if (encoding === 'float') return bits === 64 ? bytes.readDoubleLE(at) : bytes.readFloatLE(at);
  if (bits === 8) return (bytes.readUInt8(at) - 128) / 128;
  const width = bits >> 3;
  return bytes.readIntLE(at, width) / 2 ** (bits - 1);
}

/** Sample rate of what ffmpeg decodes to be listened to for silence. */
const LISTEN_HZ = 16_000;
/** ffmpeg decodes some hundred times as fast as the sound. */
const FFMPEG_TIMEOUT_MS = 30 * 60_000;

function ffmpegCutter({ path, channels }: RecordingFile, { program = 'ffmpeg', environment }: FfmpegOptions): Cutter {
  const run = (args: readonly string[], fromMs: number, toMs: number, maxOutputBytes: number, call: CallOptions) => {
    const times = ['-ss', String(fromMs / 1000), '-t', String((toMs - fromMs) / 1000)];
    const all = ['-nostdin', '-loglevel', 'error', ...times, '-i', path, '-vn', '-map_metadata', '-1', ...args];
    return runProgram(program, all, { timeoutMs: FFMPEG_TIMEOUT_MS, maxOutputBytes, environment, ...call });
  };
  return {
    bytesPerSecond: 2 * LISTEN_HZ * (channels || 2),
    async quietMoment(fromMs, toMs, call) {
      const most = Math.ceil(((toMs - fromMs) / 1000) * LISTEN_HZ) * 2 + 2 ** 16;
      const pcm = await run(['-ac', '1', '-ar', String(LISTEN_HZ), '-f', 's16le', '-'], fromMs, toMs, most, call);
      return fromMs + quietest(levelsOf(pcm ?? Buffer.alloc(0), LISTEN_HZ)) * FRAME_MS;
    },
    async part(fromMs, toMs, call) {
      const folder = await mkdtemp(join(tmpdir(), 'ibid-sound-'));
      const dispose = async (): Promise<void> => await rm(folder, { recursive: true, force: true });
      try {
        const file = join(folder, partName(path, fromMs, 'flac'));
        await run(['-ar', String(LISTEN_HZ), '-sample_fmt', 's16', '-c:a', 'flac', file], fromMs, toMs, 2 ** 16, call);
        const sound = await wholeSound({ path: file, durationMs: toMs - fromMs, channels });
        return { ...sound, [Symbol.asyncDispose]: dispose };
      } catch (error) {
        await dispose();
        throw error;
      }
    },
  };
}

function partName(path: string, fromMs: number, extension: string): string {
  return `${basename(path, extname(path))}-${Math.round(fromMs / 1000)}.${extension}`;
}
