import type { Command } from 'commander';
import type { QueueFlags, WorkerFlags } from './commands/queue.ts';
import { countFromOne, examples, type Runner } from './options.ts';

export function addQueue(program: Command, runner: Runner): void {
  program
    .command('worker')
    .summary('read, cut and embed files for an ingest of another process or machine')
    .description(
      'Takes files that `ibid ingest --queue` hands out, reads, cuts and embeds them, and writes the parts beside the index, ' +
        'until Ctrl-C. Start as many as you like. Files and index must lie in folders that all machines see. A worker that is ' +
        'killed loses nothing: its files go to others. Scans and pictures are read with the `tesseract` of its machine.',
    )
    .requiredOption('--queue <address>', 'Redis, e.g. redis://127.0.0.1:6379 (npm install bullmq ioredis)')
    .option('--base <folder>', 'where the folder that uris are relative to lies here (default: where the run says)')
    .option('--parts <folder>', 'where the folder `parts` of the index lies here (default: where the run says)')
    .option('--concurrency <n>', 'processors to use (default: all)', countFromOne)
    .option('-q, --quiet', 'no line for each batch')
    .addHelpText(
      'after',
      examples(
        'ibid worker --queue redis://127.0.0.1:6379',
        'ibid worker --queue redis://10.0.0.5:6379 --base /mnt/corpus --parts /mnt/corpus/.ibid/parts',
      ),
    )
    .exitOverride()
    .action((flags: WorkerFlags) =>
      runner(async (signal) => (await import('./commands/queue.ts')).workerCommand(flags, signal)),
    );
  program
    .command('queue')
    .summary('tell what a queue of `ibid ingest --queue` holds')
    .description(
      'Counts workers and batches of files, and lists, with the reason, files with which workers were lost at each try and ' +
        'batches of killed runs that failed.',
    )
    .requiredOption('--queue <address>', 'Redis, e.g. redis://127.0.0.1:6379')
    .option('--clear', 'forget the batches that failed')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples('ibid queue --queue redis://127.0.0.1:6379', 'ibid queue --queue redis://127.0.0.1:6379 --clear'),
    )
    .exitOverride()
    .action((flags: QueueFlags) => runner(async () => (await import('./commands/queue.ts')).queueCommand(flags)));
}
