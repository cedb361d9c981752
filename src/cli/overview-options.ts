import { type Command, InvalidArgumentError } from 'commander';
import type { OverviewFlags } from './commands/overview.ts';
import { examples, nonNegative, positive, type Runner, reading } from './options.ts';

const extensions = ['.mp3', '.wav'] as const;

/** A file of sound that can be made. */
function soundFile(value: string): string {
  if (extensions.some((extension) => value.toLowerCase().endsWith(extension))) return value;
  throw new InvalidArgumentError(`The file ends in ${extensions.join(' or ')}.`);
}

/** `A` and `B`, or one for both. */
function voiceNames(value: string): readonly string[] {
  const names = value.split(',').map((name) => name.trim());
  if (names.length <= 2 && names.every((name) => name !== '')) return names;
  throw new InvalidArgumentError('Name two voices, with a comma between them.');
}

export function addOverview(program: Command, runner: Runner): void {
  reading(program.command('overview'))
    .summary('a conversation of two voices about what the documents say')
    .description(
      'Tells what the documents are about, or what they say of a question, in turns of two voices. Each sentence cites the ' +
        'passage that says so, and the citation is proven; what cannot be proven is left out. With --out it is spoken: the ' +
        'sound, captions (.vtt), and a page (.html) with player, script and sources, which marks what is being said.\n' +
        'With IBID_MESSAGES_API_KEY a model writes; without a key the sentences of the documents are read in turns.',
    )
    .argument('[question or path...]', 'a question, or files and folders of the index (default: all documents)')
    .option('--out <file>', 'speak it into this .mp3 (needs ffmpeg) or .wav file', soundFile)
    .option('--script <file>', 'write the script as Markdown to this file (- is standard output), and stop')
    .option('--from-script <file>', 'speak this script, edited or not; its citations are proven again')
    .option('--minutes <n>', 'about how long it is, from 0.5 to 60', positive, 3)
    .option('--voices <a,b>', 'names of two voices of the speaker', voiceNames)
    .option('--extractive', 'no model: sentences of the documents alone')
    .option('--model <name>', 'of the messages service, in place of the one that is configured')
    .option('--where <sql>', 'only documents for which this SQL condition holds')
    .option('--dry-run', 'say what it is about and what it would cost; ask no model, say nothing')
    .option('--budget <usd>', 'stop before it costs more, in US dollars', nonNegative)
    .option('-q, --quiet', 'no progress')
    .addHelpText(
      'after',
      `${examples(
        'ibid overview --out overview.mp3',
        'ibid overview handbook reports --minutes 5 --out overview.wav',
        'ibid overview "How are the turbines maintained?" --out turbines.mp3 --budget 0.50',
        'ibid overview --script script.md',
        'ibid overview --from-script script.md --out overview.mp3',
        'ibid overview --dry-run --json',
      )}
Without --out and --script the script is printed. A word that is a path of the index is a path.
Exit status: 0 done, 1 failed, 2 usage or a script with unproven lines, 3 the documents say nothing of it, 130 interrupted;
then no file is written.`,
    )
    .action((words: string[], flags: OverviewFlags) =>
      runner(async (signal) => (await import('./commands/overview.ts')).overviewCommand(words, flags, signal)),
    );
}
