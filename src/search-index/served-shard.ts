import { randomUUID } from 'node:crypto';
import { objectOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { placeOf } from '../core/sorted.ts';
import type { CallOptions } from '../core/types.ts';
import type { IndexView } from '../passages/view.ts';
import type { OpenedShard, RemoteQuestion, ShardRow } from '../retrieve/shards/remote-contract.ts';
import { SnapshotShard } from '../retrieve/shards/shard.ts';
import type { Snapshot } from '../store/contract.ts';
import { checkModest } from '../store/filter.ts';
import { ScopedSnapshot } from '../store/scoped-snapshot.ts';
import { MODEL_BLOB } from './ingest-session.ts';
import type { Session } from './session.ts';

/** States that are kept, so that a search ends on the state it began with. */
const MOST_VIEWS = 8;

/** Answers the questions of a coordinator about one index. */
export class ServedShard {
  readonly #views = new Map<string, { readonly of: IndexView; readonly shard: SnapshotShard }>();

  /** @throws IbidError CONFLICT for a view that is not kept any more; INVALID_ARGUMENT, INVALID_FILTER */
  async answer(
    session: Pick<Session, 'store' | 'view'>,
    part: Pick<Session, 'view'> | undefined,
    asked: object,
    options: CallOptions,
  ): Promise<unknown> {
    objectOf(asked, 'the question of a shard');
    const view = await (part ?? session).view();
    const store = await session.store();
    const question = asked as RemoteQuestion; // the route has checked it
    if (question.kind === 'open') return await this.#open(view, await store.fingerprint());
    if (question.kind === 'model') {
      if (part) throw new IbidError('PERMISSION_DENIED', 'the embedder knows words of all documents');
      return (await store.getBlob(MODEL_BLOB)) ?? null;
    }
    const known = this.#views.get(question.view);
    if (!known) throw new IbidError('CONFLICT', 'the index has changed', { hint: 'Open it again.' });
    const { shard, of } = known;
    const { snapshot } = of;
    const numbers = new Numbers(snapshot);
    switch (question.kind) {
      case 'terms':
        return await shard.terms(question.request, options);
      case 'dictionary':
        return (await shard.dictionary(question.request, options)) ?? null;
      case 'candidates': {
        const { where } = question.request;
        if (where !== undefined) checkModest(where);
        const reply = await shard.candidates(question.request, options);
        return { ...reply, ordinals: reply.ordinals.map((ordinal) => numbers.given(ordinal)) };
      }
      case 'find': {
        const { where } = question.request;
        checkModest(where);
        const { ordinals } = await snapshot.filter(where);
        return ordinals.map((ordinal) => numbers.given(ordinal));
      }
      case 'rows': {
        const ordinals = question.request.ordinals.map((ordinal) => numbers.own(ordinal));
        const chunks = await snapshot.fetch(ordinals);
        return chunks.map((chunk, i): ShardRow => {
          const [first, end] = snapshot.documentRange(ordinals[i]!);
          const from = numbers.given(first);
          return { chunk, range: [from, from + end - first] };
        });
      }
    }
  }

  async #open(of: IndexView, fingerprint: Readonly<Record<string, string | number>>): Promise<OpenedShard> {
    const { snapshot, calibration } = of;
    const { liveRows } = snapshot;
    const numbers = new Numbers(snapshot);
    const { rows } = numbers;
    const known = [...this.#views].find(([, one]) => one.of.snapshot === snapshot);
    const [view, { shard }] = known ?? [randomUUID(), { of, shard: new SnapshotShard('', snapshot) }];
    this.#views.delete(view); // to the end: the first ones are dropped first
    this.#views.set(view, { of, shard });
    for (const oldest of this.#views.keys()) {
      if (this.#views.size <= MOST_VIEWS) break;
      this.#views.delete(oldest);
    }
    const dead: [number, number][] = [];
    for (let row = 0; row < rows; row++) {
      if (numbers.isLive(row)) continue;
      const last = dead.at(-1);
      if (last && last[0] + last[1] === row) last[1]++;
      else dead.push([row, 1]);
    }
    const { sample } = snapshot;
    return { view, fingerprint, rows, liveRows, dead, sample, totals: await shard.totals(), calibration };
  }
}

/**
 * How the rows of a snapshot are numbered for who asks. Those of a scope are counted from 0 without the others: their
 * places would tell how many documents stand before and between them.
 */
class Numbers {
  readonly rows: number;
  readonly #snapshot: Snapshot;
  readonly #scope: Uint32Array | undefined;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    this.#scope = snapshot instanceof ScopedSnapshot ? snapshot.ordinals : undefined;
    this.rows = this.#scope?.length ?? snapshot.rows;
  }

  isLive(number: number): boolean {
    return this.#scope !== undefined || this.#snapshot.isLive(number);
  }

  /** Of a row of the snapshot. */
  given(ordinal: number): number {
    return this.#scope ? placeOf(this.#scope, ordinal) : ordinal;
  }

  /** @throws IbidError INVALID_ARGUMENT */
  own(number: number): number {
    if (!this.#scope) return number;
    const ordinal = this.#scope[number];
    if (ordinal === undefined) throw new IbidError('INVALID_ARGUMENT', 'a row is not in this scope');
    return ordinal;
  }
}
