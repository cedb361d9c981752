import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type OpenIndexOptions, openIndex, type SearchIndex } from '../../src/index.ts';
import { type RunningServer, type ServeOptions, serve } from '../../src/serve.ts';
import { tempFolder } from '../support/temp.ts';

export const docs: Readonly<Record<string, string>> = {
  'docs/lighthouse.md':
    '---\ntitle: The lighthouse\nteam: ops\n---\n# The lighthouse\n\nThe keeper counts passing ships at dawn.\n\n## Fuel\n\nThe lamp burns rapeseed oil. A full tank lasts nine nights.\n',
  'docs/harbour.txt': 'The harbour master is Ines Okafor.\n\nShe opens the gate at half past five in the morning.\n',
  'docs/page.html': '<h1>Moorings</h1><p>A mooring is paid by the day.</p><script>alert(1)</script>',
};

/** An index of a few files, closed with the test. */
export async function madeIndex(
  files: Readonly<Record<string, string>> = docs,
  options: OpenIndexOptions = {},
): Promise<{ readonly index: SearchIndex; readonly folder: string }> {
  const folder = tempFolder(files);
  const index = await openIndex(join(folder, '.ibid'), { create: true, ...options });
  onTestFinished(() => index.close());
  await index.ingest(folder);
  return { index, folder };
}

/** A server on a free port, stopped with the test. */
export async function started(options: ServeOptions): Promise<RunningServer> {
  const server = await serve({ port: 0, ...options });
  onTestFinished(() => server.stop(0));
  return server;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // the shape is what each test is about
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly json: any;
}

export async function call(
  server: RunningServer,
  path: string,
  init: RequestInit & { readonly json?: unknown } = {},
): Promise<Answered> {
  const { json, ...rest } = init;
  const body = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) };
  const headers = {
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...(init.headers as object),
  };
  const response = await fetch(`${server.url}${path}`, { ...body, ...rest, headers });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
}
