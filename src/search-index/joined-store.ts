import { IbidError, isServiceFailure } from '../core/errors.ts';
import type { Embedder } from '../embed/contract.ts';
import type { SearchOptions, SearchResult } from '../retrieve/search.ts';
import type { ShardAsker } from '../retrieve/shards/contract.ts';
import { SnapshotShard } from '../retrieve/shards/shard.ts';
import { searchShards } from '../retrieve/shards/united-search.ts';
import { RemoteShard, type RemoteShards } from '../services/shards/remote-shard.ts';
import { RemoteSnapshot } from '../services/shards/remote-snapshot.ts';
import type { MissingShard, Snapshot } from '../store/contract.ts';
import type { Fingerprint, PassSnapshot, Store } from '../store/index.ts';
import { ManifestMap } from '../store/manifest-map.ts';
import { UnitedSnapshot } from '../store/shards/united-snapshot.ts';
import { failureOfMember, type LocalMember } from './local-member.ts';

/** An index that takes part in a joined one. */
export type Member =
  | { readonly name: string; readonly here: LocalMember }
  | { readonly name: string; readonly remote: RemoteShards };

/** What a member is now. */
interface MemberState {
  readonly snapshot: PassSnapshot;
  readonly fingerprint: Fingerprint;
  readonly calibration?: unknown;
}

/** How old the state of a member on another machine may be, in milliseconds. */
const FRESH_MS = 5000;

/** A member on another machine that gave no answer in time, or not the rows it had found. */
interface LateMember {
  readonly error: IbidError;
  readonly at: number;
  isAsked: boolean;
}

/** A member that is gone fails soon, but each search would wait for the attempts: after so many it counts as late. */
const MOST_FAULTS = 2;
/** How soon it is asked again behind the searches. */
const REST_MS = 1000;
const FAULTS: ReadonlySet<string> = new Set(['CONNECTION_FAILED', 'OVERLOADED', 'SERVICE_FAILED', 'STREAM_BROKEN']);

/** Several indexes, here and on other machines, to be read as one. */
export class JoinedStore implements Store {
  readonly address: Store['address'] = { kind: 'memory', uri: 'memory://' };
  readonly #members: readonly Member[];
  readonly #timeoutMs: number;
  readonly #remote = new Map<Member, { readonly state: MemberState; readonly view: string; readonly at: number }>();
  readonly #late = new Map<Member, LateMember>();
  /** How many searches in a row each could not be reached in. */
  readonly #faults = new Map<Member, number>();
  readonly #closed = new AbortController();
  readonly #askers = new WeakMap<Snapshot, ShardAsker>();
  #joined: { readonly united: UnitedSnapshot; readonly first: MemberState } | undefined;
  #revision = 0;
  #missing = '';

  /** @param members at least one */
  constructor(members: readonly Member[], timeoutMs: number) {
    this.#members = members;
    this.#timeoutMs = timeoutMs;
  }

  get revision(): number {
    return this.#revision;
  }

  async snapshot(): Promise<UnitedSnapshot> {
    return (await this.#open()).united;
  }

  async fingerprint(): Promise<Fingerprint> {
    return (this.#joined ?? (await this.#open())).first.fingerprint;
  }

  /** @throws IbidError INDEX_MISMATCH for members that differ; the error of the first when none can be read */
  async #open(): Promise<{ readonly united: UnitedSnapshot; readonly first: MemberState }> {
    const missing: MissingShard[] = [];
    const states: (readonly [string, MemberState])[] = [];
    const read = this.#members.map(async (member) => {
      try {
        return await this.#stateOf(member);
      } catch (error) {
        if (error instanceof IbidError) return error;
        throw error;
      }
    });
    for (const [i, state] of (await Promise.all(read)).entries()) {
      const { name } = this.#members[i]!;
      if (state instanceof IbidError) missing.push({ name, error: state });
      else states.push([name, state]);
    }
    const [first] = states;
    if (!first) throw missing[0]!.error;
    for (const [name, { fingerprint }] of states) mustMatch(first, name, fingerprint);
    const known = this.#joined?.united.parts;
    const gone = missing.map(({ name, error }) => `${name} ${error.code}`).join();
    const isSame = known?.length === states.length && states.every(([, one], i) => known[i]!.snapshot === one.snapshot);
    if (!isSame || gone !== this.#missing) {
      const parts = states.map(([name, { snapshot }]) => ({ name, snapshot }));
      this.#joined = { united: new UnitedSnapshot(parts, missing), first: first[1] };
      this.#revision++;
    }
    this.#missing = gone;
    return this.#joined!; // made above at the latest
  }

  async #stateOf(member: Member): Promise<MemberState> {
    if ('here' in member) {
      try {
        const store = await member.here.open();
        return { snapshot: await store.snapshot(), fingerprint: await store.fingerprint() };
      } catch (error) {
        throw error instanceof IbidError ? failureOfMember(error) : error;
      }
    }
    const late = this.#late.get(member);
    if (late) {
      this.#askAgain(member, late);
      throw late.error;
    }
    const known = this.#remote.get(member);
    if (known && performance.now() - known.at < FRESH_MS) return known.state;
    try {
      return await this.#openRemote(member);
    } catch (error) {
      if (error instanceof IbidError) this.#noteFailure(member, error);
      throw error;
    }
  }

  #noteFailure(member: Member, error: IbidError): void {
    const faults = FAULTS.has(error.code) ? (this.#faults.get(member) ?? 0) + 1 : 0;
    this.#faults.set(member, faults);
    if (error.code === 'TIMEOUT' || faults >= MOST_FAULTS) this.#isLate(member, error);
  }

  #isLate(member: Member, error: IbidError): void {
    this.#late.set(member, { error, at: performance.now(), isAsked: false });
  }

  /** Only the first search waits for a member that is late: it is asked behind the others until it answers. */
  #askAgain(member: Member & { readonly remote: RemoteShards }, late: LateMember): void {
    const restMs = late.error.code === 'TIMEOUT' ? FRESH_MS : REST_MS;
    if (late.isAsked || performance.now() - late.at < restMs) return;
    late.isAsked = true;
    this.#openRemote(member).then(
      () => this.#late.delete(member),
      (error: unknown) => {
        const isAway = error instanceof IbidError && (error.code === 'TIMEOUT' || FAULTS.has(error.code));
        if (isAway) this.#isLate(member, error);
        else this.#late.delete(member); // it is asked again, and fails at once
      },
    );
  }

  async #openRemote(member: Member & { readonly remote: RemoteShards }): Promise<MemberState> {
    const known = this.#remote.get(member);
    const at = performance.now();
    const opened = await member.remote.open({ signal: this.#closed.signal });
    if (known?.view === opened.view) {
      this.#remote.set(member, { ...known, at });
      return known.state;
    }
    const shard = new RemoteShard(member.remote, opened, (error) => this.#isLate(member, error));
    const { calibration } = opened;
    const fingerprint = opened.fingerprint as Fingerprint; // `open` has checked it
    const state = { snapshot: new RemoteSnapshot(shard, opened), fingerprint, calibration };
    this.#remote.set(member, { state, view: opened.view, at });
    return state;
  }

  /** As `searchWithPredictors`. A member that has changed meanwhile, or is gone, is opened again once. */
  async search(
    snapshot: Snapshot,
    embedder: Embedder | undefined,
    query: string,
    options: SearchOptions = {},
  ): Promise<SearchResult> {
    try {
      const found = await this.#search(snapshot, embedder, query, options);
      if (!found.missing?.some(({ error }) => error.code === 'CONFLICT')) return found;
    } catch (error) {
      const isPassing = isServiceFailure(error) || (error instanceof IbidError && error.code === 'CONFLICT');
      if (!isPassing || options.signal?.aborted) throw error;
    }
    this.renew();
    const renewed = await this.snapshot();
    const found = await this.#search(renewed, embedder, query, options);
    const known = new Set(snapshot.shards?.missing.map(({ name }) => name));
    const gone = renewed.shards.missing.filter(({ name }) => !known.has(name)); // the caller's snapshot does not tell
    const missing = [...gone, ...(found.missing ?? [])];
    return missing.length === 0 ? found : { ...found, missing };
  }

  async #search(
    snapshot: Snapshot,
    embedder: Embedder | undefined,
    query: string,
    options: SearchOptions,
  ): Promise<SearchResult> {
    if (!(snapshot instanceof UnitedSnapshot)) throw new TypeError('this is not the snapshot of a joined index');
    const shards = snapshot.parts.map(({ name, base, snapshot: part }) => ({ base, asker: this.#askerOf(name, part) }));
    const found = await searchShards(snapshot, shards, embedder, query, { ...options, timeoutMs: this.#timeoutMs });
    const failures = new Map(found.missing?.map(({ name, error }) => [name, error]));
    for (const member of this.#members) {
      const failure = failures.get(member.name);
      if (failure && 'remote' in member) this.#noteFailure(member, failure);
      else if (snapshot.parts.some(({ name }) => name === member.name)) this.#faults.delete(member);
    }
    return found;
  }

  #askerOf(name: string, snapshot: PassSnapshot): ShardAsker {
    if (snapshot instanceof RemoteSnapshot) return snapshot.shard;
    const asker = this.#askers.get(snapshot) ?? new SnapshotShard(name, snapshot);
    this.#askers.set(snapshot, asker);
    return asker;
  }

  renew(): void {
    this.#remote.clear();
    for (const member of this.#members) if ('here' in member) member.here.store?.renew();
  }

  /** Empty: files belong to the members. */
  async manifest(): Promise<ManifestMap> {
    return new ManifestMap();
  }

  async getMeta(key: string): Promise<unknown> {
    for (const member of this.#members) {
      const store = 'here' in member ? member.here.store : undefined;
      const found = await store?.getMeta(key).catch(() => undefined);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** @throws IbidError the error of the first member when none has it, and not all could say so */
  async getBlob(name: string): Promise<Uint8Array | undefined> {
    let failure: IbidError | undefined;
    for (const member of this.#members) {
      try {
        const blob = await ('here' in member ? member.here.store?.getBlob(name) : member.remote.model({}));
        if (blob) return blob;
      } catch (error) {
        if (!(error instanceof IbidError)) throw error;
        failure ??= error; // another member has the same
      }
    }
    if (failure) throw failure;
    return undefined;
  }

  async close(): Promise<void> {
    this.#closed.abort(new IbidError('ABORTED', 'the index is closed'));
    for (const member of this.#members) {
      await ('here' in member ? member.here : member.remote).close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** What must be the same for scores to be comparable. */
const shapes = ['embedder', 'dimensions', 'analysisVersion'];

function mustMatch([name, { fingerprint }]: readonly [string, MemberState], other: string, its: Fingerprint): void {
  const shape = shapes.find((part) => fingerprint[part] !== its[part]);
  if (shape === undefined) return;
  throw new IbidError('INDEX_MISMATCH', `${name} and ${other} differ in ${shape}: they cannot rank as one`, {
    hint: 'Make them as shards of one index, or with the same embedder of a service.',
  });
}
