import type { lookup } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { createCommonService } from '../../../src/wire/common/index.ts';
import { splitVersion } from '../../../src/wire/common/routes.ts';
import { privateLookup } from '../../../src/wire/http/proxy.ts';
import { WireError } from '../../../src/wire/index.ts';
import { served } from './support.ts';

const codeOf = async (call: () => unknown): Promise<string> => {
  try {
    await call();
  } catch (error) {
    return error instanceof WireError ? error.code : String(error);
  }
  return 'no error';
};

describe('a base address', () => {
  it.each([
    ['http://localhost:11434', 'http://localhost:11434', '/v1'],
    ['http://localhost:11434/', 'http://localhost:11434', '/v1'],
    ['http://localhost:11434/v1', 'http://localhost:11434', '/v1'],
    ['http://localhost:11434/v1/', 'http://localhost:11434', '/v1'],
    ['https://gate.example/team/v1', 'https://gate.example/team', '/v1'],
    ['https://gate.example/api/v3', 'https://gate.example/api', '/v3'],
    ['https://gate.example/v1/team', 'https://gate.example/v1/team', '/v1'],
  ])('%s', (given, baseUrl, prefix) => {
    expect(splitVersion(given)).toEqual({ baseUrl, prefix });
  });

  it.each(['', '/', '/v1', '/v1/'])('means the same with "%s" at its end', async (end) => {
    const { server } = await served();
    await using client = createCommonService({ baseUrl: server.url + end });
    await client.models();
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/models']);
  });

  it('may be http on this machine, and in a private network only when the caller says so', async () => {
    const open = (baseUrl: string, privateAddress?: boolean) => () => createCommonService({ baseUrl, privateAddress });
    expect(await codeOf(open('http://localhost:1'))).toBe('no error');
    expect(await codeOf(open('http://192.168.0.7:11434'))).toBe('UNSAFE_ADDRESS');
    expect(await codeOf(open('http://192.168.0.7:11434', true))).toBe('no error');
    expect(await codeOf(open('http://[fd00::1]:8080', true))).toBe('no error');
    expect(await codeOf(open('http://8.8.8.8', true))).toBe('UNSAFE_ADDRESS');
    expect(await codeOf(open('http://gpu-box:8000'))).toBe('UNSAFE_ADDRESS');
  });

  it.each([
    [['10.0.0.1'], undefined],
    [['fd00::1', '192.168.0.7'], undefined],
    [['8.8.8.8'], 'UNSAFE_ADDRESS'],
    [['10.0.0.1', '8.8.8.8'], 'UNSAFE_ADDRESS'],
  ])('that is a name is looked at when it is resolved to %j', async (addresses, expected) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const resolve = ((_name: string, _options: object, done: (error: null, all: typeof found) => void) =>
      done(null, found)) as unknown as typeof lookup; // one of its forms
    const look = privateLookup(new URL('http://gpu-box:8000'), resolve);
    const error = await new Promise<unknown>((settle) => look('gpu-box', { all: true }, settle));
    expect((error as WireError | null)?.code).toBe(expected);
  });

  it('is not left by a redirect, to another host or for a request with a body', async () => {
    const { server, client } = await served();
    server.script({ fault: { kind: 'redirect', to: 'http://127.0.0.2:9/v1/models' } });
    expect(await codeOf(() => client.models())).toBe('UNSAFE_ADDRESS');
    server.script({ fault: { kind: 'redirect', to: '/elsewhere' } });
    expect(await codeOf(() => client.embeddings({ model: 'embedder', input: 'x' }))).toBe('UNSAFE_ADDRESS');
  });
});

describe('a key', () => {
  it('is not sent when there is none', async () => {
    const { server, client } = await served();
    await client.models();
    expect(server.requests[0]!.headers.authorization).toBeUndefined();
  });

  it('that is empty is a mistake, not none', async () => {
    expect(await codeOf(() => createCommonService({ baseUrl: 'http://localhost:1', apiKey: '' }))).toBe('KEY_MISSING');
  });

  it('that is wrong is KEY_REJECTED', async () => {
    const { server } = await served({ apiKey: 'right' });
    await using client = createCommonService({ baseUrl: server.url, apiKey: 'wrong' });
    expect(await codeOf(() => client.models())).toBe('KEY_REJECTED');
  });

  it('in a header of the caller is sent, and is masked where a server says it back', async () => {
    const { server } = await served();
    const secret = 'gateway-secret-0123456789';
    await using client = createCommonService({ baseUrl: server.url, headers: { 'x-gateway-key': secret } });
    server.script({ fault: { kind: 'status', status: 400, message: `bad key ${secret}` } });
    const error = await client.models().catch((thrown: unknown) => thrown);
    expect(server.requests[0]!.headers['x-gateway-key']).toBe(secret);
    expect(JSON.stringify(error) + String(error)).not.toContain(secret);
    expect(String(error)).toContain('[key]');
  });
});

describe('a server', () => {
  it('without a version in its paths is found out once', async () => {
    const { server, client } = await served({ prefix: '' });
    await client.embeddings({ model: 'embedder', input: 'x' });
    await client.embeddings({ model: 'embedder', input: 'y' });
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/embeddings', '/embeddings', '/embeddings']);
  });

  it('that scores in the form of text-embeddings-inference is found out once', async () => {
    const { server, client } = await served({ tei: true });
    const ask = () => client.rerank({ model: 'reranker', query: 'ferry harbour', documents: ['roses', 'the ferry'] });
    expect((await ask()).scores).toEqual([0, 0.5]);
    expect((await ask()).scores).toEqual([0, 0.5]);
    const sent = server.requests.map(({ path, body }) => `${path} ${Object.keys(body as object).join()}`);
    expect(sent).toEqual([
      '/v1/rerank model,query,documents',
      '/rerank model,query,documents',
      '/rerank query,texts,truncate',
      '/rerank query,texts,truncate',
    ]);
  });

  it('that does not know a model is not asked elsewhere', async () => {
    const { server, client } = await served();
    const code = await codeOf(() => client.embeddings({ model: 'no-such', input: 'x' }));
    expect([code, server.requests.length]).toEqual(['REMOTE_NOT_FOUND', 1]);
  });

  it('that has no such path at all says so by the first address', async () => {
    const { server, client } = await served({ prefix: '/v7' });
    const error = await client.models().catch((thrown: unknown) => thrown as WireError);
    expect(error).toMatchObject({ code: 'REMOTE_NOT_FOUND', address: `${server.url}/v1/models` });
  });
});
