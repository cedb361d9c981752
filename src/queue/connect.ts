import { setTimeout as delay } from 'node:timers/promises';
import type { Queue, QueueOptions } from 'bullmq';
import { IbidError } from '../core/errors.ts';
import { queueName } from './contract.ts';

/** How long a Redis may take to answer at first. Later it may be gone for as long as it likes. */
const FIRST_MS = 5000;
const RETRY_MS = 2000;

export interface Connected {
  readonly bullmq: typeof import('bullmq');
  readonly options: QueueOptions;
  readonly queue: Queue;
  /**
   * Ends the attempts to reach a Redis that is gone: `close` would wait until it is back.
   * @returns whether it is gone
   */
  giveUp(): Promise<boolean>;
}

/** @param url `redis://host:6379` @throws IbidError INVALID_ARGUMENT, CONNECTION_FAILED */
export async function connectQueue(url: string): Promise<Connected> {
  const place = placeOf(url);
  const [bullmq] = await Promise.all([import('bullmq'), import('ioredis')]).catch((cause: unknown) => {
    throw new IbidError('INVALID_ARGUMENT', 'a queue needs the packages bullmq and ioredis', {
      cause,
      hint: 'npm install bullmq ioredis',
    });
  });
  let isGivenUp = false;
  const retryStrategy = (attempt: number): number | null => (isGivenUp ? null : Math.min(100 * attempt, RETRY_MS));
  const connection = { url, maxRetriesPerRequest: null, retryStrategy };
  const options: QueueOptions = { connection, skipVersionCheck: true };
  const queue = new bullmq.Queue(queueName, options);
  let last: Error | undefined;
  queue.on('error', (error) => {
    last = error; // it goes on trying
  });
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const isShut = last && /^(NOAUTH|WRONGPASS|NOPERM)/.test(last.message);
    const message = isShut
      ? `the Redis at ${place} does not let us in: ${last!.message}`
      : `no Redis answers at ${place}`;
    const start = isShut ? '' : 'Start redis-server there, or name another address. ';
    const hint = `${start}Credentials belong into the address: redis://user:password@host:6379.`;
    late.reject(new IbidError('CONNECTION_FAILED', message, { cause: last, hint }));
  }, FIRST_MS);
  try {
    await Promise.race([queue.waitUntilReady(), late.promise]);
  } catch (error) {
    isGivenUp = true; // without a connection, `disconnect` would never return
    throw error;
  } finally {
    clearTimeout(timer);
  }
  const giveUp = async (): Promise<boolean> => {
    isGivenUp = true;
    const end = new AbortController();
    // by then each connection has tried once more, and ended
    const silent = delay(RETRY_MS + 500, true, { signal: end.signal }).catch(() => true);
    const asked = queue.count().then(
      () => false,
      () => silent,
    );
    const isGone = await Promise.race([asked, silent]);
    end.abort();
    return isGone;
  };
  return { bullmq, options, queue, giveUp };
}

/** Host and port, without the password. @throws IbidError INVALID_ARGUMENT */
function placeOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed && /^rediss?:$/.test(parsed.protocol)) return parsed.host;
  const wrong = /^rediss?:\/\//.test(url)
    ? 'the address of the queue is no URL: its host or its port cannot be'
    : 'the address of a queue begins with redis:// or rediss://';
  throw new IbidError('INVALID_ARGUMENT', wrong, {
    hint: 'For a Redis on this machine: redis://127.0.0.1:6379',
  });
}
