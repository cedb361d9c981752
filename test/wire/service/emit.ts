import type { ServerResponse } from 'node:http';
import { createBrotliCompress, createDeflate, createGzip, constants as zlib } from 'node:zlib';
import type { Reply, SseEvent } from './contract.ts';
import { type Fault, find, type Place } from './faults.ts';
import { seededRandom } from './random.ts';

/** A piece of a body, or what happens to the connection at this point. */
type Piece = Buffer | 'cut' | 'end' | 'stall';

/**
 * Writes a reply, spoiled by `faults`, as fast as the client reads.
 * @param signal aborted when the client went away; writing stops then
 * @returns true when the answer was sent to its (possibly spoiled) end, false when the client left first
 */
export async function emit(
  response: ServerResponse,
  reply: Reply,
  faults: readonly Fault[],
  signal: AbortSignal,
): Promise<boolean> {
  const delay = find(faults, 'delay');
  if (delay !== undefined) await pause(delay.ms, signal);
  if (signal.aborted) return false;
  const headers: Record<string, string> = { ...reply.headers };
  let body: AsyncIterable<Piece>;
  if (reply.events !== undefined) {
    headers['content-type'] ??= 'text/event-stream; charset=utf-8';
    headers['cache-control'] ??= 'no-cache';
    body = eventPieces(reply.events, faults);
  } else if (reply.chunks !== undefined) {
    body = chunkPieces(reply.chunks);
  } else {
    const bytes = wholeBody(reply, faults, headers);
    if (bytes.length > 0 || reply.json !== undefined) headers['content-length'] = String(bytes.length);
    body = bytes.length > 0 ? chunkPieces([bytes]) : chunkPieces([]);
  }
  const encode = find(faults, 'encode');
  if (encode !== undefined) {
    headers['content-encoding'] = encode.encoding;
    delete headers['content-length'];
    body = compressed(body, encode);
  }
  if (find(faults, 'end') !== undefined) delete headers['content-length'];
  body = atBytes(body, faults);
  for (const [name, value] of Object.entries(find(faults, 'headers')?.headers ?? {})) {
    if (value === null) delete headers[name.toLowerCase()];
    else headers[name.toLowerCase()] = value;
  }
  response.writeHead(reply.status ?? 200, headers);
  return write(response, body, faults, signal);
}

function wholeBody(reply: Reply, faults: readonly Fault[], headers: Record<string, string>): Buffer {
  if (reply.bytes !== undefined) return Buffer.from(reply.bytes as Uint8Array);
  if (reply.json === undefined) return Buffer.alloc(0);
  headers['content-type'] ??= 'application/json';
  const edit = find(faults, 'json');
  return Buffer.from(JSON.stringify(edit === undefined ? reply.json : edit.edit(structuredClone(reply.json))));
}

async function* chunkPieces(
  chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
): AsyncGenerator<Piece> {
  for await (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk);
}

/** Events as bytes, one piece each, with everything that is counted in events. */
async function* eventPieces(
  events: AsyncIterable<SseEvent> | Iterable<SseEvent>,
  faults: readonly Fault[],
): AsyncGenerator<Piece> {
  const inject = find(faults, 'inject');
  const noise = find(faults, 'noise');
  const ends = { lf: '\n', crlf: '\r\n', cr: '\r' }[find(faults, 'lineEnds')?.ends ?? 'lf'];
  const many = find(faults, 'manyDataLines') !== undefined;
  const bytes = (text: string): Buffer => Buffer.from(ends === '\n' ? text : text.replaceAll('\n', ends));
  let sent = 0;
  const before = (): Piece[] => {
    const pieces: Piece[] = [];
    if (inject?.afterEvents === sent) pieces.push(bytes(encodeEvent(inject.event, many)));
    if (inject?.afterEvents === sent && inject.then !== 'continue') pieces.push('end');
    for (const kind of ['end', 'cut', 'stall'] as const)
      if (find(faults, kind)?.afterEvents === sent) pieces.push(kind);
    return pieces;
  };
  for await (const event of edited(events, faults)) {
    yield* before();
    if (noise !== undefined) yield bytes(noiseText(sent, noise.pings === true, noise.unknown === true));
    yield bytes(encodeEvent(event, many));
    sent += 1;
  }
  yield* before();
}

async function* edited(
  events: AsyncIterable<SseEvent> | Iterable<SseEvent>,
  faults: readonly Fault[],
): AsyncGenerator<SseEvent> {
  const edit = find(faults, 'events');
  let source = events;
  if (edit !== undefined) {
    const all: SseEvent[] = [];
    for await (const event of events) all.push(event);
    source = edit.edit(all);
  }
  const drop = find(faults, 'drop');
  const duplicate = find(faults, 'duplicate');
  let dropSeen = 0;
  let duplicateSeen = 0;
  for await (const event of source) {
    if (drop !== undefined && drop.event === event.event && (drop.nth === undefined || drop.nth === dropSeen++))
      continue;
    yield event;
    if (
      duplicate !== undefined &&
      duplicate.event === event.event &&
      (duplicate.nth === undefined || duplicate.nth === duplicateSeen++)
    )
      yield event;
  }
}

/** The text of one server-sent event, ended by its blank line. */
function encodeEvent(event: SseEvent, manyDataLines = false): string {
  const text =
    typeof event.data === 'string' ? event.data : JSON.stringify(event.data, undefined, manyDataLines ? 1 : undefined);
  const name = event.event === undefined || event.event === '' ? '' : `event: ${event.event}\n`;
  return `${name}${text
    .split('\n')
    .map((line) => `data: ${line}`)
    .join('\n')}\n\n`;
}

function noiseText(n: number, pings: boolean, unknown: boolean): string {
  let text = [': keep-alive\n\n', ':\n', '\n\n', 'retry: 3000\nid: 1\n\n'][n % 4] ?? '';
  if (pings) text += 'event: ping\ndata: {"type": "ping"}\n\n';
  if (unknown) text += `event: brand_new\ndata: {"type":"brand_new","index":0,"n":${n}}\n\nunknown-field: ${n}\n\n`;
  return text;
}

async function* compressed(
  body: AsyncIterable<Piece>,
  encode: Extract<Fault, { kind: 'encode' }>,
): AsyncGenerator<Piece> {
  const flush = encode.encoding === 'br' ? zlib.BROTLI_OPERATION_FLUSH : zlib.Z_SYNC_FLUSH;
  const stream = { gzip: createGzip, br: createBrotliCompress, deflate: createDeflate }[encode.encoding]();
  const out: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => out.push(chunk));
  const failed = new Promise<never>((_, reject) => stream.on('error', reject));
  failed.catch(() => undefined);
  const take = (): Buffer => {
    const chunk = Buffer.concat(out.splice(0));
    if (encode.damaged === true && chunk.length > 4) chunk[chunk.length >> 1] = chunk[chunk.length >> 1]! ^ 0xff;
    return chunk;
  };
  for await (const piece of body) {
    if (typeof piece === 'string') {
      yield piece;
      continue;
    }
    stream.write(piece);
    await Promise.race([new Promise<void>((done) => stream.flush(flush, () => done())), failed]);
    yield take();
  }
  // The trailer comes with `end`; the callback of `end()` only says that everything was taken in.
  const ended = new Promise<void>((done) => stream.once('end', () => done()));
  stream.end();
  await Promise.race([ended, failed]);
  yield take();
}

/** Inserts what happens after so many bytes. */
async function* atBytes(body: AsyncIterable<Piece>, faults: readonly Fault[]): AsyncGenerator<Piece> {
  const places = (['end', 'cut', 'stall'] as const)
    .map((kind) => ({ kind, at: (find(faults, kind) as Place | undefined)?.afterBytes }))
    .filter((place): place is { kind: 'end' | 'cut' | 'stall'; at: number } => place.at !== undefined)
    .sort((a, b) => a.at - b.at);
  let sent = 0;
  for await (const piece of body) {
    if (typeof piece === 'string') {
      yield piece;
      continue;
    }
    let rest = piece;
    while (places[0] !== undefined && places[0].at <= sent + rest.length) {
      const place = places.shift()!;
      const head = rest.subarray(0, place.at - sent);
      if (head.length > 0) yield head;
      sent += head.length;
      rest = rest.subarray(head.length);
      yield place.kind;
    }
    if (rest.length > 0) yield rest;
    sent += rest.length;
  }
}

async function write(
  response: ServerResponse,
  body: AsyncIterable<Piece>,
  faults: readonly Fault[],
  signal: AbortSignal,
): Promise<boolean> {
  const cutter = pieceCutter(faults);
  const drip = find(faults, 'drip');
  response.flushHeaders();
  for await (const piece of body) {
    if (signal.aborted) return false;
    if (piece === 'end') break;
    if (piece === 'cut') {
      await flushed(response);
      response.socket?.destroy();
      return true;
    }
    if (piece === 'stall') {
      await pause(find(faults, 'stall')?.ms ?? 2 ** 31 - 1, signal);
      continue;
    }
    for (const part of cutter(piece)) {
      if (signal.aborted) return false;
      if (!response.write(part)) await drained(response, signal);
      if (drip !== undefined) await pause(drip.everyMs, signal);
    }
  }
  if (signal.aborted) return false;
  await new Promise<void>((done) => response.end(done));
  return true;
}

function pieceCutter(faults: readonly Fault[]): (piece: Buffer) => Iterable<Buffer> {
  const fixed = find(faults, 'drip')?.bytes ?? find(faults, 'split')?.bytes;
  const randomly = find(faults, 'splitRandomly');
  if (fixed === undefined && randomly === undefined) return (piece) => [piece];
  const random = seededRandom(randomly?.seed ?? 1);
  const size = (): number => fixed ?? 1 + Math.floor(random() * (randomly?.max ?? 16));
  return function* (piece) {
    for (let at = 0; at < piece.length; ) {
      const next = at + size();
      yield piece.subarray(at, next);
      at = next;
    }
  };
}

function flushed(response: ServerResponse): Promise<void> {
  return new Promise((done) => {
    if (response.writableLength === 0) setImmediate(done);
    else response.write('', () => done());
  });
}

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = (): void => {
      response.off('drain', end);
      signal.removeEventListener('abort', end);
      done();
    };
    response.once('drain', end);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}

/** Waits, or returns early when the signal fires. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) return done();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
