import type { Reader } from '../read/contract.ts';
import type { ChunkOptions } from '../text/chunk/chunk.ts';
import type { WebConversation } from '../web/conversation.ts';
import { resolveWebOptions, type WebOptions } from '../web/options.ts';
import type { WebSnapshots } from '../web/snapshots.ts';
import type { Providers } from './providers.ts';

/** The parts of an index that the web needs. */
export interface WebParts {
  /** Pages as they were shown. */
  readonly snapshots: WebSnapshots;
  readonly chunking: ChunkOptions | undefined;
  /** Reads whole pages, where they are asked for. */
  reader(): Reader;
}

/**
 * Opens the web for one question, or one search.
 * @throws IbidError INVALID_ARGUMENT, KEY_MISSING
 */
export async function openWeb(
  parts: WebParts,
  providers: Providers,
  options: WebOptions | true,
): Promise<WebConversation> {
  resolveWebOptions(options); // a wrong option is told before a missing key
  const web = await providers.web();
  const resolved = resolveWebOptions(options, web.deadlineMs);
  // imported here: a search without the web does not load the HTTP client and the reader of pages
  const { WebConversation } = await import('../web/conversation.ts');
  const fetchPage = resolved.fetch ? (await import('./fetch-page.ts')).openPageFetcher(parts.reader()) : undefined;
  return new WebConversation({ web, snapshots: parts.snapshots, fetchPage }, resolved, parts.chunking);
}
