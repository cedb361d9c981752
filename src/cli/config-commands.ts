import type { Command } from 'commander';
import type { InitFlags } from './commands/init.ts';
import type { CommonFlags } from './context.ts';
import { common, examples, nonNegative, type Runner } from './options.ts';

/** `init` and `config`. */
export function addConfig(program: Command, runner: Runner): void {
  program
    .command('init')
    .summary('write a configuration into this folder')
    .description(
      'Writes ibid.config.json: folders, what to leave out, embedder, budget. On a terminal it asks for what no flag says.\n' +
        'Commands in this folder and below then need no argument. Keys do not stand in it.',
    )
    .option('--folders <paths...>', 'folders and files with documents (default: this folder)')
    .option('--leave-out <patterns...>', 'files to leave out, as in .gitignore')
    .option('--embedder <name>', 'local (default), a model of the search service, or server/model')
    .option('--server <address>', 'of an embedder server/model: http://127.0.0.1:11434')
    .option('--budget <usd>', 'what one command may cost, in US dollars', nonNegative)
    .option('-y, --yes', 'ask nothing')
    .option('--force', 'write over a configuration that is there')
    .option('--json', 'print one JSON value on stdout; ask nothing')
    .exitOverride()
    .addHelpText(
      'after',
      examples(
        'ibid init',
        'ibid init --folders docs mail --leave-out "*.tmp" --yes',
        'ibid init --embedder ollama/nomic-embed-text --server http://127.0.0.1:11434 --yes',
      ),
    )
    .action((flags: InitFlags) =>
      runner(async (signal) => (await import('./commands/init.ts')).initCommand(flags, signal)),
    );
  common(program.command('config'))
    .summary('what holds, and where each value comes from')
    .description(
      'A flag goes before the environment, the environment before the keys file (~/.config/ibid/keys), that before ' +
        'ibid.config.json, here or above. Of a key the last four letters are shown.',
    )
    .addHelpText('after', examples('ibid config', 'ibid config --json'))
    .action((flags: CommonFlags) => runner(async () => (await import('./commands/config.ts')).configCommand(flags)));
}
