import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createTransport } from '../../../src/wire/http/transport.ts';
import { collect, dialect, errorOf, KEY, noLimits, open, operation, raw, reply, scripted } from './support.ts';

const get = operation('always', 'GET');

describe('compression', () => {
  it('is unpacked within the time limit, also where all of it has come', async () => {
    const member = gzipSync('data: {}\n\n'.repeat(1_000_000));
    const body = Buffer.concat(new Array<Buffer>(60).fill(member));
    await using server = await raw((socket) => {
      const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: gzip\r\n';
      socket.write(`${head}content-length: ${body.length}\r\n\r\n`);
      socket.write(body);
    });
    const timeouts = { ...noLimits, totalMs: 500 };
    await using transport = createTransport(dialect, { apiKey: KEY, baseUrl: server.baseUrl, timeouts });
    let events = 0;
    const counting = async (): Promise<void> => {
      for await (const batch of (await transport.events(get, {})).batches()) events += batch.length;
    };
    expect(await errorOf(counting())).toMatchObject({ code: 'TIMEOUT' });
    expect(events).toBeGreaterThan(0);
    expect(events).toBeLessThan(60_000_000);
  });

  it('of more than three encodings in one another is refused before a decoder is made', async () => {
    const encoding = new Array(1_000).fill('gzip').join(',');
    await using server = await scripted(reply(200, '{}', { 'content-encoding': encoding }));
    await using transport = open(server);
    const error = await errorOf(transport.json(get, {}));
    expect(error).toMatchObject({
      code: 'RESPONSE_INVALID',
      message: expect.stringContaining('1000 content-encodings'),
    });
  });

  const text = JSON.stringify({ text: 'häß 漢字 '.repeat(5_000) });
  const encodings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync } as const;
  const names = Object.keys(encodings) as (keyof typeof encodings)[];

  it.each(names)('%s of JSON, lines and events', async (name) => {
    const send = (body: string, type: string) => (response: import('node:http').ServerResponse) => {
      const packed = encodings[name](Buffer.from(body));
      response.writeHead(200, { 'content-type': type, 'content-encoding': name });
      response.write(packed.subarray(0, 7));
      setImmediate(() => response.end(packed.subarray(7)));
    };
    await using server = await scripted(
      send(text, 'application/json'),
      send(`${text}\n${text}\n`, 'x'),
      send(`data: ${text}\n\n`, 'text/event-stream'),
    );
    await using transport = open(server);
    expect((await transport.json(get, {})).body).toEqual(JSON.parse(text));
    expect(await collect(await transport.lines(get, {}))).toEqual([text, text]);
    expect(await collect(await transport.events(get, {}))).toEqual([{ event: '', data: text }]);
    expect(server.seen.map(({ headers }) => headers['accept-encoding'])).toEqual([
      'gzip, deflate, br, zstd',
      'gzip, deflate, br, zstd',
      'identity',
    ]);
  });

  it.each(names)('%s of an error body', async (name) => {
    await using server = await scripted((response) => {
      response.writeHead(400, { 'content-encoding': name });
      response.end(encodings[name](Buffer.from('{"error":{"message":"packed","type":"invalid_request"}}')));
    });
    await using transport = open(server);
    expect(await errorOf(transport.json(get, {}))).toMatchObject({
      code: 'REQUEST_REJECTED',
      message: 'test.do: HTTP 400 invalid_request: packed',
    });
  });

  it.each(names)('%s cut short is a broken answer', async (name) => {
    const packed = encodings[name](Buffer.from(JSON.stringify(Array.from({ length: 3_000 }, (_, i) => i * 7919))));
    await using server = await scripted((response) => {
      response.writeHead(200, { 'content-encoding': name });
      response.end(packed.subarray(0, packed.length >> 1));
    });
    await using transport = open(server, { maxRetries: 0 });
    const error = await errorOf(transport.json(get, {}));
    expect(error).toMatchObject({ status: 200 });
    expect((error as { code: string }).code).toMatch(/^(STREAM_BROKEN|RESPONSE_INVALID)$/);
  });

  it.each(names)('%s of rubbish is no answer', async (name) => {
    await using server = await scripted((response) => {
      response.writeHead(200, { 'content-encoding': name });
      response.end('this is not compressed at all, whatever the header says');
    });
    await using transport = open(server);
    expect(await errorOf(transport.json(get, {}))).toMatchObject({ code: 'RESPONSE_INVALID' });
  });

  it('nobody knows is refused', async () => {
    await using server = await scripted(
      reply(200, '{}', { 'content-encoding': 'lzma' }),
      reply(500, 'x', { 'content-encoding': 'lzma' }),
    );
    await using transport = open(server, { maxRetries: 0 });
    expect(await errorOf(transport.json(get, {}))).toMatchObject({
      code: 'RESPONSE_INVALID',
      message: 'test.do: content-encoding lzma',
    });
    expect(await errorOf(transport.json(get, {}))).toMatchObject({ code: 'SERVICE_FAILED' });
  });

  it('of a bomb is unpacked no further than the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000)); // 100 kB
    await using server = await scripted((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(bomb);
    });
    await using transport = open(server, { maxBodyBytes: 1_000_000 });
    const before = process.memoryUsage().arrayBuffers;
    expect(await errorOf(transport.json(get, {}))).toMatchObject({
      code: 'RESPONSE_INVALID',
      message: 'test.do: the body is over 1000000 bytes',
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30_000_000);
  });
});

describe('a body too large', () => {
  it('is refused, packed or not', async () => {
    await using server = await scripted(reply(200, JSON.stringify('x'.repeat(5_000))));
    await using transport = open(server, { maxBodyBytes: 4_000 });
    expect(await errorOf(transport.json(get, {}))).toMatchObject({ code: 'RESPONSE_INVALID' });
  });

  it('of an error is only looked into', async () => {
    await using server = await scripted(reply(400, 'y'.repeat(3_000_000)));
    await using transport = open(server);
    const error = await errorOf(transport.json(get, {}));
    expect((error as { body: string }).body).toHaveLength(2_000);
  });
});
