import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PROGRAM = join(import.meta.dirname, 'node_modules/azurite/dist/src/blob/main.js');

/** Why these tests cannot run; undefined where they can. */
export const missing: string | undefined = existsSync(PROGRAM)
  ? undefined
  : 'azurite is not installed: npm run test:peers:install';

/** The account that every copy of this program has, as its documentation prints it. */
const ACCOUNT = 'devstoreaccount1';
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

/** What the proxy does in place of, or with, one request. */
export type Fault =
  | 'busy' // 503, as the service says that it is overloaded
  | 'throttled' // 429
  | 'reset' // no answer
  | 'cut' // half of the answer's body
  | 'lost' // it is carried out, and there is no answer
  | 'late' // the answer after a while
  | 'stale'; // of a listing: the answer that the same request had before

export interface ObjectStore extends AsyncDisposable {
  /** Passed to LanceDB. */
  readonly storageOptions: Readonly<Record<string, string>>;
  /** Requests since the last call. */
  requests(): number;
  /** Decides about each request; undefined: all pass. */
  fault: ((request: IncomingMessage) => Fault | undefined) | undefined;
}

/** An object store with one container, `ibid`, behind a proxy that counts and misbehaves. */
export async function startAzurite(folder: string): Promise<ObjectStore> {
  const child = spawn(
    process.execPath,
    [PROGRAM, '--location', folder, '--blobPort', '0', '--skipApiVersionCheck', '--disableTelemetry'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const port = await portOf(child);
  await makeContainer(port);
  let count = 0;
  const listings = new Map<string, Answer>();
  const store: { fault: ObjectStore['fault'] } = { fault: undefined };
  const server = createServer((incoming, outgoing) => {
    count++;
    void pass(incoming, outgoing, port, listings, store.fault?.(incoming));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port: proxied } = server.address() as AddressInfo;
  return Object.assign(store, {
    storageOptions: {
      account_name: ACCOUNT,
      account_key: KEY,
      endpoint: `http://127.0.0.1:${proxied}/${ACCOUNT}`,
      allow_http: 'true',
      retry_timeout: '20s',
    },
    requests: () => {
      const before = count;
      count = 0;
      return before;
    },
    [Symbol.asyncDispose]: () => stop(server, child),
  });
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

async function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  port: number,
  listings: Map<string, Answer>,
  fault: Fault | undefined,
): Promise<void> {
  const sent: Buffer[] = [];
  for await (const part of incoming) sent.push(part as Buffer);
  if (fault === 'reset') return void outgoing.destroy();
  if (fault === 'busy' || fault === 'throttled') {
    outgoing.writeHead(fault === 'busy' ? 503 : 429, { 'x-ms-error-code': 'ServerBusy', 'retry-after': '0' });
    return void outgoing.end();
  }
  if (fault === 'late') await sleep(300);
  const answer = await forward(incoming, Buffer.concat(sent), port).catch(() => undefined);
  if (answer === undefined || fault === 'lost') return void outgoing.destroy();
  const isListing = incoming.url?.includes('comp=list') === true;
  const earlier = fault === 'stale' && isListing ? listings.get(incoming.url!) : undefined;
  if (isListing && answer.status === 200 && fault !== 'stale') listings.set(incoming.url!, answer);
  const { status, headers, body } = earlier ?? answer;
  outgoing.writeHead(status, headers);
  if (fault === 'cut' && body.length > 1) {
    outgoing.write(body.subarray(0, body.length / 2));
    setTimeout(() => outgoing.destroy(), 5);
  } else outgoing.end(body);
}

function forward({ method, url, headers }: IncomingMessage, body: Buffer, port: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 502, headers: response.headers, body: Buffer.concat(parts) }),
      );
      response.on('error', reject);
    });
    onward.on('error', reject);
    onward.end(body);
  });
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout!.on('data', (part: Buffer) => {
      said += String(part);
      const port = /successfully listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    child.once('exit', () => reject(new Error(`azurite did not start: ${said}`)));
  });
}

/** By the scheme "Shared Key" of the service's documentation. */
async function makeContainer(port: number): Promise<void> {
  const date = new Date().toUTCString();
  const version = '2021-08-06';
  const signed = `PUT${'\n'.repeat(12)}x-ms-date:${date}\nx-ms-version:${version}\n/${ACCOUNT}/${ACCOUNT}/ibid\nrestype:container`;
  const signature = createHmac('sha256', Buffer.from(KEY, 'base64')).update(signed).digest('base64');
  const { status } = await fetch(`http://127.0.0.1:${port}/${ACCOUNT}/ibid?restype=container`, {
    method: 'PUT',
    headers: { 'x-ms-date': date, 'x-ms-version': version, authorization: `SharedKey ${ACCOUNT}:${signature}` },
  });
  if (status !== 201) throw new Error(`azurite made no container: ${status}`);
}

async function stop(server: Server, child: ChildProcess): Promise<void> {
  server.closeAllConnections();
  server.close();
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  child.kill();
  await ended;
}
