import type { Command } from 'commander';
import type { ServeFlags } from './commands/serve.ts';
import { countFromOne, examples, nonNegative, type Runner, wholeNumber } from './options.ts';

export function addServe(program: Command, runner: Runner): void {
  program
    .command('serve')
    .summary('put the index on the network: a page, an API, MCP')
    .description(
      'Serves a page to ask and search in a browser, an HTTP API, the dialects of other services, and MCP at /mcp.\n' +
        'It listens on this machine alone, unless you name another address: then a token is needed (`ibid token`).',
    )
    .option('--index <address...>', 'index, or several as name=address (default: .ibid here or in a parent folder)')
    .option('-p, --port <n>', 'port; 0 is any free one', (text) => wholeNumber(text, 0), 4321)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--insecure', 'listen beyond this machine without a token')
    .option('--tokens <file>', 'file of `ibid token` (default: tokens.json in the first index)')
    .option('--allow-host <names...>', 'further names of this server, such as that of a proxy')
    .option('--allow-origin <origins...>', 'pages of other origins that may call, e.g. https://intranet.example')
    .option(
      '--budget <usd>',
      'what questions of each token may cost a day; without it only what is free is offered',
      nonNegative,
    )
    .option('--concurrency <n>', 'requests that are worked on at a time (default: 8)', countFromOne)
    .option('--log', 'a line of JSON on stderr for each request, without what was asked')
    .option('--json', 'print the address as JSON')
    .exitOverride()
    .addHelpText(
      'after',
      examples(
        'ibid serve',
        'ibid serve --index handbook=./handbook/.ibid --index tickets=./tickets/.ibid',
        'ibid serve --host 0.0.0.0 --allow-host search.example',
      ),
    )
    .action((flags: ServeFlags) =>
      runner(async (signal) => (await import('./commands/serve.ts')).serveCommand(flags, signal)),
    );
}
