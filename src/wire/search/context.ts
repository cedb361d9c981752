import type { Wiring } from '../http/endpoint.ts';
import type { SearchOperations } from './operations.ts';
import type { SearchProfile } from './profile.ts';

/** What every part of the client works with. */
export interface SearchContext extends Wiring<SearchProfile> {
  readonly operations: SearchOperations;
}
