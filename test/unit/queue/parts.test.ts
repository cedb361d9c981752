import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openLocalEmbedder, trainLocalEmbedder } from '../../../src/embed/local/embedder.ts';
import { openIndex } from '../../../src/index.ts';
import { toEmbedDocument } from '../../../src/ingest/batch.ts';
import { type CutFile, chunkerOf, cutDocument } from '../../../src/ingest/cut.ts';
import type { SegmentData } from '../../../src/lexical/contract.ts';
import { PartEmbedder } from '../../../src/queue/part-embedder.ts';
import { PartSegments } from '../../../src/queue/part-segments.ts';
import { PartFolder } from '../../../src/queue/parts.ts';
import { createReader } from '../../../src/read/reader.ts';
import { analyse } from '../../../src/store/analyse.ts';
import { lockFolder } from '../../../src/store/lock.ts';
import { tempFolder } from '../../support/temp.ts';

async function cutOf(text: string): Promise<CutFile> {
  const reader = createReader();
  const document = await reader.read({ bytes: Buffer.from(text), uri: 'note.md' });
  await reader.close();
  return { ...cutDocument(document, chunkerOf(undefined)), contentHash: 'c0ffee' };
}

const shape = { chunking: undefined, reader: {} };

describe('parts beside an index', () => {
  it.each([400, 20_000])(
    'come back as they were, also with text outside of the first plane, %i sentences',
    async (sentences) => {
      const folder = tempFolder();
      const parts = new PartFolder(join(folder, 'parts'));
      const numbered = Array.from({ length: sentences }, (_, i) => `The sail ${(i * 7919) % 1e6} — “rød” — is 12 m². `);
      const cut = await cutOf(`# Sails 🚢\n\n${numbered.join('')}`);
      expect(cut.chunks.length).toBeGreaterThan(1);
      expect(await parts.has('ab1')).toBe(false);
      await parts.write('ab1', cut);
      await parts.write('ab1', cut); // another worker was as fast
      expect(await parts.has('ab1')).toBe(true);
      expect(await parts.read('ab1')).toEqual(JSON.parse(JSON.stringify(cut)));
      expect(readdirSync(join(folder, 'parts', 'ab'))).toEqual(['ab1.json.gz']);
      await parts.clear();
      expect(await parts.has('ab1')).toBe(false);
      await parts.write('ab1', cut); // the folder is made again
      expect(await parts.has('ab1')).toBe(true);
    },
  );

  it('are not there when they are damaged', async () => {
    const folder = tempFolder();
    const parts = new PartFolder(folder);
    await parts.write('ab1', await cutOf('# One\n\nText.'));
    const path = join(folder, 'ab', 'ab1.json.gz');
    writeFileSync(path, readFileSync(path).subarray(0, 40));
    expect(await parts.read('ab1')).toBeUndefined();
    expect(await parts.read('ab2')).toBeUndefined();
  });

  it('are cleared also while a worker writes, for a run that was killed', async () => {
    const folder = join(tempFolder(), 'parts');
    const parts = new PartFolder(folder);
    const cut = await cutOf('A note.');
    let isOver = false;
    const write = async (name: string): Promise<void> => {
      for (let i = 0; !isOver; i++) await parts.write(`aa${name}${i}`, cut).catch(() => {}); // cleared before it was whole
    };
    const writing = Promise.all(['a', 'b', 'c', 'd'].map(write));
    try {
      await sleep(100); // all four write
      await parts.clear();
    } finally {
      isOver = true;
      await writing;
    }
    await parts.clear();
    expect(existsSync(folder)).toBe(false);
  });

  it('of vectors come back with their counts, and are not there when a bit has changed', async () => {
    const folder = tempFolder();
    const parts = new PartFolder(folder);
    const embedded = { vectors: Int8Array.from([1, -128, 127, 0]), tokens: 7, unknown: 2 };
    expect(await parts.readVectors('ab1')).toBeUndefined();
    await parts.writeVectors('ab1', embedded);
    expect(await parts.readVectors('ab1')).toEqual(embedded);
    const path = join(folder, 'ab', 'ab1.vectors');
    const bytes = readFileSync(path);
    for (const at of [0, 33, 41, bytes.length - 1]) {
      const spoilt = Buffer.from(bytes);
      spoilt[at]! ^= 1;
      writeFileSync(path, spoilt);
      expect(await parts.readVectors('ab1')).toBeUndefined();
    }
    writeFileSync(path, bytes.subarray(0, 20));
    expect(await parts.readVectors('ab1')).toBeUndefined();
  });

  it('of segments come back as they were built, and are built again when a bit has changed', async () => {
    const folder = tempFolder();
    const parts = new PartFolder(folder);
    const cuts = await Promise.all(
      ['The pump of quay 3.', 'Ein Kran — 東京.', '# A\n\nA pump.'].map((text) => cutOf(text)),
    );
    for (const [i, cut] of cuts.entries()) await parts.write(`ab${i}`, cut);
    const expected = await analyse(cuts.map(({ document, chunks }) => ({ title: document.title, chunks })));
    const worker = new PartSegments(false, undefined);
    const batch = { kind: 'segment', parts: folder, documents: ['ab0', 'ab1', 'ab2'] } as const;
    const { segment } = await worker.build(batch);
    expect(segment).toBe(PartFolder.segmentOf(batch.documents));
    expect(PartFolder.segmentOf(['ab1', 'ab0', 'ab2'])).not.toBe(segment);
    const asBytes = ({ header, blocks }: SegmentData): unknown => [
      Buffer.from(header),
      blocks.map(({ firstTerm, bytes }) => [firstTerm, Buffer.from(bytes)]),
    ];
    expect(asBytes((await parts.readSegment(segment!))!)).toEqual(asBytes(expected));
    const path = join(folder, segment!.slice(0, 2), `${segment}.segment`);
    const bytes = readFileSync(path);
    for (const at of [0, 32, 40, bytes.length - 1]) {
      const spoilt = Buffer.from(bytes);
      spoilt[at]! ^= 1;
      writeFileSync(path, spoilt);
      expect(await parts.readSegment(segment!)).toBeUndefined();
    }
    await parts.removeSegment(segment!);
    expect(await worker.build(batch)).toEqual({ segment });
    expect(readFileSync(path)).toEqual(bytes);
    expect(await worker.build({ ...batch, documents: ['ab0', 'ab7'] })).toEqual({}); // one is missing
    await worker.close();
  });

  it('are embedded where the model and all documents are whole, else not at all', async () => {
    const folder = tempFolder();
    const parts = new PartFolder(folder);
    const cuts = await Promise.all(['The pump of quay 3.', 'A pump and a quay.'].map((text) => cutOf(text)));
    for (const [i, cut] of cuts.entries()) await parts.write(`ab${i}`, cut);
    const inputs = cuts.map(({ document, chunks }) => toEmbedDocument(document.title, chunks));
    const model = await trainLocalEmbedder(inputs);
    await using local = openLocalEmbedder(model, { threads: 0 });
    const batch = { parts: folder, model: local.id, documents: ['ab0', 'ab1'] };
    const worker = new PartEmbedder(1, undefined);
    expect(await worker.embed(batch, undefined)).toEqual({}); // the model is missing
    await parts.writeModel('local-lsa-of-another-run', model);
    expect(await worker.embed({ ...batch, model: 'local-lsa-of-another-run' }, undefined)).toEqual({});
    await parts.writeModel(local.id, model);
    expect(await worker.embed({ ...batch, documents: ['ab0', 'ab7'] }, undefined)).toEqual({});
    const { vectors } = await worker.embed(batch, undefined);
    expect(vectors).toBe(PartFolder.vectorsOf(batch.documents, local.id));
    expect(await parts.readVectors(vectors!)).toEqual(await local.passages(inputs));
    writeFileSync(join(folder, 'models', local.id), model.subarray(0, 50));
    await parts.writeModel(local.id, model); // a damaged one is replaced
    expect(await parts.readModel(local.id)).toEqual(Buffer.from(model));
    await worker.close();
  });

  it('are embedded for two runs at a time, each with its own model', async () => {
    const folder = tempFolder();
    const parts = new PartFolder(folder);
    const sentences = (what: string): string =>
      Array.from({ length: 3000 }, (_, i) => `The ${what} at ${what}${i % 97} saw ${what}${(i * 7) % 31}x. `).join('');
    const cuts = await Promise.all(['pump', 'crane'].map((what) => cutOf(sentences(what))));
    const worker = new PartEmbedder(2, undefined);
    const batches = await Promise.all(
      cuts.map(async (cut, i) => {
        await parts.write(`ab${i}`, cut);
        const inputs = [toEmbedDocument(cut.document.title, cut.chunks)];
        const model = await trainLocalEmbedder(inputs);
        await using local = openLocalEmbedder(model, { threads: 0 });
        await parts.writeModel(local.id, model);
        const batch = { parts: folder, model: local.id, documents: [`ab${i}`] };
        return { batch, expected: await local.passages(inputs) };
      }),
    );
    expect(new Set(batches.map(({ batch }) => batch.model)).size).toBe(2);
    const made = await Promise.all(batches.map(({ batch }) => worker.embed(batch, undefined)));
    for (const [i, { vectors }] of made.entries())
      expect(await parts.readVectors(vectors!)).toEqual(batches[i]!.expected);
    await worker.close();
  });

  it('of vectors have names that follow from the documents, their order and the model', () => {
    const names = [
      PartFolder.vectorsOf(['1', '2'], 'a'),
      PartFolder.vectorsOf(['2', '1'], 'a'),
      PartFolder.vectorsOf(['1'], 'a'),
      PartFolder.vectorsOf(['1', '2'], 'b'),
    ];
    expect(new Set(names).size).toBe(names.length);
    expect(PartFolder.vectorsOf(['1', '2'], 'a')).toBe(names[0]);
  });

  it('have names that follow from uri, content and how they were cut', () => {
    const names = [
      PartFolder.nameOf('a.md', '1', shape),
      PartFolder.nameOf('b.md', '1', shape),
      PartFolder.nameOf('a.md', '2', shape),
      PartFolder.nameOf('a.md', '1', { ...shape, chunking: { maxTokens: 100 } }),
      PartFolder.nameOf('a.md', '1', { ...shape, reader: { ocr: false } }),
    ];
    expect(new Set(names).size).toBe(names.length);
    expect(PartFolder.nameOf('a.md', '1', { ...shape })).toBe(names[0]);
  });
});

describe('parts that a killed run has left', () => {
  const dayMs = 86_400_000;

  /** A run with a queue that was killed so many ms ago. */
  async function left(folder: string, agoMs: number): Promise<string> {
    const path = join(folder, 'parts');
    await new PartFolder(path).write('ab1', await cutOf('# One\n\nText.'));
    const then = new Date(Date.now() - agoMs);
    for (const one of [join(path, 'ab', 'ab1.json.gz'), join(path, 'ab'), path]) utimesSync(one, then, then);
    return path;
  }

  it('go with the next run once they are a day old, and are kept for another try before', async () => {
    const folder = tempFolder({ 'docs/a.md': '# Pump\n\nThe pump is serviced in May.' });
    const docs = join(folder, 'docs');
    await using index = await openIndex(join(folder, 'index'), { create: true, base: folder });
    const young = await left(join(folder, 'index'), dayMs - 60_000);
    await index.ingest([docs]);
    expect(existsSync(join(young, 'ab', 'ab1.json.gz'))).toBe(true);
    const old = await left(join(folder, 'index'), dayMs + 60_000);
    await index.ingest([docs], { dryRun: true });
    expect(existsSync(old)).toBe(true);
    await index.ingest([docs]); // nothing has changed
    expect(existsSync(old)).toBe(false);
  });

  it('stay while another run has the index: they may be its own', async () => {
    const folder = tempFolder({ 'docs/a.md': '# Pump\n\nThe pump is serviced in May.' });
    await using index = await openIndex(join(folder, 'index'), { create: true, base: folder });
    await index.ingest([join(folder, 'docs')]);
    const parts = await left(join(folder, 'index'), 2 * dayMs);
    const lock = await lockFolder(join(folder, 'index', 'locks'));
    await expect(index.ingest([join(folder, 'docs')])).rejects.toMatchObject({ code: 'INDEX_LOCKED' });
    expect(existsSync(parts)).toBe(true);
    await lock.release();
  });
});
