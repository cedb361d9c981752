import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GroupLimits } from '../../../src/wire/http/contract.ts';
import { readConcurrencyLimits, readRequestLimits, readTokenLimits } from '../../../src/wire/http/limit-headers.ts';
import { GroupLimiter, type Lease, shareLimiter } from '../../../src/wire/http/limiter.ts';
import { heldClock, settled } from './support.ts';

const never = new AbortController().signal;

function setUp(limits: GroupLimits): {
  clock: ReturnType<typeof heldClock>;
  group: GroupLimiter;
  started: string[];
  call: (name: string, input?: number, output?: number, signal?: AbortSignal) => Promise<Lease>;
} {
  const clock = heldClock();
  const group = new GroupLimiter(clock);
  group.configure(limits, {});
  const started: string[] = [];
  const call = async (name: string, input = 0, output = 0, signal = never): Promise<Lease> => {
    const lease = await group.acquire({ inputTokens: input, outputTokens: output }, signal);
    started.push(`${name}@${clock.now()}`);
    return lease;
  };
  return { clock, group, started, call };
}

describe('a limiter', () => {
  it('lets nothing wait where no limit is known', async () => {
    const { group, call, started } = setUp({});
    await Promise.all(['a', 'b', 'c'].map((name) => call(name, 1e9)));
    expect(started).toEqual(['a@0', 'b@0', 'c@0']);
    expect(group.running).toBe(3);
  });

  it('gives a minute at once, then as it refills', async () => {
    const { clock, call, started } = setUp({ requestsPerMinute: 3 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) void call(name);
    await clock.pass(0);
    expect(started).toEqual(['a@0', 'b@0', 'c@0']);
    await clock.pass(60_000);
    // Three a minute is one per 20 s.
    expect(started.slice(3)).toEqual(['d@20000', 'e@40000']);
  });

  it('gives no more than its burst at once, and refills as fast as the minute says', async () => {
    const { clock, group, call, started } = setUp({ requestsPerMinute: 600, burst: 2 });
    for (const name of ['a', 'b', 'c', 'd']) void call(name);
    await clock.pass(0);
    expect(started).toEqual(['a@0', 'b@0']);
    await clock.pass(200); // ten a second
    expect(started.slice(2)).toEqual(['c@100', 'd@200']);
    await clock.pass(60_000); // a long rest saves up two, not a minute's worth
    for (const name of ['e', 'f', 'g']) void call(name);
    await clock.pass(0);
    expect(started.slice(4)).toEqual(['e@60200', 'f@60200']);
    // a smaller limit takes nothing from the burst
    group.configure({ requestsPerMinute: 60 }, {});
    await clock.pass(1000);
    expect(started.at(-1)).toBe('g@61200');
  });

  it('counts tokens by the estimate, and corrects it by what was used', async () => {
    const { clock, call, started } = setUp({ inputTokensPerMinute: 600 });
    const first = await call('a', 500);
    first.settle({ inputTokens: 100 }); // 500 are left of 600
    first.release();
    await call('b', 500);
    const third = call('c', 60); // at 10 tokens a second
    await clock.pass(6_000);
    (await third).settle({ inputTokens: 360 }); // 300 owed
    void call('d', 0);
    void call('e', 30);
    await clock.pass(60_000);
    // What is owed is waited for first, 300 tokens at 10 a second; 30 more take 3 s.
    expect(started).toEqual(['a@0', 'b@0', 'c@6000', 'd@36000', 'e@39000']);
  });

  it('settles twice to the last word, and releases once', async () => {
    const { group, call, clock, started } = setUp({ outputTokensPerMinute: 100 });
    const lease = await call('a', 0, 100);
    lease.settle({ outputTokens: 0 });
    lease.settle({ outputTokens: 50 });
    lease.release();
    lease.release();
    expect(group.running).toBe(0);
    await call('b', 0, 50);
    void call('c', 0, 1);
    await clock.pass(599);
    expect(started).toEqual(['a@0', 'b@0']);
    await clock.pass(1);
    expect(started).toEqual(['a@0', 'b@0', 'c@600']);
  });

  it('starts a call larger than a minute from a full bucket instead of never', async () => {
    const { clock, call, started } = setUp({ inputTokensPerMinute: 100 });
    await call('a', 50);
    void call('huge', 1_000);
    await clock.pass(29_000);
    expect(started).toEqual(['a@0']);
    await clock.pass(1_000);
    expect(started).toEqual(['a@0', 'huge@30000']);
  });

  it('keeps the order: a small call does not overtake a large one', async () => {
    const { clock, call, started } = setUp({ inputTokensPerMinute: 60 });
    await call('a', 60);
    void call('large', 30);
    void call('small', 1);
    await clock.pass(60_000);
    expect(started).toEqual(['a@0', 'large@30000', 'small@31000']);
  });

  it('holds at most so many at once', async () => {
    const { group, call, started } = setUp({ concurrency: 2 });
    const first = await call('a');
    await call('b');
    void call('c');
    void call('d');
    await settled();
    expect([group.running, group.waiting]).toEqual([2, 2]);
    first.release();
    await settled();
    expect(started).toEqual(['a@0', 'b@0', 'c@0']);
  });

  it('lends the place of an answer nobody reads, and takes it back when it is read on', async () => {
    const { clock, group, call, started } = setUp({ concurrency: 2 });
    const [read, unread] = [await call('read'), await call('unread')];
    unread.reading(false);
    read.reading(true);
    void call('c');
    void call('d');
    await clock.pass(3_000);
    unread.reading(true); // just in time
    unread.reading(false);
    await clock.pass(4_999);
    expect(started).toEqual(['read@0', 'unread@0']);
    await clock.pass(60_000);
    expect(started.slice(2)).toEqual(['c@8000']); // 5 s after it was left again; `d` finds `read` and `c` at work
    expect([group.running, group.waiting]).toEqual([2, 1]);
    unread.reading(true);
    expect(group.running).toBe(3); // one too many for a while: what was begun is not stopped
    read.release();
    unread.release();
    unread.release();
    await settled();
    expect(started.slice(3)).toHaveLength(1);
    expect(group.running).toBe(2);
  });

  it('notices that a reader went away while others waited already', async () => {
    const { clock, call, started } = setUp({ concurrency: 1 });
    const lease = await call('a');
    lease.reading(true);
    void call('b');
    await clock.pass(20_000);
    lease.reading(false);
    await clock.pass(4_999);
    expect(started).toEqual(['a@0']);
    await clock.pass(1);
    expect(started).toEqual(['a@0', 'b@25000']);
  });

  it('gives up the place of an aborted call, with its reason, and serves the next', async () => {
    const { clock, call, started } = setUp({ inputTokensPerMinute: 60 });
    await call('a', 60);
    const abort = new AbortController();
    const large = call('large', 60, 0, abort.signal);
    void call('small', 1);
    await settled();
    const reason = new Error('mine');
    abort.abort(reason);
    await expect(large).rejects.toBe(reason);
    await clock.pass(1_000);
    expect(started).toEqual(['a@0', 'small@1000']);
  });

  it('refuses an aborted call at once', async () => {
    const { group } = setUp({});
    await expect(group.acquire({}, AbortSignal.abort('gone'))).rejects.toBe('gone');
    expect(group.running).toBe(0);
  });

  it('pauses everyone after a refusal; pauses do not add up', async () => {
    const { clock, group, call, started } = setUp({});
    group.pause(5_000);
    group.pause(2_000);
    void call('a');
    await clock.pass(4_999);
    expect(started).toEqual([]);
    await clock.pass(1);
    expect(started).toEqual(['a@5000']);
  });

  it('learns limits from headers, believing the service when it has less', async () => {
    const { clock, group, call, started } = setUp({});
    group.learn({ requests: { limit: 60, remaining: 1 } });
    await call('a');
    void call('b');
    await clock.pass(1_000);
    expect(started).toEqual(['a@0', 'b@1000']);
    group.learn({ requests: { limit: 60, remaining: 60 } }); // it has not seen those under way
    void call('c');
    await clock.pass(999);
    expect(started).toHaveLength(2);
  });

  it('puts what the caller said before what is learned, and that before the default', () => {
    const clock = heldClock();
    const group = new GroupLimiter(clock);
    group.configure({}, { concurrency: 2 });
    expect(group.concurrency).toBe(2);
    group.learn({ concurrency: 5 });
    expect(group.concurrency).toBe(5);
    group.configure({ concurrency: 3 }, {});
    expect(group.concurrency).toBe(3);
  });

  it('holds one call fewer after hearing there were too many, and takes one more every half minute', async () => {
    const { clock, group, call } = setUp({ concurrency: 4 });
    const leases = await Promise.all(['a', 'b', 'c'].map((name) => call(name)));
    group.shrink();
    expect(group.concurrency).toBe(2);
    group.learn({ concurrency: 9 }); // what the plan allows is no news to the one who said there were too many
    expect(group.concurrency).toBe(2);
    await clock.pass(30_000);
    expect(group.concurrency).toBe(3);
    await clock.pass(90_000);
    expect(group.concurrency).toBe(4);
    for (const lease of leases) lease.release();
    group.shrink();
    expect(group.concurrency).toBe(1); // never none
  });

  it('halves how many are sent at once when a rate is too high, once for all that were under way', async () => {
    const { clock, group, call } = setUp({ concurrency: 9 });
    const leases = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => call(name)));
    await clock.pass(10);
    group.halve(0);
    expect(group.concurrency).toBe(4);
    group.halve(0); // sent before the lesson
    group.halve(10);
    expect(group.concurrency).toBe(4);
    for (const lease of leases.slice(3)) lease.release();
    group.halve(11);
    expect(group.concurrency).toBe(1);
    group.halve(12);
    expect(group.concurrency).toBe(1);
    await clock.pass(60_000);
    expect(group.concurrency).toBe(3);
  });

  it('serves first what was sent most often', async () => {
    const { clock, group, started, call } = setUp({ concurrency: 1 });
    const first = await call('a');
    const again = async (name: string, sent: number): Promise<void> => {
      await group.acquire({}, never, sent).then((lease) => {
        started.push(name);
        lease.release();
      });
    };
    void call('b').then((lease) => lease.release());
    void again('c1', 1);
    void again('d3', 3);
    void again('e1', 1);
    first.release();
    await clock.pass(0);
    expect(started.slice(1)).toEqual(['d3', 'c1', 'e1', 'b@0']);
  });

  it('is one per key and address in a process, as long as somebody uses it', () => {
    const a = shareLimiter('search', 'https://a', 'k1');
    const b = shareLimiter('search', 'https://a', 'k1');
    const other = shareLimiter('search', 'https://a', 'k2');
    expect(b.limiter).toBe(a.limiter);
    expect(other.limiter).not.toBe(a.limiter);
    a.done();
    a.done();
    const c = shareLimiter('search', 'https://a', 'k1');
    expect(c.limiter).toBe(b.limiter);
    b.done();
    c.done();
    const d = shareLimiter('search', 'https://a', 'k1');
    expect(d.limiter).not.toBe(a.limiter);
    d.done();
    other.done();
  });
});

describe('any schedule of calls', () => {
  const limit = 600;
  const call = fc.record({ at: fc.nat(120_000), tokens: fc.integer({ min: 0, max: limit }), lasts: fc.nat(20_000) });
  it('stays under the bucket in every span of time, in order, and nobody waits for ever', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 1, max: 4 }),
        async (calls, concurrency) => {
          const clock = heldClock();
          const group = new GroupLimiter(clock);
          group.configure({ inputTokensPerMinute: limit, concurrency }, {});
          const started: { nth: number; at: number; tokens: number }[] = [];
          let most = 0;
          const order = calls.map((one, nth) => ({ ...one, nth })).sort((a, b) => a.at - b.at || a.nth - b.nth);
          for (const { at, nth, tokens, lasts } of order) {
            clock.after(at, async () => {
              const lease = await group.acquire({ inputTokens: tokens }, never);
              started.push({ nth, at: clock.now(), tokens });
              most = Math.max(most, group.running);
              clock.after(lasts, () => lease.release());
            });
          }
          // All tokens at the rate of the bucket, after the last arrival, with every call run by itself: nothing can
          // take longer.
          const total = calls.reduce((sum, { tokens, lasts }) => sum + (tokens / limit) * 60_000 + lasts + 1, 0);
          await clock.pass(120_000 + total);
          expect(started.map(({ nth }) => nth)).toEqual(order.map(({ nth }) => nth));
          expect(most).toBeLessThanOrEqual(concurrency);
          for (const [i, { at: from }] of started.entries()) {
            let sum = 0;
            for (const { at, tokens } of started.slice(i)) {
              sum += tokens;
              // A full bucket and what flowed in since; timers are whole milliseconds.
              expect(sum).toBeLessThanOrEqual(limit + (limit * (at - from)) / 60_000 + 1e-6);
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('limits in headers', () => {
  it('reads requests per minute and waits for the reset when none is left', () => {
    const headers = { 'x-ratelimit-limit': '50', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1700000012' };
    expect(readRequestLimits(headers, 1_700_000_000_000)).toEqual({
      requests: { limit: 50, remaining: 0 },
      pauseMs: 12_000,
    });
    expect(readRequestLimits({ ...headers, 'x-ratelimit-remaining': '4' }, 1_700_000_000_000)).toMatchObject({
      pauseMs: undefined,
    });
    expect(readRequestLimits({}, 0)).toBeUndefined();
  });

  it('reads token limits under a prefix', () => {
    const read = readTokenLimits('x-service-');
    expect(
      read({
        'x-service-ratelimit-requests-limit': '50',
        'x-service-ratelimit-requests-remaining': '49',
        'x-service-ratelimit-input-tokens-limit': '30000',
        'x-service-ratelimit-tokens-limit': '38000',
        'x-service-ratelimit-output-tokens-remaining': '7000',
      }),
    ).toEqual({
      requests: { limit: 50, remaining: 49 },
      inputTokens: { limit: 30000, remaining: undefined },
      outputTokens: { limit: undefined, remaining: 7000 },
    });
    expect(read({ 'x-service-ratelimit-requests-limit': 'many' })).toBeUndefined();
  });

  it('reads how many may run at once', () => {
    expect(readConcurrencyLimits({ 'maximum-concurrent-requests': '5' })).toEqual({ concurrency: 5 });
    expect(readConcurrencyLimits({})).toBeUndefined();
  });
});
