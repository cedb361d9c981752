import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openIndex, type SearchIndex } from '../../../src/index.ts';
import { tempFolder, writeFiles } from '../../support/temp.ts';

const parts = ['pump', 'valve', 'rope', 'anchor', 'winch', 'lamp', 'quay', 'sail'];

function docs(name: string, count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => {
      const [a, b] = [parts[i % 8]!, parts[(i * 3 + 1) % 8]!];
      return [
        `docs/${name}-${i}.md`,
        `# ${a} ${i}\n\nThe ${a} stands beside the ${b}; number ${i} is checked each week.`,
      ];
    }),
  );
}

/** An index whose rows, postings and vectors are all in memory. */
async function warmIndex(): Promise<{ readonly folder: string; readonly index: SearchIndex }> {
  const folder = tempFolder(docs('note', 80));
  const index = await openIndex(join(folder, '.ibid'), { create: true, base: folder });
  for await (const _ of index.ingest([join(folder, 'docs')]));
  for (let i = 0; i < 40; i++) await index.search(`which ${parts[i % 8]} stands beside number ${i}`);
  await new Promise((done) => setTimeout(done, 200)); // rows are loaded behind the searches
  return { folder, index };
}

describe('calls that are answered from memory leave the event loop its turns', () => {
  it('searches: a timer ticks and a signal with a time limit stops them', async () => {
    const { index } = await warmIndex();
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);
    const signal = AbortSignal.timeout(300);
    const startedAt = performance.now();
    const searches = async (): Promise<void> => {
      while (performance.now() - startedAt < 10_000) await index.search('which pump stands beside', { signal });
    };
    await expect(searches()).rejects.toMatchObject({ name: 'TimeoutError' });
    clearInterval(timer);
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(ticks).toBeGreaterThan(5);
    await index.close();
  });

  it('extractive answers, one after the other and many at one time', async () => {
    const { index } = await warmIndex();
    const ask = () => index.ask('Which pump stands beside the rope?', { mode: 'extractive' });
    const runs = [
      async () => void (await Promise.all(Array.from({ length: 60 }, ask))),
      async () => {
        for (let i = 0; i < 60; i++) await ask();
      },
    ];
    for (const run of runs) {
      let ticks = 0;
      const timer = setInterval(() => ticks++, 1);
      await run();
      clearInterval(timer);
      expect(ticks).toBeGreaterThan(6);
    }
    await index.close();
  });

  it('an ingest ends while searches of the same process go on', async () => {
    const { folder, index } = await warmIndex();
    writeFiles(folder, docs('more', 20));
    let ended = false;
    const ingested = (async () => {
      for await (const _ of index.ingest([join(folder, 'docs')]));
      ended = true;
    })();
    const startedAt = performance.now();
    while (!ended && performance.now() - startedAt < 100_000) await index.search('which valve stands beside');
    expect(ended).toBe(true);
    await ingested;
    await index.close();
  }, 120_000);
});
