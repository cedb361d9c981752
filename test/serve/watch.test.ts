import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openIndex, type SearchIndex, type WatchEvent, type WatchOptions, watchFolders } from '../../src/index.ts';
import { fakeEmbedder } from '../../src/testing.ts';
import { tempFolder } from '../support/temp.ts';
import { call, started } from './support.ts';

interface Followed {
  readonly index: SearchIndex;
  readonly folder: string;
  readonly events: WatchEvent[];
  readonly runs: () => number;
  readonly done: () => number;
}

/** A folder with two files, and an index that follows it until the test ends. */
async function followed({ also = [], ...options }: WatchOptions & { also?: string[] } = {}): Promise<Followed> {
  const folder = tempFolder({ 'docs/a.md': 'The keeper counts ships.\n', 'docs/b.md': 'The lamp burns oil.\n' });
  const index = await openIndex(join(folder, 'docs/.ibid'), { create: true, embedder: fakeEmbedder() });
  const stop = new AbortController();
  const events: WatchEvent[] = [];
  const watching = (async () => {
    const all = { quietMs: 100, signal: stop.signal, ...options };
    for await (const event of watchFolders(index, [join(folder, 'docs'), ...also], all)) events.push(event);
  })();
  onTestFinished(async () => {
    stop.abort();
    await watching;
    await index.close();
  });
  const count = (type: WatchEvent['type']) => () => events.filter((event) => event.type === type).length;
  return { index, folder, events, runs: count('run'), done: count('done') };
}

const soon = { timeout: 30_000, interval: 50 };

describe.each([
  ['events of the system', {}],
  ['sweeps', { events: false, sweepMs: 300 }],
] as const)('an index that follows a folder by %s', (how, options) => {
  it('catches up at the start, then follows what is added, edited, renamed and deleted', async () => {
    const { index, folder, done, events } = await followed(options);
    await expect.poll(done, soon).toBeGreaterThanOrEqual(1);
    expect(events[0]).toEqual({ type: 'watching', by: how === 'sweeps' ? 'sweep' : 'events' });
    const uris = async (): Promise<string[]> => (await Array.fromAsync(index.documents())).map(({ uri }) => uri).sort();
    expect(await uris()).toEqual(['a.md', 'b.md']);
    const docs = join(folder, 'docs');
    mkdirSync(join(docs, 'new/deep'), { recursive: true });
    writeFileSync(join(docs, 'new/deep/c.md'), 'The ferry leaves at seven.\n');
    await expect.poll(uris, soon).toEqual(['a.md', 'b.md', 'new/deep/c.md']);
    writeFileSync(join(docs, 'new/deep/c.md'), 'The ferry leaves at eight.\n');
    await expect.poll(async () => (await index.document('new/deep/c.md'))?.text, soon).toContain('eight');
    renameSync(join(docs, 'a.md'), join(docs, 'z.md'));
    await expect.poll(uris, soon).toEqual(['b.md', 'new/deep/c.md', 'z.md']);
    rmSync(join(docs, 'new'), { recursive: true });
    await expect.poll(uris, soon).toEqual(['b.md', 'z.md']);
    // a folder of the same name, then one that moves with what is in it
    mkdirSync(join(docs, 'new/deep'), { recursive: true });
    writeFileSync(join(docs, 'new/deep/d.md'), 'The pilot comes aboard.\n');
    await expect.poll(uris, soon).toEqual(['b.md', 'new/deep/d.md', 'z.md']);
    renameSync(join(docs, 'new'), join(docs, 'moved'));
    await expect.poll(uris, soon).toEqual(['b.md', 'moved/deep/d.md', 'z.md']);
    writeFileSync(join(docs, 'moved/deep/d.md'), 'The pilot goes ashore.\n');
    await expect.poll(async () => (await index.document('moved/deep/d.md'))?.text, soon).toContain('ashore');
  }, 120_000);
});

describe('an index that follows a folder', () => {
  it('takes a storm of changes as one run, and its own writing as none', async () => {
    const { folder, runs, done, index } = await followed({ quietMs: 1500 });
    await expect.poll(done, soon).toBe(1);
    for (let i = 0; i < 1500; i++) writeFileSync(join(folder, `docs/storm-${i}.md`), `Wave ${i} hits the wall.\n`);
    await expect.poll(async () => (await index.documentPage()).total, { ...soon, timeout: 90_000 }).toBe(1502);
    await expect.poll(done, soon).toBe(runs());
    expect(runs()).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 2500)); // what the run wrote would have begun another
    expect(runs()).toBe(2);
  }, 120_000);

  it('goes on after a run that failed', async () => {
    const { index, folder, done, events } = await followed();
    await expect.poll(done, soon).toBe(1);
    // three quarters of the documents go: the guard refuses, and says so
    rmSync(join(folder, 'docs/a.md'));
    rmSync(join(folder, 'docs/b.md'));
    await expect
      .poll(() => events.find((event) => event.type === 'failed'), soon)
      .toMatchObject({
        error: { code: 'DELETE_GUARD' },
      });
    const failures = (): boolean[] => events.flatMap((event) => (event.type === 'failed' ? [event.again] : []));
    await expect.poll(failures, { ...soon, timeout: 20_000 }).toEqual([false, true]); // as a log needs to say it once
    expect((await index.documentPage()).total).toBe(2);
    writeFileSync(join(folder, 'docs/a.md'), 'The keeper counts ships.\n');
    writeFileSync(join(folder, 'docs/c.md'), 'The ferry leaves.\n');
    await expect.poll(async () => (await index.document('c.md'))?.text, soon).toContain('ferry');
  }, 120_000);

  it('waits for another writer, then says once that there is one, whichever it is', async () => {
    const { index, done, events, folder } = await followed({ waitMs: 3000, events: false, sweepMs: 300 });
    await expect.poll(done, soon).toBeGreaterThan(0);
    const failures = (): [string, boolean][] =>
      events.flatMap((event) => (event.type === 'failed' ? [[event.error.message, event.again]] : []));
    const writer = (pid: number): void =>
      writeFileSync(join(index.address, 'locks/another.json'), JSON.stringify({ pid, host: hostname(), started: '' }));
    const free = (): void => rmSync(join(index.address, 'locks/another.json'));
    writer(process.pid);
    writeFileSync(join(folder, 'docs/c.md'), 'The ferry leaves.\n');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    free();
    await expect.poll(async () => (await index.document('c.md'))?.text, soon).toContain('ferry');
    expect(failures()).toEqual([]);
    writer(process.pid);
    await expect.poll(() => failures().length, soon).toBe(1);
    writer(process.ppid);
    await expect.poll(() => failures().length, soon).toBe(2);
    free();
    const [first, second] = failures();
    expect(first).toEqual([expect.stringContaining(`process ${process.pid} `), false]);
    expect(second).toEqual([expect.stringContaining(`process ${process.ppid} `), true]);
    const before = done();
    await expect.poll(done, soon).toBeGreaterThan(before);
  }, 60_000);

  it('follows one of its folders again that was away, and keeps its documents meanwhile', async () => {
    const disk = join(tempFolder({ 'disk/c.md': 'Charts of 1890.\n' }), 'disk');
    const { index, events } = await followed({ also: [disk] });
    const told = (): unknown => events.findLast((event) => event.type === 'done')?.summary;
    await expect.poll(told, soon).toMatchObject({ documents: 3, failed: [] });
    rmSync(disk, { recursive: true });
    await expect.poll(told, soon).toMatchObject({ documents: 3, failed: [{ code: 'FILE_UNREADABLE' }] });
    mkdirSync(disk); // another one, as of a disk that is mounted again
    writeFileSync(join(disk, 'c.md'), 'Charts of 1890.\n');
    await expect.poll(told, soon).toMatchObject({ documents: 3, failed: [] });
    writeFileSync(join(disk, 'd.md'), 'Charts of 1901.\n');
    await expect.poll(async () => (await index.documentPage()).total, soon).toBe(4);
  }, 120_000);

  it('follows a single file that an editor replaces, each time', async () => {
    const desk = tempFolder({ 'note.md': 'Version 0 of the note.\n' });
    const { index, done } = await followed({ also: [join(desk, 'note.md')] });
    await expect.poll(done, soon).toBe(1);
    const uri = (await Array.fromAsync(index.documents())).find((one) => one.uri.endsWith('note.md'))!.uri;
    for (const version of [1, 2, 3]) {
      writeFileSync(join(desk, 'saved'), `Version ${version} of the note.\n`);
      renameSync(join(desk, 'saved'), join(desk, 'note.md'));
      await expect.poll(async () => (await index.document(uri))?.text, soon).toContain(`Version ${version}`);
    }
  }, 120_000);

  it('follows a folder that was made anew in place of the one before', async () => {
    const built = join(tempFolder({ 'site/page.md': 'Build 0.\n', 'site/sub/deep.md': 'Deep 0.\n' }), 'site');
    const { index, done } = await followed({ also: [built] });
    await expect.poll(done, soon).toBe(1);
    const texts = async (): Promise<string[]> => {
      const uris = (await Array.fromAsync(index.documents())).map(({ uri }) => uri);
      const all = await Promise.all(uris.map(async (uri) => (await index.document(uri))!.text.trim()));
      return all.filter((text) => /^(Build|Deep)/.test(text)).sort();
    };
    const write = (page: number, deep: number): void => {
      mkdirSync(join(built, 'sub'), { recursive: true });
      writeFileSync(join(built, 'page.md'), `Build ${page}.\n`);
      writeFileSync(join(built, 'sub/deep.md'), `Deep ${deep}.\n`);
    };
    rmSync(built, { recursive: true });
    write(1, 1);
    await expect.poll(texts, soon).toEqual(['Build 1.', 'Deep 1.']);
    writeFileSync(join(built, 'page.md'), 'Build 2.\n'); // the new folder, and nothing else, tells of this
    await expect.poll(texts, soon).toEqual(['Build 2.', 'Deep 1.']);
    renameSync(built, `${built}.old`);
    write(3, 3);
    await expect.poll(texts, soon).toEqual(['Build 3.', 'Deep 3.']);
    writeFileSync(join(built, 'sub/deep.md'), 'Deep 4.\n');
    await expect.poll(texts, soon).toEqual(['Build 3.', 'Deep 4.']);
  }, 120_000);

  it('rests for as long as it is told: for ever too, and never for what is no time', async () => {
    const { index, folder, runs, done } = await followed({ events: false, sweepMs: Number.POSITIVE_INFINITY });
    await expect.poll(done, soon).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(runs()).toBe(1);
    for (const name of ['quietMs', 'longestMs', 'sweepMs'])
      for (const wrong of [Number.NaN, -1])
        await expect(watchFolders(index, folder, { [name]: wrong }).next()).rejects.toMatchObject({
          code: 'INVALID_ARGUMENT',
        });
  }, 60_000);

  it('refuses a path that is not there', async () => {
    const index = await openIndex(join(tempFolder(), 'index'), { create: true, embedder: fakeEmbedder() });
    await using _ = index;
    await expect(watchFolders(index, '/nowhere/at/all').next()).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  });

  it('ends with a closed index and with a wrong option, which no later run can change', async () => {
    const folder = tempFolder({ 'docs/a.md': 'The keeper counts ships.\n' });
    const index = await openIndex(join(folder, 'index'), { create: true, embedder: fakeEmbedder() });
    const ended = async (options: WatchOptions) =>
      await Array.fromAsync(watchFolders(index, join(folder, 'docs'), options));
    await expect(ended({ workers: -1 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await index.close();
    await expect(ended({})).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: 'the index is closed' });
  });
});

it('a server that watches answers from the new snapshot with the next question, and gives the lock back', async () => {
  const folder = tempFolder({ 'docs/a.md': 'The keeper counts ships.\n' });
  const address = join(folder, 'index');
  const options = { create: true, embedder: fakeEmbedder(), base: folder };
  await using index = await openIndex(address, options);
  const server = await started({ indexes: index, watch: [join(folder, 'docs')], watchOptions: { quietMs: 50 } });
  const found = async (query: string): Promise<string[]> => {
    const { json } = await call(server, `/api/search?query=${query}`);
    return (json.hits ?? []).map(({ uri }: { uri: string }) => uri);
  };
  await expect.poll(() => found('keeper'), soon).toEqual(['docs/a.md']);
  writeFileSync(join(folder, 'docs/b.md'), 'A zeppelin lands on the lawn.\n');
  await expect.poll(async () => (await found('zeppelin'))[0], soon).toBe('docs/b.md');
  await expect
    .poll(async () => (await call(server, '/api/status')).json.indexes[0].ingest, soon)
    .toMatchObject({
      running: false,
      last: { added: 1, failed: 0 },
    });
  await server.stop();
  await using other = await openIndex(address, options);
  await expect(other.add([{ uri: 'note:1', text: 'free' }])).resolves.toMatchObject({ added: 1 });
}, 120_000);
