import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { PostingsCursor } from '../../../src/lexical/postings.ts';
import { termCounts } from '../../../src/retrieve/lexical-scores.ts';
import type { DocumentRecord, Snapshot } from '../../../src/store/contract.ts';
import { connectDatabase, openStore, openWriter } from '../../../src/store/index.ts';
import { attachSnapshot } from '../../../src/store/shared-snapshot.ts';
import type { StoreSnapshot } from '../../../src/store/snapshot.ts';
import { tempFolder } from '../../support/temp.ts';
import { randomSource } from '../vector/random.ts';
import { record, texts, words } from './records.ts';

const fingerprint = { embedder: 'test', dimensions: 16 };
const random = randomSource(20_261_123);

/** The rows of some are longer than what a read takes at first. */
const documents = (from: number, to: number, seed = 1): DocumentRecord[] =>
  Array.from({ length: to - from }, (_, i) =>
    record(`${from + i}.md`, texts(random, 3, (from + i) % 7 === 3 ? 900 : 12), {
      seed,
      metadata: { number: from + i },
    }),
  );

async function writerOf(folder: string, from = 1) {
  const writer = await openWriter(folder, { fingerprint, copies: { from } });
  onTestFinished(() => writer.close());
  return writer;
}

async function write(folder: string, change: (writer: Awaited<ReturnType<typeof writerOf>>) => Promise<void>) {
  const writer = await writerOf(folder);
  await change(writer);
  await writer.finish();
  await writer.close();
}

async function view(folder: string, residency: 'none' | 'auto' = 'none') {
  const database = await connectDatabase(folder);
  const store = await openStore(database, { residency });
  onTestFinished(() => store.close());
  return await store.snapshot();
}

const liveRows = (snapshot: Snapshot): number[] =>
  Array.from({ length: snapshot.rows }, (_, row) => row).filter((row) => snapshot.isLive(row));

/** All that a folder says of its rows, of their vectors and of some words; vectors are in memory, or read. */
async function contents(folder: string) {
  const snapshot = await view(folder);
  const inMemory = await view(folder, 'auto');
  const query = Int8Array.from({ length: 16 }, (_, i) => 7 * i - 50);
  await inMemory.searchVectors(query, 1); // loads them
  return {
    live: liveRows(snapshot),
    vectors: [...(await inMemory.vectorsAt(liveRows(inMemory)))],
    nearest: [...(await inMemory.searchVectors(query, 20)).ordinals],
    rows: await snapshot.fetch(liveRows(snapshot)),
    postings: (await snapshot.lexical.terms(words.slice(0, 50))).map(({ term, ordinals, text }) => [
      term,
      [...ordinals],
      [...text],
    ]),
  };
}

const folderOf = (folder: string, table: 'chunks_1' | 'lexical_1'): string => join(folder, 'copies', table);
const rowFiles = (folder: string): string[] => readdirSync(folderOf(folder, 'chunks_1')).sort();

/** What the tables alone say: the same index without its copies. */
async function withoutCopies(folder: string) {
  const hidden = `${folder}-hidden`;
  cpSync(folder, hidden, { recursive: true });
  rmSync(join(hidden, 'copies'), { recursive: true, force: true });
  return await contents(hidden);
}

/** Gives the uris of all rows of the table another ending, behind the back of every writer. */
async function tamper(folder: string): Promise<void> {
  const database = await connectDatabase(folder);
  const table = await database.open('chunks_1');
  await table.update({ valuesSql: { text: "concat(text, ' tampered')" } });
  database.close();
}

describe('copies of rows and postings', () => {
  it('give what the tables give, through every kind of change', async () => {
    const folder = join(tempFolder(), 'index');
    await write(folder, ({ current }) => current.replaceDocuments(documents(0, 40)));
    expect(await contents(folder)).toEqual(await withoutCopies(folder));
    const changes: ((writer: Awaited<ReturnType<typeof writerOf>>) => Promise<void>)[] = [
      ({ current }) => current.replaceDocuments(documents(40, 45)),
      ({ current }) => current.replaceDocuments(documents(3, 9, 2)),
      ({ current }) => current.removeDocuments(['11.md', '39.md']),
      ({ current }) => current.renameDocuments([{ from: '20.md', to: 'moved/20.md' }]),
      ({ current }) =>
        current.renameDocuments([
          { from: '21.md', to: '22.md' },
          { from: '22.md', to: '21.md' },
        ]),
      ({ current }) => current.replaceDocuments(documents(60, 140)),
    ];
    for (const change of changes) {
      await write(folder, change);
      expect(await contents(folder)).toEqual(await withoutCopies(folder));
      const lengths = rowFiles(folder).map((name) => name.split('-').map(Number) as [number, number]);
      lengths.sort(([a], [b]) => a - b);
      expect(lengths[0]![0]).toBe(0);
      for (const [i, [first]] of lengths.entries()) if (i > 0) expect(first).toBe(lengths[i - 1]![1]); // no gap
    }
  });

  it('give any of the rows in any order', async () => {
    const folder = join(tempFolder(), 'index');
    await write(folder, ({ current }) => current.replaceDocuments(documents(0, 90)));
    const rows = new Map((await withoutCopies(folder)).rows.map((row, ordinal) => [ordinal, row]));
    for (const most of [2, 5, 40, 300]) {
      const wanted = Array.from({ length: 60 }, (_, i) => (i * most * 7919) % Math.min(rows.size, 10 * most));
      const found = await (await view(folder)).fetch(wanted);
      expect(found).toEqual(wanted.map((ordinal) => rows.get(ordinal)));
    }
  });

  it('are what a query reads', async () => {
    const folder = join(tempFolder(), 'index');
    await write(folder, ({ current }) => current.replaceDocuments(documents(0, 10)));
    const before = await contents(folder);
    await tamper(folder);
    // a version of the table that no writer of ours made: what comes from the copies is as before
    expect((await contents(folder)).rows).toEqual(before.rows);
  });

  it('say nothing of a renamed row, also where the run ends before it finishes', async () => {
    const folder = join(tempFolder(), 'index');
    await write(folder, ({ current }) => current.replaceDocuments(documents(0, 10)));
    const old = await view(folder);
    const writer = await writerOf(folder);
    await writer.current.renameDocuments([{ from: '4.md', to: 'new.md' }]);
    const rows = await (await view(folder)).fetch([12, 13, 14, 15]);
    expect(rows.map(({ uri }) => uri)).toEqual(['new.md', 'new.md', 'new.md', '5.md']);
    expect((await old.fetch([11])).map(({ uri }) => uri)).toEqual(['3.md']);
  });

  it('never give the row of a document that was removed for that of a new one', async () => {
    const folder = join(tempFolder(), 'index');
    await write(folder, ({ current }) => current.replaceDocuments(documents(0, 4)));
    const all = [0, 1, 2, 3].map((i) => `${i}.md`);
    const writer = await writerOf(folder);
    await writer.current.removeDocuments(all);
    await writer.close();
    const later = documents(7, 9);
    await write(folder, ({ current }) => current.replaceDocuments(later));
    const snapshot = await view(folder);
    const found = await snapshot.fetch(liveRows(snapshot));
    expect(found.map(({ text }) => text)).toEqual(later.flatMap(({ chunks }) => chunks.map(({ text }) => text)));
  });

  it('are not believed where a bit has changed', async () => {
    const folder = join(tempFolder(), 'index');
    await write(folder, ({ current }) => current.replaceDocuments(documents(0, 6)));
    const whole = await contents(folder);
    const paths = (['chunks_1', 'lexical_1'] as const).flatMap((table) =>
      readdirSync(folderOf(folder, table)).map((name) => join(folderOf(folder, table), name)),
    );
    expect(paths.map((path) => path.split('.').at(-1)).sort()).toEqual(['blocks', 'rows', 'skips', 'view']);
    for (const path of paths) {
      const bytes = readFileSync(path);
      for (let flip = 0; flip < 40; flip++) {
        const damaged = Buffer.from(bytes);
        const at = flip < 20 ? random.integer(0, Math.min(120, bytes.length - 1)) : random.integer(0, bytes.length - 1);
        damaged[at]! ^= 1 << random.integer(0, 7);
        writeFileSync(path, flip % 5 === 4 ? damaged.subarray(0, at) : damaged);
        expect(await contents(folder)).toEqual(whole);
      }
      writeFileSync(path, bytes);
    }
  });

  it('are not believed where they are cut off, or zeros', async () => {
    const folder = join(tempFolder(), 'index');
    await write(folder, ({ current }) => current.replaceDocuments(documents(0, 6)));
    const whole = await contents(folder);
    for (const table of ['chunks_1', 'lexical_1'] as const) {
      for (const name of readdirSync(folderOf(folder, table))) {
        const path = join(folderOf(folder, table), name);
        const bytes = readFileSync(path);
        for (const most of [0, 3, 4, 7, 16, 17, 40, bytes.length - 1]) {
          const kept = Math.min(most, bytes.length); // without common words, skip tables have a header alone
          for (const zeros of [0, bytes.length - kept]) {
            writeFileSync(path, Buffer.concat([bytes.subarray(0, kept), Buffer.alloc(zeros)]));
            expect(await contents(folder)).toEqual(whole);
          }
        }
        writeFileSync(path, bytes);
      }
    }
  });

  it('are removed where blocks are damaged, and made again', async () => {
    const folder = join(tempFolder(), 'index');
    await write(folder, ({ current }) => current.replaceDocuments(documents(0, 6)));
    const whole = await contents(folder);
    const [name = ''] = readdirSync(folderOf(folder, 'lexical_1')).filter((one) => one.endsWith('.blocks'));
    const path = join(folderOf(folder, 'lexical_1'), name);
    const bytes = readFileSync(path);
    for (const damaged of [bytes.with(-1, bytes.at(-1)! ^ 1), Buffer.alloc(bytes.length)]) {
      writeFileSync(path, damaged);
      expect(await contents(folder)).toEqual(whole);
      await expect.poll(() => existsSync(path)).toBe(false);
      await write(folder, async () => {});
      expect(readFileSync(path)).toEqual(bytes);
    }
  });

  it('stay few however many runs there are, and lose dead rows', async () => {
    const folder = join(tempFolder(), 'index');
    await write(folder, ({ current }) => current.replaceDocuments(documents(0, 100)));
    for (let run = 0; run < 12; run++) {
      await write(folder, ({ current }) => current.replaceDocuments(documents(100 + run, 101 + run)));
    }
    expect(rowFiles(folder).length).toBeLessThanOrEqual(6); // each at least twice as long as the next
    const size = statSync(join(folderOf(folder, 'chunks_1'), rowFiles(folder)[0]!)).size;
    await write(folder, ({ current }) => current.removeDocuments(Array.from({ length: 80 }, (_, i) => `${i}.md`)));
    expect(rowFiles(folder)).toHaveLength(1);
    expect(statSync(join(folderOf(folder, 'chunks_1'), rowFiles(folder)[0]!)).size).toBeLessThan(size / 2);
    expect(await contents(folder)).toEqual(await withoutCopies(folder));
  });

  it('go when the index is small, and with their generation', async () => {
    const folder = join(tempFolder(), 'index');
    await write(folder, ({ current }) => current.replaceDocuments(documents(0, 4)));
    expect(existsSync(folderOf(folder, 'chunks_1'))).toBe(true);
    const writer = await writerOf(folder, 1000);
    await writer.current.removeDocuments(['1.md']);
    await writer.finish();
    expect(existsSync(folderOf(folder, 'chunks_1'))).toBe(false);
    await writer.close();
    await write(folder, ({ current }) => current.removeDocuments(['2.md']));
    expect(existsSync(folderOf(folder, 'lexical_1'))).toBe(true);
    await write(folder, async (again) => {
      const next = await again.beginGeneration(fingerprint);
      await next.writer.replaceDocuments(documents(0, 2));
      await next.writer.finish();
      await again.switchGeneration(next);
    });
    expect(readdirSync(join(folder, 'copies')).sort()).toEqual(['chunks_2', 'documents_2', 'lexical_2']);
  });
});

describe('skip tables of an index', () => {
  const often = documents(0, 40);
  /** All of its chunks have one word, as no others have. */
  const having = (uri: string, chunks: number) =>
    record(
      uri,
      Array.from({ length: chunks }, (_, i) => `qoxan ${words[i % words.length]}`),
    );
  const long = having('long.md', 9000);
  const skipsOf = (folder: string): string[] =>
    readdirSync(folderOf(folder, 'lexical_1')).flatMap((name) =>
      name.endsWith('.skips') ? [join(folderOf(folder, 'lexical_1'), name)] : [],
    );

  /** What a reader says of the word, and how many postings it went through for that. */
  async function wordIn(snapshot: Pick<Snapshot, 'lexical'>) {
    using spy = vi.spyOn(PostingsCursor.prototype, 'advance');
    const [postings] = await snapshot.lexical.terms(['qoxan']);
    const steps = spy.mock.calls.length;
    const { containing, anywhere, windows } = termCounts(snapshot.lexical, postings!);
    return { said: { containing, anywhere, windows, ordinals: [...postings!.ordinals] }, steps };
  }

  it('spare readers here and in threads the pass over all postings of a common word', async () => {
    const folder = join(tempFolder(), 'index');
    await write(folder, ({ current }) => current.replaceDocuments([...often, long]));
    expect(skipsOf(folder)).toHaveLength(1);
    const { said, steps } = await wordIn(await view(folder));
    expect(said).toMatchObject({ containing: 9000, anywhere: 9000, windows: 9000 });
    expect(steps).toBe(0);
    const database = await connectDatabase(folder);
    const store = await openStore(database, { threads: 2 });
    onTestFinished(() => store.close());
    const shared = structuredClone(await ((await store.snapshot()) as StoreSnapshot).share());
    const attached = attachSnapshot(shared!, { thread: 1, database: () => connectDatabase(folder) });
    expect(await wordIn(attached)).toEqual({ said, steps: 0 });
  });

  it('spare the pass where a word is common over several segments, and in none of them alone', async () => {
    const folder = join(tempFolder(), 'index');
    await write(folder, ({ current }) => current.replaceDocuments([...often, having('one.md', 4500)]));
    await write(folder, ({ current }) => current.replaceDocuments([having('two.md', 4500)]));
    expect(skipsOf(folder)).toHaveLength(2);
    const { said, steps } = await wordIn(await view(folder));
    expect(said).toMatchObject({ containing: 9000, anywhere: 9000, windows: 9000 });
    expect(steps).toBe(0);
  });

  it('are made again where they are missing or damaged, beside blocks that stay as they are', async () => {
    const folder = join(tempFolder(), 'index');
    await write(folder, ({ current }) => current.replaceDocuments([...often, long]));
    const { said } = await wordIn(await view(folder));
    const [path] = skipsOf(folder);
    const bytes = readFileSync(path!);
    const blocks = path!.replace(/skips$/, 'blocks');
    const { mtimeMs, ino } = statSync(blocks);
    for (const length of [undefined, 0, 20, bytes.length - 1]) {
      if (length === undefined) rmSync(path!);
      else writeFileSync(path!, bytes.subarray(0, length));
      const without = await wordIn(await view(folder));
      expect(without.said).toEqual(said);
      expect(without.steps).toBeGreaterThan(9000);
      await expect.poll(() => existsSync(path!)).toBe(false); // who finds damage removes it
      await write(folder, async () => {});
      expect(readFileSync(path!)).toEqual(bytes);
      expect(statSync(blocks)).toMatchObject({ mtimeMs, ino });
      expect(await wordIn(await view(folder))).toEqual({ said, steps: 0 });
    }
  });

  it('are whole beside damaged blocks, which are made again', async () => {
    const folder = join(tempFolder(), 'index');
    await write(folder, ({ current }) => current.replaceDocuments([...often, long]));
    const [path] = skipsOf(folder);
    const blocks = path!.replace(/skips$/, 'blocks');
    const whole = [path!, blocks].map((one) => readFileSync(one));
    rmSync(path!);
    writeFileSync(blocks, Buffer.alloc(whole[1]!.length));
    await write(folder, async () => {});
    expect([path!, blocks].map((one) => readFileSync(one))).toEqual(whole);
  });

  it('count live rows alone where some wait for a merge', async () => {
    const folder = join(tempFolder(), 'index');
    const two = { ...record('two.md', ['qoxan', 'qoxan and', 'nowhere']) };
    await write(folder, ({ current }) => current.replaceDocuments([two, ...often, long]));
    expect((await wordIn(await view(folder))).said).toMatchObject({ containing: 9002, windows: 9003 });
    await write(folder, ({ current }) => current.removeDocuments(['two.md']));
    expect(skipsOf(folder)).toHaveLength(1);
    const { said, steps } = await wordIn(await view(folder));
    expect(said).toMatchObject({ containing: 9000, windows: 9000 });
    expect(steps).toBeGreaterThan(9000);
  });

  it('go with their segment', async () => {
    const folder = join(tempFolder(), 'index');
    await write(folder, ({ current }) => current.replaceDocuments([...often, long]));
    const [before] = skipsOf(folder);
    await write(folder, ({ current }) => current.removeDocuments(['long.md']));
    expect(skipsOf(folder)).toHaveLength(1);
    expect(skipsOf(folder)[0]).not.toBe(before);
  });
});
