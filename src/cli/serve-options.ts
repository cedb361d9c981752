import { type Command, Option } from 'commander';
import type { McpFlags } from './commands/mcp.ts';
import type { ServeFlags } from './commands/serve.ts';
import type { NewTokenFlags, TokenFlags } from './commands/token.ts';
import type { WatchFlags } from './commands/watch.ts';
import { cached, countFromOne, examples, nonNegative, positive, type Runner, wholeNumber } from './options.ts';

export function addServe(program: Command, runner: Runner): void {
  cached(
    program
      .command('serve')
      .summary('put the index on the network: a page, an API, MCP')
      .description(
        'Serves a page to ask and search in a browser, an HTTP API, the dialects of other services, and MCP at /mcp.\n' +
          'It listens on this machine alone, unless you name another address: then a token is needed (`ibid token`).',
      )
      .option(
        '--index <address...>',
        'index, or several as name=address (default: as configured, else .ibid here or in a parent folder)',
      ),
  )
    .option('-p, --port <n>', 'port; 0 is any free one', (text) => wholeNumber(text, 0), 4321)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--insecure', 'listen beyond this machine without a token')
    .option(
      '--tokens <file>',
      'file of `ibid token`, without one of which nobody is let in (default: tokens.json in the first index)',
    )
    .option('--allow-host <names...>', 'further names of this server, such as that of a proxy')
    .option('--allow-origin <origins...>', 'pages of other origins that may call, e.g. https://intranet.example')
    .option(
      '--daily-budget <usd>',
      'what questions of each token may cost a day; without it only what is free is offered',
      nonNegative,
    )
    .option('--concurrency <n>', 'requests that are worked on at a time (default: 8)', countFromOne)
    .option('--threads <n>', 'threads that search, up to 64 (default: as many as processors)', countFromOne)
    .option(
      '--watch <paths...>',
      'keep the index in line with these files and folders, of several indexes as name=path',
    )
    .option('--log', 'a line of JSON on stderr for each request, without what was asked')
    .option('--json', 'print the address as JSON')
    .hook('preAction', async (_, running) => (await import('./config/complete.ts')).completeFlags(running))
    .exitOverride()
    .addHelpText(
      'after',
      examples(
        'ibid serve',
        'ibid serve --index handbook=./handbook/.ibid --index tickets=./tickets/.ibid',
        'ibid serve --watch ./docs',
        'ibid serve --host 0.0.0.0 --allow-host search.example',
      ),
    )
    .action((flags: ServeFlags) =>
      runner(async (signal) => (await import('./commands/serve.ts')).serveCommand(flags, signal)),
    );
}

export function addWatch(program: Command, runner: Runner): void {
  program
    .command('watch')
    .summary('keep the index in line with files and folders as they change')
    .description(
      'Ingests once, and again after each change, until Ctrl-C. Many changes in a short time are one run.\n' +
        'What fails is tried again with each change and every 5 seconds; the same error is told once.',
    )
    .argument('<paths...>', 'folders and files')
    .option(
      '--index <address>',
      'index folder or LanceDB address (default: as configured, else .ibid here or in a parent folder)',
    )
    .option('--json', 'print each run as a line of JSON')
    .option('--quiet-ms <n>', 'a run begins when nothing has changed for so long', countFromOne, 500)
    .option('--sweep <seconds>', 'how often all is looked at where the system tells of no changes', positive, 30)
    .option('--no-events', 'do not listen to the system: sweep alone, as for network drives')
    .hook('preAction', async (_, running) => (await import('./config/complete.ts')).completeFlags(running))
    .exitOverride()
    .addHelpText('after', examples('ibid watch ./docs', 'ibid watch /mnt/share --no-events --sweep 300'))
    .action((paths: string[], flags: WatchFlags) =>
      runner(async (signal) => (await import('./commands/watch.ts')).watchCommand(paths, flags, signal)),
    );
}

export function addMcp(program: Command, runner: Runner): void {
  cached(
    program
      .command('mcp')
      .summary('speak the Model Context Protocol on standard input and output')
      .description('For assistants that start it: search, ask, read, list and status as tools, documents as resources.')
      .option(
        '--index <address...>',
        'index, or several as name=address (default: as configured, else .ibid here or in a parent folder)',
      ),
  )
    .option('--print-config', 'print the lines that tell common assistants of this index')
    .hook('preAction', async (_, running) => (await import('./config/complete.ts')).completeFlags(running))
    .exitOverride()
    .addHelpText('after', examples('ibid mcp --print-config', 'ibid mcp --index ./handbook/.ibid'))
    .action((flags: McpFlags) =>
      runner(async (signal) => (await import('./commands/mcp.ts')).mcpCommand(flags, signal)),
    );
}

export function addToken(program: Command, runner: Runner): void {
  const token = program
    .command('token')
    .summary('make, list and revoke tokens of a server')
    .description(
      'A token says what its holder may do, and which documents exist for its holder. It is shown once, when it is made.',
    )
    .addHelpText('after', examples('ibid token create "reading room"', 'ibid token list', 'ibid token revoke 1f2e3d4c'))
    .exitOverride();
  const common = (command: Command): Command =>
    command
      .option(
        '--index <address...>',
        'the index that is served (default: as configured, else .ibid here or in a parent folder)',
      )
      .option('--tokens <file>', 'file of tokens (default: tokens.json in the index)')
      .option('--json', 'print one JSON value on stdout')
      .hook('preAction', async (_, running) => (await import('./config/complete.ts')).completeFlags(running))
      .exitOverride();
  common(token.command('create'))
    .summary('make a token')
    .argument('<name>', 'for whom it is')
    .addOption(
      new Option('--scope <names...>', 'what it may')
        .choices(['read', 'ask', 'ingest', 'admin'])
        .default(['read', 'ask']),
    )
    .option('--where <filter>', 'only documents that match exist for it: SQL, or JSON as in the API')
    .option('--daily-budget <usd>', 'what its questions may cost a day (default: that of the server)', nonNegative)
    .option('--days <n>', 'how long it is valid (default: without end)', positive)
    .addHelpText(
      'after',
      examples(
        'ibid token create "reading room"',
        'ibid token create ops --where "metadata.team = \'ops\'" --days 90',
        'ibid token create monitoring --scope admin',
      ),
    )
    .action((name: string, flags: NewTokenFlags) =>
      runner(async (signal) => (await import('./commands/token.ts')).createToken(name, flags, signal)),
    );
  common(token.command('list'))
    .summary('list tokens, without their secrets')
    .addHelpText('after', examples('ibid token list'))
    .action((flags: TokenFlags) => runner(async () => (await import('./commands/token.ts')).listTokens(flags)));
  common(token.command('revoke'))
    .summary('revoke a token')
    .argument('<id>', 'as `ibid token list` shows it')
    .addHelpText('after', examples('ibid token revoke 1f2e3d4c'))
    .action((id: string, flags: TokenFlags) =>
      runner(async () => (await import('./commands/token.ts')).revokeToken(id, flags)),
    );
}
