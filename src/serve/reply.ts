import { once } from 'node:events';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { IbidError } from '../core/errors.ts';
import { problemBody, problemOf } from './problem.ts';
import type { FileReply, Reply, ServerEvent } from './route.ts';

/** A comment goes out after so much silence, so that no proxy takes a stream for dead. */
const HEARTBEAT_MS = 15_000;

/** @throws the signal's reason, and what a stream throws before its first event; then nothing is written yet */
export async function writeReply(
  reply: Reply,
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  if ('events' in reply) return await writeEvents(reply, response, signal);
  if ('file' in reply) return await writeFile(reply.file, reply.headers, request, response, signal);
  const { status = 200, headers = {} } = reply;
  const type = 'json' in reply ? 'application/json' : reply.type;
  const body = 'json' in reply ? JSON.stringify(reply.json) : reply.text;
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), ...headers });
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function writeEvents(
  { events, problemOf: told = problemEvent }: Extract<Reply, { events: unknown }>,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const iterator = events[Symbol.asyncIterator]();
  let next = await iterator.next(); // an error before the first event has a status of its own
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const beat = setInterval(() => response.write(': still here\n\n'), HEARTBEAT_MS).unref();
  try {
    for (; !next.done; next = await iterator.next()) {
      signal.throwIfAborted();
      response.write(eventText(next.value)); // the work is not held up by a slow client: an answer is bounded
    }
  } catch (error) {
    if (response.destroyed) throw error;
    response.write(eventText(told(error)));
  } finally {
    clearInterval(beat);
    await iterator.return?.();
  }
  response.end();
}

function problemEvent(error: unknown): ServerEvent {
  return { event: 'error', data: problemBody(problemOf(error)) };
}

function eventText({ event, data }: ServerEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}

/** `[first, last]` of one range; undefined for the whole file; `none` for a range that the file does not have. */
function rangeOf(header: string | undefined, size: number): readonly [number, number] | 'none' | undefined {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  if (!found || (found[1] === '' && found[2] === '')) return undefined; // several ranges are answered with the whole
  const [, from = '', to = ''] = found;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(size - 1, Number(to));
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  return first > last || first >= size ? 'none' : [first, last];
}

/** Whether a list of tags has this one. A proxy that compresses makes tags weak (`W/`), which counts as the same here. */
function isAmong(header: string | undefined, etag: string): boolean {
  return header?.trim() === '*' || (header?.match(/"[^"]*"/g) ?? []).some((one) => one === etag);
}

/** A document of others may hold anything: no script, no plug-in, no request, and no other type than was said. */
const guarded = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
} as const;

async function writeFile(
  { path, sizeBytes, mtimeMs, type }: FileReply,
  headers: Readonly<Record<string, string>> = {},
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const etag = `"${sizeBytes.toString(36)}-${Math.round(mtimeMs).toString(36)}"`;
  const common = {
    'content-type': type,
    'accept-ranges': 'bytes',
    etag,
    'cache-control': 'private, no-cache',
    ...headers,
    ...guarded,
  };
  if (isAmong(request.headers['if-none-match'], etag)) {
    response.writeHead(304, common).end();
    return;
  }
  const isSame = (request.headers['if-range'] ?? etag) === etag;
  const range = isSame && request.method === 'GET' ? rangeOf(request.headers.range, sizeBytes) : undefined;
  if (range === 'none') {
    response.writeHead(416, { ...common, 'content-range': `bytes */${sizeBytes}` }).end();
    return;
  }
  const [first, last] = range ?? [0, sizeBytes - 1];
  // no link may have come into the file's place since it was compared
  await using file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  if ((await file.stat()).size !== sizeBytes)
    throw new IbidError('CONFLICT', 'the file has changed since it was indexed');
  const length = last - first + 1;
  const part = range && { 'content-range': `bytes ${first}-${last}/${sizeBytes}` };
  response.writeHead(range ? 206 : 200, { ...common, ...part, 'content-length': Math.max(0, length) });
  if (request.method === 'HEAD' || length <= 0) {
    response.end();
    return;
  }
  let left = length;
  for await (const piece of file.createReadStream({ start: first, end: last, autoClose: false, signal })) {
    left -= piece.length;
    if (!response.write(piece)) await once(response, 'drain', { signal });
  }
  // the next answer of the connection would be taken for the bytes that are missing
  if (left > 0) throw new IbidError('CONFLICT', 'the file has become shorter while it was sent');
  response.end();
}
