// Ingests `docs` below the working directory through a paid embedder, in many small requests, so that a kill is likely
// to hit some.

import { readSettings } from '../../src/cli/config/settings.ts';
import { openServices } from '../../src/cli/services.ts';
import { openIndex } from '../../src/index.ts';
import { childEmbedder } from './child-embedder.ts';

await using clients = await openServices(readSettings());
await using index = await openIndex('.ibid', { create: true, services: clients.services, embedder: childEmbedder });
const abort = new AbortController();
process.on('SIGINT', () => abort.abort(new Error('interrupted')));
for await (const event of index.ingest(['docs'], { force: true, signal: abort.signal })) {
  if (event.type === 'done') process.stdout.write(JSON.stringify(event.summary));
}
