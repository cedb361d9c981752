import { serveThreadPool } from '../core/thread-pool-peer.ts';
import type { ComparedRows, ComparingRequest } from './comparing.ts';
import { Int8Rows, type Nearest } from './int8-rows.ts';
import { SignFilter } from './sign-filter.ts';

serveThreadPool<ComparedRows, (request: ComparingRequest) => Nearest, ComparingRequest, Nearest>({
  attach({ vectors, filter, live, rows }, thread) {
    const attached = Int8Rows.attach(vectors, thread);
    const fast = filter ? SignFilter.attach(attached, filter, thread) : attached;
    return ({ query, limit }) => fast.search(query, limit, { rows, live });
  },
  answer: async (search, request) => search(request),
});
