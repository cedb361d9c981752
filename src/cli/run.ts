import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { AskFlags } from './commands/ask.ts';
import type { EvalFlags } from './commands/eval.ts';
import type { ExportFlags } from './commands/export.ts';
import type { IngestFlags } from './commands/ingest.ts';
import type { RemoveFlags } from './commands/remove.ts';
import type { SearchFlags } from './commands/search.ts';
import type { CommonFlags } from './context.ts';
import { exitCodes, reportError } from './errors.ts';
import { version } from './version.ts';

/**
 * Runs one command line. Commands are imported when they are called, so that `--help` loads no native module.
 * @param argv arguments after the program's name
 * @returns the exit status
 */
export async function run(argv: readonly string[]): Promise<number> {
  const abort = new AbortController();
  let status: number = exitCodes.done;
  const onSignal = (): void => {
    if (abort.signal.aborted) process.exit(exitCodes.interrupted); // the second Ctrl-C does not wait
    abort.abort(new Error('interrupted'));
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  const program = buildProgram(async (command) => {
    status = await command(abort.signal);
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    return reportError(error, abort.signal);
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}

type Runner = (command: (signal: AbortSignal) => Promise<number>) => Promise<void>;

function buildProgram(runner: Runner): Command {
  const program = new Command('ibid')
    .description(
      'Folders of documents become a search index; questions become answers with citations that can be checked.',
    )
    .exitOverride()
    .showHelpAfterError('(add --help for usage and examples)')
    .configureHelp({ showGlobalOptions: true })
    .version(version(), '-v, --version', 'print the version')
    .addHelpText(
      'after',
      examples('ibid ingest ./docs', 'ibid search "how do I rotate the logs"', 'ibid ask "Who signed the lease?"'),
    );
  addIngest(program, runner);
  addSearch(program, runner);
  addAsk(program, runner);
  addUpkeep(program, runner);
  addEval(program, runner);
  return program;
}

function addIngest(program: Command, runner: Runner): void {
  common(program.command('ingest'))
    .summary('bring the index in line with folders and files')
    .description(
      'Reads new and changed files, forgets deleted ones, follows renames, skips what is unchanged.\n' +
        'Honours .gitignore and .ibidignore. Hidden files, node_modules and symbolic links are left out.',
    )
    .argument('<paths...>', 'folders and files')
    .addOption(new Option('--embedder <name>', 'how chunks become vectors').choices(['local']).default('local'))
    .option('--pipeline <file>', 'run a pipeline module instead of reading plain folders (README: Pipelines)')
    .option('--dry-run', 'read and count, write nothing')
    .option('--rebuild', 'build everything anew behind the old index, then switch')
    .option('--force', 'allow removing more than half of the documents in scope')
    .option('--verify', 'compare the content of every file, not only size and time')
    .option('--hidden', 'also take hidden files and folders')
    .option('--max-file-mb <n>', 'refuse larger files', positive, 256)
    .option('--timeout <seconds>', 'time one file may take to read', positive, 60)
    .option('--wait <seconds>', 'wait for another run on the same index to end', nonNegative, 0)
    .option('-q, --quiet', 'no progress')
    .addHelpText(
      'after',
      `${examples(
        'ibid ingest ./docs ./mail',
        'ibid ingest ./docs --dry-run',
        'ibid ingest ./exports --pipeline ./my-pipeline.ts',
      )}\nExit status: 0 done, 2 usage, 3 finished but some files failed, 130 interrupted.`,
    )
    .action((paths: string[], flags: IngestFlags) =>
      runner(async (signal) => (await import('./commands/ingest.ts')).ingestCommand(paths, flags, signal)),
    );
}

function addSearch(program: Command, runner: Runner): void {
  common(program.command('search'))
    .summary('find passages')
    .description('Hybrid search: words, vectors and document structure in one ranking. Scores run from 0 to 1.')
    .argument('<query>', 'words, a question, an identifier or a "quoted phrase"')
    .option('-n, --limit <n>', 'how many hits', countFromOne, 10)
    .option('--where <sql>', 'only chunks for which this SQL condition holds, e.g. "format = \'pdf\'"')
    .addOption(
      new Option('--mode <mode>', 'which lists to trust').choices(['hybrid', 'lexical', 'dense']).default('hybrid'),
    )
    .option('--neighbours <n>', 'also show this many chunks before and after each hit', count, 0)
    .option('--explain', 'show what each part of the score contributed')
    .addHelpText(
      'after',
      examples(
        'ibid search ERR_MODULE_NOT_FOUND',
        'ibid search "audit fees" --where "uri like \'%2019%\'"',
        'ibid search "heat flux" --limit 3 --explain --json',
      ),
    )
    .action((query: string, flags: SearchFlags) =>
      runner(async (signal) => (await import('./commands/search.ts')).searchCommand(query, flags, signal)),
    );
}

function addAsk(program: Command, runner: Runner): void {
  common(program.command('ask'))
    .summary('answer a question with citations, or say that the documents do not know')
    .description(
      'Picks the sentences that answer and cites each by its exact place. Refuses when the support is too weak.',
    )
    .argument('<question>', 'a question in plain words')
    .option('--where <sql>', 'only chunks for which this SQL condition holds')
    .option('--sentences <n>', 'sentences cited at most', countFromOne, 3)
    .addHelpText(
      'after',
      examples('ibid ask "When does the lease end?"', 'ibid ask "What were the audit fees?" --json'),
    )
    .action((question: string, flags: AskFlags) =>
      runner(async (signal) => (await import('./commands/ask.ts')).askCommand(question, flags, signal)),
    );
  common(program.command('show'))
    .summary('show a cited passage in its context and check it against the file')
    .argument('<citation>', 'as `ask` and `search` print it: uri#start-end')
    .addHelpText('after', examples('ibid show "docs/lease.md#120-188"'))
    .action((citation: string, flags: CommonFlags) =>
      runner(async (signal) => (await import('./commands/show.ts')).showCommand(citation, flags, signal)),
    );
}

function addUpkeep(program: Command, runner: Runner): void {
  common(program.command('status'))
    .summary('what is in the index, and what could not be read')
    .addHelpText('after', examples('ibid status', 'ibid status --json'))
    .action((flags: CommonFlags) =>
      runner(async (signal) => (await import('./commands/status.ts')).statusCommand(flags, signal)),
    );
  common(program.command('doctor'))
    .summary('check this machine and the index for anything that contradicts itself')
    .addHelpText('after', examples('ibid doctor'))
    .action((flags: CommonFlags) =>
      runner(async (signal) => (await import('./commands/doctor.ts')).doctorCommand(flags, signal)),
    );
  common(program.command('remove'))
    .summary('forget documents; the files stay')
    .argument('<paths...>', 'files or folders, as paths or as uris of the index')
    .option('--force', 'allow removing more than half of the index')
    .addHelpText('after', examples('ibid remove docs/old', 'ibid remove docs/draft.md'))
    .action((paths: string[], flags: RemoveFlags) =>
      runner(async (signal) => (await import('./commands/remove.ts')).removeCommand(paths, flags, signal)),
    );
  common(program.command('export'))
    .summary('write every chunk as a line of JSON, in document and position order')
    .option('--vectors', 'with the int8 vectors')
    .addHelpText('after', examples('ibid export > chunks.jsonl', 'ibid export --vectors | gzip > chunks.jsonl.gz'))
    .action((flags: ExportFlags) =>
      runner(async (signal) => (await import('./commands/export.ts')).exportCommand(flags, signal)),
    );
}

function addEval(program: Command, runner: Runner): void {
  common(program.command('eval'))
    .summary('measure retrieval on a folder in BEIR layout')
    .description(
      'Indexes corpus.jsonl in a temporary folder (or --index), asks every judged query and prints the metrics.\n' +
        'Plain or gzipped files; judgements in qrels/<split>.tsv.',
    )
    .argument('<folder>', 'a folder with corpus.jsonl, queries.jsonl and qrels/')
    .option('--split <name>', 'which judgements', 'test')
    .addOption(
      new Option('--mode <mode>', 'which lists to trust').choices(['hybrid', 'lexical', 'dense']).default('hybrid'),
    )
    .addHelpText(
      'after',
      examples('ibid eval ../shared/data/scifact', 'ibid eval ./my-collection --mode lexical --json'),
    )
    .action((folder: string, flags: EvalFlags) =>
      runner(async (signal) => (await import('./commands/eval.ts')).evalCommand(folder, flags, signal)),
    );
}

function common(command: Command): Command {
  return command
    .option('--index <address>', 'index folder or LanceDB address (default: .ibid here or in a parent folder)')
    .option('--json', 'print one JSON value on stdout')
    .exitOverride();
}

function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

function wholeNumber(value: string, least: number): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < least) {
    throw new InvalidArgumentError(`must be a whole number, at least ${least}.`);
  }
  return number;
}

function count(value: string): number {
  return wholeNumber(value, 0);
}

function countFromOne(value: string): number {
  return wholeNumber(value, 1);
}

function nonNegative(value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !(number >= 0)) throw new InvalidArgumentError('must be a number, at least 0.');
  return number;
}

function positive(value: string): number {
  const number = nonNegative(value);
  if (number === 0) throw new InvalidArgumentError('must be more than 0.');
  return number;
}
