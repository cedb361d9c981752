import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { objectOf, textOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { checkReplaceable } from '../core/files.ts';
import { runProgram, usualEnvironment } from '../core/program.ts';
import type { CallOptions } from '../core/types.ts';
import type { SoundFormat, Speaker } from './contract.ts';
import { waveHeader } from './pcm.ts';

/** The kinds of sound files. */
export type SoundKind = 'wav' | 'mp3' | 'ogg' | 'opus';

/** The place of ffmpeg, which encodes sound. */
export interface SoundEncoder {
  /** Name or path of ffmpeg. @default 'ffmpeg' */
  readonly program?: string | undefined;
  /** ffmpeg is looked for on its `PATH`. @default the usual folders of programs */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

const codecs: Readonly<Record<Exclude<SoundKind, 'wav'>, readonly string[]>> = {
  mp3: ['-c:a', 'libmp3lame', '-b:a', '128k', '-write_xing', '0', '-f', 'mp3'],
  ogg: ['-c:a', 'libopus', '-b:a', '48k', '-f', 'ogg'],
  opus: ['-c:a', 'libopus', '-b:a', '48k', '-f', 'ogg'],
};

/** The kind of a file by its extension. @throws IbidError INVALID_ARGUMENT */
export function soundKindOf(path: string): SoundKind {
  const kind = extname(textOf(path, 'the path')).slice(1).toLowerCase();
  if (kind === 'wav' || kind in codecs) return kind as SoundKind;
  throw new IbidError('INVALID_ARGUMENT', `"${basename(path)}" is no kind of sound that is written`, {
    hint: `Its extension must be .wav, .${Object.keys(codecs).join(', .')}.`,
  });
}

/** The format to ask of a speaker: the kind of the file if the speaker has it, else samples, which are encoded here. */
export function formatFor(kind: SoundKind, speaker: Pick<Speaker, 'formats'>): SoundFormat {
  objectOf(speaker, 'the speaker', 'formats');
  return kind === 'mp3' && speaker.formats.includes('mp3') ? 'mp3' : 'pcm';
}

/** @throws IbidError PROGRAM_MISSING where samples must be encoded, and there is no ffmpeg */
export async function checkEncoder(
  kind: SoundKind,
  format: SoundFormat,
  { program = 'ffmpeg', environment }: SoundEncoder = {},
  call: CallOptions = {},
): Promise<void> {
  if (kind === 'wav' || kind === format) return;
  const run = { timeoutMs: 20_000, maxOutputBytes: 2 ** 20, environment, ...call };
  if (await runProgram(program, ['-version'], run)) return;
  throw new IbidError('PROGRAM_MISSING', `${kind} is encoded by ffmpeg, which is not installed`, {
    hint: 'Install it (apt-get install ffmpeg, brew install ffmpeg), or name a .wav file.',
  });
}

/** Writes the sound of a speaker to a stream, encoded where that is needed. The stream stays open. */
export class SoundWriter {
  readonly #out: Writable;
  readonly #kind: SoundKind;
  readonly #format: SoundFormat;
  readonly #encoder: SoundEncoder;
  #child: { readonly process: ChildProcess; readonly done: Promise<void> } | undefined;
  #rate: number | undefined;
  #bytes = 0;
  #error: Error | undefined;

  constructor(out: Writable, kind: SoundKind, format: SoundFormat = 'pcm', encoder: SoundEncoder = {}) {
    this.#out = objectOf(out, 'the stream', 'on', 'write');
    this.#kind = kind;
    this.#format = format;
    this.#encoder = encoder;
    // an encoder whose output nobody takes would take no more input
    const end = (error: Error): void => {
      this.#error ??= error;
      this.stop();
    };
    out.on('error', end);
    out.on('close', () => end(new Error('who takes the sound has left'))); // the input of a program that ended
  }

  /** The header of the WAV file with its length; undefined without sound, and for other kinds. */
  get header(): Buffer | undefined {
    return this.#kind === 'wav' && this.#rate !== undefined ? waveHeader(this.#rate, this.#bytes) : undefined;
  }

  async write({ audio, sampleRate }: { readonly audio: Uint8Array; readonly sampleRate: number }): Promise<void> {
    if (this.#rate === undefined) {
      this.#rate = sampleRate;
      if (this.#kind === 'wav') await this.#put(this.#out, waveHeader(sampleRate, Number.POSITIVE_INFINITY));
      else if (this.#kind !== this.#format) this.#child = this.#encode(sampleRate);
    }
    this.#bytes += audio.length;
    await this.#put(this.#child?.process.stdin ?? this.#out, audio);
  }

  /** Waits until all is in the stream. */
  async end(): Promise<void> {
    this.#child?.process.stdin?.end();
    await this.#child?.done.catch(() => {}); // its failure is the error, unless there was one before
    if (this.#error) throw this.#error;
  }

  /** Ends the encoder at once. */
  stop(): void {
    this.#child?.done.catch(() => {});
    this.#child?.process.kill('SIGKILL');
  }

  async #put(stream: Writable, bytes: Uint8Array): Promise<void> {
    if (this.#error) throw this.#error;
    if (stream.write(bytes)) return;
    // a stream that is closed never drains; of a broken pipe the encoder's end says why
    const done = this.#child?.done;
    await Promise.race([once(stream, 'drain'), once(stream, 'close'), ...(done ? [done] : [])]).catch(async () => {
      this.stop();
      await done?.catch(() => {});
    });
    if (this.#error) throw this.#error;
  }

  #encode(sampleRate: number): { process: ChildProcess; done: Promise<void> } {
    const { program = 'ffmpeg', environment } = this.#encoder;
    const input = ['-f', 's16le', '-ar', String(sampleRate), '-ac', '1', '-i', 'pipe:0'];
    const args = ['-nostdin', '-loglevel', 'error', ...input, ...codecs[this.#kind as keyof typeof codecs], 'pipe:1'];
    const child = spawn(program, args, {
      env: { ...usualEnvironment, ...environment },
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    child.stdin.on('error', () => {}); // its status says why
    child.stdout.pipe(this.#out, { end: false });
    const done = new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (status) =>
        status === 0 ? resolve() : reject(new IbidError('PROGRAM_FAILED', `ffmpeg ended with status ${status}`)),
      );
    });
    done.catch((error: Error) => {
      this.#error ??= error;
    });
    return { process: child, done };
  }
}

/** A file of sound. It has its name when it is whole. */
export interface SoundFile {
  write(part: { readonly audio: Uint8Array; readonly sampleRate: number }): Promise<void>;
  /** Gives the file its name. @throws IbidError, and what `fs` throws */
  finish(): Promise<void>;
  /** Leaves nothing behind. */
  discard(): Promise<void>;
}

/** @throws IbidError INVALID_ARGUMENT, PROGRAM_MISSING; FILE_UNREADABLE when the folder cannot be written to */
export async function openSoundFile(
  path: string,
  format: SoundFormat,
  encoder: SoundEncoder = {},
  call: CallOptions = {},
): Promise<SoundFile> {
  const kind = soundKindOf(path);
  checkReplaceable(path);
  await checkEncoder(kind, format, encoder, call);
  const part = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  const stream = createWriteStream(part);
  await once(stream, 'open').catch((error: Error) => {
    throw new IbidError('FILE_UNREADABLE', `"${path}" cannot be written: ${error.message}`, { cause: error });
  });
  const writer = new SoundWriter(stream, kind, format, encoder);
  const close = async (): Promise<void> => {
    if (stream.closed) return;
    stream.end();
    await once(stream, 'close');
  };
  return {
    write: (sound) => writer.write(sound),
    async finish() {
      await writer.end();
      await close();
      const { header } = writer;
      if (header) {
        await using file = await open(part, 'r+');
        await file.write(header, 0, header.length, 0);
      }
      await rename(part, path);
    },
    async discard() {
      writer.stop();
      await close();
      await rm(part, { force: true });
    },
  };
}
