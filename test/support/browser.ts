import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { WebSocket } from 'ws';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** An installed Chromium: `IBID_BROWSER`, else the first on the path; undefined where there is none. */
export const browserPath: string | undefined = [
  ...(process.env.IBID_BROWSER ? [process.env.IBID_BROWSER] : []),
  ...(process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name))),
].find((path) => existsSync(path));

export interface Page {
  /** Opens an address and waits until it is loaded. */
  open(address: string, options: { width: number; height: number; dark?: boolean }): Promise<void>;
  /** The JSON value of an expression on the page. */
  evaluate<T>(expression: string): Promise<T>;
  /** PNG of the page, or of a part of it. */
  screenshot(part?: { x: number; y: number; width: number; height: number }): Promise<Buffer>;
  /** What the page said on its console as an error or warning, and its uncaught errors and security notes. */
  readonly complaints: readonly string[];
  /** Addresses it asked for. */
  readonly requests: readonly string[];
}

/** One page of a headless browser, spoken to over the DevTools protocol; the browser ends with the call. */
export async function withPage<T>(path: string, use: (page: Page) => Promise<T>): Promise<T> {
  const profile = mkdtempSync(join(tmpdir(), 'ibid-browser-'));
  const args = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars'];
  const child = spawn(path, [...args, '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const address = await new Promise<string>((resolve, reject) => {
      let said = '';
      child.on('error', reject);
      child.on('exit', (code) => reject(new Error(`the browser ended with ${code}: ${said.slice(-500)}`)));
      child.stderr.setEncoding('utf8').on('data', (data: string) => {
        said += data;
        const found = /DevTools listening on ws:\/\/([^/\s]+)/.exec(said);
        if (found) resolve(found[1]!);
      });
    });
    const targets = (await (await fetch(`http://${address}/json/list`)).json()) as {
      type: string;
      webSocketDebuggerUrl: string;
    }[];
    const socket = new WebSocket(targets.find(({ type }) => type === 'page')!.webSocketDebuggerUrl);
    await once(socket, 'open');
    const page = await connect(socket);
    const result = await use(page);
    socket.close();
    return result;
  } finally {
    if (child.exitCode === null) {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    }
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  // biome-ignore lint/suspicious/noExplicitAny: the protocol's own shapes, read below by the names it documents
  readonly params?: any;
}

async function connect(socket: WebSocket): Promise<Page> {
  let last = 0;
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  const complaints: string[] = [];
  const requests: string[] = [];
  let loaded = (): void => {};
  socket.on('message', (data) => {
    const { id, method, result, error, params } = JSON.parse(String(data)) as Message;
    if (id !== undefined) {
      const call = waiting.get(id);
      waiting.delete(id);
      if (error) call?.reject(new Error(error.message));
      else call?.resolve(result);
      return;
    }
    if (method === 'Page.loadEventFired') loaded();
    if (method === 'Network.requestWillBeSent') requests.push(String(params.request.url));
    if (method === 'Runtime.exceptionThrown') complaints.push(String(params.exceptionDetails.text));
    if (method === 'Log.entryAdded') complaints.push(String(params.entry.text));
    if (method === 'Runtime.consoleAPICalled') complaints.push(`console.${params.type}`);
  });
  const send = <R>(method: string, params: object = {}): Promise<R> =>
    new Promise((resolve, reject) => {
      const id = ++last;
      // the protocol says which result a method has
      waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await send(`${domain}.enable`);
  return {
    complaints,
    requests,
    async open(address, { width, height, dark = false }) {
      await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 });
      const features = [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }];
      await send('Emulation.setEmulatedMedia', { features });
      const done = new Promise<void>((resolve) => {
        loaded = resolve;
      });
      await send('Page.navigate', { url: address });
      await done;
    },
    async evaluate<R>(expression: string): Promise<R> {
      const answer = await send<{
        result: { value: R };
        exceptionDetails?: { text: string; exception?: { description?: string } };
      }>('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
      const { exceptionDetails: failed } = answer;
      if (failed) throw new Error(failed.exception?.description ?? failed.text);
      return answer.result.value;
    },
    async screenshot(part) {
      const clip = part ? { clip: { ...part, scale: 1 } } : {};
      const { data } = await send<{ data: string }>('Page.captureScreenshot', { captureBeyondViewport: true, ...clip });
      return Buffer.from(data, 'base64');
    },
  };
}
