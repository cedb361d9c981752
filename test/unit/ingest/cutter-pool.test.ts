import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { CutOutcome } from '../../../src/ingest/cut.ts';
import { CutterPool } from '../../../src/ingest/cutter-pool.ts';

const home = mkdtempSync(join(tmpdir(), 'ibid-cutters-'));
const limits = { maxFileBytes: 2 ** 20, maxTextChars: 2 ** 20, maxUnpackedBytes: 2 ** 20 };
const signal = new AbortController().signal;
const pools: CutterPool[] = [];

/** A thread that dies of some files and answers the others with their names. */
const dying = `
import { parentPort } from 'node:worker_threads';
parentPort.postMessage({ id: 0 });
parentPort.on('message', ({ id, uri }) => {
  if (uri === 'exit') process.exit(3);
  if (uri === 'throw') throw new Error('no thread survives this');
  if (uri === 'memory') for (const all = []; ; ) all.push(new Array(100_000).fill(all.length));
  if (uri !== 'never') parentPort.postMessage({ id, failure: { code: 'FILE_EMPTY', message: uri } });
});`;

function poolOf(module: string | undefined, threads = 1): CutterPool {
  let entry: URL | undefined;
  if (module !== undefined) {
    const path = join(home, `thread-${pools.length}.mjs`);
    writeFileSync(path, module);
    entry = pathToFileURL(path);
  }
  const pool = new CutterPool({ threads, limits, chunking: undefined, entry });
  pools.push(pool);
  return pool;
}

const file = (uri: string) => ({ uri, path: join(home, uri) });

afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const failureOf = (outcome: CutOutcome | undefined) => (outcome && 'failure' in outcome ? outcome.failure : undefined);
const cutOf = (outcome: CutOutcome | undefined) => (outcome && 'cut' in outcome ? outcome.cut : undefined);

describe('threads that read and cut', () => {
  it.each([
    ['exit', 'FILE_DAMAGED'],
    ['throw', 'FILE_DAMAGED'],
    ['memory', 'FILE_MEMORY'],
  ])(
    'a file that ends its thread by %s fails as %s, and no other',
    async (uri, code) => {
      const pool = poolOf(dying, 2);
      const uris = ['a', 'b', uri, 'c', 'd', 'e', uri, 'f'];
      const outcomes = await Promise.all(uris.map((one) => pool.cut(file(one), signal)));
      const codes = outcomes.map((outcome) => failureOf(outcome)?.code);
      expect(codes).toEqual(uris.map((one) => (one === uri ? code : 'FILE_EMPTY')));
      expect(outcomes.flatMap((outcome, i) => (uris[i] === uri ? [] : [failureOf(outcome)?.message]))).toEqual(
        uris.filter((one) => one !== uri),
      );
    },
    30_000,
  );

  it('are busy until they have started, and with eight files each', async () => {
    const pool = poolOf(dying);
    pool.start();
    expect(pool.isBusy).toBe(true);
    await expect.poll(() => pool.isBusy).toBe(false);
    const states = Array.from({ length: 8 }, () => {
      pool.cut(file('never'), signal).catch(() => {});
      return pool.isBusy;
    });
    expect(states).toEqual([...Array.from({ length: 7 }, () => false), true]);
  });

  it('are worth more bytes where one alone cuts beside the caller', () => {
    expect([1, 2, 7].map((threads) => poolOf(dying, threads).worthBytes)).toEqual(
      [16, 4, 4].map((MiB) => MiB * 2 ** 20),
    );
  });

  it('leave the work to the caller where none can start', async () => {
    const pool = poolOf('throw new Error("not here");');
    const outcomes = await Promise.all([pool.cut(file('a'), signal), pool.cut(file('b'), signal)]);
    expect([...outcomes, await pool.cut(file('c'), signal)]).toEqual([undefined, undefined, undefined]);
  });

  it('let an aborted call go, and leave nothing waiting when they end', async () => {
    const pool = poolOf(dying);
    const abort = new AbortController();
    const aborted = pool.cut(file('never'), abort.signal);
    const waiting = pool.cut(file('never'), signal);
    abort.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    const ended = expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
    await pool.close();
    await ended;
  });

  it('keep the program until they have ended, whatever they reply last', () => {
    const slow = join(home, 'slow.mjs');
    writeFileSync(
      slow,
      `import { pbkdf2Sync } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
parentPort.on('message', ({ id }) => {
  parentPort.postMessage({ id, failure: { code: 'FILE_EMPTY', message: '' } });
  pbkdf2Sync('a', 'b', 2_000_000, 64, 'sha512'); // ends only when it is done
});`,
    );
    const program = `
import { CutterPool } from ${JSON.stringify(new URL('../../../src/ingest/cutter-pool.ts', import.meta.url).href)};
const pool = new CutterPool({ threads: 1, limits: {}, entry: new URL(${JSON.stringify(pathToFileURL(slow).href)}) });
const cut = pool.cut({ uri: 'a', path: 'a' }, new AbortController().signal).catch(() => {});
for (const end = performance.now() + 700; performance.now() < end; ); // the reply comes, and is not yet taken
await pool.close();
await cut;
console.log('closed');`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    expect([stdout.trim(), status]).toEqual(['closed', 0]);
  });

  it('give back what needs a parser process, and refuse as this thread would', async () => {
    writeFileSync(join(home, 'book.txt'), '%PDF-1.7 really');
    writeFileSync(join(home, 'empty.md'), '');
    writeFileSync(join(home, 'note.md'), 'One sentence. Another one.');
    const pool = poolOf(undefined);
    const [book, empty, missing, note] = await Promise.all(
      ['book.txt', 'empty.md', 'missing.md', 'note.md'].map((uri) => pool.cut(file(uri), signal)),
    );
    expect(book).toBeUndefined();
    expect(failureOf(empty)?.code).toBe('FILE_EMPTY');
    expect(failureOf(missing)).toEqual({ code: 'FILE_UNREADABLE', message: 'cannot be read: ENOENT' });
    expect(cutOf(note)?.document.title).toBe('note'); // the name of the file
    expect(cutOf(note)?.chunks.map(({ text }) => text)).toEqual(['One sentence. Another one.']);
  }, 30_000);
});
