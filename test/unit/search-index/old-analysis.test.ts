import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { makeOld } from '../../support/old-index.ts';
import { tempFolder, writeFiles } from '../../support/temp.ts';

it.each([undefined, 2])(
  'an index of an older analysis says so, and a rebuild keeps all of it (shards: %s)',
  async (shards) => {
    const base = tempFolder({ 'docs/pump.md': '# Pump\n\nThe pump is serviced in May.' });
    const address = join(base, 'index');
    const made = await openIndex(address, { create: true, base, shards });
    await made.ingest([join(base, 'docs')]);
    await made.add([{ uri: 'note:1', text: 'The lantern was painted by Mr. O’Neil.' }]);
    await made.close();
    await makeOld(address);

    const index = await openIndex(address, { base });
    onTestFinished(() => index.close());
    const mismatch = {
      code: 'INDEX_MISMATCH',
      message: /analysisVersion 0, this version of ibid uses/,
      hint: /rebuild: true/,
    };
    await expect(index.search('pump')).rejects.toMatchObject(mismatch);
    await expect(index.ingest([join(base, 'docs')])).rejects.toMatchObject(mismatch);
    await expect(index.ingest([join(base, 'docs')], { dryRun: true })).rejects.toMatchObject(mismatch);
    expect((await index.check()).filter(({ ok }) => !ok)).toEqual([
      { check: 'version', ok: false, detail: expect.stringMatching(mismatch.message), hint: expect.any(String) },
    ]);
    expect((await index.status()).rebuild).toMatch(/another version of ibid/);
    expect(await index.ingest([join(base, 'docs')], { rebuild: true })).toMatchObject({ documents: 2, failed: [] });
    expect((await index.status()).rebuild).toBeUndefined();
    expect((await index.check()).filter(({ ok }) => !ok)).toEqual([]);
    const { hits } = await index.search("O'Neil", { mode: 'lexical' });
    expect(hits.map(({ chunk }) => chunk.uri)).toEqual(['note:1']);
  },
);

it.each([undefined, 2])('the documents of an index of an older analysis are read (shards: %s)', async (shards) => {
  const texts = { 'docs/pump.md': '# Pump\n\nThe pump is serviced in May.', 'docs/sea.md': 'The sea is calm.' };
  const base = tempFolder(texts);
  const address = join(base, 'index');
  const made = await openIndex(address, { create: true, base, shards });
  await made.ingest([join(base, 'docs')]);
  await made.close();
  await makeOld(address);

  const index = await openIndex(address, { base });
  onTestFinished(() => index.close());
  const scope = index.within({ uri: 'docs/sea.md' });
  const uris = Object.keys(texts);
  const sorted = async (listed: AsyncIterable<{ uri: string }>): Promise<string[]> =>
    (await Array.fromAsync(listed, ({ uri }) => uri)).sort();
  expect(await sorted(index.documents())).toEqual(uris);
  expect(await sorted(scope.documents())).toEqual(['docs/sea.md']);
  expect(await index.documentPage({ limit: 1 })).toMatchObject({ total: 2, documents: [{}] });
  expect(await index.document('docs/sea.md')).toMatchObject({ text: texts['docs/sea.md'] });
  expect(await index.show('docs/sea.md#4-7')).toMatchObject({ quote: 'sea', source: 'same' });
  await expect(scope.show('docs/pump.md#0-3')).rejects.toMatchObject({ code: 'CITATION_NOT_FOUND' });
  const exported = await Array.fromAsync(index.export({ vectors: true }));
  expect(exported.map(({ uri, text }) => [uri, text])).toEqual(Object.entries(texts));
  for (const read of [index, scope])
    await expect(read.search('pump')).rejects.toMatchObject({ code: 'INDEX_MISMATCH' });
  await index.ingest([join(base, 'docs')], { rebuild: true }); // what is read from then on is the new generation
  expect(await sorted(index.documents())).toEqual(uris);
  expect((await index.search('pump')).hits).not.toEqual([]);
});

it('an index that was cut otherwise is searched, and a check and a dry run say what its next ingest would', async () => {
  const base = tempFolder({ 'docs/pump.md': '# Pump\n\nThe pump is serviced in May.' });
  const address = join(base, 'index');
  const made = await openIndex(address, { create: true, base });
  await made.ingest([join(base, 'docs')]);
  await made.close();
  await makeOld(address, 'textVersion');

  const index = await openIndex(address, { base });
  onTestFinished(() => index.close());
  expect((await index.search('pump')).hits).toHaveLength(1);
  const message = /textVersion 0, this version of ibid uses/;
  writeFiles(base, { 'docs/sea.md': 'The sea is calm.' });
  const findings = await index.check();
  expect(findings.filter(({ ok }) => !ok)).toMatchObject([{ check: 'version', detail: message }]);
  expect(findings.find(({ check }) => check === 'files')).toEqual({ check: 'files', ok: true, detail: '1 new' });
  for (const dryRun of [true, false])
    await expect(index.ingest([join(base, 'docs')], { dryRun })).rejects.toMatchObject({
      code: 'INDEX_MISMATCH',
      message,
    });
});

it('a shard of an older version among others is told by `check`, as the next ingest would', async () => {
  const base = tempFolder({ 'docs/pump.md': 'The pump is serviced in May.', 'docs/sea.md': 'The sea is calm.' });
  const address = join(base, 'index');
  await using index = await openIndex(address, { create: true, base, shards: 2 });
  await index.ingest([join(base, 'docs')]);
  await makeOld(address, 'textVersion', 1);
  expect((await index.check()).filter(({ ok }) => !ok)).toEqual([
    {
      check: 'version',
      ok: false,
      detail: expect.stringMatching(/^shard 0001: the index was built with textVersion 0/),
      hint: expect.stringContaining('rebuild: true'),
    },
  ]);
  await expect(index.ingest([join(base, 'docs')]).then()).rejects.toMatchObject({ code: 'INDEX_MISMATCH' });
});
