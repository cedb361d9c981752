import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { objectOf, textOf, wholeOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { checkEmbedder } from '../embed/own.ts';
import { shardTimeoutMs } from '../retrieve/shards/shard-threads.ts';
import { resolveTuning } from '../retrieve/tuning.ts';
import { type RemoteIndex, RemoteShards } from '../services/shards/remote-shard.ts';
import { parseAddress } from '../store/address.ts';
import { connectDatabase, type Database } from '../store/index.ts';
import { indexOfShard } from '../store/shards/layout.ts';
import { JoinedStore, type Member } from './joined-store.ts';
import { LocalMember } from './local-member.ts';
import { isOwnEmbedder, type OpenIndexesOptions } from './options.ts';

/** What a joined index is made of. */
interface OpenedJoined {
  readonly database: Database;
  readonly store: JoinedStore;
  readonly base: string;
}

/**
 * The members of a joined index, and a database in memory for what stands beside documents.
 * @throws IbidError INVALID_ARGUMENT, UNSAFE_ADDRESS
 */
export async function openJoined(
  addresses: readonly (string | RemoteIndex)[],
  { base = '.', embedder, tuning, shardTimeoutMs: timeoutMs = shardTimeoutMs }: OpenIndexesOptions,
): Promise<OpenedJoined> {
  if (addresses.length === 0)
    throw new IbidError('INVALID_ARGUMENT', 'there is no index to open', { hint: 'Name one address at least.' });
  wholeOf(timeoutMs, 'shardTimeoutMs', 1);
  resolveTuning(tuning ?? {});
  if (isOwnEmbedder(embedder)) checkEmbedder(embedder);
  const members: Member[] = [];
  const failures: IbidError[] = [];
  const named = new Map<string, string>();
  for (const one of addresses) {
    const remote = typeof one === 'string' && /^https?:/i.test(one) ? { url: one } : one;
    if (typeof remote !== 'string') {
      const shards = new RemoteShards(objectOf(remote, 'an index to open', 'url'), timeoutMs);
      checkNamedOnce(named, shards.name, shards.place);
      members.push({ name: shards.name, remote: shards });
      continue;
    }
    const here = new LocalMember(textOf(remote, 'the address of the index'));
    checkNamedOnce(named, remote, placeOf(remote));
    members.push({ name: remote, here });
    try {
      await here.open();
    } catch (error) {
      if (!(error instanceof IbidError) || error.code === 'INVALID_ARGUMENT') throw error;
      failures.push(error);
    }
  }
  checkNoneOfAnother(named);
  if (failures.length === members.length) throw failures[0];
  const database = await connectDatabase('memory://');
  const store = new JoinedStore(members, timeoutMs);
  await store.snapshot(); // says now what does not fit together
  return { database, store, base: resolve(base) };
}

/** The documents of an index that is named twice would count twice, in statistics and hits. @throws IbidError */
function checkNamedOnce(named: Map<string, string>, name: string, place: string): void {
  const before = named.get(place);
  if (before !== undefined)
    throw new IbidError('INVALID_ARGUMENT', `${name} is the same index as ${before}`, {
      hint: 'Name each index once.',
    });
  named.set(place, name);
}

/** As little as an index that is named twice may a shard stand beside its whole index. @throws IbidError */
function checkNoneOfAnother(named: ReadonlyMap<string, string>): void {
  for (const [place, name] of named) {
    const whole = named.get(indexOfShard(place) ?? '');
    if (whole === undefined) continue;
    throw new IbidError('INVALID_ARGUMENT', `${name} is a shard of ${whole}`, { hint: 'Name the one or the other.' });
  }
}

/** Where an index is, whatever it is called by. */
function placeOf(name: string): string {
  const address = parseAddress(name);
  if (address.kind !== 'local') return address.uri.replace(/\/$/, '');
  try {
    return realpathSync(address.directory);
  } catch {
    return address.directory; // not there yet
  }
}
