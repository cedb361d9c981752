import { once } from 'node:events';
import { statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type AnswerEvent, openIndex, type SearchIndex } from '../../src/index.ts';
import { Page } from '../../src/serve/page.ts';
import { type LogEntry, type RunningServer, serve } from '../../src/serve.ts';
import { fakeEmbedder } from '../../src/testing.ts';
import { tempFolder } from '../support/temp.ts';
import { call, docs, madeIndex, started } from './support.ts';

/** More than the buffers of two sockets hold. */
const LARGE = 64 * 2 ** 20;

async function small(): Promise<SearchIndex> {
  const index = await openIndex(join(tempFolder(), 'index'), { create: true, embedder: fakeEmbedder() });
  onTestFinished(() => index.close());
  await index.add([{ uri: 'note:1', text: 'The pump is serviced in May.' }]);
  return index;
}

/** A page with one large file, `/large.json`. */
function largePage(): string {
  const folder = tempFolder({ 'large.json': '' });
  truncateSync(join(folder, 'large.json'), LARGE);
  return folder;
}

/** The first 44 bytes of a recording of silence. */
function waveHeader(dataBytes: number): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF    WAVEfmt ', 'latin1');
  header.writeUInt32LE(36 + dataBytes, 4);
  header.writeUInt32LE(16, 16);
  header.set([1, 0, 1, 0], 20); // PCM, one channel
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(16_000, 28);
  header.set([2, 0, 16, 0], 32);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes, 40);
  return header;
}

/** A client that reads nothing until it is told to. */
function client({ port }: RunningServer, said: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.write(said);
  return socket;
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** How many bytes come from now on, until the server ends the connection, or `most` are there. */
async function bytesOf(socket: Socket, most = Number.POSITIVE_INFINITY): Promise<number> {
  let bytes = 0;
  socket.on('data', (piece) => {
    bytes += piece.length;
    if (bytes >= most) socket.destroy();
  });
  socket.once('end', () => socket.destroy()).resume();
  await new Promise((resolve) => socket.once('close', resolve));
  return bytes;
}

/** An index whose answers are these events. */
function answering(index: SearchIndex, events: (signal: AbortSignal) => AsyncGenerator<AnswerEvent>): SearchIndex {
  index.ask = ((_: string, { signal }: { signal: AbortSignal }) => events(signal)) as unknown as SearchIndex['ask'];
  return index;
}

/** An index of a recording that does not fit into the buffers of a connection. */
async function largeTalk(): Promise<{ readonly index: SearchIndex; readonly file: string }> {
  const talk = 'WEBVTT\n\n00:00:01.000 --> 00:00:05.000\nThe pump is serviced in May.\n';
  const { index, folder } = await madeIndex({ ...docs, 'talk.vtt': talk });
  const file = join(folder, 'talk.wav');
  writeFileSync(file, waveHeader(LARGE - 44));
  truncateSync(file, LARGE);
  await index.ingest(folder);
  return { index, file };
}

describe('a server with slow or broken clients', () => {
  it('gives a file as fast as its client takes it, and searches meanwhile', async () => {
    const { index } = await largeTalk();
    const server = await started({ indexes: index, limits: { concurrency: 1, queue: 0, requestMs: 1000 } });
    const taking = client(server, get('/api/source?ref=talk.wav'));
    await once(taking, 'readable');
    expect((await call(server, '/api/search?query=pump')).status).toBe(200);
    await sleep(1200);
    expect(await bytesOf(taking, LARGE)).toBeGreaterThan(LARGE);
  });

  it('ends the connection of a file that is cut short meanwhile: the next answer would be taken for its bytes', async () => {
    const { index, file } = await largeTalk();
    const log: LogEntry[] = [];
    const server = await started({ indexes: index, log: (entry) => log.push(entry) });
    const taking = client(server, get('/api/source?ref=talk.wav') + get('/health'));
    await once(taking, 'readable');
    truncateSync(file, 1000);
    let end = '';
    taking.on('data', (piece) => {
      end = piece.toString('latin1').slice(-1000);
    });
    await bytesOf(taking, LARGE);
    expect(end).not.toContain('{"status":"ok"}');
    expect(log.find(({ route }) => route === '/api/source')).toMatchObject({ code: 'CONFLICT' });
  });

  it('lets the work of an answer end before a slow client has taken it', async () => {
    const text = 'x'.repeat(LARGE / 64);
    const index = answering(await small(), async function* () {
      for (let i = 0; i < 64; i++) yield { type: 'text', text };
    });
    const server = await started({ indexes: index, limits: { concurrency: 1, queue: 0 } });
    await once(client(server, get('/api/ask?stream&question=pump')), 'readable');
    await expect.poll(async () => (await call(server, '/api/search?query=pump')).status).toBe(200);
  });

  it('says in the events of an answer that it took too long', async () => {
    const index = answering(await small(), async function* (signal) {
      yield { type: 'text', text: 'The pump' };
      await once(signal, 'abort');
      signal.throwIfAborted();
    });
    const server = await started({ indexes: index, limits: { requestMs: 200 } });
    const { text } = await call(server, '/api/ask?stream&question=pump');
    expect(text).toContain('"code":"TIMEOUT"');
  });

  it('ends an answer of which nothing is taken', async () => {
    const limits = { requestMs: 300, receiveMs: 300 };
    const server = await started({ indexes: await small(), page: largePage(), limits });
    const asked = client(server, get('/large.json'));
    await sleep(2000);
    expect(await bytesOf(asked)).toBeLessThan(LARGE);
  });

  it('waits for a slow client when it stops, and tells no failure of what it then refuses', async () => {
    const log: LogEntry[] = [];
    const server = await serve({
      ...{ indexes: await small(), port: 0, page: largePage() },
      log: (entry) => log.push(entry),
    });
    const idle = client(server, get('/health'));
    await once(idle, 'data');
    const asked = client(server, get('/large.json'));
    await once(asked, 'readable');
    const stopped = server.stop(5000);
    idle.write(get('/api/search?query=pump'));
    const [refused] = await once(idle, 'data');
    expect(String(refused)).toMatch(/^HTTP\/1\.1 503 /);
    expect(await bytesOf(asked, LARGE)).toBeGreaterThan(LARGE);
    await stopped;
    expect(log.filter(({ event }) => event === 'failed')).toEqual([]);
  });

  it('closes the connection of what is no request, though the client leaves it open', async () => {
    const server = await started({ indexes: await small() });
    const broken = client(server, 'NO REQUEST\r\n\r\n');
    const [answer] = await once(broken, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
    const isClosed = (): boolean => broken.destroyed || !broken.write('x'); // what is closed refuses it
    await expect.poll(isClosed, { timeout: 3000 }).toBe(true);
  });

  it('answers few requests of one connection at a time, and ends it where more come', async () => {
    const log: LogEntry[] = [];
    const server = await started({ indexes: await small(), log: (entry) => log.push(entry) });
    const { length } = get('/openapi.json');
    const flood = client(server, get('/openapi.json').repeat(Math.floor(60_000 / length)));
    await bytesOf(flood);
    await expect.poll(() => log.length).toBeGreaterThan(1);
    expect(log.filter(({ event }) => event === 'request').length).toBeLessThan(20);
    expect((await call(server, '/health')).status).toBe(200);
  });

  it('has a file of its page in memory once, as the file is', () => {
    const folder = tempFolder({ 'a.js': 'let a;' });
    const page = new Page(folder);
    const textOf = (): Uint8Array => (page.reply('/a.js') as { readonly text: Uint8Array }).text;
    expect(textOf()).toBe(textOf());
    writeFileSync(join(folder, 'a.js'), 'let b;');
    utimesSync(join(folder, 'a.js'), new Date(), new Date(statSync(join(folder, 'a.js')).mtimeMs + 5000));
    expect(String(textOf())).toBe('let b;');
  });
});
