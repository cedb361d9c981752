import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, dirname, extname, join } from 'node:path';
import {
  type AnswerEvent,
  type Caption,
  checkEncoder,
  espeakSpeaker,
  formatFor,
  IbidError,
  Meter,
  openSoundFile,
  type SoundFormat,
  SoundWriter,
  type Speaker,
  type SpeechUsage,
  soundKindOf,
  speakAnswer,
  webVtt,
} from '../index.ts';
import { usd } from './commands/paid.ts';
import type { Settings } from './config/settings.ts';
import type { CommonFlags } from './context.ts';
import { playerEnvironment, programEnvironment } from './environment.ts';
import { checkReplaceable, replaceFile } from './files.ts';
import { keepStdoutForData, tell } from './say.ts';
import { openServer } from './servers.ts';
import { openClient } from './services.ts';
import { printableLine } from './text.ts';

interface SpeakFlags extends CommonFlags {
  readonly speak?: string;
  readonly play?: boolean;
  readonly voice?: string;
  readonly dryRun?: boolean;
}

export function isSpoken({ speak, play }: Pick<SpeakFlags, 'speak' | 'play'>): boolean {
  return speak !== undefined || play === true;
}

/**
 * @throws IbidError INVALID_ARGUMENT for flags that contradict each other or have no meaning, FILE_UNREADABLE where no
 * captions can be written
 */
export function checkSpeakFlags(flags: SpeakFlags): void {
  const { speak, voice, dryRun, json } = flags;
  if (!isSpoken(flags)) {
    const alone = voice !== undefined ? '--voice' : dryRun ? '--dry-run' : undefined;
    if (alone) throw new IbidError('INVALID_ARGUMENT', `${alone} has no meaning without --speak or --play`);
    return;
  }
  if (speak === '-' && json) throw new IbidError('INVALID_ARGUMENT', '--json and --speak - both want stdout');
  if (speak === undefined || speak === '-') return;
  soundKindOf(speak);
  if (!dryRun) checkReplaceable(captionsBeside(speak));
}

/** A speaker, and what it was opened with. */
interface OpenedSpeaker extends AsyncDisposable {
  readonly speaker: Speaker;
}

/**
 * Who speaks: as configured, else the audio service with a key, else espeak-ng.
 * @throws IbidError INVALID_ARGUMENT, KEY_MISSING, UNSAFE_ADDRESS
 */
export async function openSpeaker(settings: Settings, voice?: string): Promise<OpenedSpeaker> {
  const { server, service, model, ...speech } = settings.config.speech ?? {};
  const voices = voice === undefined ? speech.voices : [voice];
  const { speed, dictionaries, plan, usdPer1000Characters } = speech;
  if (server !== undefined) {
    const opened = await openServer(settings, server);
    const speaker = opened.speaker({ model: model ?? '', voices, speed, usdPer1000Characters }); // the check wants one
    return { speaker, [Symbol.asyncDispose]: () => opened.close() };
  }
  const client = service === 'espeak-ng' ? undefined : await openClient(settings, 'audio');
  if (client instanceof IbidError) throw client;
  if (client) {
    const { openServiceSpeaker } = await import('../wire.ts'); // only now: it brings what speaks HTTP
    try {
      const options = { model, voices, speed, dictionaries, plan, usdPer1000Characters };
      return { speaker: await openServiceSpeaker(client, options), [Symbol.asyncDispose]: () => client.close() };
    } catch (error) {
      await client.close();
      throw error;
    }
  }
  if (service === 'audio') {
    throw new IbidError('KEY_MISSING', 'speaking with the audio service needs its key', {
      hint: 'Set IBID_AUDIO_API_KEY, or `"service": "espeak-ng"` under `speech`.',
    });
  }
  const environment = programEnvironment();
  return { speaker: espeakSpeaker({ voices, speed, environment }), [Symbol.asyncDispose]: async () => {} };
}

/** What takes the sound. */
interface Sink {
  write(part: { readonly audio: Uint8Array; readonly sampleRate: number }): Promise<void>;
  finish(): Promise<void>;
  discard(): Promise<void>;
  /** The listener has heard all. */
  readonly heard?: Promise<unknown>;
}

/** An answer on its way to a file, stdout or a player. Not asked for, its events pass through. */
interface OpenedSpeech extends AsyncDisposable {
  follow(events: AsyncIterable<AnswerEvent>): AsyncIterable<AnswerEvent>;
  /** Says what was spoken, on stderr. @returns the same as JSON; undefined where nothing was, or not all */
  report(): Readonly<Record<string, unknown>> | undefined;
  /** @throws what ended the speech before the answer's end */
  check(): void;
}

/** @throws IbidError PROGRAM_MISSING, KEY_MISSING, INVALID_ARGUMENT, before anything is asked or paid */
export async function openSpeech(flags: SpeakFlags, budget: Meter, signal: AbortSignal): Promise<OpenedSpeech> {
  if (!isSpoken(flags))
    return {
      follow: (events) => events,
      report: () => undefined,
      check: () => {},
      [Symbol.asyncDispose]: async () => {},
    };
  const opened = await openSpeaker(flags.settings, flags.voice);
  const { speaker } = opened;
  const kind = flags.speak === undefined ? 'wav' : flags.speak === '-' ? streamKind(flags) : soundKindOf(flags.speak);
  const format = formatFor(kind, speaker);
  const sinks: Sink[] = [];
  let report: OpenedSpeech['report'] = () => undefined;
  try {
    if (flags.speak === '-') keepStdoutForData();
    if (!flags.dryRun) {
      if (flags.speak === '-') sinks.push(await stdoutSink(kind, format, signal));
      else if (flags.speak !== undefined)
        sinks.push(await openSoundFile(flags.speak, format, { environment: programEnvironment() }, { signal }));
      if (flags.play) sinks.push(await openPlayer(format, signal));
    }
  } catch (error) {
    await Promise.all(sinks.map((sink) => sink.discard()));
    await opened[Symbol.asyncDispose]();
    throw error;
  }
  let isDone = false;
  let broken: { readonly reason: unknown } | undefined;
  async function* follow(events: AsyncIterable<AnswerEvent>): AsyncGenerator<AnswerEvent> {
    const call = flags.dryRun ? { budget: new Meter() } : { budget, format };
    let isAnswered = false;
    try {
      for await (const event of speakAnswer(events, flags.dryRun ? mute(speaker) : into(sinks, speaker), {
        ...call,
        signal,
      })) {
        if (event.type === 'spoken') {
          isDone = true;
          const captions = flags.dryRun ? undefined : writeCaptions(flags.speak, event.captions);
          report = () => tellSpoken(event.usage, flags, captions);
        } else if (event.type !== 'sound') {
          isAnswered ||= event.type === 'done';
          yield event;
        }
      }
    } catch (reason) {
      if (!isAnswered) throw reason;
      broken = { reason }; // the answer is shown first
    }
  }
  return {
    follow,
    report: () => report(),
    check() {
      if (broken) throw broken.reason;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(sinks.map((sink) => (isDone ? sink.heard : sink.discard())));
      await opened[Symbol.asyncDispose]();
    },
  };
}

const streamKind = ({ settings }: SpeakFlags) => settings.config.speech?.format ?? 'wav';

/** Hands on what is said as it is said; what cannot be written is the end of the speech alone. */
function into(sinks: readonly Sink[], speaker: Speaker): Speaker {
  return {
    ...speaker,
    async *speak(turns, options) {
      for await (const part of speaker.speak(turns, options)) {
        if (part.audio.length > 0) await Promise.all(sinks.map((sink) => sink.write(part)));
        yield part;
      }
      for (const sink of sinks) await sink.finish();
    },
  };
}

/** Hears the turns, and says nothing. */
function mute(speaker: Speaker): Speaker {
  return {
    ...speaker,
    async *speak(turns) {
      for await (const _ of turns) yield { audio: new Uint8Array(), sampleRate: 8000, spans: [] };
    },
  };
}

async function stdoutSink(
  kind: ReturnType<typeof soundKindOf>,
  format: SoundFormat,
  signal: AbortSignal,
): Promise<Sink> {
  if (process.stdout.isTTY) {
    throw new IbidError('INVALID_ARGUMENT', 'sound is not written to a terminal', {
      hint: 'Pipe it on, or name a file.',
    });
  }
  const encoder = { environment: programEnvironment() };
  await checkEncoder(kind, format, encoder, { signal });
  const writer = new SoundWriter(process.stdout, kind, format, encoder);
  return { write: (part) => writer.write(part), finish: () => writer.end(), discard: async () => writer.stop() };
}

/** Programs that play what they are piped, best first. */
const players: readonly (readonly [program: string, args: readonly string[]])[] = [
  ['ffplay', ['-nodisp', '-autoexit', '-loglevel', 'error', '-i', 'pipe:0']],
  ['mpv', ['--no-video', '--really-quiet', '-']],
  ['aplay', ['-q', '-']],
];

async function openPlayer(format: SoundFormat, signal: AbortSignal): Promise<Sink> {
  for (const [program, args] of players) {
    if (program === 'aplay' && format !== 'pcm') continue;
    const child = spawn(program, args, { env: playerEnvironment(), stdio: ['pipe', 'ignore', 'ignore'] });
    const ended = once(child, 'close').catch(() => {});
    child.on('error', () => {}); // heard of below, and by the stream
    if (!(await isSpawned(child))) continue;
    const writer = new SoundWriter(child.stdin, format === 'mp3' ? 'mp3' : 'wav', format);
    signal.addEventListener('abort', () => child.kill(), { once: true });
    const playing = async (work: Promise<void>): Promise<void> => {
      await work.catch((error: unknown) => {
        signal.throwIfAborted();
        throw new IbidError('PROGRAM_FAILED', `${program} ended before the sound`, { cause: error });
      });
    };
    return {
      heard: ended,
      write: (part) => playing(writer.write(part)),
      async finish() {
        await playing(writer.end());
        child.stdin.end();
      },
      async discard() {
        child.kill();
        await ended;
      },
    };
  }
  throw new IbidError('PROGRAM_MISSING', 'no player was found: neither ffplay nor mpv nor aplay', {
    hint: 'Install ffmpeg, mpv or alsa-utils, or name a file with --speak.',
  });
}

async function isSpawned(child: ChildProcess): Promise<boolean> {
  return await new Promise((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
}

const captionsBeside = (sound: string): string => join(dirname(sound), `${basename(sound, extname(sound))}.vtt`);

/** Beside a file of sound. @returns its path */
function writeCaptions(sound: string | undefined, captions: readonly Caption[]): string | undefined {
  if (sound === undefined || sound === '-') return undefined;
  const path = captionsBeside(sound);
  replaceFile(path, webVtt(captions));
  return path;
}

function tellSpoken(usage: SpeechUsage, flags: SpeakFlags, captions: string | undefined) {
  const { speaker, characters, seconds, costUsd } = usage;
  const price = costUsd === undefined ? 'price not known' : usd(costUsd);
  const file = flags.speak === '-' ? undefined : flags.speak;
  if (flags.dryRun) tell(`speaking it: ${characters} characters by ${printableLine(speaker)}, ${price}`);
  else {
    const to = file === undefined ? '' : ` in ${printableLine(file)}, captions in ${printableLine(captions!)}`;
    tell(`spoken by ${printableLine(speaker)}: ${characters} characters, ${seconds.toFixed(1)} s, ${price}${to}`);
  }
  return { ...usage, ...(file !== undefined && !flags.dryRun ? { file, captions } : {}) };
}
