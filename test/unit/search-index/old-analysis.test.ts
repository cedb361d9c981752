import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { connectDatabase } from '../../../src/store/index.ts';
import { readLayout, shardFolders } from '../../../src/store/shards/layout.ts';
import { Meta, type StoreState } from '../../../src/store/state.ts';
import { tempFolder } from '../../support/temp.ts';

/** Makes an index one that another version of ibid has analysed or, with `textVersion`, cut. */
async function makeOld(address: string, part: 'analysisVersion' | 'textVersion' = 'analysisVersion'): Promise<void> {
  const database = await connectDatabase(address);
  const meta = new Meta(await database.open('meta'), database);
  const state = (await meta.get('state')) as StoreState;
  const fingerprint = { ...state.current.fingerprint, [part]: 0 };
  await meta.writeState({ ...state, current: { ...state.current, fingerprint } });
  await database.close();
}

it.each([undefined, 2])(
  'an index of an older analysis says so, and a rebuild keeps all of it (shards: %s)',
  async (shards) => {
    const base = tempFolder({ 'docs/pump.md': '# Pump\n\nThe pump is serviced in May.' });
    const address = join(base, 'index');
    const made = await openIndex(address, { create: true, base, shards });
    await made.ingest([join(base, 'docs')]);
    await made.add([{ uri: 'note:1', text: 'The lantern was painted by Mr. O’Neil.' }]);
    await made.close();
    for (const folder of shards ? shardFolders(address, (await readLayout(address))!) : [address])
      await makeOld(folder);

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
  expect((await index.check()).filter(({ ok }) => !ok)).toMatchObject([{ check: 'version', detail: message }]);
  for (const dryRun of [true, false])
    await expect(index.ingest([join(base, 'docs')], { dryRun })).rejects.toMatchObject({
      code: 'INDEX_MISMATCH',
      message,
    });
});
