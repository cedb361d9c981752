import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openIndex } from '../../src/search-index/search-index.ts';
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
    expect(refused.report.warnings.map(({ code }) => code)).toEqual(['REQUEST_REJECTED']);
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
});
