import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { IbidError } from '../src/index.ts';

export interface DownloadOptions {
  /** Published checksum, lower-case hex; `null` leaves the bytes unchecked. */
  readonly md5: string | null;
  readonly onProgress?:
    | ((progress: { readonly bytes: number; readonly total: number | undefined }) => void)
    | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Tries in a row that bring no byte, before giving up. @default 4 */
  readonly attempts?: number | undefined;
  /** First wait between tries; doubles each time. @default 1000 */
  readonly retryDelayMs?: number | undefined;
  /** A connection that brings nothing for so long is dropped and tried again. @default 60_000 */
  readonly idleTimeoutMs?: number | undefined;
}

/**
 * Fetches a file to `target`. What has arrived is kept in `target.part` and taken up by the next try or the next run;
 * only a file whose checksum is right becomes `target`.
 * @throws IbidError DATASET_UNREACHABLE when the server cannot be reached or does not have the file; DATASET_CHECKSUM
 * when the file is not the published one (the part is removed); the caller's abort reason
 */
export async function download(url: string, target: string, options: DownloadOptions): Promise<void> {
  const part = `${target}.part`;
  const resumed = (await sizeOf(part)) > 0;
  await fetchAll(url, part, options);
  const wrong = await checksumProblem(part, options);
  if (wrong !== undefined) {
    await rm(part, { force: true });
    // An old part and a newer file on the server make a mixture: a fresh start decides.
    if (!resumed) throw wrong;
    await fetchAll(url, part, options);
    const stillWrong = await checksumProblem(part, options);
    if (stillWrong !== undefined) {
      await rm(part, { force: true });
      throw stillWrong;
    }
  }
  await rename(part, target);
}

/** @throws IbidError DATASET_CHECKSUM */
export async function verifyMd5(path: string, expected: string, signal?: AbortSignal): Promise<void> {
  const hash = createHash('md5');
  // no encoding set, so buffers
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk as Buffer);
  const found = hash.digest('hex');
  if (found !== expected) {
    throw new IbidError('DATASET_CHECKSUM', `${path} has md5 ${found}, published is ${expected}`, {
      hint: 'Fetch it again; if it stays so, the publisher has changed the file.',
    });
  }
}

async function checksumProblem(part: string, { md5, signal }: DownloadOptions): Promise<IbidError | undefined> {
  if (md5 === null) return undefined;
  try {
    await verifyMd5(part, md5, signal);
    return undefined;
  } catch (error) {
    if (error instanceof IbidError) return error;
    throw error;
  }
}

async function fetchAll(url: string, part: string, options: DownloadOptions): Promise<void> {
  const { attempts = 4, retryDelayMs = 1000, signal } = options;
  let fruitless = 0;
  for (;;) {
    const before = await sizeOf(part);
    const outcome = await fetchSome(url, part, before, options);
    if (outcome === 'complete') return;
    signal?.throwIfAborted();
    fruitless = (await sizeOf(part)) > before ? 0 : fruitless + 1;
    if (fruitless >= attempts) {
      throw new IbidError('DATASET_UNREACHABLE', `${url} could not be fetched: ${outcome.problem}`, {
        cause: outcome.cause,
        hint: 'Check the connection, or fetch the file elsewhere and give it with --from FILE.',
      });
    }
    await sleep(retryDelayMs * 2 ** fruitless, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}

type Outcome = 'complete' | { readonly problem: string; readonly cause?: unknown };

/** One request. Problems that another try may mend are returned, others thrown. */
async function fetchSome(url: string, part: string, have: number, options: DownloadOptions): Promise<Outcome> {
  const { signal, idleTimeoutMs = 60_000, onProgress } = options;
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(), idleTimeoutMs);
  try {
    const response = await fetch(url, {
      headers: { 'accept-encoding': 'identity', ...(have > 0 && { range: `bytes=${have}-` }) },
      signal: signal ? AbortSignal.any([signal, idle.signal]) : idle.signal,
    });
    if (response.status === 416) {
      // All of it had arrived before, or the part is longer than the file: only the former may stay.
      await response.body?.cancel();
      if (response.headers.get('content-range') === `bytes */${have}`) return 'complete';
      await rm(part, { force: true });
      return { problem: 'the part on disk does not fit the file on the server' };
    }
    if (response.status === 429 || response.status >= 500) {
      await response.body?.cancel();
      return { problem: `the server answers ${response.status}` };
    }
    if (response.status !== 200 && response.status !== 206) {
      await response.body?.cancel();
      throw new IbidError('DATASET_UNREACHABLE', `${url}: the server answers ${response.status}`, {
        hint: 'The file may have moved; fetch it elsewhere and give it with --from FILE.',
      });
    }
    const continues = response.status === 206;
    if (continues && !response.headers.get('content-range')?.startsWith(`bytes ${have}-`)) {
      await response.body?.cancel();
      await rm(part, { force: true });
      return { problem: 'the server sent another range than was asked for' };
    }
    let bytes = continues ? have : 0;
    const length = response.headers.get('content-length');
    const total = length === null ? undefined : bytes + Number(length);
    const file = await open(part, continues ? 'a' : 'w');
    try {
      for await (const chunk of response.body ?? []) {
        timer.refresh();
        await file.writeFile(chunk);
        bytes += chunk.length;
        onProgress?.({ bytes, total });
      }
    } finally {
      await file.close();
    }
    return total === undefined || bytes === total
      ? 'complete'
      : { problem: `the connection ended at ${bytes} of ${total} bytes` };
  } catch (cause) {
    if (cause instanceof IbidError) throw cause;
    signal?.throwIfAborted();
    if (idle.signal.aborted) return { problem: `nothing came for ${idleTimeoutMs} ms`, cause };
    // the disk, not the network
    if (cause instanceof Error && 'code' in cause && String(cause.code).startsWith('E')) throw cause;
    return { problem: reasonOf(cause), cause };
  } finally {
    clearTimeout(timer);
  }
}

/** Node's fetch says only "fetch failed"; the reason is in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || String(Reflect.get(error.cause, 'code')) : error.message;
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}
