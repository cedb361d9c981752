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

/**
 * As `parseArgs`. `--help` prints the head of the file, which names every flag a user has, and ends with 0; what it
 * does not know ends with 2.
 * @param file of the bench, `import.meta.filename`
 */
export function readFlags<const T extends ParseArgsConfig>(file: string, config: T): ReturnType<typeof parseArgs<T>> {
  const help = headOf(readFileSync(file, 'utf8'));
  if (process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h')) {
    console.log(help);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    const [message] = (error instanceof Error ? error.message : String(error)).split('. ');
    console.error(`${message}\n\n${help}`);
    process.exit(2);
  }
}
