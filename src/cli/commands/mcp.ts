import { resolve } from 'node:path';
import { mcpOverStdio } from '../../serve.ts';
import { isRemoteAddress } from '../config/remote.ts';
import { exitCodes } from '../exit-codes.ts';
import { type IndexesFlags, openNamed, placesOf } from '../named-indexes.ts';
import { say } from '../say.ts';

export interface McpFlags extends IndexesFlags {
  readonly printConfig?: boolean;
}

export async function mcpCommand(flags: McpFlags, signal: AbortSignal): Promise<number> {
  const places = placesOf(flags);
  if (flags.printConfig) {
    const isRemote = places.some(([, { address }]) => isRemoteAddress(address));
    const cache = flags.indexCache !== undefined && isRemote ? ['--index-cache', resolve(flags.indexCache)] : [];
    say(configuration([...places.map(([name, { address }]) => `${name}=${address}`), ...cache]));
    return exitCodes.done;
  }
  await using opened = await openNamed(places, flags, signal);
  await mcpOverStdio({ indexes: opened.indexes, input: process.stdin, output: process.stdout, signal });
  return exitCodes.done;
}

/**
 * How assistants are told of this index: the lines of each, with the command as it runs now.
 * @param flags addresses of indexes, and flags behind them
 */
function configuration(flags: readonly string[]): string {
  const command = process.execPath;
  const args = [...process.execArgv, resolve(process.argv[1] ?? 'ibid'), 'mcp', '--index', ...flags];
  const entry = { command, args };
  const words = [command, ...args].map(quoted).join(' ');
  const toml = [
    '[mcp_servers.ibid]',
    `command = ${JSON.stringify(command)}`,
    `args = [${args.map((one) => JSON.stringify(one)).join(', ')}]`,
  ];
  const json = (value: unknown): string => JSON.stringify(value, null, 2);
  return [
    '# Claude Desktop (claude_desktop_config.json), Cursor (.cursor/mcp.json), Windsurf, Gemini CLI (settings.json)',
    json({ mcpServers: { ibid: entry } }),
    '',
    '# VS Code (.vscode/mcp.json)',
    json({ servers: { ibid: { type: 'stdio', ...entry } } }),
    '',
    '# Zed (settings.json)',
    json({ context_servers: { ibid: entry } }),
    '',
    '# Codex (~/.codex/config.toml)',
    ...toml,
    '',
    '# Claude Code',
    `claude mcp add ibid -- ${words}`,
    '',
    '# Any client that speaks streamable HTTP, while `ibid serve` runs',
    'http://127.0.0.1:4321/mcp',
  ].join('\n');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
