import type { ReplyInfo, Transport } from '../http/contract.ts';
import type { SearchOperations } from './operations.ts';
import type { SearchProfile } from './profile.ts';

/** What every part of the client works with. */
export interface SearchContext {
  readonly transport: Transport;
  readonly profile: SearchProfile;
  readonly operations: SearchOperations;
}

/** A reply's facts without its body. */
export function infoOf({ status, headers, requestId, attempts, elapsedMs }: ReplyInfo): ReplyInfo {
  return { status, headers, requestId, attempts, elapsedMs };
}
