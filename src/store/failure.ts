import { IbidError, messageOf } from '../core/errors.ts';
import { FREE_SPACE, isFullDisk, reasonOf } from '../core/files.ts';

/** The message of a database error, without the requests and source paths that the database appends. */
export function databaseMessageOf(error: unknown): string {
  const text = messageOf(error);
  return answerOf(text)?.message ?? text.split(/, \/|\n/, 1)[0]!.trim();
}

const DISK_FULL = 'the disk is full';
const READ_ONLY = 'the file system is read-only';
const READS_ONLY = 'Searching needs no write permission; ingesting does.';
const NO_RIGHT = 'this user may not write there';
const IN_THE_WAY = 'a file is in the place of a folder';

/** Reasons of the file system in plain words; others keep their name. */
const plain: Readonly<Record<string, string>> = {
  ...{ ENOSPC: DISK_FULL, EDQUOT: DISK_FULL, EROFS: READ_ONLY },
  ...{ EACCES: NO_RIGHT, EPERM: NO_RIGHT, ENOTDIR: IN_THE_WAY, EEXIST: IN_THE_WAY },
};

/** @param cause error of the file system */
export function unwritable(folder: string, cause: unknown): IbidError {
  const reason = reasonOf(cause);
  return new IbidError('STORE_FAILED', `cannot write to the index folder ${folder}: ${plain[reason] ?? reason}`, {
    cause,
    hint: isFullDisk(reason) ? FREE_SPACE : READS_ONLY,
  });
}

/** Runs a database call. Its errors become STORE_FAILED. */
export async function guard<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof IbidError) throw cause;
    throw databaseFailed(what, cause);
  }
}

export function databaseFailed(what: string, cause: unknown): IbidError {
  const scheme = /No object store provider found for scheme: '([^']+)'/.exec(messageOf(cause))?.[1];
  if (scheme !== undefined) return noStore(scheme);
  const hint = answerOf(messageOf(cause))?.hint;
  return new IbidError('STORE_FAILED', `the database ${what}: ${databaseMessageOf(cause)}`, { cause, hint });
}

/** Whether an error of the database tells what an object store answered, and not what a disk did. */
export function isOfObjectStore({ message, hint }: IbidError): boolean {
  return hint === credentials || /\bobject store\b/.test(message);
}

function noStore(scheme: string): IbidError {
  const stores = 'Give a folder, or an address that begins with s3://, gs:// or az://.';
  const served = ' What `ibid serve` has is read with `openIndexes`.';
  return new IbidError('INVALID_ARGUMENT', `no index is kept at ${scheme}:// addresses`, {
    hint: /^https?$/.test(scheme) ? stores + served : stores,
  });
}

export function silentStore(ms: number): IbidError {
  const message = `the database cannot be opened: the object store has not answered for ${ms / 1000} s`;
  return new IbidError('STORE_FAILED', message, { hint: reach });
}

interface StoreAnswer {
  readonly message: string;
  readonly hint?: string | undefined;
}

const reach = 'Check the network and the endpoint of the object store, and try again.';

const credentials =
  'Check the credentials of the object store: `storageOptions`, or the environment variables of its provider.';

/**
 * What an object store answered, or that it did not; of a local disk, why it takes nothing. Undefined for other errors,
 * and for those that callers tell by the database's own words: a missing file, a conflict of two writers.
 */
function answerOf(text: string): StoreAnswer | undefined {
  if (/commit conflict/i.test(text)) return undefined;
  const status = /\bstatus(?: code)?: (\d{3})\b/.exec(text)?.[1];
  if (status !== undefined) {
    const name = /<Code>(\w+)<\/Code>/.exec(text)?.[1];
    if (status === '404' && !/ContainerNotFound|NoSuchBucket/.test(text)) return undefined;
    const message = `the object store answers ${status}${name === undefined ? '' : ` (${name})`}`;
    if (status === '404') return { message, hint: 'Make the container (bucket) of the address first.' };
    if (status === '401' || status === '403') return { message, hint: credentials };
    return { message, hint: status >= '500' || status === '429' ? 'Try again later.' : undefined };
  }
  if (/\bHttpError\b|\bHTTP error\b/.test(text)) {
    return {
      message: 'the object store cannot be reached, or the connection broke',
      hint: reach,
    };
  }
  if (/No space left on device|Disk quota exceeded|There is not enough space on the disk/i.test(text))
    return { message: DISK_FULL, hint: FREE_SPACE };
  if (/Read-only file system/i.test(text)) return { message: READ_ONLY, hint: READS_ONLY };
  if (/Permission denied|Operation not permitted|Access is denied/i.test(text))
    return {
      message: 'the system allows no access to a file of the index',
      hint: 'Give this user the right to read and write all files in the folder of the index.',
    };
  if (/Azure account name|\bstorage account\b/.test(text)) {
    return { message: 'the object store is asked without an account', hint: credentials };
  }
  if (/Invalid Access Key/.test(text)) return { message: 'the key of the account is none', hint: credentials };
  if (/Failed to resolve region/.test(text))
    return { message: 'the region of the bucket is not found', hint: credentials };
  return undefined;
}
