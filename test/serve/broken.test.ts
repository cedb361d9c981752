import { renameSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openIndex } from '../../src/index.ts';
import { readLayout, shardFolder, shardOf } from '../../src/store/shards/layout.ts';
import { makeOld } from '../support/old-index.ts';
import { call, docs, madeIndex, started } from './support.ts';

it('what documents can be filtered by is not complete without a shard', async () => {
  const { index } = await madeIndex(docs, { shards: 2 });
  const { address } = index;
  await index.close();
  const left = Object.keys(docs).filter((uri) => shardOf(uri, 2) === 0);
  const again = await openIndex(address);
  onTestFinished(() => again.close());
  const server = await started({ indexes: again });
  const whole = { documents: 3, complete: true, shards: { asked: 2, missing: [] } };
  expect((await call(server, '/api/facets')).json).toMatchObject(whole);
  rmSync(shardFolder(address, readLayout(address)!.set, 1), { recursive: true });
  expect((await call(server, '/api/facets')).json).toMatchObject({
    documents: left.length,
    complete: false,
    shards: { asked: 2, missing: ['INDEX_NOT_FOUND'] },
  });
});

it('an index of another version says what is to be done, and gives its documents', async () => {
  const { index } = await madeIndex();
  await index.close();
  await makeOld(index.address);
  const again = await openIndex(index.address);
  onTestFinished(() => again.close());
  const server = await started({ indexes: again });
  const { status, json } = await call(server, '/api/search?query=harbour');
  expect({ status, code: json.error.code }).toEqual({ status: 503, code: 'INDEX_MISMATCH' });
  expect(json.error.hint).toContain('`ibid ingest --rebuild`');
  const ready = await call(server, '/ready');
  expect({ status: ready.status, code: ready.json.error?.code }).toEqual({ status: 503, code: 'INDEX_MISMATCH' });
  expect(JSON.stringify(json)).not.toContain(index.address);
  expect((await call(server, '/api/documents')).json).toMatchObject({ total: 3 });
  const shown = await call(server, `/api/show?ref=${encodeURIComponent('docs/harbour.txt#4-11')}`);
  expect(shown.json).toMatchObject({ quote: 'harbour', source: 'same' });
});

it('is not ready while its index is away, and again when the index is back', async () => {
  const { index } = await madeIndex();
  const server = await started({ indexes: index });
  const ready = async () => {
    await delay(1100); // an answer holds for a second
    const { status, json, text } = await call(server, '/ready');
    expect(text).not.toContain(index.address);
    return { status, ready: json.ready, code: json.error?.code };
  };
  expect(await ready()).toEqual({ status: 200, ready: true, code: undefined });
  renameSync(index.address, `${index.address}-away`);
  expect(await ready()).toEqual({ status: 503, ready: false, code: 'INDEX_NOT_FOUND' });
  expect((await call(server, '/health')).status).toBe(200);
  renameSync(`${index.address}-away`, index.address);
  expect(await ready()).toEqual({ status: 200, ready: true, code: undefined });
});

it('of several indexes, is ready while one can be read', async () => {
  const { index: kept } = await madeIndex();
  const { index: away } = await madeIndex();
  const server = await started({ indexes: { kept, away } });
  const searchable = async () => (await call(server, '/metrics')).text.match(/^ibid_index_searchable.*$/gm);
  expect(await searchable()).toEqual([
    'ibid_index_searchable{index="kept"} 1',
    'ibid_index_searchable{index="away"} 1',
  ]);
  rmSync(away.address, { recursive: true });
  await delay(1100);
  expect((await call(server, '/ready')).status).toBe(200);
  expect(await searchable()).toEqual([
    'ibid_index_searchable{index="kept"} 1',
    'ibid_index_searchable{index="away"} 0',
  ]);
  rmSync(kept.address, { recursive: true });
  await delay(1100);
  expect((await call(server, '/ready')).json).toMatchObject({ ready: false, error: { code: 'INDEX_NOT_FOUND' } });
});

it('of several indexes, says which one cannot be read, and gives what the others have', async () => {
  const { index: away } = await madeIndex();
  const { index: kept } = await madeIndex();
  const server = await started({ indexes: { away, kept } });
  renameSync(away.address, `${away.address}-away`);
  const problem = { code: 'INDEX_NOT_FOUND', message: 'The index "away": There is no index at this address.' };
  for (const path of [
    'search?query=harbour',
    'ask?question=harbour',
    'documents',
    'facets',
    'search?query=harbour&index=away',
  ]) {
    const { status, json } = await call(server, `/api/${path}`);
    expect({ status, error: json.error }, path).toMatchObject({ status: 503, error: problem });
  }
  const shown = async (uri: string) => await call(server, `/api/show?ref=${encodeURIComponent(`${uri}#4-11`)}`);
  expect((await shown('docs/harbour.txt')).json).toMatchObject({ quote: 'harbour', index: 'kept' });
  expect((await shown('docs/none.txt')).json.error).toMatchObject(problem); // the index that is away may have it
  renameSync(`${away.address}-away`, away.address);
  expect((await shown('docs/none.txt')).json.error.code).toBe('CITATION_NOT_FOUND');
});
