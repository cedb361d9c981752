import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Whether `redis-server` can be started here. */
export const hasRedis: boolean = (() => {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

export interface StartedRedis {
  readonly url: string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** A Redis of its own on a free port, which keeps each change on disk in `folder`. @param more of its options */
export async function startRedis(folder: string, ...more: readonly string[]): Promise<StartedRedis> {
  const port = await freePort();
  let server: ChildProcess;
  const start = async (): Promise<void> => {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...more];
    server = spawn('redis-server', [...options, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let told = '';
    for await (const piece of server.stdout!.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      told += piece;
      if (told.includes('Ready to accept connections')) break;
    }
    server.stdout!.resume();
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    async kill() {
      server.kill('SIGKILL');
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
