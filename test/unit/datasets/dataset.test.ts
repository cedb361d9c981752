import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { main, type ProvideOptions, provideDataset } from '../../../datasets/dataset.ts';
import type { Manifest } from '../../../datasets/manifest.ts';
import { buildZip } from './zip-builder.ts';

const archive = buildZip([
  { name: 'tiny/', data: '' },
  {
    name: 'tiny/corpus.jsonl',
    data: '{"_id":"a","text":"alpha"}\n{"_id":"b","text":"beta"}\n'.padEnd(200_000, '\n'),
    deflate: false,
  },
  { name: 'tiny/queries.jsonl', data: '{"_id":"q","text":"which?"}\n', deflate: true },
  { name: 'tiny/qrels/test.tsv', data: 'query-id\tcorpus-id\tscore\nq\ta\t1\n', deflate: true },
  { name: 'tiny/notes.exe', data: 'not wanted' },
  { name: '__MACOSX/tiny/corpus.jsonl', data: 'not wanted' },
]);
const md5 = createHash('md5').update(archive).digest('hex');

let cache: string;
let server: Server;
let requests: { readonly range: string | undefined }[];
/** What the server does, request by request; the last one goes on. */
let script: ((request: IncomingMessage, response: ServerResponse) => void)[];
let manifest: Manifest;

beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'ibid-datasets-'));
  requests = [];
  script = [serve];
  server = createServer((request, response) => {
    const step = script[Math.min(requests.length, script.length - 1)]!;
    requests.push({ range: request.headers.range });
    step(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  manifest = {
    name: 'tiny',
    title: 'Tiny',
    // listening on TCP, so not a pipe's name
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tiny.zip`,
    sizeBytes: archive.length,
    md5,
    language: 'en',
    textFields: ['text'],
    split: 'test',
    counts: { corpus: 2, queries: 1, judgedQueries: 1, judgements: 1 },
    queriesInCorpus: false,
    licence: { stated: 'none', source: 'this test' },
    sources: [],
    notes: [],
  };
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await rm(cache, { recursive: true, force: true });
});

/** The whole file, or the range asked for. */
function serve(request: IncomingMessage, response: ServerResponse): void {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (from >= archive.length) {
    response.writeHead(416, { 'content-range': `bytes */${archive.length}` }).end();
    return;
  }
  response.writeHead(from > 0 ? 206 : 200, {
    'content-length': archive.length - from,
    ...(from > 0 && { 'content-range': `bytes ${from}-${archive.length - 1}/${archive.length}` }),
  });
  response.end(archive.subarray(from));
}

/** As `serve`, but the connection breaks `after` bytes further on. */
const cutAfter =
  (after: number) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': archive.length - from,
      ...(from > 0 && { 'content-range': `bytes ${from}-${archive.length - 1}/${archive.length}` }),
    });
    response.write(archive.subarray(from, from + after), () => setTimeout(() => response.destroy(), 20));
  };

const answer =
  (status: number) =>
  (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(status).end('no');
  };

const provide = (options: Partial<ProvideOptions> = {}, changes: Partial<Manifest> = {}): Promise<string> =>
  provideDataset({ ...manifest, ...changes }, { cache, retryDelayMs: 1, attempts: 3, ...options });

describe('npm run dataset', () => {
  it('downloads, verifies, unpacks only the layout, and tidies up', async () => {
    const seen: number[] = [];
    const folder = await provide({ onProgress: ({ bytes }) => seen.push(bytes) });
    expect((await readdir(folder, { recursive: true })).sort()).toEqual(
      ['corpus.jsonl', 'qrels', join('qrels', 'test.tsv'), 'queries.jsonl'].sort(),
    );
    expect(await readdir(cache)).toEqual(['tiny']);
    expect(seen.at(-1)).toBe(archive.length);
    expect([...seen].sort((a, b) => a - b)).toEqual(seen);
  });

  it('does not ask again for what it has', async () => {
    await provide();
    await provide();
    expect(requests).toHaveLength(1);
    await provide({ force: true });
    expect(requests).toHaveLength(2);
  });

  it('goes on where a cut connection stopped', async () => {
    script = [cutAfter(50_000), cutAfter(60_000), serve];
    await provide();
    expect(requests[0]!.range).toBeUndefined();
    const starts = requests.slice(1).map(({ range }) => Number(/^bytes=(\d+)-$/.exec(range!)![1]));
    expect(starts).toHaveLength(2);
    expect(starts[0]).toBeGreaterThan(0);
    expect(starts[1]).toBeGreaterThan(starts[0]!);
  });

  it('takes up the part an earlier run has left', async () => {
    await writeFile(join(cache, 'tiny.zip.part'), archive.subarray(0, 70_000));
    await provide();
    expect(requests).toEqual([{ range: 'bytes=70000-' }]);
  });

  it('a part that is whole already is only checked', async () => {
    await writeFile(join(cache, 'tiny.zip.part'), archive);
    await provide();
    expect(requests).toEqual([{ range: `bytes=${archive.length}-` }]);
  });

  it('a part of another file is thrown away, not mixed in', async () => {
    await writeFile(join(cache, 'tiny.zip.part'), Buffer.alloc(70_000, 'x'));
    await provide();
    expect(requests).toEqual([{ range: 'bytes=70000-' }, { range: undefined }]);
  });

  it('a part longer than the file is thrown away', async () => {
    await writeFile(join(cache, 'tiny.zip.part'), Buffer.alloc(archive.length + 5));
    await provide();
    expect(requests.at(-1)).toEqual({ range: undefined });
  });

  it('a server that knows no ranges starts over', async () => {
    await writeFile(join(cache, 'tiny.zip.part'), archive.subarray(0, 70_000));
    script = [
      (_, response) => {
        response.writeHead(200, { 'content-length': archive.length }).end(archive);
      },
    ];
    await provide();
    expect(requests).toHaveLength(1);
  });

  it('a server that sends another range is not believed', async () => {
    await writeFile(join(cache, 'tiny.zip.part'), archive.subarray(0, 70_000));
    script = [
      (_, response) => {
        response.writeHead(206, { 'content-range': `bytes 0-${archive.length - 1}/${archive.length}` }).end(archive);
      },
      serve,
    ];
    await provide();
    expect(requests).toHaveLength(2);
  });

  it('a wrong checksum is an error, leaves no folder and no part', async () => {
    await expect(provide({}, { md5: '0'.repeat(32) })).rejects.toMatchObject({ code: 'DATASET_CHECKSUM' });
    expect(await readdir(cache)).toEqual([]);
  });

  it.each([403, 404, 410])('%i is told at once, with the way around', async (status) => {
    script = [answer(status)];
    await expect(provide()).rejects.toMatchObject({
      code: 'DATASET_UNREACHABLE',
      message: expect.stringContaining(String(status)),
      hint: expect.stringContaining('--from'),
    });
    expect(requests).toHaveLength(1);
  });

  it('503 is tried again', async () => {
    script = [answer(503), answer(429), serve];
    await provide();
    expect(requests).toHaveLength(3);
  });

  it('gives up after tries that bring nothing, and keeps what it has', async () => {
    script = [cutAfter(50_000), answer(500)];
    await expect(provide()).rejects.toMatchObject({
      code: 'DATASET_UNREACHABLE',
      message: expect.stringContaining('500'),
    });
    expect(requests).toHaveLength(1 + 3);
    expect((await stat(join(cache, 'tiny.zip.part'))).size).toBeGreaterThan(0);
  });

  it('a silent server is left after the idle timeout', async () => {
    script = [
      (_, response) => {
        response.writeHead(200, { 'content-length': archive.length });
        response.write(archive.subarray(0, 1000));
      },
      serve,
    ];
    await provide({ idleTimeoutMs: 100 });
    expect(requests).toHaveLength(2);
  });

  it('without a connection the hint is --from', async () => {
    await expect(provide({ attempts: 1 }, { url: 'http://127.0.0.1:1/tiny.zip' })).rejects.toMatchObject({
      code: 'DATASET_UNREACHABLE',
      hint: expect.stringContaining('--from'),
    });
  });

  it("the caller's abort passes through and keeps the part", async () => {
    const abort = new AbortController();
    const reason = new Error('enough');
    script = [
      (_, response) => {
        response.writeHead(200, { 'content-length': archive.length });
        response.write(archive.subarray(0, 1000));
      },
    ];
    await expect(
      provide({ signal: abort.signal, onProgress: () => setTimeout(() => abort.abort(reason), 10) }),
    ).rejects.toBe(reason);
    expect((await stat(join(cache, 'tiny.zip.part'))).size).toBe(1000);
  });

  it('wrong counts are an error and do not replace what the cache has', async () => {
    await provide();
    await expect(
      provide({ force: true }, { counts: { corpus: 3, queries: 1, judgedQueries: 1, judgements: 1 } }),
    ).rejects.toMatchObject({ code: 'DATASET_INVALID', message: expect.stringMatching(/corpus is 2, published is 3/) });
    expect(existsSync(join(cache, 'tiny', 'corpus.jsonl'))).toBe(true);
    expect((await readdir(cache)).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('a cached copy that lost something asks for --force', async () => {
    const folder = await provide();
    await rm(join(folder, 'qrels', 'test.tsv'));
    await expect(provide()).rejects.toMatchObject({
      code: 'DATASET_INVALID',
      hint: expect.stringContaining('--force'),
    });
  });
});

describe('npm run dataset -- --from', () => {
  it('takes an archive and checks it', async () => {
    const path = join(cache, 'given.zip');
    await writeFile(path, archive);
    const folder = await provide({ from: path });
    expect(await readFile(join(folder, 'queries.jsonl'), 'utf8')).toContain('which?');
    expect(existsSync(path)).toBe(true);
    expect(requests).toHaveLength(0);
    await writeFile(path, 'something else');
    await expect(provide({ from: path })).rejects.toMatchObject({ code: 'DATASET_CHECKSUM' });
  });

  it('takes a folder', async () => {
    const given = join(cache, 'given');
    await mkdir(join(given, 'qrels'), { recursive: true });
    await writeFile(join(given, 'corpus.jsonl'), '{"_id":"a","text":"x"}\n{"_id":"b","text":"y"}\n');
    await writeFile(join(given, 'queries.jsonl'), '{"_id":"q","text":"x?"}\n');
    await writeFile(join(given, 'qrels', 'test.tsv'), 'q\ta\t1\n');
    await writeFile(join(given, 'other.txt'), 'left behind');
    expect((await readdir(await provide({ from: given }))).sort()).toEqual(['corpus.jsonl', 'qrels', 'queries.jsonl']);
  });

  it('tells what is neither', async () => {
    await expect(provide({ from: join(cache, 'nowhere') })).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    await mkdir(join(cache, 'empty'));
    await expect(provide({ from: join(cache, 'empty') })).rejects.toMatchObject({ code: 'DATASET_INVALID' });
  });

  it('an archive without a corpus, or with two, is refused', async () => {
    const path = join(cache, 'given.zip');
    await writeFile(path, buildZip([{ name: 'readme', data: 'x' }]));
    await expect(provide({ from: path }, { md5: null })).rejects.toThrow(/0 corpora/);
    await writeFile(path, buildZip(['a', 'b'].map((name) => ({ name: `${name}/corpus.jsonl`, data: '' }))));
    await expect(provide({ from: path }, { md5: null })).rejects.toThrow(/2 corpora/);
  });
});

it('an interruption while a collection is copied or counted leaves nothing behind, and what was there', async () => {
  const from = join(cache, 'given');
  await mkdir(join(from, 'qrels'), { recursive: true });
  await writeFile(join(from, 'corpus.jsonl'), '{"_id":"a","text":"alpha"}\n{"_id":"b","text":"beta"}\n');
  await writeFile(join(from, 'queries.jsonl'), '{"_id":"q","text":"which?"}\n');
  await writeFile(join(from, 'qrels/test.tsv'), 'q\ta\t1\n');
  for (const step of ['copying', 'counting']) {
    const abort = new AbortController();
    const reason = new Error('interrupted');
    const onStep = (message: string): void => {
      if (message.startsWith(step)) abort.abort(reason);
    };
    await expect(provideDataset(manifest, { cache, from, onStep, signal: abort.signal })).rejects.toBe(reason);
    expect(await readdir(cache)).toEqual(['given']);
  }
});

it('a cache that cannot be made is an error without the stack of the program', async () => {
  await writeFile(join(cache, 'file'), '');
  const said: string[] = [];
  const error = vi.spyOn(console, 'error').mockImplementation((text) => said.push(String(text)));
  try {
    expect(await main(['scifact', '--from', cache, '--cache', join(cache, 'file/below')])).toBe(1);
  } finally {
    error.mockRestore();
  }
  expect(said.join('\n')).toMatch(/^error\[FILE_UNREADABLE\]: .*file/);
});
