import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { type OpenIndexOptions, openIndex, type SearchIndex } from '../../src/index.ts';
import { type RunningServer, type ServeOptions, serve } from '../../src/serve.ts';
import { writeFiles } from '../support/temp.ts';

/** Where a Chromium is on this machine. */
export const chromiumPath: string | undefined = [
  ...['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
].find((path) => existsSync(path));

const flags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

export async function launch(): Promise<Browser> {
  return await chromium.launch({ executablePath: chromiumPath!, args: flags });
}

/** An index of files, and a server for it; both end with the scope. */
export async function served(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Omit<ServeOptions, 'indexes'> = {},
  indexOptions: OpenIndexOptions = {},
): Promise<{ readonly server: RunningServer; readonly index: SearchIndex } & AsyncDisposable> {
  const folder = mkdtempSync(join(tmpdir(), 'ibid-test-'));
  writeFiles(folder, files);
  const index = await openIndex(join(folder, '.ibid'), { create: true, ...indexOptions });
  await index.ingest(folder);
  const server = await serve({ port: 0, indexes: index, ...options });
  return {
    ...{ server, index },
    async [Symbol.asyncDispose]() {
      await server.stop(0);
      await index.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A browser, and a server of an index of files, for all tests of a `describe`. */
export function forAll(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Omit<ServeOptions, 'indexes'> = {},
): { readonly browser: Browser; readonly server: RunningServer; readonly index: SearchIndex } {
  let browser: Browser;
  let all: Awaited<ReturnType<typeof served>>;
  beforeAll(async () => {
    [browser, all] = await Promise.all([launch(), served(files, options)]);
    return async () => {
      await browser.close();
      await all[Symbol.asyncDispose]();
    };
  });
  return {
    get browser() {
      return browser;
    },
    get server() {
      return all.server;
    },
    get index() {
      return all.index;
    },
  };
}

export interface Opened {
  readonly page: Page;
  /** Every address that was asked for. */
  readonly requests: string[];
  /** What the browser complained of: errors of scripts, breaches of the content policy. */
  readonly complaints: string[];
}

/** A page in a profile of its own, closed with the test. */
export async function opened(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1300, height: 900 }, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.setDefaultTimeout(20_000);
  await page.goto(address);
  return { page, requests, complaints };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds wrong in the page as it is now. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { axe: run } = globalThis as unknown as { axe: { run(): Promise<{ violations: readonly Violation[] }> } };
    return (await run.run()).violations;
  });
  const told = found.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`,
  );
  expect(told, what).toEqual([]);
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** As a model should wait: not longer than it is asked to. */
export async function unlessAborted(gate: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  signal?.addEventListener('abort', () => aborted.reject(signal.reason), { once: true });
  await Promise.race([gate, aborted.promise]);
}
