// Closes threads of shards and of whole searches, in which the database works. Argument: a folder with `docs`.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLocalEmbedder } from '../../../src/embed/local/embedder.ts';
import { openIndex } from '../../../src/index.ts';
import { SearchThreads } from '../../../src/retrieve/search-threads.ts';
import { MODEL_BLOB } from '../../../src/search-index/ingest-session.ts';
import { openStore } from '../../../src/store/index.ts';

const base = process.argv[2]!;
const counts = { closed: 0, ended: 0 };
for (const shards of [1, 3]) {
  const address = join(base, `.ibid-${shards}`);
  {
    await using index = await openIndex(address, { create: true, base, shards });
    await index.ingest([join(base, 'docs')]);
  }
  const store = await openStore(address, { threads: 3 });
  const snapshot = await store.snapshot();
  const embedder = openLocalEmbedder((await store.getBlob(MODEL_BLOB))!);
  for (let round = 0; round < 10; round++) {
    const threads = new SearchThreads(2);
    if (!(await threads.ready(snapshot))) throw new Error('no threads');
    const searches = (count: number) =>
      Array.from({ length: count }, (_, i) =>
        threads.search(snapshot, embedder, 'rope and sail', { where: `position < ${i + 1}` }),
      );
    await Promise.all(searches(6)); // both threads are connected to the database
    const settled = Promise.allSettled(searches(30));
    await sleep(3 * (round % 5));
    await threads.close();
    counts.closed++;
    counts.ended += (await settled).filter(({ status }) => status === 'rejected').length;
  }
  await store.close();
}
console.log(JSON.stringify(counts));
