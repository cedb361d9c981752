import { type ErrorCode, IbidError } from '../../core/errors.ts';

const again = 'ingest the same folders: the documents of this shard are read again.';

/** The way out where the folder of a shard is of no use. */
export const removeShard = (folder: string): string => `remove ${folder}, and ${again}`;

/** The hint for the user when a shard is gone or damaged; undefined for other failures. */
export function hintOfShard(code: ErrorCode, folder: string): string | undefined {
  if (code === 'INDEX_DAMAGED') return `Remove ${folder}, and ${again}`;
  if (code === 'INDEX_NOT_FOUND') return `Bring this folder back, or ${again}`;
  return undefined;
}

/** The failure of one shard with the way out that a shard has: it is not repaired in place. */
export function failureOfShard(error: IbidError, folder: string): IbidError {
  const { code, message } = error;
  const hint = hintOfShard(code, folder);
  return hint === undefined ? error : new IbidError(code, message, { hint, cause: error });
}
