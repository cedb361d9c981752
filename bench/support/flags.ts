/** Flags of a bench, read so that a wrong one is told, with the right ones, instead of thrown. */
import { readFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** The comment at the head of a source file, of either kind, without its marks. */
export function headOf(source: string): string {
  const [, block, lines] = /^(?:#!.*\n)?(?:\/\*\*([\s\S]*?)\*\/|((?:\/\/.*\n)+))/.exec(source) ?? [];
  return (block ?? lines ?? '')
    .split('\n')
    .map((line) => line.replace(/^(?: ?\*|\/\/) ?/, '').trimEnd())
    .join('\n')
    .trim();
}

/** Ends with 2, after the message and the head of the file. */
export function wrongUse(file: string, message: string): never {
  console.error(`${message}\n\n${headOf(readFileSync(file, 'utf8'))}`);
  process.exit(2);
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number(text) >= 0 && Number.isFinite(Number(text));
const areNumbers = (text: string): boolean => text.split(',').every(isNumber);

/** What is wrong with a value: a flag whose default is a number, or several, takes numbers alone. */
function wrongNumber(name: string, normal: unknown, value: unknown): string | undefined {
  if (typeof normal !== 'string' || typeof value !== 'string' || !areNumbers(normal)) return undefined;
  if (isNumber(normal) ? isNumber(value) : areNumbers(value)) return undefined;
  return `--${name} takes ${isNumber(normal) ? 'a number' : 'numbers with commas between'}, not "${value}"`;
}

/**
 * As `parseArgs`. `--help` prints the head of the file, which names every flag a user has, and ends with 0; what it
 * does not know ends with 2, and so does a value that is no number where the default is one.
 * @param file of the bench, `import.meta.filename`
 */
export function readFlags<const T extends ParseArgsConfig>(file: string, config: T): ReturnType<typeof parseArgs<T>> {
  if (process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h')) {
    console.log(headOf(readFileSync(file, 'utf8')));
    process.exit(0);
  }
  const parsed = parsedOrWrong(file, config);
  const given = parsed.values as Readonly<Record<string, unknown>>; // the type of each depends on the config
  for (const [name, option] of Object.entries(config.options ?? {})) {
    const wrong = wrongNumber(name, option.default, given[name]);
    if (wrong !== undefined) wrongUse(file, wrong);
  }
  return parsed;
}

function parsedOrWrong<const T extends ParseArgsConfig>(file: string, config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const [message] = (error instanceof Error ? error.message : String(error)).split('. ');
    return wrongUse(file, message!);
  }
}
