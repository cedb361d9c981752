import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SearchIndex } from '../../src/index.ts';
import { type RunningServer, type Scope, TokenStore } from '../../src/serve.ts';
import { writeFiles } from '../support/temp.ts';
import { type Answered, call, madeIndex, started } from './support.ts';

interface Served {
  readonly server: RunningServer;
  readonly index: SearchIndex;
  as(scopes: readonly Scope[], path: string, json: unknown, where?: object): Promise<Answered>;
}

async function served(): Promise<Served> {
  const { index, folder } = await madeIndex();
  const tokens = new TokenStore(join(folder, 'tokens.json'));
  tokens.create({ name: 'first', scopes: ['admin'] });
  const server = await started({ indexes: index, tokens });
  const as: Served['as'] = (scopes, path, json, where) => {
    const { secret } = tokens.create({ name: 'x', scopes, where: where as never });
    return call(server, path, { headers: { authorization: `Bearer ${secret}` }, json });
  };
  return { server, index, as };
}

const note = { uri: 'note:1', text: 'The crane is painted yellow.', title: 'Crane', metadata: { team: 'ops' } };

describe('a program that writes', () => {
  it.skipIf(process.platform === 'win32')('changes no document of a file, whatever the file is called', async () => {
    const { index, folder } = await madeIndex({ 'note:7.md': 'The gate is green.\n', 'b.md': 'Another.\n' });
    const tokens = new TokenStore(join(folder, 'tokens.json'));
    const { secret } = tokens.create({ name: 'writer', scopes: ['ingest'] });
    const server = await started({ indexes: index, tokens });
    const as = (path: string, json: object) =>
      call(server, path, { headers: { authorization: `Bearer ${secret}` }, json });
    const other = { uri: 'note:7.md', text: 'The gate is red.' };
    for (const [path, json] of [
      ['/api/add', { documents: [{ uri: 'note:8', text: 'A note.' }, other] }],
      ['/api/remove', { uris: ['note:7.md'] }],
    ] as const) {
      expect(await as(path, json)).toMatchObject({ status: 403, json: { error: { code: 'PERMISSION_DENIED' } } });
      expect((await index.document('note:7.md'))?.text).toContain('green');
    }
    await index.add([{ uri: 'note:9.md', text: 'The gate is blue.' }]);
    writeFiles(folder, { 'note:9.md': 'A file that no ingest has read.\n' });
    expect((await as('/api/remove', { uris: ['note:9.md'] })).json).toEqual({ removed: ['note:9.md'] });
  });

  it('adds, replaces and removes documents, which the next question finds or not', async () => {
    const { as, server, index } = await served();
    const before = (await index.status()).documents;
    expect(await as(['ingest'], '/api/add', { documents: [note, { uri: 'note:2', text: '' }] })).toMatchObject({
      status: 200,
      json: { added: 1, updated: 0, documents: before + 1, failed: [{ uri: 'note:2', code: 'FILE_EMPTY' }] },
    });
    const found = await as(['read'], '/api/search', { query: 'yellow crane', where: { 'metadata.team': 'ops' } });
    expect(found.json.hits[0]).toMatchObject({ uri: 'note:1', title: 'Crane' });
    const red = { ...note, text: 'The crane is painted red.' };
    expect((await as(['ingest'], '/api/add', { documents: [red] })).json).toMatchObject({ added: 0, updated: 1 });
    expect((await as(['ingest'], '/api/add', { documents: [red] })).json).toMatchObject({ updated: 0, unchanged: 1 });
    const removed = await as(['ingest'], '/api/remove', { uris: ['note:1', 'note:9'] });
    expect(removed.json).toEqual({ removed: ['note:1'] });
    expect((await index.status()).documents).toBe(before);
    expect(((await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: object }).paths).toHaveProperty(
      '/api/add',
    );
  });

  it('is refused without the scope, with a filter, without any token, and for the name of a file', async () => {
    const { as, index } = await served();
    const before = (await index.status()).documents;
    const documents = [note];
    expect((await as(['ask'], '/api/add', { documents })).status).toBe(403);
    expect((await as(['read'], '/api/remove', { uris: ['note:1'] })).status).toBe(403);
    expect((await as(['ingest'], '/api/add', { documents }, { 'metadata.team': 'ops' })).status).toBe(403);
    for (const uri of ['docs/harbour.txt', '/etc/passwd', 'note:', '../x'])
      expect((await as(['ingest'], '/api/add', { documents: [{ ...note, uri }] })).status).toBe(400);
    expect((await as(['admin'], '/api/remove', { uris: ['docs/harbour.txt'] })).status).toBe(400);
    const open = await started({ indexes: index });
    expect((await call(open, '/api/add', { json: { documents } })).status).toBe(403);
    expect((await index.status()).documents).toBe(before);
  });
});
