import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { IbidError } from '../../../src/core/errors.ts';
import type { ParsedDocument } from '../../../src/read/contract.ts';
import { parseBytes } from '../../../src/read/parse.ts';
import { createReader } from '../../../src/read/reader.ts';
import { expectSound } from './helpers.ts';

const hello = { bytes: Buffer.from('Subject: x\n\nhello there\n'), uri: 'mail/hello.eml' };
/** Three million open tags keep the parser busy for many seconds. */
const slow = (): Uint8Array => Buffer.from(`<p>${'<div><b>x</b>'.repeat(3_000_000)}`);

describe('reader', () => {
  test('small text is read at once, other formats in another process; the uri is kept', async () => {
    await using reader = createReader();
    expect(await reader.read({ bytes: Buffer.from('# T\n\nx'), uri: 'a/b.md' })).toMatchObject({
      uri: 'a/b.md',
      title: 'T',
      format: 'markdown',
    });
    expect(await reader.read(hello)).toMatchObject({ uri: 'mail/hello.eml', format: 'eml' });
  });

  test('a file that takes too long is FILE_TIMEOUT, and the next one is read', { timeout: 30_000 }, async () => {
    await using reader = createReader({ timeoutMs: 700 });
    const started = performance.now();
    await expect(reader.read({ bytes: slow(), uri: 'slow.html' })).rejects.toMatchObject({
      name: 'IbidError',
      code: 'FILE_TIMEOUT',
    });
    expect(performance.now() - started).toBeLessThan(10_000);
    await using patient = createReader();
    expect((await patient.read(hello)).text).toContain('hello there');
  });

  test('a file that takes too much memory is FILE_MEMORY, and the next one is read by the same reader', {
    timeout: 60_000,
  }, async () => {
    await using reader = createReader({ memoryMb: 200, timeoutMs: 20_000 });
    const json = Buffer.from(`[${'{"k":"some words in it","b":[1,2,3]},'.repeat(1_500_000)}1]`);
    await expect(reader.read({ bytes: json, uri: 'big.json' })).rejects.toMatchObject({ code: 'FILE_MEMORY' });
    expect((await reader.read(hello)).text).toContain('hello there');
  });

  test('an abort stops the work and passes its reason through', { timeout: 30_000 }, async () => {
    await using reader = createReader();
    const abort = new AbortController();
    const reading = reader.read({ bytes: slow(), uri: 'slow.html' }, { signal: abort.signal });
    setTimeout(() => abort.abort(new Error('enough')), 300);
    await expect(reading).rejects.toThrow('enough');
    await expect(reader.read(hello, { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
    expect((await reader.read(hello)).text).toContain('hello there');
  });

  test('many calls in flight all end, each with its own answer', { timeout: 30_000 }, async () => {
    await using reader = createReader({ concurrency: 2 });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        reader.read({ bytes: Buffer.from(`Subject: s${i}\n\nbody ${i}\n`), uri: `${i}.eml` }),
      ),
    );
    expect(answers.map(({ uri, title }) => [uri, title])).toEqual(
      Array.from({ length: 40 }, (_, i) => [`${i}.eml`, `s${i}`]),
    );
  });

  test('closing rejects what waits', { timeout: 30_000 }, async () => {
    const reader = createReader();
    const waiting = [reader.read({ bytes: slow(), uri: 'slow.html' }), reader.read(hello)];
    const outcomes = Promise.allSettled(waiting);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await reader.close();
    for (const outcome of await outcomes) {
      expect(outcome.status).toBe('rejected');
      expect((outcome as PromiseRejectedResult).reason).toBeInstanceOf(IbidError);
    }
    await expect(reader.read(hello)).rejects.toBeInstanceOf(IbidError);
  });

  test('sizes, missing files and bad options are told apart', async () => {
    await using reader = createReader({ maxFileBytes: 10 });
    const folder = mkdtempSync(join(tmpdir(), 'ibid-read-'));
    try {
      writeFileSync(join(folder, 'long.txt'), 'more than ten bytes');
      await expect(reader.read({ path: join(folder, 'long.txt'), uri: 'long.txt' })).rejects.toMatchObject({
        code: 'FILE_TOO_LARGE',
      });
      await expect(reader.read({ path: join(folder, 'none.txt'), uri: 'none.txt' })).rejects.toMatchObject({
        code: 'FILE_UNREADABLE',
      });
      await expect(reader.read({ bytes: Buffer.from('more than ten bytes'), uri: 'a.txt' })).rejects.toMatchObject({
        code: 'FILE_TOO_LARGE',
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
    for (const bad of [0, -1, Number.NaN]) {
      expect(() => createReader({ timeoutMs: bad })).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    }
  });

  test('5,000 small documents take well under the time a message each would', { timeout: 30_000 }, async () => {
    await using reader = createReader();
    const bytes = Buffer.from(`Title words\n\n${'A sentence of a small document that says something. '.repeat(30)}`);
    const started = performance.now();
    for (let i = 0; i < 5000; i++) await reader.read({ bytes, uri: `${i}.txt` });
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('no light format has a slow case: 256 kB of anything is read or refused in seconds', () => {
  const size = 256 * 1024;
  const limits = { maxTextChars: 1e8, maxUnpackedBytes: 1e8 };
  const patterns: Readonly<Record<string, readonly string[]>> = {
    md: ['> ', '- ', '[', '[a\n', '`', '|', '<!--', '*', '- a\n', '    ', '&#', '![](', '[a]: '],
    html: [
      '<div>',
      '<header>',
      '<article>',
      '<table><tr><td>',
      '<ul><li>',
      '<p>',
      '<b>',
      '<dl><dt>a<dd>',
      '&',
      '<!--',
      '<a href="',
    ],
    csv: ['"', '","', 'a"b,', '\n', '""'],
    json: ['[', '{"a":', '"', '/*', '{"a":['],
    ts: ['{', '(', '`', '/*\n', 'class a {\n', 'function a(', 'a b c ', ' ', 'const a = ('],
    py: ['"""', 'class a:\n', 'def a(', ' ', '@a\n'],
    srt: ['<v ', '<', '-->', '00:00:01.000 --> 00:00:02.000\n', '{\\an'],
    rst: ['=\na\n', '.. code::\n', '`', '* '],
    yaml: ['- ', 'a: ', '# \n', '   '],
    xml: ['<a>', '<a b="cc">', '&', '<!ENTITY', '<a>b'],
    txt: [' ', '\n ', 'A\n\n', '1.', '\r', '\f', '\x1b['],
  };
  const cases = Object.entries(patterns).flatMap(([extension, list]) =>
    list.map((pattern) => [extension, pattern] as const),
  );
  test.each(cases)('%s: %j', { timeout: 30_000 }, async (extension, pattern) => {
    const source = `x\n\n${pattern.repeat(Math.ceil(size / pattern.length))}\ny`;
    const bytes = Buffer.from(extension === 'xml' ? `<x>${source}` : source);
    const before = process.cpuUsage(); // not the clock: a busy machine is no slow case
    const outcome: unknown = await parseBytes(`a.${extension}`, bytes, limits).catch((error: unknown) => error);
    const { user, system } = process.cpuUsage(before);
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(IbidError);
    else expectSound(outcome as ParsedDocument); // the only other thing it gives
    expect((user + system) / 1000).toBeLessThan(6000);
  });
});
