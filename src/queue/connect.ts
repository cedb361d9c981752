import { setTimeout as delay } from 'node:timers/promises';
import type { Queue, QueueOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { IbidError } from '../core/errors.ts';
import { queueName } from './contract.ts';
import { Listening } from './listening.ts';

/** How long a Redis may take to answer at first. Later it may be gone for as long as it likes. */
const FIRST_MS = 5000;
const RETRY_MS = 2000;
/** How long it may be gone before that is told: a connection that was idle for long is closed and opened again. */
const GONE_MS = 3000;

/** What becomes of a Redis that did answer at first. */
export interface RedisNotes {
  /** Redis has not answered for some seconds. It is waited for. */
  onGone?(): void;
  /** It answers again. */
  onBack?(): void;
}

export interface Connected {
  readonly bullmq: typeof import('bullmq');
  readonly options: QueueOptions;
  readonly queue: Queue;
  readonly listening: Listening;
  /**
   * Ends the attempts to reach a Redis that is gone: `close` would wait until it is back.
   * @returns whether it is gone
   */
  giveUp(): Promise<boolean>;
}

/** @param url `redis://host:6379` @throws IbidError INVALID_ARGUMENT, CONNECTION_FAILED */
export async function connectQueue(url: string, notes: RedisNotes = {}): Promise<Connected> {
  const { place, database } = placeOf(url);
  const [bullmq, { Redis }] = await Promise.all([import('bullmq'), import('ioredis')]).catch((cause: unknown) => {
    throw new IbidError('INVALID_ARGUMENT', 'a queue needs the packages bullmq and ioredis', {
      cause,
      hint: 'npm install bullmq ioredis',
    });
  });
  let isGivenUp = false;
  const retryStrategy = (attempt: number): number | null => (isGivenUp ? null : Math.min(100 * attempt, RETRY_MS));
  const connection = { url, maxRetriesPerRequest: null, retryStrategy };
  // A queue can be closed only when it has been connected.
  const first = new Redis(url, { maxRetriesPerRequest: null, retryStrategy });
  try {
    await answered(first, { place, database, isTls: /^rediss:/i.test(url) });
  } finally {
    first.disconnect();
  }
  const options: QueueOptions = { connection, skipVersionCheck: true };
  const queue = new bullmq.Queue(queueName, options);
  queue.on('error', () => undefined); // it goes on trying
  await queue.waitUntilReady();
  tellAbsence(queue, notes, () => isGivenUp);
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
  const listening = new Listening(queue, database, () => new Redis(url, { maxRetriesPerRequest: 1 }));
  return { bullmq, options, queue, listening, giveUp };
}

function tellAbsence(queue: Queue, { onGone, onBack }: RedisNotes, isGivenUp: () => boolean): void {
  let isAway = false;
  // with each attempt that fails, too
  queue.on('ioredis:close', () => {
    if (isAway || isGivenUp()) return;
    isAway = true;
    let isTold = false;
    const timer = setTimeout(() => {
      isTold = !isGivenUp();
      if (isTold) onGone?.();
    }, GONE_MS).unref();
    const isBack = (): void => {
      clearTimeout(timer);
      isAway = false;
      if (isTold) onBack?.();
    };
    queue.count().then(isBack, () => clearTimeout(timer)); // waits until it is back, or given up
  });
}

/** @throws IbidError CONNECTION_FAILED, which holds no password */
async function answered(
  redis: Redis,
  { place, database, isTls }: { readonly place: string; readonly database: number; readonly isTls: boolean },
): Promise<void> {
  let last: Error | undefined;
  redis.on('error', (error) => {
    last = error; // it goes on trying
    if (isOfCertificate(error)) late.reject(error); // the next attempt meets the same one
  });
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(last), FIRST_MS);
  try {
    await Promise.race([database === 0 ? redis.ping() : redis.select(database), late.promise]);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : '';
    const isShut = /^(NOAUTH|WRONGPASS|NOPERM)/.test(why);
    const isThere = isShut || why.startsWith('ERR ');
    const secured = isThere ? undefined : securityFailure(cause, place, isTls);
    if (secured) throw secured;
    const start = isThere ? '' : 'Start redis-server there, or name another address. ';
    throw new IbidError(
      'CONNECTION_FAILED',
      isThere ? `the Redis at ${place} does not let us in: ${why}` : `no Redis answers at ${place}`,
      {
        cause: why ? new Error(why) : undefined, // an error of Redis has the command too, and so the password
        hint: `${start}Credentials and database belong into the address: redis://user:password@host:6379/0.`,
      },
    );
  } finally {
    clearTimeout(timer);
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const isOfCertificate = (error: unknown): boolean => /CERT|ISSUER|SIGNATURE/.test(codeOf(error));

/** The error for a connection whose encryption failed; undefined where something else failed. */
function securityFailure(cause: unknown, place: string, isTls: boolean): IbidError | undefined {
  const failed = (message: string, hint: string): IbidError =>
    new IbidError('CONNECTION_FAILED', `the Redis at ${place} ${message}`, { cause, hint });
  if (/CERTIFICATE_REQUIRED/.test(codeOf(cause)))
    return failed('wants a certificate of its client, and there is none', 'Start it with `--tls-auth-clients no`.');
  if (cause instanceof Error && isOfCertificate(cause))
    return failed(
      `shows a certificate that is not trusted: ${cause.message.split(/;|\n/, 1)[0]}`,
      'Name the certificate of who signed it in the environment: NODE_EXTRA_CA_CERTS=/path/to/ca.pem.',
    );
  const isSilent = isTls && cause === undefined; // one without TLS waits for the end of a line
  if (!isSilent && !['ECONNRESET', 'EPROTO'].includes(codeOf(cause))) return undefined;
  return isTls
    ? failed('takes no connection with TLS', 'If it is without TLS, its address begins with redis://.')
    : failed('takes no connection without TLS', 'If it wants TLS, its address begins with rediss://.');
}

/** Host and port, without the password; the database. @throws IbidError INVALID_ARGUMENT */
function placeOf(url: string): { readonly place: string; readonly database: number } {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isRedis = parsed && /^rediss?:\/\//i.test(url);
  // a `/` or `#` of a password, too: then the host is a part of the password
  if (isRedis && /^(\/\d*)?$/.test(parsed.pathname) && !parsed.hash)
    return { place: parsed.host, database: Number(parsed.pathname.slice(1)) };
  const wrong = isRedis
    ? 'the address of the queue has more behind its host than the number of a database'
    : /^rediss?:\/\//i.test(url)
      ? 'the address of the queue is no URL: its host or its port cannot be'
      : 'the address of a queue begins with redis:// or rediss://';
  throw new IbidError('INVALID_ARGUMENT', wrong, {
    hint: 'For a Redis on this machine: redis://127.0.0.1:6379. In a password, / is written %2F, and # is %23.',
  });
}
