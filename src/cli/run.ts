import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { addAskingCommands } from './ask-options.ts';
import type { DoctorFlags } from './commands/doctor.ts';
import type { EvalFlags } from './commands/eval.ts';
import type { ExportFlags } from './commands/export.ts';
import type { IngestFlags } from './commands/ingest.ts';
import type { ReembedFlags } from './commands/reembed.ts';
import type { RemoveFlags } from './commands/remove.ts';
import type { SearchFlags } from './commands/search.ts';
import type { StatusFlags } from './commands/status.ts';
import { completionScript, shells } from './completion.ts';
import { addConfig } from './config-commands.ts';
import type { CommonFlags } from './context.ts';
import { exitCodes, noteValue, printErrorJson } from './exit-codes.ts';
import { keysHelp } from './keys.ts';
import {
  addWebOptions,
  common,
  count,
  countFromOne,
  examples,
  nonNegative,
  positive,
  type Runner,
  reading,
} from './options.ts';
import { addOverview } from './overview-options.ts';
import { addQueue } from './queue-options.ts';
import { addRecordings, transcribeOptions } from './recording-options.ts';
import { tell } from './say.ts';
import { addMcp, addServe, addToken, addWatch } from './serve-options.ts';
import { addTune } from './tune-options.ts';
import { version } from './version.ts';

/**
 * Runs one command line. Commands are imported when they are called, so that `--help` loads no native module.
 * @param argv arguments after the program's name
 * @returns the exit status
 */
export async function run(argv: readonly string[]): Promise<number> {
  const abort = new AbortController();
  const end = argv.indexOf('--');
  const json = argv.slice(0, end < 0 ? argv.length : end).includes('--json');
  noteValue(false);
  let status: number = exitCodes.done;
  const onSignal = (name: NodeJS.Signals): void => {
    if (abort.signal.aborted) {
      // The second Ctrl-C does not wait. An exit of Node would stop threads, and crash where the database works in them.
      process.off(name, onSignal);
      process.kill(process.pid, name);
    }
    abort.abort(new Error('interrupted'));
    setTimeout(
      () => tell('note: what is under way cannot be interrupted at once; Ctrl-C again does not wait'),
      5000,
    ).unref();
  };
  for (const name of endings) process.on(name, onSignal);
  const program = buildProgram(async (command) => {
    status = await command(abort.signal);
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return status;
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      const { reportError } = await import('./errors.ts'); // not loaded for `--help`
      const told = reportError(error, abort.signal, json, resuming.has(argv[0] ?? '') || argv.includes('--batch'));
      // 1 of the gate says that something was lost, also to a program that reads nothing else; one that is saved loses nothing
      const isCompared = argv[0] === 'gate' && !argv.includes('--save');
      return isCompared && told === exitCodes.unexpected ? exitCodes.usage : told;
    }
    if (error.exitCode === 0) return exitCodes.done;
    const isQuestion = error.code === 'commander.unknownOption' && asking.has(argv[0] ?? '');
    const hint = isQuestion
      ? `A text that begins with a dash comes last, behind \`--\`: ibid ${argv[0]} -- "-…"`
      : undefined;
    if (hint) tell(`hint: ${hint}`);
    if (json) printErrorJson({ code: 'INVALID_ARGUMENT', message: error.message.replace(/^error: /, ''), hint });
    return exitCodes.usage;
  } finally {
    for (const name of endings) process.off(name, onSignal);
  }
}

/** Each ends a command in order, so that nothing temporary stays; `SIGHUP` comes when a terminal is closed. */
const endings: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Commands that keep the work they have done when they are interrupted. */
const resuming: ReadonlySet<string> = new Set(['ingest', 'reembed']);

/** Commands with a text of the user's own, which may look like an option. */
const asking: ReadonlySet<string> = new Set(['search', 'ask', 'research', 'answer']);

/** `local`, and the models of the search service's reference. */
const embedders = ['local', 'embed-context-v1-0.6b', 'embed-context-v1-4b', 'embed-v1-0.6b', 'embed-v1-4b'] as const;

/** A name of the list, or `server/model` of the configuration. */
function embedderName(value: string): string {
  if (value.includes('/') || (embedders as readonly string[]).includes(value)) return value;
  throw new InvalidArgumentError(`Allowed are ${embedders.join(', ')}, and server/model of the configuration.`);
}

const paidNotes = `
Paid embedders need IBID_SEARCH_API_KEY and IBID_SEARCH_BASE_URL. embed-context models see a chunk's document, embed-v1
models only the chunk. Every answered request is kept at once, so that nothing is paid for twice, whatever stops the run.
After an edit a document is embedded again as a whole (beyond the model's 32K tokens: the windows around the edit).
A chunk longer than that is embedded by its beginning. Time is tokens / (tokens per minute of the last run); before
there was one, 4 s per round of 4 requests.`;

export function buildProgram(runner: Runner): Command {
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
      `${examples('ibid ingest ./docs', 'ibid search "how do I rotate the logs"', 'ibid ask "Who signed the lease?"')}\n${keysHelp()}`,
    );
  addIngest(program, runner);
  addReembed(program, runner);
  addSearch(program, runner);
  addAskingCommands(program, runner);
  addShow(program, runner);
  addOverview(program, runner);
  addRecordings(program, runner);
  addWatch(program, runner);
  addQueue(program, runner);
  addServe(program, runner);
  addMcp(program, runner);
  addToken(program, runner);
  addUpkeep(program, runner);
  addConfig(program, runner);
  addEval(program, runner);
  addTune(program, runner);
  addCompletion(program);
  for (const command of program.commands) refuseRepeated(command);
  return program;
}

function addIngest(program: Command, runner: Runner): void {
  transcribeOptions(common(program.command('ingest')))
    .summary('bring the index in line with folders and files')
    .description(
      'Reads new and changed files, forgets deleted ones, follows renames, skips what is unchanged.\n' +
        'Honours .gitignore and .ibidignore. Hidden files, node_modules and symbolic links are left out.',
    )
    .argument('[paths...]', 'folders and files (default: those of the configuration)')
    .addOption(
      new Option(
        '--embedder <name>',
        'how chunks become vectors: one of these, or server/model (default: as configured, else as the index has)',
      )
        .choices([...embedders])
        .argParser(embedderName),
    )
    .option('--dimensions <n>', 'of a paid embedder: from 128 to its own, in steps of 8', countFromOne)
    .option('--pipeline <file>', 'run a pipeline module instead of reading plain folders (README: The library)')
    .option('--dry-run', 'read and count, write nothing; with a paid embedder also requests, price and time')
    .option(
      '--budget <usd>',
      'stop before paid calls of this run cost more, in US dollars; what is paid for is kept (local costs nothing)',
      nonNegative,
    )
    .option('--shards <n>', 'spread a new index over n indexes that rank as one', countFromOne)
    .option('--rebuild', 'build everything anew behind the old index, then switch; documents of other folders stay')
    .option('--force', 'allow removing more than half of the documents in scope')
    .option('--verify', 'compare the content of every file, not only size and time')
    .option('--hidden', 'also take hidden files and folders')
    .option('--max-file-mb <n>', 'refuse larger files', positive, 256)
    .option('--timeout <seconds>', 'time one file may take to read; with OCR, one page', positive, 60)
    .option(
      '--ocr-languages <names>',
      'of scans and pictures, e.g. deu+eng (default: found from the text, among those tesseract has)',
    )
    .option('--no-ocr', 'leave scans and pictures waiting')
    .option('--workers <n>', 'processors to use, 1 to 8; the index is the same (default: all)', countFromOne)
    .option(
      '--queue <address>',
      'let `ibid worker` read, cut and embed, e.g. redis://127.0.0.1:6379; this run trains and writes',
    )
    .option('--wait <seconds>', 'wait for another run on the same index to end', nonNegative, 0)
    .option('-q, --quiet', 'no progress')
    .addHelpText(
      'after',
      `${examples(
        'ibid ingest ./docs ./mail',
        'ibid ingest ./meetings --transcribe --dry-run',
        'ibid ingest ./docs --dry-run',
        'ibid ingest ./docs --embedder embed-context-v1-0.6b --dry-run',
        'ibid ingest ./docs --embedder embed-context-v1-4b --dimensions 1024 --budget 2.50',
        'ibid ingest ./exports --pipeline ./my-pipeline.ts',
      )}\n${paidNotes}\nExit status: 0 done, 2 usage, 3 finished but some files failed or none was found, 130 interrupted.`,
    )
    .action((paths: string[], flags: IngestFlags) =>
      runner(async (signal) => (await import('./commands/ingest.ts')).ingestCommand(paths, flags, signal)),
    );
}

function addReembed(program: Command, runner: Runner): void {
  common(program.command('reembed'))
    .summary('give the index vectors of another embedder, if it ranks as well')
    .description(
      'Builds the new vectors beside the old ones, asks both the same queries, prints recall@10, nDCG@10, the overlap of ' +
        'the two rankings and the price, then switches in one step. Where the new ranking is significantly worse (nDCG@10, ' +
        'paired randomisation test, p < 0.05), the old vectors stay. Searches go on with the old ones until the switch.',
    )
    .addOption(
      new Option('--to <name>', 'the new embedder: one of these, or server/model (default: as configured)')
        .choices([...embedders])
        .argParser(embedderName),
    )
    .option('--dimensions <n>', 'of a paid embedder: from 128 to its own, in steps of 8', countFromOne)
    .option(
      '--queries <file>',
      'your own queries: .txt, one a line, or .jsonl, {"text": …, "relevant": ["uri" or "uri#start-end", …]}',
    )
    .option('--sample <n>', 'queries made from the documents where no query of yours is judged', count, 200)
    .option('--dry-run', 'count documents, chunks, tokens and requests; print price and time; change nothing')
    .option('--budget <usd>', 'stop before paid calls of this run cost more, in US dollars', nonNegative)
    .addOption(new Option('--keep', 'compare only: the old vectors stay').conflicts('yes'))
    .option('-y, --yes', 'switch even where the new ranking is worse')
    .option('--wait <seconds>', 'wait for another run on the same index to end', nonNegative, 0)
    .option('-q, --quiet', 'no progress')
    .addHelpText(
      'after',
      `${examples(
        'ibid reembed --to embed-context-v1-0.6b --dry-run',
        'ibid reembed --to embed-context-v1-4b --dimensions 1024 --queries ./queries.jsonl --budget 5',
        'ibid reembed --to embed-v1-0.6b --keep --json',
        'ibid reembed --to local',
      )}\n${paidNotes}
Queries that say nothing of what is relevant show the overlap alone; then, and without a file, queries made from the
documents judge: five rare words of a sentence, whose chunk is to be found. They know no paraphrase and are kind to words.
Stopped or killed, the index is as it was. Vectors of the old model stay cached: going back costs nothing.
Exit status: 0 switched or kept as asked, 1 the new ranking is worse and the old vectors stay, 2 usage, 130 interrupted.`,
    )
    .action((flags: ReembedFlags) =>
      runner(async (signal) => (await import('./commands/reembed.ts')).reembedCommand(flags, signal)),
    );
}

function addSearch(program: Command, runner: Runner): void {
  const search = reading(program.command('search'))
    .summary('find passages')
    .description('Hybrid search: words, vectors and document structure in one ranking. Scores run from 0 to 1.')
    .argument('[query]', 'words, a question, an identifier or a "quoted phrase"; without it, standard input')
    .option('-n, --limit <n>', 'how many hits', countFromOne, 10)
    .option('--where <sql>', 'only chunks for which this SQL condition holds, e.g. "format = \'pdf\'"')
    .addOption(
      new Option('--mode <mode>', 'which lists to trust').choices(['hybrid', 'lexical', 'dense']).default('hybrid'),
    )
    .option('--neighbours <n>', 'also show this many chunks before and after each hit', count, 0)
    .option('--explain', 'show what each part of the score contributed')
    .option('--rerank', 'let a model score the first hits, for about half a cent (needs IBID_MESSAGES_API_KEY)')
    .option('--rerank-model <name>', '--rerank with this model of the messages service')
    .option('--budget <usd>', 'what query, web and reranker may cost, in US dollars', nonNegative)
    .option('--verbose', 'say on stderr how the search went: lists, warnings, time, price');
  addWebOptions(search)
    .addHelpText(
      'after',
      examples(
        'ibid search ERR_MODULE_NOT_FOUND',
        'ibid search "audit fees" --where "uri like \'%2019%\'"',
        'ibid search "heat flux" --limit 3 --explain --json',
        'ibid search "latest release notes" --web --web-domain example.org --web-recency month',
      ),
    )
    .action((query: string | undefined, flags: SearchFlags) =>
      runner(async (signal) => (await import('./commands/search.ts')).searchCommand(query, flags, signal)),
    );
}

function addShow(program: Command, runner: Runner): void {
  reading(program.command('show'))
    .summary('show a cited passage in its context and check it against the file')
    .argument(
      '<citation>',
      'as `ask` and `search` print it: uri#start-end, or address#start-end@snapshot; a path does too',
    )
    .addHelpText('after', examples('ibid show "docs/lease.md#120-188"'))
    .action((citation: string, flags: CommonFlags) =>
      runner(async (signal) => (await import('./commands/show.ts')).showCommand(citation, flags, signal)),
    );
}

function addUpkeep(program: Command, runner: Runner): void {
  reading(program.command('status'))
    .summary('what is in the index, and what could not be read')
    .option('--documents', 'list the documents instead, each with its format and its number of chunks')
    .addHelpText('after', examples('ibid status', 'ibid status --json', 'ibid status --documents | grep lease'))
    .action((flags: StatusFlags) =>
      runner(async (signal) => (await import('./commands/status.ts')).statusCommand(flags, signal)),
    );
  common(program.command('doctor'))
    .summary('check this machine and the index for anything that contradicts itself')
    .description(
      'Checks versions, keys and the programs for scans and recordings, compares every file of the index with its checksum, the data of the index with itself, and the files it was made from with what was read of them.',
    )
    .option('--online', 'ask each service that there is a key for, with one free request')
    .option('--repair', 'read the documents of damaged files of the index again')
    .option('--budget <usd>', 'what a repair may cost, where a service makes the vectors', nonNegative)
    .addHelpText('after', examples('ibid doctor', 'ibid doctor --online', 'ibid doctor --repair'))
    .action((flags: DoctorFlags) =>
      runner(async (signal) => (await import('./commands/doctor.ts')).doctorCommand(flags, signal)),
    );
  common(program.command('remove'))
    .summary('forget documents; the files stay')
    .description(
      'Forgets documents. The files stay: while a file is there, the next ingest of its folder takes it in again. `.ibidignore` keeps it out.',
    )
    .argument('[paths...]', 'files or folders: a path, or a uri of the index where nothing has that path')
    .option('--force', 'allow removing more than half of the index')
    .option('--web-before <date>', 'forget pages of the web read before then; their citations can no longer be checked')
    .addHelpText(
      'after',
      examples('ibid remove docs/old', 'ibid remove docs/draft.md', 'ibid remove --web-before 2026-01-01'),
    )
    .action((paths: string[], flags: RemoveFlags) =>
      runner(async (signal) => (await import('./commands/remove.ts')).removeCommand(paths, flags, signal)),
    );
  reading(program.command('export'))
    .summary('write every chunk as a line of JSON or a row of Parquet, in document and position order')
    .option('--vectors', 'with the int8 vectors')
    .option('--metadata', "with each document's format and metadata")
    .addOption(
      new Option('--format <format>', 'what is written to standard output (default: jsonl)').choices([
        'jsonl',
        'parquet',
      ]),
    )
    .option('--parquet <file>', 'write this Parquet file instead; vectors are floats of length 1, or null')
    .option('--partial', 'leave out shards that cannot be read, and name them (exit status 3)')
    .addHelpText(
      'after',
      examples(
        'ibid export > chunks.jsonl',
        'ibid export --vectors --parquet chunks.parquet',
        'ibid export --vectors --format parquet > chunks.parquet',
        'ibid export --metadata > chunks.jsonl',
        'ibid export --vectors | gzip > chunks.jsonl.gz',
      ),
    )
    .action((flags: ExportFlags) =>
      runner(async (signal) => (await import('./commands/export.ts')).exportCommand(flags, signal)),
    );
}

function addEval(program: Command, runner: Runner): void {
  const index = 'where to keep the index: a new folder, or one of an earlier eval (default: a temporary folder)';
  common(program.command('eval'), index)
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
    .addHelpText('after', examples('ibid eval ./scifact', 'ibid eval ./my-collection --mode lexical --json'))
    .action((folder: string, flags: EvalFlags) =>
      runner(async (signal) => (await import('./commands/eval.ts')).evalCommand(folder, flags, signal)),
    );
}

function addCompletion(program: Command): void {
  program
    .command('completion')
    .summary('print a script with which a shell completes commands and options')
    .addArgument(new Argument('<shell>').choices(shells))
    .addHelpText('after', examples('source <(ibid completion bash)', 'ibid completion fish | source'))
    .exitOverride()
    .action((shell: (typeof shells)[number]) => {
      process.stdout.write(completionScript(program, shell));
    });
}

/** An option with one value is given once: of two, the first would be lost without a word. */
function refuseRepeated(command: Command): void {
  for (const inner of command.commands) refuseRepeated(inner);
  for (const option of command.options.filter(
    ({ required, optional, variadic, defaultValue }) =>
      (required || optional) && !variadic && !Array.isArray(defaultValue),
  )) {
    let given = 0;
    command.on(`option:${option.name()}`, () => {
      if (++given > 1) command.error(`error: option '${option.flags}' was given twice`);
    });
  }
}
