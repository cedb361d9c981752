import type { IndexParts } from './parts.ts';
import { checkReembed, type ReembedEvent, type ReembedOptions, reembedIndex } from './reembed.ts';
import { openIngestSession } from './writing.ts';

/** `SearchIndex.reembed` under the lock of a writer. */
export async function* reembedEvents(
  parts: IndexParts,
  options: ReembedOptions,
): AsyncGenerator<ReembedEvent, void, undefined> {
  const { database, session, services } = parts;
  checkReembed(options);
  await session.store();
  const signal = session.until(options.signal);
  const writing = await openIngestSession(parts, { signal });
  try {
    for await (const event of reembedIndex(database, session, services, writing, { ...options, signal })) {
      if (event.type === 'done' && event.summary.switched) parts.adopt(options.to);
      yield event;
    }
  } finally {
    await writing.close();
    await session.written();
  }
}
