import { IbidError } from '../../core/errors.ts';

const again = 'ingest the same folders: the documents of this shard are read again.';

/** The failure of one shard with the way out that a shard has: it is not repaired in place. */
export function failureOfShard(error: IbidError, folder: string): IbidError {
  const { code, message } = error;
  if (code === 'INDEX_DAMAGED')
    return new IbidError(code, message, { hint: `Remove ${folder}, and ${again}`, cause: error });
  if (code === 'INDEX_NOT_FOUND')
    return new IbidError(code, message, { hint: `Bring this folder back, or ${again}`, cause: error });
  return error;
}
