import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Session } from '../../../src/search-index/session.ts';
import type { Database, Store } from '../../../src/store/index.ts';
import type { StoreSnapshot } from '../../../src/store/snapshot.ts';

/** A store whose next state the test opens, when it likes. */
class SlowStore {
  calibration = 1;
  revision = 1;
  renewed = 0;
  #snapshot = {} as StoreSnapshot;
  #next: Promise<StoreSnapshot> | undefined;

  async snapshot(): Promise<StoreSnapshot> {
    if (this.#next) {
      this.#snapshot = await this.#next;
      this.#next = undefined;
    }
    return this.#snapshot;
  }

  /** Something is written: whoever asks for a snapshot waits until `opened` is called. */
  write(): { readonly opened: () => void; readonly failed: () => void } {
    const { promise, resolve, reject } = Promise.withResolvers<StoreSnapshot>();
    promise.catch(() => undefined);
    this.#next = promise;
    return {
      opened: () => {
        this.revision++;
        this.calibration++;
        resolve({} as StoreSnapshot);
      },
      failed: () => reject(new Error('unreadable')),
    };
  }

  renew(): void {
    this.renewed++;
  }
  readonly fingerprint = async () => ({ embedder: 'untrained' });
  readonly getMeta = async () => ({ chunks: this.calibration });
  readonly close = async () => undefined;
}

function sessionOf(store: SlowStore, threads: number): Session {
  return new Session({ database: {} as Database }, {}, store as unknown as Store, threads);
}

/** Undefined while it is not there. */
async function now<T>(promise: Promise<T>): Promise<T | undefined> {
  promise.catch(() => undefined);
  return await Promise.race([promise, new Promise<undefined>((resolve) => setImmediate(resolve, undefined))]);
}

const chunksOf = async (session: Session): Promise<number | undefined> =>
  (await now(session.view()))?.calibration?.chunks;

describe('the view of an index that is written', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => vi.useRealTimers());

  it('is the newest, which the caller waits for, without threads', async () => {
    const store = new SlowStore();
    const session = sessionOf(store, 1);
    expect(await chunksOf(session)).toBe(1);
    const { opened } = store.write();
    expect(await chunksOf(session)).toBeUndefined();
    opened();
    expect(await chunksOf(session)).toBe(2);
  });

  it('is the one before while threads search and the next one is loaded', async () => {
    const store = new SlowStore();
    const session = sessionOf(store, 2);
    expect(await chunksOf(session)).toBe(1);
    const { opened } = store.write();
    vi.advanceTimersByTime(400);
    expect(await chunksOf(session)).toBe(1);
    vi.advanceTimersByTime(60_000); // however long it takes
    expect(await chunksOf(session)).toBe(1);
    opened();
    await vi.waitFor(async () => expect(await chunksOf(session)).toBe(2));
    await session.close();
  });

  it('is the newest after a pause, also with threads', async () => {
    const store = new SlowStore();
    const session = sessionOf(store, 2);
    expect(await chunksOf(session)).toBe(1);
    const { opened } = store.write();
    vi.advanceTimersByTime(600);
    expect(await chunksOf(session)).toBeUndefined();
    opened();
    expect(await chunksOf(session)).toBe(2);
    await session.close();
  });

  it('shows what this process wrote, as soon as it says so, and holds nobody up before', async () => {
    const store = new SlowStore();
    const session = sessionOf(store, 2);
    expect(await chunksOf(session)).toBe(1);
    const { opened } = store.write();
    const written = session.written().then(() => 'written');
    expect(store.renewed).toBe(1);
    expect(await now(written)).toBeUndefined();
    expect(await chunksOf(session)).toBe(1);
    opened();
    expect(await written).toBe('written');
    expect(await chunksOf(session)).toBe(2);
    await session.close();
  });

  it('shows a note that was written after the last chunk', async () => {
    const store = new SlowStore();
    const session = sessionOf(store, 1);
    expect(await chunksOf(session)).toBe(1);
    store.revision++; // the snapshot stays
    store.calibration = 7;
    expect(await chunksOf(session)).toBe(7);
  });

  it('ends in an error once nobody can say how old it is', async () => {
    const store = new SlowStore();
    const session = sessionOf(store, 2);
    expect(await chunksOf(session)).toBe(1);
    const { failed } = store.write();
    expect(await chunksOf(session)).toBe(1);
    failed();
    vi.advanceTimersByTime(600);
    await now(session.view());
    await expect(session.view()).rejects.toThrow('unreadable');
    await session.close();
  });
});
