import type { KnownOptions } from '../core/arguments.ts';
import type { CallOptions, Hit } from '../core/types.ts';
import type { RerankChoice } from '../modes/options.ts';
import type { Where } from '../store/where.ts';
import type { WebOptions } from '../web/options.ts';

/** What a bridge asks of every search. */
export interface BridgeSearch {
  /** Passages of one search. @default 8 */
  readonly limit?: number | undefined;
  readonly where?: Where | undefined;
  readonly web?: boolean | WebOptions | undefined;
  readonly rerank?: boolean | RerankChoice | undefined;
}

/** What a bridge needs of an index: a `SearchIndex` has it. */
export interface BridgedIndex {
  search(query: string, options?: BridgeSearch & CallOptions): Promise<{ readonly hits: readonly Hit[] }>;
}

export const LIMIT = 8;

export const searchNames: KnownOptions<BridgeSearch>['names'] = { limit: true, where: true, web: true, rerank: true };
