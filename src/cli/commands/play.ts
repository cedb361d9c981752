import { spawn } from 'node:child_process';
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { describePlace, IbidError, type Passage } from '../../index.ts';
import { citedPassage } from '../cited.ts';
import { type CommonFlags, printJson, withIndex } from '../context.ts';
import { playerEnvironment } from '../environment.ts';
import { exitCodes } from '../exit-codes.ts';
import { checkAppendable, checkReplaceable } from '../files.ts';
import { say, tell } from '../say.ts';
import { printable, printableLine } from '../text.ts';

export interface PlayFlags extends CommonFlags {
  readonly out?: string;
  readonly around: number;
}

/** From and to, in seconds. */
type Clip = readonly [from: number, to: number];

/** Programs that play a part of a recording, best first. */
const players: readonly (readonly [program: string, args: (file: string, clip: Clip) => string[]])[] = [
  [
    'ffplay',
    (file, [from, to]) => ['-nodisp', '-autoexit', '-loglevel', 'error', '-ss', `${from}`, '-t', `${to - from}`, file],
  ],
  ['mpv', (file, [from, to]) => ['--no-video', '--really-quiet', `--start=${from}`, `--end=${to}`, '--', file]],
];

/** Plays a cited span of a recording, or writes it to a file. */
export async function playCommand(citation: string, flags: PlayFlags, signal: AbortSignal): Promise<number> {
  return await withIndex(flags, signal, async (index) => {
    const passage = await citedPassage(index, citation, signal);
    const file = resolve(index.base, passage.uri);
    const clip = clipOf(passage, flags.around);
    if (!existsSync(file)) throw new IbidError('FILE_UNREADABLE', `"${passage.uri}" is not there`);
    if (flags.out !== undefined) checkClip(flags.out, file);
    if (passage.source !== 'same') tell(`the file ${passage.source}: other words may be heard`);
    if (!flags.json) {
      say(`${printableLine(passage.title)}, ${printableLine(describePlace(passage.place))}`);
      say(`“${printable(passage.quote)}”`);
    }
    if (flags.out !== undefined) await cut(file, clip, flags.out, signal);
    else await play(file, clip, signal);
    if (flags.json) printJson({ file, from: clip[0], to: clip[1], media: passage.media, quote: passage.quote });
    return exitCodes.done;
  });
}

function clipOf({ uri, media, place }: Passage, around: number): Clip {
  if (media !== undefined && place.timeMs) {
    const [from, to] = place.timeMs;
    return [Math.max(0, from / 1000 - around), to / 1000 + around];
  }
  throw new IbidError('INVALID_ARGUMENT', `"${uri}" is no recording with times`, {
    hint: '`ibid show` shows it.',
  });
}

/** @throws IbidError FILE_UNREADABLE, INVALID_ARGUMENT for what cannot be written or replaced, the recording itself above all */
function checkClip(out: string, recording: string): void {
  checkReplaceable(out);
  checkAppendable(out);
  if (extname(out) === '')
    throw new IbidError('INVALID_ARGUMENT', `the extension of "${out}" is to say the format, and it has none`, {
      hint: 'Name it like clip.mp3 or clip.wav.',
    });
  const [there, own] = [statSync(out, { throwIfNoEntry: false }), statSync(recording)];
  if (there?.ino !== own.ino || there.dev !== own.dev) return;
  throw new IbidError('INVALID_ARGUMENT', `"${out}" is the recording itself`, { hint: 'Name another file.' });
}

/** The clip has its name when it is whole. */
async function cut(file: string, [from, to]: Clip, out: string, signal: AbortSignal): Promise<void> {
  const extension = extname(out); // by it ffmpeg knows the kind
  const beside = join(dirname(resolve(out)), `.${basename(out, extension)}.${process.pid}.part${extension}`);
  const args = [
    '-nostdin',
    '-y',
    '-loglevel',
    'error',
    '-ss',
    `${from}`,
    '-t',
    `${to - from}`,
    '-i',
    file,
    '-vn',
    beside,
  ];
  try {
    if (await run('ffmpeg', args, signal)) return renameSync(beside, out);
  } finally {
    rmSync(beside, { force: true });
  }
  throw new IbidError('PROGRAM_MISSING', 'a clip is cut by ffmpeg, which is not there', {
    hint: 'Install it: apt-get install ffmpeg, brew install ffmpeg.',
  });
}

async function play(file: string, clip: Clip, signal: AbortSignal): Promise<void> {
  for (const [program, args] of players) if (await run(program, args(file, clip), signal)) return;
  throw new IbidError('PROGRAM_MISSING', 'no player was found: neither ffplay nor mpv', {
    hint: 'Install ffmpeg or mpv, or open the file in a player at the time above.',
  });
}

/** Runs a program to its end, with its messages on stderr. @returns false when there is no such program */
async function run(program: string, args: readonly string[], signal: AbortSignal): Promise<boolean> {
  return await new Promise((done, failed) => {
    const child = spawn(program, args, {
      env: playerEnvironment(),
      stdio: ['ignore', 'ignore', 'inherit'],
      signal,
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') done(false);
      else failed(signal.aborted ? signal.reason : error);
    });
    child.once('close', (status) => {
      if (status === 0) done(true);
      else failed(new IbidError('PROGRAM_FAILED', `${program} ended with status ${status}`));
    });
  });
}
