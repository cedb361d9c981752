import { afterAll, beforeEach } from 'vitest';
import { createSearchService, type SearchService, type SearchServiceOptions } from '../../../src/wire/search/index.ts';
import { type Harness, serve } from '../service/harness.ts';
import type { SearchScript } from '../service/search/script.ts';
import { type SearchServiceOptions as StandIn, searchService } from '../service/search/search-service.ts';

export const apiKey = 'test-search-key';

export interface Loopback {
  readonly harness: Harness;
  /** A client of the stand-in. */
  readonly service: SearchService;
  /** Misbehaviour of the stand-in; empty at the start of each test. */
  readonly script: SearchScript;
}

/** The stand-in and a client of it, for all tests of a file. */
export async function loopback(options: Partial<SearchServiceOptions> = {}, standIn: StandIn = {}): Promise<Loopback> {
  const script: SearchScript = {};
  const harness = await serve([searchService({ script, rateLimit: 100_000, ...standIn })]);
  const service = createSearchService({ apiKey, baseUrl: harness.url, maxRetries: 0, ...options });
  afterAll(async () => {
    await service.close();
    await harness.close();
  });
  beforeEach(() => {
    for (const key of Object.keys(script)) delete script[key as keyof SearchScript];
    harness.clear();
  });
  return { harness, service, script };
}
