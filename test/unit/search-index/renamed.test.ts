import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { GenerationWriter } from '../../../src/store/writer.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
import { tempFolder } from '../../support/temp.ts';

it.each(['renameDocuments', 'replaceDocuments', 'removeDocuments'] as const)(
  'a renamed file has its new name as title, also where %s of the first run fails',
  async (step) => {
    const base = tempFolder({ 'docs/tides.txt': 'High water at noon.', 'docs/gulls.txt': 'Gulls on the pier.' });
    const index = await openIndex(join(base, '.ibid'), { create: true, embedder: fakeEmbedder() });
    onTestFinished(() => index.close());
    await index.ingest([join(base, 'docs')]);
    renameSync(join(base, 'docs/tides.txt'), join(base, 'docs/water.txt'));
    const full = vi.spyOn(GenerationWriter.prototype, step).mockRejectedValueOnce(new Error('the disk is full'));
    await expect(index.ingest([join(base, 'docs')])).rejects.toThrow('the disk is full');
    full.mockRestore();
    await index.ingest([join(base, 'docs')]);
    const documents = await Array.fromAsync(index.documents(), ({ uri, title }) => [uri, title]);
    expect(documents.sort()).toEqual([
      ['docs/gulls.txt', 'gulls'],
      ['docs/water.txt', 'water'],
    ]);
    expect((await index.search('noon')).hits[0]?.chunk.uri).toBe('docs/water.txt');
  },
);

it('a file that states its title keeps it under another name, also where it was the old name', async () => {
  const base = tempFolder({ 'docs/no-eval.md': '---\ntitle: no-eval\n---\n\nThis rule disallows eval.\n' });
  await using index = await openIndex(join(base, '.ibid'), { create: true, base });
  await index.ingest([join(base, 'docs')]);
  renameSync(join(base, 'docs/no-eval.md'), join(base, 'docs/rule-17.md'));
  expect(await index.ingest([join(base, 'docs')])).toMatchObject({ renamed: 1 });
  expect((await index.search('eval')).hits[0]!.chunk).toMatchObject({ uri: 'docs/rule-17.md', title: 'no-eval' });
});
