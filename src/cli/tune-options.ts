import type { Command } from 'commander';
import type { GateFlags } from './commands/gate.ts';
import type { TuneFlags } from './commands/tune.ts';
import { common, examples, positive, type Runner, reading } from './options.ts';

export function addTune(program: Command, runner: Runner): void {
  common(program.command('tune'))
    .summary('find the settings that serve your own folder best')
    .description(
      'Makes questions from the folder (headings taken out of it, sentences cut down to keywords), or takes your own, ' +
        'tries weights, candidate counts and chunk sizes in temporary indexes, and writes what wins to settings.json in ' +
        'the index. What does not win beyond noise on the questions held out is not chosen: the defaults are kept.',
    )
    .argument('[paths...]', 'folders and files, as for ingest')
    .option('--questions <file>', 'your own: JSON lines of {"question", "uri"?, "text"?, "span"?}')
    .option('--minutes <n>', 'what has not begun by then is left out', positive, 10)
    .option('--apply', 'rebuild the index where another chunk size wins')
    .option('--dry-run', 'show the table, write nothing')
    .option('--plot <file>', 'where the plot goes (default: tune.svg in the index)')
    .addHelpText(
      'after',
      `${examples(
        'ibid tune ./docs',
        'ibid tune ./docs --minutes 3 --dry-run',
        'ibid tune ./docs --questions questions.jsonl --apply',
      )}\nExit status: 0 done, 2 usage or too few questions, 130 interrupted; then nothing is written.`,
    )
    .action((paths: string[], flags: TuneFlags) =>
      runner(async (signal) => (await import('./commands/tune.ts')).tuneCommand(paths, flags, signal)),
    );
  reading(program.command('gate'))
    .summary('fail when the index finds less than it did')
    .description(
      'Asks judged questions, measures recall@10 and nDCG@10 and holds them against a saved baseline: a loss beyond noise, ' +
        'after a change of settings, version, embedder or documents, fails. The questions are made from the index when the ' +
        'baseline is saved, unless you give your own.',
    )
    .option('--save', 'save what is reached now as the baseline')
    .option('--questions <file>', 'your own: JSON lines of {"question", "uri"?, "text"?, "span"?}')
    .option('--baseline <file>', 'the baseline (default: gate.json in the index)')
    .addHelpText(
      'after',
      `${examples(
        'ibid gate --save',
        'ibid gate',
        'ibid gate --questions questions.jsonl --baseline ci/gate.json --json',
      )}\nExit status: 0 nothing lost beyond noise, 1 recall or nDCG lost, 2 not measured: usage, no baseline, no index, 130 interrupted.`,
    )
    .action((flags: GateFlags) =>
      runner(async (signal) => (await import('./commands/gate.ts')).gateCommand(flags, signal)),
    );
}
