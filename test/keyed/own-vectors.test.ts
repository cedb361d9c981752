import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cosineOf, toInt8 } from '../../src/embed/int8.ts';
import { Spread } from '../../src/embed/spread.ts';
import { openIndex } from '../../src/search-index/open-index.ts';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp.ts';
import { type OwnModels, ownModels } from '../unit/services/common/support.ts';
import { hashedFloats } from '../wire/service/common/embed-model.ts';
import { ingestAll } from './support.ts';

const words = ['ferry', 'harbour', 'lamp', 'oil', 'rose', 'winch', 'tide', 'keeper', 'anchor', 'mast', 'buoy', 'gull'];

/** Notes of a few words each, no two alike. */
const notes = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    const pick = (by: number): string => words[(n * by + Math.floor(n / 7)) % words.length]!;
    return {
      uri: `note:${n}`,
      title: '',
      text: `The ${pick(1)} and the ${pick(5)} of house ${n} near the ${pick(7)}.`,
    };
  });

/** The texts of documents that a server was asked for; the probe of the model is not one. */
const textsOf = ({ server }: OwnModels): string[] =>
  server.requests
    .filter(({ path, status }) => path === '/v1/embeddings' && status === 200)
    .flatMap(({ body }) => (body as { input: string[] }).input)
    .filter((text) => !text.startsWith('The same model'));

describe('vectors of an own server', () => {
  it('are asked for once: not again by a rebuild, by a return to the model, or after a run that was stopped', async () => {
    const own = await ownModels();
    const address = join(tempFolder(), 'index');
    const embedder = own.models.embedder({ model: 'embedder', dimensions: 20, usdPerMillionTokens: 100 });
    const root = tempFolder(Object.fromEntries(notes(60).map(({ text }, n) => [`docs/${n}.md`, text])));
    const docs = [join(root, 'docs')];
    await using index = await openIndex(address, { create: true, base: root, embedder });
    const foreseen = await ingestAll(index, docs, { dryRun: true });
    expect([foreseen.embedding?.chunks, textsOf(own)]).toEqual([60, []]);
    await expect(ingestAll(index, docs, { budget: foreseen.costUsd / 2 })).rejects.toMatchObject({
      code: 'BUDGET_EXCEEDED',
    });
    const before = textsOf(own).length;
    expect(before).toBeGreaterThan(0);
    const rest = await ingestAll(index, docs);
    expect(rest.embedding).toMatchObject({ cachedChunks: before });
    expect(rest.costUsd).toBeGreaterThan(0);
    expect(textsOf(own)).toHaveLength(60);
    const rebuilt = await ingestAll(index, docs, { rebuild: true });
    expect(rebuilt.embedding).toMatchObject({ cachedChunks: 60 });
    for (const to of ['local', embedder] as const) await index.reembed({ to, switch: 'always', sample: 0 });
    expect(new Set(textsOf(own)).size).toBe(60);
    expect(textsOf(own)).toHaveLength(60);
    expect((await index.status()).keptVectors).toMatchObject({ entries: 60, unneeded: 0 });
    // the control: another text before each is another text
    const other = own.models.embedder({ model: 'embedder', dimensions: 20, documentPrefix: 'passage: ' });
    await using prefixed = await openIndex(address, { base: root, embedder: other });
    await ingestAll(prefixed, docs, { rebuild: true });
    expect(textsOf(own)).toHaveLength(120);
    expect((await prefixed.status()).keptVectors).toMatchObject({ entries: 120, unneeded: 60 });
  });

  it('are not taken for those of another model that has got its name', async () => {
    const own = await ownModels();
    const address = join(tempFolder(), 'index');
    const options = { create: true, embedder: own.models.embedder({ model: 'embedder', dimensions: 20 }) };
    await using index = await openIndex(address, options);
    await index.add(notes(30));
    const pulled = await ownModels({
      embed: (text, dimensions) => hashedFloats(`newer ${text}`, dimensions).toReversed(),
    });
    const newer = { embedder: pulled.models.embedder({ model: 'embedder', dimensions: 20 }) };
    await using again = await openIndex(address, newer);
    await again.add(notes(31));
    expect(textsOf(pulled)).toHaveLength(1); // the others did not change
    await again.reembed({ to: 'local', switch: 'always', sample: 0 });
    await again.reembed({ to: newer.embedder, switch: 'always', sample: 0 });
    expect(textsOf(pulled)).toHaveLength(31);
  });

  it('say in the status what eight bits cost them, and it is what comparing all with all says', async () => {
    const own = await ownModels({ dimensions: 64 });
    const address = join(tempFolder(), 'index');
    const embedder = own.models.embedder({ model: 'embedder', context: 'none' });
    await using index = await openIndex(address, { create: true, embedder });
    await index.add(notes(90));
    const spread = new Spread(64);
    const floats = notes(90).map(({ text }) => hashedFloats(text, 64));
    const stored = floats.map((vector) => toInt8(spread.apply(Float32Array.from(vector))));
    const nearest = (of: readonly ArrayLike<number>[], query: number): { row: number; cosine: number }[] =>
      of
        .map((vector, row) => ({ row, cosine: cosineOf(of[query]!, vector) }))
        .filter(({ row }) => row !== query)
        .sort((a, b) => b.cosine - a.cosine);
    let found = 0;
    for (const query of floats.keys()) {
      const truth = nearest(floats, query);
      const near = new Set(truth.filter(({ cosine }) => cosine >= truth[9]!.cosine - 1e-6).map(({ row }) => row));
      found += nearest(stored, query)
        .slice(0, 10)
        .filter(({ row }) => near.has(row)).length;
    }
    const { int8Recall } = await index.status();
    expect(int8Recall).toMatchObject({ vectors: 90, queries: 90 });
    expect(int8Recall!.recall).toBeCloseTo(found / 900, 3); // the server's floats come with 24 bits
    expect(int8Recall!.recall).toBeGreaterThanOrEqual(0.99);
    const { stdout } = await runCli(['status', '--index', address], { cwd: tempFolder() });
    expect(stdout).toContain(
      `recall@10 ${int8Recall!.recall.toFixed(3)} against the floats, 90 queries among 90 vectors`,
    );
    // what is kept needs no new figure
    await index.reembed({ to: 'local', switch: 'always', sample: 0 });
    expect((await index.status()).int8Recall).toBeUndefined();
    await index.reembed({ to: embedder, switch: 'always', sample: 0 });
    expect((await index.status()).int8Recall).toEqual(int8Recall);
  });
});
