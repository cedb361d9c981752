import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openIndex } from '../../src/search-index/open-index.ts';
import { createSearchService } from '../../src/wire/search/index.ts';
import { referenceModels } from '../../src/wire/search/models.ts';
import type { SearchProfile } from '../../src/wire/search/profile.ts';
import { tempFolder } from '../support/temp.ts';
import { ingestAll, keyed } from './support.ts';

const files = {
  'docs/pump.md': '# Pump\n\nThe pump is water cooled. Its rated pressure is 40 bar.\n',
  'docs/valve.md': '# Valve\n\nThe valve opens above 45 bar and is tested every year.\n',
};

describe('an index with paid vectors', () => {
  it('is searched by words, and says so, while the service fails or there is no key for it', async () => {
    const { service, services } = await keyed();
    const folder = tempFolder(files);
    const address = join(folder, 'index');
    const common = { create: true, base: folder };
    await using index = await openIndex(address, { ...common, services, embedder: 'embed-context-v1-0.6b' });
    await ingestAll(index, [join(folder, 'docs')]);
    const { hits: whole, report } = await index.search('rated pressure', { explain: true });
    expect(whole[0]!.trace.map(({ list }) => list)).toContain('cosine');
    expect(report).toMatchObject({ mode: 'hybrid', warnings: [] });

    service.script({
      match: { path: '/v1/contextualizedembeddings' },
      fault: { kind: 'status', status: 400 },
      times: 1,
    });
    const refused = await index.search('rated pressure of a pump');
    expect(refused.hits[0]!.chunk.uri).toBe('docs/pump.md');
    expect(refused.report).toMatchObject({ mode: 'lexical', warnings: [{ code: 'REQUEST_REJECTED' }] });
    service.script({ match: { path: '/v1/contextualizedembeddings' }, fault: { kind: 'status', status: 402 } });
    const { hits: wordsOnly, report: got } = await index.search('rated pressure of the pump', { explain: true });
    expect(wordsOnly[0]!.chunk.uri).toBe('docs/pump.md');
    expect(wordsOnly[0]!.trace.map(({ list }) => list)).not.toContain('cosine');
    expect(got.warnings.map(({ code }) => code)).toEqual(['BILLING']);

    await using keyless = await openIndex(address, common);
    const found = await keyless.search('rated pressure');
    expect(found.hits[0]!.chunk.uri).toBe('docs/pump.md');
    expect(found.report).toMatchObject({ mode: 'lexical', warnings: [{ code: 'KEY_MISSING' }] });
    expect((await keyless.remove(['docs/valve.md'])).removed).toEqual(['docs/valve.md']); // needs no vectors
  });

  const path = '/v1/contextualizedembeddings';

  it.each([
    [400, 'REQUEST_REJECTED'],
    [401, 'KEY_REJECTED'],
    [402, 'BILLING'],
    [403, 'PERMISSION_DENIED'],
    [404, 'REMOTE_NOT_FOUND'],
    [409, 'CONFLICT'],
    [425, 'NOT_READY'],
    [307, 'UNSAFE_ADDRESS'],
  ] as const)(
    'answers by words, says why and the way out, and takes it, when the service says %i',
    async (status, code) => {
      const { service, services } = await keyed();
      const folder = tempFolder(files);
      const common = { create: true, base: folder, services };
      await using index = await openIndex(join(folder, 'index'), { ...common, embedder: 'embed-context-v1-0.6b' });
      await ingestAll(index, [join(folder, 'docs')]);
      const fault =
        status === 307
          ? ({ kind: 'redirect', to: 'https://elsewhere.example/' } as const)
          : ({ kind: 'status', status } as const);
      service.script({ match: { path }, fault, times: 1000 });
      const { hits, report } = await index.search('rated pressure');
      expect(hits[0]!.chunk.uri).toBe('docs/pump.md');
      const [warning] = report.warnings;
      expect(warning).toMatchObject({ code, message: expect.stringContaining('embed-context-v1-0.6b') });
      expect(warning!.message).toMatch(/^searched by words alone/);
      const stays = code !== 'CONFLICT' && code !== 'NOT_READY';
      expect(warning!.hint?.includes("reembed({ to: 'local' })") ?? false).toBe(stays);
      const answer = await index.ask('What is the rated pressure of the pump?', { mode: 'extractive' });
      expect(answer.citations[0]!.quote).toContain('40 bar');
      const { switched, to } = await index.reembed({ to: 'local', switch: 'always' });
      expect({ switched, isLocal: to.startsWith('local-') }).toEqual({ switched: true, isLocal: true });
      service.clear();
      expect((await index.search('rated pressure')).report).toMatchObject({ mode: 'hybrid', warnings: [] });
      expect(service.requests).toEqual([]);
    },
  );

  it('answers by words, and goes to the local embedder, when the service has no such model any more', async () => {
    const { service, services } = await keyed();
    const folder = tempFolder(files);
    const address = join(folder, 'index');
    const common = { create: true, base: folder };
    await using index = await openIndex(address, { ...common, services, embedder: 'embed-context-v1-0.6b' });
    await ingestAll(index, [join(folder, 'docs')]);
    const profile: Partial<SearchProfile> = { models: referenceModels.filter(({ kind }) => kind !== 'contextual') };
    await using search = createSearchService({ apiKey: 'test-search-key', baseUrl: service.url, profile });
    await using later = await openIndex(address, { ...common, services: { search } });
    const { hits, report } = await later.search('rated pressure');
    expect(hits[0]!.chunk.uri).toBe('docs/pump.md');
    expect(report).toMatchObject({ mode: 'lexical', warnings: [{ code: 'INVALID_ARGUMENT' }] });
    expect(report.warnings[0]!.message).toBe('there is no embedding model "embed-context-v1-0.6b"');
    expect(await later.reembed({ to: 'local', switch: 'always' })).toMatchObject({ switched: true });
    expect((await later.search('rated pressure')).report.warnings).toEqual([]);
  });

  it('counts the vector of a query on the budget', async () => {
    const { service, services } = await keyed();
    const folder = tempFolder(files);
    const common = { create: true, base: folder, services };
    await using index = await openIndex(join(folder, 'index'), { ...common, embedder: 'embed-context-v1-0.6b' });
    await ingestAll(index, [join(folder, 'docs')]);
    service.clear();
    const { hits, report } = await index.search('rated pressure', { budget: 0 });
    expect(service.requests).toEqual([]);
    expect(hits[0]!.chunk.uri).toBe('docs/pump.md');
    expect(report).toMatchObject({ warnings: [{ code: 'BUDGET_EXCEEDED' }], costUsd: 0 });
    const answer = await index.ask('What is the rated pressure?', { mode: 'extractive', budget: 0 });
    expect(answer.report).toMatchObject({ warnings: [{ code: 'BUDGET_EXCEEDED' }], costUsd: 0 });
    expect(service.requests).toEqual([]);
    const paid = await index.search('rated pressure', { budget: 1 });
    expect(paid.report.costUsd).toBeCloseTo(service.ledger.totals().usd, 12);
    expect(paid.report.costUsd).toBeGreaterThan(0);
  });
});
