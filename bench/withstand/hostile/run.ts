/**
 * Sends the attempts to the attacked process, a set of attacks in a process of its own, and judges how they ended. What
 * looks like a finding is done again alone first: a machine that was busy is no finding.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { TrialFinding, TrialResults, TrialSet } from '../../support/run-file.ts';
import { attackOf, attackSets } from './attacks.ts';
import type { ChildSetup, FromChild, Plant, ToChild, Told } from './child.ts';
import { type Front, openFront } from './front.ts';
import { type Attempt, attemptOf, piecesOf } from './plan.ts';

export interface HostileOptions {
  readonly seed: number;
  readonly attempts: number;
  /** Numbers of the attempts that are wanted, of all. */
  readonly only?: readonly number[] | undefined;
  readonly set?: string | undefined;
  readonly attack?: string | undefined;
  readonly door?: string | undefined;
  /** @default 32 */
  readonly atOnce?: number | undefined;
  readonly plant?: Plant | undefined;
  /** How long after its limit an attempt counts as hanging, and its process is ended. @default 30,000 */
  readonly hangMs?: number | undefined;
  /** Why nothing more is to be begun. */
  readonly stop?: (() => string | undefined) | undefined;
  readonly tell?: ((line: string) => void) | undefined;
}

/** What a request of an attempt has, all in all; and what may pass beyond it before an attempt counts as late. */
const LIMIT_MS = 1_500;
const GRACE_MS = 2_000;
const HANG_MS = 30_000;
const AT_ONCE = 32;
/** The longest that one piece of work may let nothing else run. */
const BLOCKED_MS = 3_000;
/** Most that a process may grow by, with 32 calls at once, one of them a bomb. */
const BOUND_MIB = 900;

const invariant =
  'Every call ends within its time limit, as a value or a typed error; the process lives, stays within ' +
  'its memory, prints nothing, and the key is in no error, hook, trace or print, nor sent to another host.';

export async function runHostile(options: HostileOptions): Promise<TrialResults> {
  const { seed, attempts, only, stop = () => undefined } = options;
  const wanted = (only ?? Array.from({ length: attempts }, (_, n) => n))
    .map((n) => attemptOf({ seed }, n))
    .filter(({ set }) => options.set === undefined || set === options.set)
    .filter(({ attack }) => options.attack === undefined || attack === options.attack)
    .filter(({ door }) => options.door === undefined || door.includes(options.door));
  await using front = await openFront({ seed });
  const sets: TrialSet[] = [];
  const skipped: { what: string; reason: string }[] = [];
  for (const name of Object.keys(attackSets)) {
    const own = wanted.filter(({ set }) => set === name);
    if (own.length === 0) continue;
    const reason = stop();
    if (reason !== undefined) skipped.push({ what: name, reason });
    else sets.push(await new SetRun(name, own, front, options).run());
  }
  return { sets, skipped };
}

interface Doubt {
  readonly attempt: Attempt;
  readonly why: string;
}

/** One set of attacks on one process, and on another whenever that one has died. */
class SetRun {
  readonly #name: string;
  readonly #all: readonly Attempt[];
  readonly #front: Front;
  readonly #options: HostileOptions;
  readonly #marker: string;
  readonly #findings: TrialFinding[] = [];
  readonly #outcomes = new Map<string, number>();
  readonly #memory: { x: number; y: number }[] = [];
  readonly #begun = performance.now();
  #longestMs = 0;
  #grownMiB = 0;
  #blockedMs = 0;
  #done = 0;

  constructor(name: string, all: readonly Attempt[], front: Front, options: HostileOptions) {
    this.#name = name;
    this.#all = all;
    this.#front = front;
    this.#options = options;
    this.#marker = createHash('sha256').update(`hostile ${options.seed}`).digest('hex').slice(0, 36);
  }

  async run(): Promise<TrialSet> {
    const { stop = () => undefined, tell } = this.#options;
    const doubts: Doubt[] = [];
    let left = [...this.#all];
    while (left.length > 0 && stop() === undefined) {
      tell?.(`${this.#name}: ${left.length} attempts`);
      const round = await this.#round(left, this.#options.atOnce ?? AT_ONCE);
      left = round.left;
      doubts.push(...round.doubts);
    }
    await this.#again(doubts);
    const sorted = [...this.#outcomes].sort(([, a], [, b]) => b - a);
    return {
      name: this.#name,
      invariant,
      attempts: this.#done,
      figures: {
        ...Object.fromEntries(sorted),
        'longest, s': this.#longestMs / 1_000,
        'grown by, MiB': this.#grownMiB,
        'event loop blocked, s': this.#blockedMs / 1_000,
        'done again alone': doubts.length,
      },
      findings: this.#findings,
      series: [{ name: 'memory of the process', unit: 'MiB', points: this.#memory }],
    };
  }

  /** What was in doubt, few at once, then one after the other: what is not seen again is no finding. */
  async #again(first: readonly Doubt[]): Promise<void> {
    let doubts = first;
    for (const atOnce of (this.#options.atOnce ?? AT_ONCE) > 4 ? [4, 1] : [1]) {
      for (const { attempt, why } of doubts) this.#options.tell?.(`in doubt: ${attempt.n}, ${why}`);
      let left = doubts.map(({ attempt }) => attempt);
      const again: Doubt[] = [];
      while (left.length > 0 && this.#options.stop?.() === undefined) {
        const round = await this.#round(left, atOnce);
        left = round.left;
        again.push(...round.doubts);
      }
      doubts = again;
    }
    for (const { attempt, why } of doubts) this.#find(attempt, why);
  }

  #find({ n, attack, door }: Attempt, why: string): void {
    this.#findings.push({
      what: `${attack} at ${door}: ${why}`,
      command: `npm run hostile -- --seed ${this.#options.seed} --only ${n}`,
    });
  }

  /** Attempts in one process, until they are done or it is. */
  async #round(
    attempts: readonly Attempt[],
    atOnce: number,
  ): Promise<{ readonly left: Attempt[]; readonly doubts: Doubt[] }> {
    const child = new Child({
      url: this.#front.url,
      seed: this.#options.seed,
      marker: this.#marker,
      limitMs: LIMIT_MS,
      plant: this.#options.plant,
    });
    const doubts: Doubt[] = [];
    const waiting = [...attempts];
    const running = new Map<number, { attempt: Attempt; since: number }>();
    const baseMiB = await child.ready;
    const heavyRuns = (): boolean => [...running.values()].some(({ attempt }) => attackOf(attempt.attack).heavy);
    const feed = (): void => {
      while (running.size < atOnce && this.#options.stop?.() === undefined) {
        const isBusy = heavyRuns();
        const at = waiting.findIndex(({ attack }) => !(isBusy && attackOf(attack).heavy));
        if (at === -1) return;
        const [attempt] = waiting.splice(at, 1);
        this.#front.forget(attempt!.n);
        running.set(attempt!.n, { attempt: attempt!, since: performance.now() });
        child.send({ run: attempt!.n });
      }
    };
    const limitOf = ({ n }: Attempt): number => Math.max(1, this.#front.requests(n)) * LIMIT_MS + GRACE_MS;
    child.onTold = (told) => {
      const attempt = running.get(told.n)?.attempt;
      if (attempt === undefined) return;
      running.delete(told.n);
      const why = this.#judge(told, limitOf(attempt), baseMiB, child);
      if (why !== undefined) doubts.push({ attempt, why });
      feed();
    };
    feed();
    while (running.size > 0 && child.ended === undefined) {
      await Promise.race([child.exit, new Promise((done) => setTimeout(done, 200))]);
      const now = performance.now();
      const hung = [...running.values()].filter(
        ({ attempt, since }) => now - since > limitOf(attempt) + (this.#options.hangMs ?? HANG_MS),
      );
      if (hung.length === 0) continue;
      doubts.push(...hung.map(({ attempt }) => ({ attempt, why: 'the call did not end' })));
      for (const { attempt } of hung) running.delete(attempt.n);
      child.kill();
      await child.exit;
      return { left: [...[...running.values()].map(({ attempt }) => attempt), ...waiting], doubts };
    }
    if (child.ended !== undefined) {
      const why = `the process ended (${child.ended}): ${child.printed.trim().slice(-400)}`;
      doubts.push(...[...running.values()].map(({ attempt }) => ({ attempt, why })));
    } else await child.end();
    const printed = child.strangePrint(piecesOf(this.#marker));
    if (printed !== undefined && child.ended === undefined)
      this.#findings.push({
        what: printed,
        command: `npm run hostile -- --seed ${this.#options.seed} --set ${this.#name}`,
      });
    return { left: this.#options.stop?.() === undefined ? waiting : [], doubts };
  }

  /** Why an attempt may be a finding. */
  #judge(told: Told, limitMs: number, baseMiB: number, child: Child): string | undefined {
    const { outcome, ms, untyped, leaks, peakMiB, rssMiB, blockedMs } = told;
    const alone = this.#all.length;
    if (this.#done < alone) {
      this.#done++;
      this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
      const x = (performance.now() - this.#begun) / 1_000;
      if (this.#done % Math.ceil(alone / 300) === 0) this.#memory.push({ x, y: rssMiB });
    }
    this.#longestMs = Math.max(this.#longestMs, ms);
    this.#blockedMs = Math.max(this.#blockedMs, blockedMs);
    const grownMiB = peakMiB - baseMiB;
    this.#grownMiB = Math.max(this.#grownMiB, grownMiB);
    const trapped = this.#front.trapped.splice(0);
    if (trapped.length > 0) return `sent to another host: ${trapped[0]}`;
    if (leaks.length > 0) return `the key was told in ${leaks[0]}`;
    if (untyped !== undefined) return `an error of no type: ${untyped}`;
    if (blockedMs > BLOCKED_MS) return `nothing else could run for ${Math.round(blockedMs)} ms`;
    if (ms > limitMs) return `took ${Math.round(ms)} ms, ${limitMs} were given`;
    // once for each process: what is more than allowed stays so to its end
    if (grownMiB > BOUND_MIB && !child.isTooLarge) {
      child.isTooLarge = true;
      return `the process grew by ${Math.round(grownMiB)} MiB, ${BOUND_MIB} are allowed`;
    }
    return undefined;
  }
}

/** The attacked process as its parent sees it. */
class Child {
  onTold: (told: Told) => void = () => {};
  printed = '';
  isTooLarge = false;
  /** How it ended, once it has, unless it was asked to. */
  ended: string | undefined;
  readonly ready: Promise<number>;
  readonly exit: Promise<void>;
  readonly #process: ChildProcess;
  #asked = false;

  constructor(setup: ChildSetup) {
    this.#process = fork(join(import.meta.dirname, 'child.ts'), [JSON.stringify(setup)], { stdio: 'pipe' });
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on('data', (bytes: Buffer) => {
        this.printed = (this.printed + bytes.toString('utf8')).slice(-1_000_000);
      });
    this.exit = new Promise((done) =>
      this.#process.on('close', (code, signal) => {
        if (!this.#asked) this.ended = signal ?? `status ${code}`;
        done();
      }),
    );
    this.ready = new Promise((resolve, reject) => {
      this.exit.then(() => reject(new Error(`the attacked process did not start: ${this.printed}`)));
      this.#process.on('message', (message: FromChild) => {
        if ('ready' in message) resolve(message.baseMiB);
        else this.onTold(message);
      });
    });
  }

  send(message: ToChild): void {
    if (this.#process.connected) this.#process.send(message);
  }

  kill(): void {
    this.#asked = true;
    this.#process.kill('SIGKILL');
  }

  /** Lets it end by itself; a while later it is ended. */
  async end(): Promise<void> {
    this.#asked = true;
    this.send({ end: true });
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), 5_000);
    await this.exit;
    clearTimeout(timer);
  }

  /** What the library printed though it prints nothing. Assertions are those of the examples. */
  strangePrint(pieces: readonly string[]): string | undefined {
    const said = pieces.some((piece) => this.printed.includes(piece));
    if (said) return `the key was printed: ${this.printed.slice(0, 300)}`;
    const lines = this.printed.split('\n').filter((line) => line.trim() !== '' && !/^Assertion failed/.test(line));
    return lines.length === 0 ? undefined : `printed: ${lines.join(' | ').slice(0, 300)}`;
  }
}
