import { readdirSync, renameSync, symlinkSync, truncateSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { openIndex, openIndexes } from '../../../src/index.ts';
import { readLayout, shardFolders } from '../../../src/store/shards/layout.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
import { notes } from '../../support/sea-notes.ts';
import { tempFolder } from '../../support/temp.ts';

/** Two indexes that rank as one. */
async function two(): Promise<{ readonly base: string; readonly first: string; readonly second: string }> {
  const base = tempFolder(notes(0, 12));
  await using index = await openIndex(join(base, 'all.ibid'), { create: true, base, shards: 2 });
  await index.ingest([join(base, 'docs')]);
  const [first, second] = shardFolders(index.address, readLayout(index.address)!);
  return { base, first: first!, second: second! };
}

it('an index is named once: its documents would count twice', async () => {
  const { base, first, second } = await two();
  const link = join(base, 'link');
  symlinkSync(first, link);
  for (const again of [first, `${first}/`, relative('.', first), link])
    await expect(openIndexes([first, second, again])).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(first),
      hint: expect.stringContaining('once'),
    });
  const whole = join(base, 'all.ibid');
  for (const members of [
    [whole, second],
    [link, whole],
  ])
    await expect(openIndexes(members)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(`is a shard of ${whole}`),
    });
  const remote = 'http://127.0.0.1:9';
  for (const again of [remote, `${remote}/`, { url: remote }])
    await expect(openIndexes([first, { url: remote, index: 'notes' }, remote, again])).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(remote),
    });
});

it('one that is gone or damaged is told with a way out that it has', async () => {
  const { base, first, second } = await two();
  const warningOf = async (): Promise<{ readonly code: string; readonly hint?: string | undefined }> => {
    await using index = await openIndexes([first, second]);
    return (await index.search('anchor')).report.warnings[0] as never; // of IbidError
  };
  renameSync(second, join(base, 'away'));
  expect(await warningOf()).toMatchObject({
    code: 'INDEX_NOT_FOUND',
    hint: 'Bring this index back, or leave it out of the list.',
  });
  renameSync(join(base, 'away'), second);
  const data = join(second, 'lance/chunks_1.lance/data');
  for (const name of readdirSync(data)) truncateSync(join(data, name), 100);
  const damaged = await warningOf();
  expect(damaged.code).toBe('INDEX_DAMAGED');
  expect(damaged.hint).toMatch(/alone/);
  await using alone = await openIndex(second); // what the hint says
  expect(await alone.repair()).toMatchObject({ damaged: [expect.anything()] });
});

it('what only reads says where to write', async () => {
  const { first, second } = await two();
  await using index = await openIndexes([first, second]);
  const refusal = { code: 'PERMISSION_DENIED', hint: expect.stringContaining('`openIndex`') };
  await expect(index.remove(['docs'])).rejects.toMatchObject(refusal);
  await expect(index.check()).rejects.toMatchObject(refusal);
});

it('checks that are interrupted before they begin', async () => {
  const { base } = await two();
  await using empty = await openIndex(join(base, 'empty.ibid'), { create: true, base });
  await empty.add([]);
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(empty.check({ signal })).rejects.toThrow('enough');
});

it('a citation of a document that two of them have, each with another text, is not answered with the wrong one', async () => {
  const folder = tempFolder({});
  const embedder = fakeEmbedder(16);
  const made = async (name: string, texts: Record<string, string>): Promise<string> => {
    await using index = await openIndex(join(folder, name), { create: true, embedder });
    await index.add(Object.entries(texts).map(([uri, text]) => ({ uri, text })));
    return index.address;
  };
  const same = 'The pier is closed in winter.';
  const a = await made('a', { 'guide.md': 'The crane lifts four tonnes.', 'same.md': same, 'a.md': 'An anchor.' });
  const b = await made('b', { 'guide.md': 'The boat carries nine people.', 'same.md': same });
  await using index = await openIndexes([a, b], { embedder });
  const { citations } = await index.ask('How many people does the boat carry?');
  expect(citations[0]!.quote).toBe('The boat carries nine people.');
  const refusal = {
    code: 'CITATION_NOT_FOUND',
    message: '2 of the indexes have a document "guide.md", each with another text',
    hint: expect.stringContaining('alone'),
  };
  await expect(index.show(citations[0]!.reference)).rejects.toMatchObject(refusal);
  await expect(index.document('guide.md')).rejects.toMatchObject(refusal);
  expect(await index.show('same.md#4-8')).toMatchObject({ quote: 'pier', after: ' is closed in winter.' });
  expect(await index.document('same.md')).toMatchObject({ text: same, chunks: 1 });
  expect(await index.show('a.md')).toMatchObject({ quote: 'An anchor.' });
  await using alone = await openIndex(b, { embedder }); // what the hint says
  expect(await alone.show(citations[0]!.reference)).toMatchObject({ quote: 'The boat carries nine people.' });
});
