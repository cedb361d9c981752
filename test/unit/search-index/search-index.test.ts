import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type ExportedChunk,
  type IngestEvent,
  type IngestSummary,
  openIndex,
  type SearchIndex,
} from '../../../src/index.ts';
import { fakeEmbedder, fakeLanguageModel } from '../../../src/testing.ts';
import { tempFolder, writeFiles } from '../../support/temp.ts';

const nouns =
  'anchor buoy cable diver engine fender gauge hull ladder mast needle oar pump quay rope sail tide valve winch yard'.split(
    ' ',
  );
const verbs = 'lifts holds turns opens marks carries drains fills guides keeps'.split(' ');

/** Small documents with a vocabulary of their own, so that there is something to train on. */
function notes(from: number, to: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: to - from }, (_, k) => {
      const i = from + k;
      const word = (n: number): string => nouns[(i * 7 + n * 3) % nouns.length]!;
      const lines = Array.from(
        { length: 4 },
        (_, n) => `The ${word(n)} ${verbs[(i + n) % verbs.length]} the ${word(n + 1)} near the ${word(n + 5)}.`,
      );
      return [`docs/note-${i}.md`, `# Note ${i}\n\n${lines.join(' ')}`];
    }),
  );
}

async function ingest(
  index: SearchIndex,
  folder: string,
  options = {},
): Promise<{ events: IngestEvent[]; summary: IngestSummary }> {
  const events: IngestEvent[] = [];
  for await (const event of index.ingest([join(folder, 'docs')], options)) events.push(event);
  const last = events.at(-1);
  if (last?.type !== 'done') throw new Error('the last event is not "done"');
  return { events, summary: last.summary };
}

async function exported(index: SearchIndex): Promise<ExportedChunk[]> {
  const chunks: ExportedChunk[] = [];
  for await (const chunk of index.export({ vectors: true })) chunks.push(chunk);
  return chunks;
}

const open = (folder: string, options = {}): Promise<SearchIndex> =>
  openIndex(join(folder, '.ibid'), { create: true, base: folder, ...options });

describe('SearchIndex', () => {
  it('works in memory: ingest, search, ask, close twice', async () => {
    const folder = tempFolder({ 'docs/lamp.md': '# Lamp\n\nThe lamp of the lighthouse burns rapeseed oil.' });
    const index = await openIndex('memory://', { create: true, base: folder });
    await ingest(index, folder);
    expect((await index.search('rapeseed')).hits[0]?.chunk.uri).toBe('docs/lamp.md');
    const answer = await index.ask('What does the lamp of the lighthouse burn?');
    expect(answer.citations[0]?.quote).toContain('rapeseed oil');
    await index.close();
    await index.close();
  });

  it('stops a status at an abort', async () => {
    const folder = tempFolder(notes(0, 3));
    await using index = await open(folder);
    await ingest(index, folder);
    await expect(index.status({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    const abort = new AbortController();
    const status = index.status({ signal: abort.signal });
    abort.abort(new Error('too long'));
    await expect(status).rejects.toThrow('too long');
  });

  it('makes its folder with the first thing it writes', async () => {
    const folder = tempFolder(notes(0, 3));
    await using index = await open(folder);
    expect((await ingest(index, folder, { dryRun: true })).summary).toMatchObject({ documents: 3 });
    expect(existsSync(join(folder, '.ibid'))).toBe(false);
    await expect(index.search('anchor')).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' });
    await ingest(index, folder);
    expect((await index.search('anchor')).hits.length).toBeGreaterThan(0);
  });

  it('filters by an entry of a front matter list, and by a nested key, as the README says', async () => {
    const folder = tempFolder({
      'docs/a.md': '---\ntags: [pump, diesel]\nauthor:\n  name: Ines\n---\nThe engine is serviced.',
      'docs/b.md': '---\ntags: [pumpkin]\nauthor:\n  name: Olu\n---\nThe engine is idle.',
    });
    await using index = await open(folder);
    await ingest(index, folder);
    const found = async (where: string): Promise<string[]> =>
      (await index.search('engine', { where })).hits.map(({ chunk }) => chunk.uri).sort();
    expect(await found("metadata.tags like '%diesel%'")).toEqual(['docs/a.md']);
    expect(await found("metadata.tags like '%pump%'")).toEqual(['docs/a.md', 'docs/b.md']);
    expect(await found("', ' || metadata.tags || ', ' like '%, pump, %'")).toEqual(['docs/a.md']);
    expect(await found('metadata."author.name" = \'Olu\'')).toEqual(['docs/b.md']);
  });

  it('refuses a budget that is no amount', async () => {
    const folder = tempFolder(notes(0, 1));
    await using index = await open(folder);
    await expect(ingest(index, folder, { budget: Number.NaN })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('finds nothing in an index without documents, and refuses', async () => {
    const folder = tempFolder({ 'docs/.keep': '' });
    await using index = await open(folder, { models: { writer: fakeLanguageModel() } });
    await ingest(index, folder);
    expect((await index.search('anything')).hits).toEqual([]);
    for (const mode of ['extractive', 'grounded'] as const)
      expect(await index.ask('What is this?', { mode })).toMatchObject({
        abstained: true,
        answer: 'The index has no documents.',
      });
    await expect(index.search(' ')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: 'the query is empty' });
    expect((await index.status()).documents).toBe(0);
  });

  it('follows a rename with the same vectors, and a title that came from the file name', async () => {
    const folder = tempFolder({
      ...notes(0, 30),
      'docs/old name.txt': 'Nothing here says what it is about, but the winch.',
    });
    await using index = await open(folder);
    await ingest(index, folder);
    const before = await exported(index);
    renameSync(join(folder, 'docs/old name.txt'), join(folder, 'docs/new name.txt'));
    renameSync(join(folder, 'docs/note-3.md'), join(folder, 'docs/moved.md'));
    const { summary, events } = await ingest(index, folder);
    expect(summary).toMatchObject({ renamed: 2, added: 0, updated: 0, removed: 0, documents: 31 });
    expect(events.some(({ type }) => type === 'read')).toBe(false);
    const after = new Map((await exported(index)).map((chunk) => [chunk.uri, chunk]));
    const was = (uri: string): ExportedChunk => before.find((chunk) => chunk.uri === uri)!;
    expect(after.get('docs/moved.md')).toEqual({ ...was('docs/note-3.md'), uri: 'docs/moved.md' });
    expect(after.get('docs/new name.txt')).toEqual({
      ...was('docs/old name.txt'),
      uri: 'docs/new name.txt',
      title: 'new name',
    });
    expect(after.has('docs/note-3.md')).toBe(false);
  });

  it('trains again when the documents have doubled: then the vectors are those of an index made in one go', async () => {
    const folder = tempFolder(notes(0, 40));
    await using index = await open(folder);
    await ingest(index, folder);
    const first = (await index.status()).embedder;
    writeFiles(folder, notes(40, 60));
    const some = await ingest(index, folder);
    expect(some.events.filter(({ type }) => type === 'training')).toEqual([]);
    expect((await index.status()).embedder).toBe(first);
    writeFiles(folder, notes(60, 90));
    const many = await ingest(index, folder);
    expect(many.events.filter(({ type }) => type === 'training')).toMatchObject([{ reason: 'drift', chunks: 90 }]);
    expect((await index.status()).embedder).not.toBe(first);
    const other = tempFolder(notes(0, 90));
    await using fresh = await open(other);
    await ingest(fresh, other);
    expect(await exported(index)).toEqual(await exported(fresh));
    expect((await index.search('winch', { mode: 'dense' })).hits.length).toBeGreaterThan(0);
  });

  it('refuses other chunk options, and rebuilds with them behind the old index', async () => {
    const long = { 'docs/long.md': `# Long\n\n${'The pump drains the hull before the tide turns. '.repeat(60)}` };
    const folder = tempFolder({ ...notes(0, 10), ...long });
    await using index = await open(folder);
    await ingest(index, folder);
    const chunks = (await index.status()).chunks;
    await using reader = await openIndex(join(folder, '.ibid'));
    await using smaller = await open(folder, { chunking: { maxTokens: 60, minTokens: 10 } });
    await expect(ingest(smaller, folder)).rejects.toMatchObject({
      code: 'INDEX_MISMATCH',
      hint: expect.any(String) as string,
    });
    for await (const event of smaller.ingest([join(folder, 'docs')], { rebuild: true })) {
      // the old index answers until the switch
      if (event.type === 'committed') expect((await reader.status()).chunks).toBe(chunks);
    }
    expect((await reader.status()).chunks).toBeGreaterThan(chunks);
    expect((await reader.search('pump drains the hull')).hits[0]?.chunk.uri).toBe('docs/long.md');
    expect((await smaller.check()).filter(({ ok }) => !ok)).toEqual([]);
  });

  it('keeps documents outside of the folder that a rebuild names: others, given ones, and those without their file', async () => {
    const folder = tempFolder({
      'a/one.md': '# One\n\nAn anchor.',
      'b/two.md': 'Two buoys.',
      'b/three.md': 'Three oars.',
    });
    await using index = await open(folder);
    await index.ingest([join(folder, 'a'), join(folder, 'b')]);
    await index.add([{ uri: 'note:1', text: 'The pump is serviced in May.', metadata: { team: 'ops' } }]);
    rmSync(join(folder, 'b/three.md'));
    const before = await exported(index);
    expect(await index.ingest([join(folder, 'a')], { rebuild: true })).toMatchObject({ documents: 4 });
    expect(await exported(index)).toEqual(before);
    expect((await index.show('note:1#0-8')).quote).toBe('The pump');
    // other cuts: from the files, and from the stored text where no file is
    await using smaller = await open(folder, { chunking: { maxTokens: 60, minTokens: 10 } });
    await smaller.ingest([join(folder, 'a')], { rebuild: true });
    expect((await Array.fromAsync(smaller.documents())).map(({ uri }) => uri).sort()).toEqual([
      'a/one.md',
      'b/three.md',
      'b/two.md',
      'note:1',
    ]);
    expect((await smaller.search('pump', { where: { 'metadata.team': 'ops' } })).hits).toHaveLength(1);
    // the next run follows the folder again
    await smaller.ingest([join(folder, 'b')], { force: true });
    expect(await smaller.document('b/three.md')).toBeUndefined();
    rmSync(join(folder, 'b/two.md'));
    await expect(smaller.ingest([join(folder, 'b')], { rebuild: true })).rejects.toMatchObject({
      code: 'DELETE_GUARD',
    });
    expect(await smaller.document('b/two.md')).toBeDefined();
  });

  it.each(['markdown', 'text', 'html'] as const)('cuts a given %s anew as if it were given again', async (format) => {
    const sentences = 'The pump moves water from the hull. A valve holds it back at night. '.repeat(4).trim();
    const section = (name: string): string =>
      format === 'html' ? `<h2>${name}</h2><p>${sentences}</p>` : `## ${name}\n\n${sentences}\n\n`;
    const text = ['Pumps', 'Valves', 'Hoses'].map(section).join('');
    const chunking = { maxTokens: 40, minTokens: 5 };
    const given = [{ uri: 'note:1', title: 'The boat', format, text }];
    const [changed, fresh] = [tempFolder(notes(0, 1)), tempFolder(notes(0, 1))];
    await using large = await open(changed);
    await large.add(given);
    await using small = await open(changed, { chunking });
    await small.ingest([join(changed, 'docs')], { rebuild: true });
    await using other = await open(fresh, { chunking });
    await other.add(given);
    const chunks = async (index: SearchIndex): Promise<unknown> =>
      (await Array.fromAsync(index.export())).filter(({ uri }) => uri === 'note:1'); // vectors know of the other file
    expect(await chunks(small)).toEqual(await chunks(other));
  });

  it('lets one ingest in at a time, and the second say who is in', async () => {
    const folder = tempFolder(notes(0, 20));
    await using one = await open(folder);
    await using two = await open(folder);
    const running = one.ingest([join(folder, 'docs')])[Symbol.asyncIterator]();
    await running.next();
    await expect(ingest(two, folder)).rejects.toMatchObject({
      code: 'INDEX_LOCKED',
      message: expect.stringContaining(String(process.pid)) as string,
    });
    for await (const _ of running) {
      // to its end
    }
    expect((await ingest(two, folder)).summary.unchanged).toBe(20);
  });

  it('removes a document by the uri that it was given, half a character in it too', async () => {
    await using index = await openIndex('memory://', { create: true });
    await index.add([{ uri: 'note:\ud83d', text: 'The pump is serviced in May.' }]);
    expect((await index.document('note:\ud83d'))?.text).toContain('pump');
    expect((await index.remove('note:\ud83d')).removed).toHaveLength(1);
    expect(await index.document('note:\ud83d')).toBeUndefined();
  });

  it('removes documents and folders, and stops before removing most of the index', async () => {
    const folder = tempFolder({ ...notes(0, 5), 'docs/old/a.md': 'An old anchor.', 'docs/old/b.md': 'An old buoy.' });
    await using index = await open(folder);
    await ingest(index, folder);
    expect((await index.remove(['docs/old'])).removed.toSorted()).toEqual(['docs/old/a.md', 'docs/old/b.md']);
    expect((await index.search('old buoy', { where: "uri like 'docs/old/%'" })).hits).toEqual([]);
    await expect(index.remove(['docs'])).rejects.toMatchObject({ code: 'DELETE_GUARD' });
    expect((await index.remove(['docs'], { force: true })).removed).toHaveLength(5);
  });

  it('removes a long list of documents without a comparison of each with each', async () => {
    await using index = await openIndex('memory://', { create: true, embedder: fakeEmbedder() });
    const notes = Array.from({ length: 1000 }, (_, i) => ({ uri: `note:${i}`, text: `Buoy number ${i}.` }));
    await index.add(notes);
    const looks = vi.spyOn(String.prototype, 'startsWith');
    onTestFinished(() => looks.mockRestore());
    const { removed } = await index.remove(notes.slice(1).map(({ uri }) => uri));
    expect(looks.mock.calls.length).toBeLessThan(50 * notes.length);
    expect(removed).toHaveLength(999);
  });

  it('removes all files of the base as ".", and leaves alone what a program has given', async () => {
    const folder = tempFolder(notes(0, 3));
    await using index = await open(folder);
    await ingest(index, folder);
    await index.add([{ uri: 'note:1', text: 'A buoy of a program.' }]);
    await expect(index.remove('.')).rejects.toMatchObject({ code: 'DELETE_GUARD' });
    expect((await index.remove('.', { force: true })).removed).toHaveLength(3);
    expect((await index.documentPage()).documents.map(({ uri }) => uri)).toEqual(['note:1']);
  });

  it('shows a citation and notices that its file changed, or went', async () => {
    const folder = tempFolder({ 'docs/a.md': '# A\n\nThe tide turns at noon.' });
    await using index = await open(folder);
    await ingest(index, folder);
    const citation = 'docs/a.md#5-28';
    expect(await index.show(citation)).toMatchObject({
      quote: 'The tide turns at noon.',
      source: 'same',
      place: { lines: [3, 3] },
    });
    writeFiles(folder, { 'docs/a.md': '# A\n\nThe tide turns at nine.' });
    expect((await index.show(citation)).source).toBe('has changed since it was indexed');
    rmSync(join(folder, 'docs/a.md'));
    expect((await index.show(citation)).source).toBe('is not there');
    await expect(index.show('docs/b.md#1-2')).rejects.toMatchObject({ code: 'CITATION_NOT_FOUND' });
  });

  it('counts in a dry run what a run would do, and writes nothing', async () => {
    const folder = tempFolder(notes(0, 8));
    await using index = await open(folder);
    expect((await ingest(index, folder, { dryRun: true })).summary).toMatchObject({
      added: 8,
      documents: 8,
      chunks: 8,
      costUsd: 0,
    });
    expect((await ingest(index, folder)).summary).toMatchObject({ added: 8 });
  });

  it('passes an abort through as its reason', async () => {
    const folder = tempFolder(notes(0, 8));
    await using index = await open(folder);
    await ingest(index, folder);
    const reason = new Error('enough');
    await expect(index.search('winch', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await expect(ingest(index, folder, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
