import { describe, expect, it } from 'vitest';
import { IbidError } from '../../../src/core/errors.ts';
import type { Chunk, Document } from '../../../src/core/types.ts';
import type { EmbedDocument, Embedder } from '../../../src/embed/contract.ts';
import { sha256 } from '../../../src/ingest/content-hash.ts';
import type { Cutters, IngestEvent, IngestSource, IngestSummary, SourceItem } from '../../../src/ingest/contract.ts';
import { type IngestTarget, ingest } from '../../../src/ingest/ingest.ts';
import { fixedVectors, type Vectors } from '../../../src/ingest/vectors.ts';
import type { DocumentRecord, Manifest, ManifestEntry } from '../../../src/store/contract.ts';
import { ManifestMap } from '../../../src/store/manifest-map.ts';

/** An index that is a manifest in memory, and a log of the calls that changed it. */
class MapTarget implements IngestTarget {
  readonly entries = new ManifestMap();
  readonly records = new Map<string, DocumentRecord>();
  readonly log: string[] = [];
  async manifest(): Promise<Manifest> {
    return this.entries;
  }
  async replaceDocuments(records: readonly DocumentRecord[]): Promise<void> {
    this.log.push(`replace ${records.length}`);
    for (const record of records) {
      this.records.set(record.uri, record);
      this.entries.set(record.uri, { uri: record.uri, ...record.source, chunks: record.chunks.length });
    }
  }
  async removeDocuments(uris: readonly string[]): Promise<void> {
    this.log.push(`remove ${uris.join()}`);
    for (const uri of uris) {
      this.entries.delete(uri);
      this.records.delete(uri);
    }
  }
  async renameDocuments(renames: readonly { from: string; to: string; mtimeMs: number }[]): Promise<void> {
    for (const { from, to, mtimeMs } of renames) {
      this.log.push(`rename ${from} ${to}`);
      this.entries.set(to, { ...this.entries.get(from)!, uri: to, mtimeMs });
      this.entries.delete(from);
    }
  }
  async recordEntries(entries: readonly ManifestEntry[]): Promise<void> {
    for (const entry of entries) this.entries.set(entry.uri, entry);
  }
  async refreshVectors(): Promise<boolean> {
    return false;
  }
  async finish(): Promise<void> {
    this.log.push('finish');
  }
  async isFinished(): Promise<boolean> {
    return true;
  }
}

const embedder: Embedder = {
  id: 'lengths',
  dimensions: 2,
  limits: { documents: Infinity, chunks: Infinity, tokens: Infinity, tokensPerDocument: Infinity },
  embedDocuments: async (documents) =>
    documents.map(({ chunks }) => chunks.map(({ text }) => Int8Array.of(text.length & 127, 1))),
  embedQuery: async () => Int8Array.of(1, 1),
  close: async () => {},
};

/** Becomes the embedder once trained; remembers on what. */
function trainedVectors(sampleChunks: number): Vectors & { samples: EmbedDocument[][] } {
  const samples: EmbedDocument[][] = [];
  let sample: EmbedDocument[] = [];
  let trained = false;
  return {
    samples,
    sampleChunks,
    get untrained() {
      return !trained;
    },
    embedder: async () => embedder,
    close: async () => {},
    async addSample(document) {
      sample.push(document);
    },
    async train() {
      samples.push(sample);
      sample = [];
      trained = true;
    },
  };
}

const chunk = ({ text }: Document): readonly Chunk[] =>
  text.split('|').map((piece, position) => ({
    position,
    span: { start: 0, end: piece.length },
    text: piece,
    headings: [],
    tokens: piece.length,
    locators: [],
  }));

function source(files: Readonly<Record<string, string | IbidError>>, mtimeMs = 1): IngestSource {
  return {
    covers: () => true,
    async *items() {
      for (const [uri, content] of Object.entries(files)) yield itemOf(uri, content, mtimeMs);
    },
  };
}

async function* asyncOf<T>(list: readonly T[]): AsyncGenerator<T> {
  yield* list;
}

function itemOf(uri: string, content: string | IbidError, mtimeMs: number): SourceItem {
  const text = typeof content === 'string' ? content : 'broken';
  return {
    uri,
    sizeBytes: text.length,
    mtimeMs,
    hash: async () => sha256(text),
    load: async () => {
      if (typeof content !== 'string') throw content;
      const document: Document = {
        uri,
        title: uri,
        text,
        format: 'text',
        blocks: [],
        locators: [],
        metadata: {},
        warnings: [],
      };
      return { contentHash: sha256(text), document };
    },
  };
}

async function runAll(
  target: IngestTarget,
  from: IngestSource,
  vectors: Vectors = trainedVectors(1000),
  options = {},
): Promise<{ events: IngestEvent[]; summary: IngestSummary }> {
  const events: IngestEvent[] = [];
  for await (const event of ingest(from, { target, vectors, chunk }, options)) events.push(event);
  const last = events.at(-1);
  if (last?.type !== 'done') throw new Error('the last event is not "done"');
  return { events, summary: last.summary };
}

describe('ingest', () => {
  it('keeps the labels of a document within limits, wherever it comes from, and says so', async () => {
    const item = itemOf('a', 'one|two', 1);
    const load = async (): ReturnType<SourceItem['load']> => {
      const { contentHash, document } = await item.load();
      const metadata = { summary: 'm'.repeat(1e6) };
      const given = chunk(document).map((one) => ({ ...one, headings: ['h'.repeat(1e6)] }));
      return { contentHash, document: { ...document, title: 't'.repeat(1e6), metadata }, chunks: given };
    };
    const target = new MapTarget();
    const { events } = await runAll(target, {
      covers: () => true,
      items: async function* () {
        yield { ...item, load };
      },
    });
    const warned = events.flatMap((event) => (event.type === 'warning' ? [event.code] : []));
    expect(warned).toEqual(['TITLE_CUT', 'METADATA_CUT', 'HEADING_CUT']);
    expect(JSON.stringify(target.records.get('a')).length).toBeLessThan(10_000);
    expect(target.records.get('a')!.chunks.map(({ text }) => text)).toEqual(['one', 'two']);
  });

  it('a document that cannot be cut fails alone', async () => {
    const target = new MapTarget();
    const many = 'x|'.repeat(60_000);
    const { summary } = await runAll(target, source({ a: 'one', many, z: 'two' }));
    expect(summary.failed).toEqual([expect.objectContaining({ uri: 'many', code: 'FILE_TOO_LARGE' })]);
    expect([...target.records.keys()].sort()).toEqual(['a', 'z']);
    const events = ingest(source({ a: 'one', c: 'broken' }), {
      target: new MapTarget(),
      vectors: trainedVectors(1000),
      chunk: (document) => {
        if (document.text === 'broken') throw new RangeError('too deep');
        return chunk(document);
      },
    });
    const failed: IngestEvent[] = [];
    for await (const event of events) if (event.type === 'failed' || event.type === 'document') failed.push(event);
    expect(failed).toEqual([
      expect.objectContaining({ type: 'failed', uri: 'c', code: 'FILE_DAMAGED', message: 'too deep' }),
      expect.objectContaining({ type: 'document', uri: 'a' }),
    ]);
  });

  it('adds, then leaves alone, then updates, renames and removes', async () => {
    const target = new MapTarget();
    const first = await runAll(target, source({ a: 'one|two', b: 'three', c: 'four', d: 'five' }));
    expect(first.summary).toMatchObject({ documents: 4, chunks: 5, added: 4, unchanged: 0, tokens: 3 + 3 + 5 + 4 + 4 });
    const again = await runAll(target, source({ a: 'one|two', b: 'three', c: 'four', d: 'five' }));
    expect(again.summary).toMatchObject({ added: 0, unchanged: 4, documents: 4, tokens: 0 });
    target.log.length = 0;
    const changed = await runAll(target, source({ a: 'one|two', b: 'thirty', moved: 'four' }, 2));
    expect(changed.summary).toMatchObject({ added: 0, updated: 1, renamed: 1, removed: 1, unchanged: 1, documents: 3 });
    expect(target.log).toEqual(['rename c moved', 'remove d', 'replace 1', 'finish']);
    expect(target.entries.get('a')?.mtimeMs).toBe(2);
  });

  it('does nothing at all to an index that agrees with its folder', async () => {
    const target = new MapTarget();
    await runAll(target, source({ a: 'one' }));
    target.log.length = 0;
    await runAll(target, source({ a: 'one' }));
    expect(target.log).toEqual([]);
  });

  it('trains once, on the first sampleChunks in an order that the names do not decide, the same on every run', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 100 }, (_, i) => [`${String(i).padStart(3, '0')}.txt`, `t${i}`]),
    );
    const samples: string[][] = [];
    for (const order of [Object.entries(files), Object.entries(files).reverse()]) {
      const vectors = trainedVectors(30);
      await runAll(new MapTarget(), source(Object.fromEntries(order)), vectors);
      expect(vectors.samples).toHaveLength(1);
      samples.push(vectors.samples[0]!.map(({ title }) => title));
    }
    expect(samples[0]).toHaveLength(30);
    expect(samples[0]).toEqual(samples[1]);
    // a sample of the first folders only would hold nothing of the last half
    const late = samples[0]!.filter((title) => title >= '050');
    expect(late.length).toBeGreaterThan(5);
    expect(late.length).toBeLessThan(25);
  });

  it('goes on after a file that fails, reports it, and tries it again next run', async () => {
    const target = new MapTarget();
    const bad = new IbidError('FILE_DAMAGED', 'cut short');
    const { events, summary } = await runAll(target, source({ a: 'one', b: bad, c: 'three' }));
    expect(summary).toMatchObject({ added: 2, documents: 2, failed: [{ uri: 'b', code: 'FILE_DAMAGED' }] });
    expect(events.filter(({ type }) => type === 'failed')).toHaveLength(1);
    const repaired = await runAll(target, source({ a: 'one', b: 'broken', c: 'three' }));
    expect(repaired.summary).toMatchObject({ added: 1, unchanged: 2, documents: 3, failed: [] });
  });

  it('keeps what it had of a file that can no longer be read, and says that it is stale', async () => {
    const target = new MapTarget();
    await runAll(target, source({ a: 'one|two', b: 'x' }));
    const { summary } = await runAll(target, source({ a: new IbidError('FILE_ENCRYPTED', 'locked'), b: 'x' }, 2));
    expect(summary).toMatchObject({ documents: 2, chunks: 3, failed: [{ uri: 'a' }] });
    expect(target.records.get('a')?.chunks).toHaveLength(2);
    expect(target.entries.get('a')).toMatchObject({ chunks: 2, failure: { code: 'FILE_ENCRYPTED' } });
  });

  it('a stale document is so no longer when its file is found elsewhere as it was read', async () => {
    const target = new MapTarget();
    await runAll(target, source({ a: 'one|two', b: 'x' }));
    const shut = itemOf('a', new IbidError('FILE_UNREADABLE', 'shut'), 2);
    const items = [{ ...shut, sizeBytes: 'one|two'.length }, itemOf('b', 'x', 1)];
    await runAll(target, { covers: () => true, items: () => asyncOf(items) });
    expect(target.entries.get('a')).toMatchObject({ chunks: 2, failure: { code: 'FILE_UNREADABLE' } });
    const { summary } = await runAll(target, source({ c: 'one|two', b: 'x' }));
    expect(summary).toMatchObject({ renamed: 1, unchanged: 1, failed: [] });
    expect(target.entries.get('c')).toMatchObject({ chunks: 2 });
    expect(target.entries.get('c')?.failure).toBeUndefined();
  });

  it('stops on abort with the reason, having committed whole documents only', async () => {
    const target = new MapTarget();
    const abort = new AbortController();
    const files = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}`, 'x|y']));
    const reason = new Error('enough');
    const run = (async () => {
      let read = 0;
      const events = ingest(source(files), { target, vectors: trainedVectors(10), chunk }, { signal: abort.signal });
      for await (const event of events) if (event.type === 'read' && ++read === 20) abort.abort(reason);
    })();
    await expect(run).rejects.toBe(reason);
    for (const record of target.records.values()) expect(record.chunks).toHaveLength(2);
    const { summary } = await runAll(target, source(files));
    expect(summary.documents).toBe(50);
  });
});

describe('an embedder with threads of its own', () => {
  it('is trained while the next documents are read', async () => {
    let trained: (() => void) | undefined;
    const training = new Promise<void>((resolve) => {
      trained = resolve;
    });
    const base = trainedVectors(2);
    const vectors: Vectors = {
      isAhead: true,
      sampleChunks: 2,
      get untrained() {
        return base.untrained;
      },
      embedder: base.embedder,
      close: base.close,
      addSample: base.addSample,
      async train() {
        await training;
        await base.train();
      },
    };
    const target = new MapTarget();
    const seen: string[] = [];
    const files = { a: 'one|two', b: 'three|four', c: 'five|six' };
    for await (const event of ingest(source(files), { target, vectors, chunk }, { commit: { chunks: 2 } })) {
      seen.push(event.type === 'read' ? `read ${seen.filter((type) => type.startsWith('read')).length}` : event.type);
      if (event.type === 'read' && seen.filter((type) => type.startsWith('read')).length === 2) {
        setTimeout(() => trained?.(), 20); // when the next batch waits already
      }
    }
    expect(seen.indexOf('training')).toBeLessThan(seen.indexOf('read 1')); // without that, this test would not end
    expect(base.samples).toHaveLength(1);
    expect((await target.manifest()).totals()).toEqual({ documents: 3, chunks: 6 });
  });
});

describe('documents that threads cannot cut', () => {
  it('are loaded a few at a time, and wait as few, however many small ones are under way', async () => {
    let loaded = 0;
    let taken = 0;
    let most = 0;
    const names = Array.from({ length: 40 }, (_, i) => `file ${i}`);
    const given = source(Object.fromEntries(names.map((name) => [name, 'text'])));
    const items = async function* (): AsyncGenerator<SourceItem> {
      for await (const item of given.items()) {
        const load: SourceItem['load'] = async (options) => {
          most = Math.max(most, ++loaded - taken);
          return await item.load(options);
        };
        yield { ...item, sizeBytes: 2 ** 20, load };
      }
    };
    const cutters: Cutters = { capacity: 32, cut: async () => undefined, close: async () => {} };
    const small = { ...given, items, smallFileOf: ({ uri }: SourceItem) => ({ uri, path: uri }) };
    const services = { target: new MapTarget(), vectors: fixedVectors(embedder), chunk, cutters };
    for await (const event of ingest(small, services, { concurrency: 3 })) {
      if (event.type !== 'read') continue;
      taken++;
      await new Promise((resolve) => setTimeout(resolve, 1)); // the others have time to load
    }
    expect([loaded, taken]).toEqual([40, 40]);
    expect(most).toBeLessThanOrEqual(4); // three that wait, and the one that is told of
  });

  it('does not wait for those behind it, which wait for it', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `file ${i}`);
    const given = source(Object.fromEntries(names.map((name) => [name, 'text'])));
    // the first file is given back late, when the others have all turns
    const cut = async () => await new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 20));
    const cutters: Cutters = { capacity: 8, cut, close: async () => {} };
    const small = {
      ...given,
      items: async function* () {
        for await (const item of given.items()) yield { ...item, sizeBytes: 2 ** 20 };
      },
      smallFileOf: ({ uri }: SourceItem) => (uri === 'file 0' ? { uri, path: uri } : undefined),
    };
    const services = { target: new MapTarget(), vectors: fixedVectors(embedder), chunk, cutters };
    const read: string[] = [];
    for await (const event of ingest(small, services, { concurrency: 2 }))
      if (event.type === 'read') read.push(event.uri);
    expect(read.toSorted()).toEqual(names.toSorted());
  });

  it('are not given to threads in a run of fewer bytes than are worth them', async () => {
    const given = source({ a: 'text', b: 'text' });
    const asked: string[] = [];
    const cut: Cutters['cut'] = async ({ uri }) => {
      asked.push(uri);
      return undefined;
    };
    const small = { ...given, smallFileOf: ({ uri }: SourceItem) => ({ uri, path: uri }) };
    for (const worthBytes of [9, 8]) {
      const cutters: Cutters = { capacity: 8, worthBytes, cut, close: async () => {} };
      const services = { target: new MapTarget(), vectors: fixedVectors(embedder), chunk, cutters };
      for await (const _ of ingest(small, services)) if (worthBytes === 9) expect(asked).toEqual([]);
    }
    expect(asked.toSorted()).toEqual(['a', 'b']);
  });
});
