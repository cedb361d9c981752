// Ingests `docs` below the working directory in many small commits, so that a kill is likely to hit one. An argument is
// the number of shards.
import { openIndex } from '../../src/index.ts';

const shards = process.argv[2] === undefined ? undefined : Number(process.argv[2]);
await using index = await openIndex('.ibid', { create: true, shards });
for await (const event of index.ingest(['docs'], { force: true, commit: { chunks: 12 } })) {
  if (event.type === 'committed') process.stdout.write('c');
}
