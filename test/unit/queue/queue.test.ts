import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { formatVersion } from '../../../src/embed/local/model.ts';
import { type IngestSummary, openIndex } from '../../../src/index.ts';
import { connectQueue } from '../../../src/queue/connect.ts';
import { queueName } from '../../../src/queue/contract.ts';
import { clearDead, type IngestQueue, ingestQueue, queueState, runWorker } from '../../../src/queue.ts';
import { analysisVersion } from '../../../src/text/analysis/analysis.ts';
import { textVersion } from '../../../src/text/version.ts';
import { exported, files, ownRedis, why, work } from '../../support/queue.ts';
import { hasRedis } from '../../support/redis.ts';
import { tempFolder } from '../../support/temp.ts';

describe(`an ingest through a queue${why}`, { timeout: 120_000 }, () => {
  it.skipIf(!hasRedis)('makes the index that one process makes, and leaves nothing behind', async () => {
    const folder = tempFolder(files);
    const docs = join(folder, 'docs');
    const { url } = await ownRedis();
    await work(url);
    await using alone = await openIndex(join(folder, 'alone'), { create: true, base: folder });
    const one = await alone.ingest([docs]);
    await using index = await openIndex(join(folder, 'queued'), { create: true, base: folder });
    const other = await index.ingest([docs], { queue: ingestQueue(url) });
    expect(other.added).toBe(61);
    expect(other.failed).toEqual(one.failed);
    expect(one.failed.map(({ uri }) => uri)).toEqual(['docs/broken.pdf']);
    expect(await exported(index)).toEqual(await exported(alone));
    const [found, expected] = await Promise.all([index, alone].map((each) => each.search('quay 3 week 40')));
    expect(found!.hits).toEqual(expected!.hits);
    expect(existsSync(join(folder, 'queued', 'parts'))).toBe(false);
    expect(await queueState(url)).toMatchObject({ workers: 1, waiting: 0, working: 0, dead: 0 });
    const again = await index.ingest([docs], { queue: ingestQueue(url) });
    expect(again).toMatchObject({ added: 0, updated: 0, unchanged: 61 });
  });

  it.skipIf(!hasRedis)(
    'makes it of two workers too, after a run that was stopped and parts that were damaged',
    async () => {
      const folder = tempFolder(files);
      const docs = join(folder, 'docs');
      const { url } = await ownRedis();
      await Promise.all([work(url, { concurrency: 1 }), work(url, { concurrency: 1 })]);
      await using alone = await openIndex(join(folder, 'alone'), { create: true, base: folder });
      await alone.ingest([docs]);
      await using index = await openIndex(join(folder, 'queued'), { create: true, base: folder });
      const stop = new AbortController();
      await expect(async () => {
        for await (const event of index.ingest([docs], { queue: ingestQueue(url), signal: stop.signal }))
          if (event.type === 'training') stop.abort();
      }).rejects.toThrow();
      const parts = join(folder, 'queued', 'parts');
      const left = readdirSync(parts, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.gz'));
      expect(left.length).toBe(61);
      for (const name of left.slice(0, 9)) truncateSync(join(parts, name), 30);
      const { added } = await index.ingest([docs], { queue: ingestQueue(url) });
      expect(added).toBe(61);
      expect(await exported(index)).toEqual(await exported(alone));
      expect(existsSync(parts)).toBe(false);
    },
  );

  it.skipIf(!hasRedis)('rebuilds through workers, and reads here what has no file', async () => {
    const folder = tempFolder(files);
    const { url } = await ownRedis();
    const batches: number[] = [];
    await work(url, { onBatch: (batch) => batches.push(batch.files) });
    const add = (i: number): { uri: string; text: string } => ({ uri: `note:${i}`, text: `The lamp ${i} is lit.` });
    const made = async (name: string, queue?: IngestQueue): Promise<readonly unknown[]> => {
      await using index = await openIndex(join(folder, name), { create: true, base: folder });
      await index.add(Array.from({ length: 40 }, (_, i) => add(i))); // far more than are read here at a time
      await index.ingest([join(folder, 'docs')]);
      expect(await index.ingest([join(folder, 'docs')], { rebuild: true, queue })).toMatchObject({ added: 101 });
      return await exported(index);
    };
    expect(await made('queued', ingestQueue(url))).toEqual(await made('alone'));
    expect(batches.reduce((sum, read) => sum + read, 0)).toBe(62);
  });

  it.skipIf(!hasRedis)('lets go of the queue when the run does not begin, or is refused', async () => {
    const folder = tempFolder(files);
    const docs = join(folder, 'docs');
    const { url } = await ownRedis();
    await work(url);
    const [base, at] = [folder, join(folder, '.ibid')];
    await using index = await openIndex(at, { create: true, base });
    await index.ingest([docs]);
    let open = 0;
    const { cutters } = ingestQueue(url);
    const counting: IngestQueue = {
      async cutters(shape, parts) {
        const queued = await cutters(shape, parts);
        open++;
        const close = queued.close.bind(queued);
        let isOpen = true;
        queued.close = async () => {
          if (isOpen) open--;
          isOpen = false;
          await close();
        };
        return queued;
      },
    };
    await using other = await openIndex(at, { base });
    const holding = index.ingest([docs], { queue: counting, rebuild: true });
    for await (const { type } of holding) {
      if (type !== 'planned') continue;
      await expect(other.ingest([docs], { queue: counting }).then()).rejects.toMatchObject({ code: 'INDEX_LOCKED' });
      expect(open).toBe(1);
    }
    const gone = join(folder, 'gone');
    await expect(index.ingest([gone], { queue: counting }).then()).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    rmSync(docs, { recursive: true });
    mkdirSync(docs);
    await expect(index.ingest([docs], { queue: counting }).then()).rejects.toMatchObject({ code: 'DELETE_GUARD' });
    expect(open).toBe(0);
  });

  it.skipIf(!hasRedis)('gives batches of another version to no worker of this one', async () => {
    const { url } = await ownRedis();
    const { queue } = await connectQueue(url);
    expect(queue.name).toBe(queueName);
    for (const version of [textVersion, analysisVersion, formatVersion])
      expect(queueName.split('-')).toContain(`${version}`);
    await queue.close();
  });

  it.skipIf(!hasRedis)('reads what no worker could read itself, and says why', async () => {
    const folder = tempFolder({ 'docs/a.md': 'The pump.', 'docs/b.md': 'The quay.' });
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    const { url } = await ownRedis();
    await work(url, { base: elsewhere });
    await using index = await openIndex(join(folder, '.ibid'), { create: true, base: folder });
    const reasons: string[] = [];
    const queue = ingestQueue(url, { onReadHere: (reason) => reasons.push(reason) });
    expect(await index.ingest([join(folder, 'docs')], { queue })).toMatchObject({ added: 2, failed: [] });
    expect(reasons).toEqual([expect.stringContaining('no such file'), expect.stringContaining('no such file')]);
    expect((await index.search('pump', { mode: 'lexical' })).hits[0]!.chunk.uri).toBe('docs/a.md');
    expect(await queueState(url)).toMatchObject({ dead: 0, letters: [] });
  });

  it.skipIf(!hasRedis)(
    'a file that goes away during the run is tried alone: its neighbours are not to blame',
    async () => {
      const folder = tempFolder(files);
      const { url } = await ownRedis();
      await work(url);
      await using index = await openIndex(join(folder, '.ibid'), { create: true, base: folder });
      let summary: IngestSummary | undefined;
      for await (const event of index.ingest([join(folder, 'docs')], { queue: ingestQueue(url) })) {
        if (event.type === 'planned') rmSync(join(folder, 'docs/note-3.md'));
        if (event.type === 'done') summary = event.summary;
      }
      expect(summary!.added).toBe(60);
      expect(summary!.failed.map(({ uri }) => uri).sort()).toEqual(['docs/broken.pdf', 'docs/note-3.md']);
      expect((await queueState(url)).letters).toEqual([]); // the run has read it itself, and says so
    },
  );

  it.skipIf(!hasRedis)('a worker that cannot write the parts hands the files back: they are not damaged', async () => {
    const folder = tempFolder({ 'docs/a.md': 'The pump.', 'a-file': '' });
    const { url } = await ownRedis();
    const errors: string[] = [];
    await work(url, { parts: join(folder, 'a-file'), onError: ({ message }) => errors.push(message) });
    await using index = await openIndex(join(folder, '.ibid'), { create: true, base: folder });
    const reasons: string[] = [];
    const queue = ingestQueue(url, { onReadHere: (reason) => reasons.push(reason) });
    expect(await index.ingest([join(folder, 'docs')], { queue })).toMatchObject({ added: 1, failed: [] });
    expect(reasons).toEqual([expect.stringMatching(/ENOTDIR/)]);
    expect(errors.length).toBeGreaterThanOrEqual(3); // each try was another chance for a worker that can
    expect(await queueState(url)).toMatchObject({ dead: 0, letters: [] }); // the run has read it itself
  });

  it.skipIf(!hasRedis)('a worker that writes its parts elsewhere costs time alone', { timeout: 60_000 }, async () => {
    const folder = tempFolder({ ...files, 'other/x': '' });
    const { url } = await ownRedis();
    await work(url, { parts: join(folder, 'other') });
    await using index = await openIndex(join(folder, '.ibid'), { create: true, base: folder });
    await index.ingest([join(folder, 'docs')], { queue: ingestQueue(url) });
    await using alone = await openIndex(join(folder, '.alone'), { create: true, base: folder });
    await alone.ingest([join(folder, 'docs')]);
    expect(await Array.fromAsync(index.export({ vectors: true }))).toEqual(
      await Array.fromAsync(alone.export({ vectors: true })),
    );
  });

  it.skipIf(!hasRedis)('a file with which workers were lost is told as that, and is not read by the run', async () => {
    const folder = tempFolder({ 'docs/a.md': 'The pump.' });
    const { url } = await ownRedis();
    const { bullmq, options, queue } = await connectQueue(url);
    const lose = async (): Promise<never> => {
      throw new bullmq.UnrecoverableError('job stalled more than allowable limit'); // the words of BullMQ
    };
    const worker = new bullmq.Worker(queueName, lose, options);
    onTestFinished(async () => {
      await Promise.all([worker.close(), queue.close()]);
    });
    await using index = await openIndex(join(folder, '.ibid'), { create: true, base: folder });
    const { failed } = await index.ingest([join(folder, 'docs')], { queue: ingestQueue(url) });
    const lost = 'each worker that had it was lost: killed, or out of memory';
    expect(failed).toMatchObject([{ uri: 'docs/a.md', message: `no worker could read the file; ${lost}` }]);
    expect((await queueState(url)).letters).toMatchObject([{ uris: ['docs/a.md'], reason: lost }]);
  });

  it.skipIf(!hasRedis)('a batch without files that failed is told as what it is', async () => {
    const folder = tempFolder({ 'a-file': '' });
    const { url } = await ownRedis();
    const failed = Promise.withResolvers<Error>();
    await work(url, { onError: failed.resolve });
    const { queue } = await connectQueue(url);
    onTestFinished(() => queue.close());
    await queue.add('segment', { kind: 'segment', parts: join(folder, 'a-file'), documents: [] });
    const { message } = await failed.promise;
    const cli = join(import.meta.dirname, '../../../src/cli/main.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [cli, 'queue', '--queue', url]);
    expect(stdout).toContain(`vectors or a segment, which the run then made itself: ${message}`);
    expect(await clearDead(url)).toBe(1);
    expect((await queueState(url)).dead).toBe(0);
  });

  it.skipIf(!hasRedis)('embeds here where the model cannot be put beside the index', async () => {
    const folder = tempFolder(files);
    const { url } = await ownRedis();
    await work(url);
    await using index = await openIndex(join(folder, '.ibid'), { create: true, base: folder });
    mkdirSync(join(folder, '.ibid/parts'), { recursive: true });
    writeFileSync(join(folder, '.ibid/parts/models'), 'a file where the folder of models goes');
    const { added } = await index.ingest([join(folder, 'docs')], { queue: ingestQueue(url) });
    expect(added).toBe(61);
  });

  it.skipIf(!hasRedis)('tells that no worker listens, and goes on when one comes', async () => {
    const folder = tempFolder({ 'docs/a.md': 'The pump.' });
    const { url } = await ownRedis();
    await using index = await openIndex(join(folder, '.ibid'), { create: true, base: folder });
    const lonely = Promise.withResolvers<number>();
    const run = index.ingest([join(folder, 'docs')], {
      queue: ingestQueue(url, { onNoWorker: lonely.resolve }),
    });
    const summary = run.then((done) => done);
    await lonely.promise;
    await work(url);
    expect((await summary).added).toBe(1);
  });

  it.skipIf(!hasRedis)('workers that are ended cost a file none of its tries', async () => {
    const folder = tempFolder({ 'docs/large.txt': 'x' });
    truncateSync(join(folder, 'docs/large.txt'), 250 * 2 ** 20); // it takes a while to read
    const { url } = await ownRedis();
    await using alone = await openIndex(join(folder, 'alone'), { create: true, base: folder });
    const { added, failed, skipped } = await alone.ingest([join(folder, 'docs')]);
    await using index = await openIndex(join(folder, '.ibid'), { create: true, base: folder });
    const run = index.ingest([join(folder, 'docs')], { queue: ingestQueue(url) }).then((done) => done);
    const { bullmq, options, queue } = await connectQueue(url);
    const events = new bullmq.QueueEvents(queueName, options);
    onTestFinished(async () => {
      await Promise.all([events.close(), queue.close()]);
    });
    await events.waitUntilReady();
    for (let ended = 0; ended < 4; ended++) {
      const stop = new AbortController();
      events.once('active', () => stop.abort());
      await runWorker(url, { signal: stop.signal });
      expect(await queue.getJobCounts('failed', 'completed')).toEqual({ failed: 0, completed: 0 });
    }
    await work(url);
    expect(await run).toMatchObject({ added, failed, skipped });
  });
});
