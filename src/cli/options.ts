import { type Command, InvalidArgumentError, Option } from 'commander';

/** Written out, so that `--help` loads nothing; a test compares them with the library's. */
export const recencies = ['hour', 'day', 'week', 'month', 'year'] as const;

/** Runs a command with the signal that Ctrl-C aborts; what it returns is the exit status. */
export type Runner = (command: (signal: AbortSignal) => Promise<number>) => Promise<void>;

export function addWebOptions(command: Command): Command {
  return filterOptions(
    command.option('--web', 'also search the live web, for about half a cent (needs IBID_SEARCH_API_KEY)'),
  )
    .option('--web-query <texts...>', 'ask the web for these query variants instead, each a request')
    .option('--web-fetch', 'read the found pages themselves, not only the extracts of the search')
    .option('--web-deadline <seconds>', 'how long your own hits may wait for the web (default: 4)', positive);
}

/** Which pages may be used, by whatever looks at the web. */
export function filterOptions(command: Command): Command {
  return command
    .option(
      '--web-domain <names...>',
      'only these sites (example.org, example.org/docs, .gov), or with -name all but these',
    )
    .addOption(new Option('--web-recency <span>', 'only pages this new').choices(recencies))
    .option('--web-after <day>', 'only pages published from this day on, YYYY-MM-DD')
    .option('--web-before <day>', 'only pages published up to this day')
    .option('--web-updated-after <day>', 'only pages changed from this day on')
    .option('--web-updated-before <day>', 'only pages last changed up to this day')
    .option('--web-language <codes...>', 'only pages in these languages: en, de (not with research)')
    .option('--web-country <code>', 'what is found in this country: US, DE');
}

export function common(
  command: Command,
  index = 'index folder or LanceDB address (default: as configured, else .ibid here or in a parent folder)',
): Command {
  return command
    .option('--index <address>', index)
    .option('--json', 'print one JSON value on stdout')
    .hook('preAction', async (_, running) => (await import('./config/complete.ts')).completeFlags(running))
    .exitOverride();
}

export function cached(command: Command): Command {
  return command.option('--index-cache <folder>', 'keep a copy of a remote index in this folder, and read from it');
}

/** A command that reads an index. */
export function reading(command: Command): Command {
  return cached(common(command));
}

export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

export function wholeNumber(value: string, least: number): number {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isInteger(number) || number < least) {
    throw new InvalidArgumentError(`must be a whole number, at least ${least}.`);
  }
  return number;
}

export function count(value: string): number {
  return wholeNumber(value, 0);
}

export function countFromOne(value: string): number {
  return wholeNumber(value, 1);
}

export function nonNegative(value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number) || number < 0)
    throw new InvalidArgumentError('must be a number, at least 0.');
  return number;
}

export function positive(value: string): number {
  const number = nonNegative(value);
  if (number === 0) throw new InvalidArgumentError('must be more than 0.');
  return number;
}

/** `webDomain` as it is written on the command line: `--web-domain`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
