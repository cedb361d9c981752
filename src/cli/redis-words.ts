import { counted } from './text.ts';

/** What a run and a worker say of a Redis that goes while they need it. */
export const redisWords = {
  gone: 'Redis does not answer; this goes on when it does, Ctrl-C ends',
  back: 'Redis is back',
  refused: 'Redis takes no work now; this goes on when it does (more `maxmemory`, or room on its disk), Ctrl-C ends',
  others: (workers: number): string =>
    `${counted(workers, 'worker')} of another version of ibid: start each with the version of the run`,
} as const;
