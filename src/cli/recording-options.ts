import type { Command } from 'commander';
import type { PlayFlags } from './commands/play.ts';
import type { SpeakersFlags } from './commands/speakers.ts';
import { common, countFromOne, examples, nonNegative, type Runner } from './options.ts';

export interface TranscribeFlags {
  readonly transcribe?: boolean;
  readonly hourPrice?: number;
  readonly speech?: string;
  readonly speakers?: number;
  readonly multichannel?: boolean;
  readonly keyterms: boolean;
}

/** The options of `ingest` for recordings. */
export function transcribeOptions(command: Command): Command {
  return command
    .option('--transcribe', 'let the audio service write down recordings that have no transcript beside them (billed)')
    .option('--hour-price <usd>', 'what your plan bills for an hour of sound; a --budget needs it', nonNegative)
    .option('--speech <code>', 'language of the recordings, e.g. en (default: detected)')
    .option('--speakers <n>', 'most speakers of a recording', countFromOne)
    .option('--multichannel', 'each channel is one speaker, and is billed')
    .option('--no-keyterms', 'do not tell the service the names in the index, for a fifth less of its price');
}

/** The commands about recordings that are in the index. */
export function addRecordings(program: Command, runner: Runner): void {
  common(program.command('play'))
    .summary('play what a citation of a recording says')
    .description('With ffplay or mpv, whichever is there.')
    .argument('<citation>', 'as `ask` prints it: talk.mp3#120-188, or talk.mp3#t=843.2,851')
    .option('--out <file>', 'write the clip to a file instead, with ffmpeg; the extension is the format')
    .option('--around <seconds>', 'begin earlier and end later', nonNegative, 0)
    .addHelpText('after', examples('ibid play "talk.mp3#t=843.2,851"', 'ibid play "talk.mp3#120-188" --out clip.mp3'))
    .action((citation: string, flags: PlayFlags) =>
      runner(async (signal) => (await import('./commands/play.ts')).playCommand(citation, flags, signal)),
    );
  common(program.command('speakers'))
    .summary('list the speakers of a recording, and give them names')
    .description('Names are part of the text that is searched. They are kept beside the index.')
    .argument('<recording>', 'as `search` prints it, or a folder of recordings')
    .option(
      '--name <speaker=name>',
      'by number, or by what the transcript calls the speaker; may be given several times; an empty name takes it back',
      (value: string, before: readonly string[]) => [...before, value],
      [],
    )
    .addHelpText(
      'after',
      examples(
        'ibid speakers talk.mp3',
        'ibid speakers talk.mp3 --name 1="Ailsa Munro" --name 2="Henrik Vold"',
        'ibid speakers meetings --name HV="Henrik Vold"',
      ),
    )
    .action((uri: string, flags: SpeakersFlags) =>
      runner(async (signal) => (await import('./commands/speakers.ts')).speakersCommand(uri, flags, signal)),
    );
}
