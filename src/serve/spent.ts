import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { writeWhole } from '../core/files.ts';
import { Meter, overBudget, type Reservation } from '../core/meter.ts';

/** Of one day (UTC): what one server has spent or reserved, in USD, by the id of a token; '' without a token. */
interface Spent {
  readonly day: string;
  readonly usd: Readonly<Record<string, number>>;
}

/** Half of the smallest sum that a meter counts, in USD: sums that differ by less are equal. */
const EPSILON_USD = 0.5e-9;

/**
 * The budgets of a day, kept in files, so that a restart gives nobody a second budget, and neither does a second server
 * beside the first. Each server notes its money in a file of its own before a call is sent, and then reads the files of
 * the others: of two at the same moment, one at least sees the other. What a killed server had reserved counts as spent.
 */
export class DailyBudgets {
  readonly #path: string | undefined;
  #own = '';
  readonly #meters = new Map<string, Meter>();
  #noted: NotedMeter[] = [];
  #day = '';

  /** @param path what the names of the files begin with; none need exist yet; absent: nothing is kept */
  constructor(path: string | undefined) {
    this.#path = path;
  }

  /** The meter of today. @param id of the token, '' without one */
  meter(id: string, budgetUsd: number): Meter {
    const today = new Date().toISOString().slice(0, 10);
    if (today !== this.#day) {
      this.#meters.clear();
      this.#noted = [];
      this.#day = today;
      // where the clock is set back to a day that was, its file counts like that of another server
      this.#own = `${this.#path}.${randomUUID()}`;
      this.#removeOld();
    }
    const known = this.#meters.get(id);
    if (known?.budgetUsd === budgetUsd) return known;
    const meter: NotedMeter = new NotedMeter(id, budgetUsd, {
      note: () => this.#note(today),
      others: () => this.#othersUsd(today, id, meter),
    });
    this.#meters.set(id, meter);
    this.#noted.push(meter);
    return meter;
  }

  #note(day: string): void {
    if (this.#path === undefined || day !== this.#day) return; // a call that began yesterday has ended
    const usd: Record<string, number> = {};
    for (const { id, usedUsd } of this.#noted) usd[id] = (usd[id] ?? 0) + usedUsd;
    writeWhole(this.#own, `${JSON.stringify({ day, usd } satisfies Spent)}\n`);
  }

  /** The sum that other servers have used, and this server by meters of another budget. */
  #othersUsd(day: string, id: string, except: NotedMeter): number {
    const here = this.#noted.reduce((sum, one) => (one.id === id && one !== except ? sum + one.usedUsd : sum), 0);
    return this.#files().reduce((sum, { spent }) => (spent.day === day ? sum + (spent.usd[id] ?? 0) : sum), here);
  }

  /** Files of days that are long over. */
  #removeOld(): void {
    const before = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
    for (const { path, spent } of this.#files()) if (spent.day < before) rmSync(path, { force: true });
  }

  /** Those of other servers, and of earlier runs. */
  #files(): readonly { readonly path: string; readonly spent: Spent }[] {
    if (this.#path === undefined) return [];
    const [folder, name] = [dirname(this.#path), basename(this.#path)];
    let names: string[];
    try {
      names = readdirSync(folder);
    } catch {
      return []; // no folder yet
    }
    return names.flatMap((one) => {
      const path = join(folder, one);
      const isOurs = one === name || (one.startsWith(`${name}.`) && !one.endsWith('.new'));
      if (!isOurs || path === this.#own) return [];
      try {
        return [{ path, spent: JSON.parse(readFileSync(path, 'utf8')) as Spent }]; // written above
      } catch {
        return []; // damaged, or removed meanwhile
      }
    });
  }
}

/** A meter that notes what is spent and reserved after each change, and leaves what others have used. */
class NotedMeter extends Meter {
  readonly id: string;
  readonly #budgetUsd: number;
  readonly #books: { note(): void; others(): number };

  constructor(id: string, budgetUsd: number, books: { note(): void; others(): number }) {
    super(budgetUsd);
    this.id = id;
    this.#budgetUsd = budgetUsd;
    this.#books = books;
  }

  /** Spent and reserved by this meter. */
  get usedUsd(): number {
    return this.#budgetUsd - super.leftUsd;
  }

  override get leftUsd(): number {
    return Math.max(0, super.leftUsd - this.#books.others());
  }

  override reserve(usd: number, key?: string): Reservation {
    const before = this.leftUsd;
    if (usd > before + EPSILON_USD) throw overBudget(usd, before, this.#budgetUsd);
    const reservation = super.reserve(usd, key);
    try {
      this.#books.note();
      const overUsd = this.#books.others() - super.leftUsd;
      // another server has noted a call since
      if (usd > 0 && overUsd > EPSILON_USD) throw overBudget(usd, usd - overUsd, this.#budgetUsd);
    } catch (error) {
      reservation.cancel();
      this.#books.note();
      throw error;
    }
    return {
      settle: (actual) => {
        reservation.settle(actual);
        this.#books.note();
      },
      cancel: () => {
        reservation.cancel();
        this.#books.note();
      },
    };
  }
}
