// Ingests `docs` below the working directory in many small commits, so that a kill is likely to hit one.
import { openIndex } from '../../src/index.ts';

await using index = await openIndex('.ibid', { create: true });
for await (const event of index.ingest(['docs'], { force: true, commit: { chunks: 12 } })) {
  if (event.type === 'committed') process.stdout.write('c');
}
