import { readFileSync } from 'node:fs';
import { writeWhole } from '../core/files.ts';
import { Meter, type Reservation } from '../core/meter.ts';

/** Of one day (UTC): what was spent or is reserved, in USD, by the id of a token; '' for questions without a token. */
interface Spent {
  readonly day: string;
  readonly usd: Readonly<Record<string, number>>;
}

/**
 * The budgets of a day, kept in a file, so that a restart gives nobody a second budget. Money is noted before a call is
 * sent: what a killed server had reserved counts as spent.
 */
export class DailyBudgets {
  readonly #path: string | undefined;
  readonly #meters = new Map<string, Meter>();
  #day = '';
  #usd: Record<string, number> = {};

  /** @param path of a JSON file, which need not exist yet; absent: nothing is kept */
  constructor(path: string | undefined) {
    this.#path = path;
  }

  /** The meter of today. @param id of the token, '' without one */
  meter(id: string, budgetUsd: number): Meter {
    const today = new Date().toISOString().slice(0, 10);
    if (today !== this.#day) {
      this.#meters.clear();
      this.#day = today;
      this.#usd = this.#read(today);
    }
    const known = this.#meters.get(id);
    if (known?.budgetUsd === budgetUsd) return known;
    const meter = new NotedMeter(budgetUsd, (usd) => this.#note(today, id, usd));
    meter.resume(this.#usd[id] ?? 0);
    this.#meters.set(id, meter);
    return meter;
  }

  #read(today: string): Record<string, number> {
    if (this.#path === undefined) return {};
    try {
      const { day, usd } = JSON.parse(readFileSync(this.#path, 'utf8')) as Spent; // written below
      return day === today ? { ...usd } : {};
    } catch {
      return {}; // none yet
    }
  }

  #note(day: string, id: string, usd: number): void {
    if (day !== this.#day) return; // a call of yesterday has ended
    this.#usd[id] = usd;
    if (this.#path !== undefined)
      writeWhole(this.#path, `${JSON.stringify({ day, usd: this.#usd } satisfies Spent)}\n`);
  }
}

/** A meter that tells what is spent and reserved after each change. */
class NotedMeter extends Meter {
  readonly #note: (usd: number) => void;
  readonly #budgetUsd: number;
  /** Spent before, beyond a budget that was larger. */
  #beyondUsd = 0;

  constructor(budgetUsd: number, note: (usd: number) => void) {
    super(budgetUsd);
    this.#budgetUsd = budgetUsd;
    this.#note = note;
  }

  /** What was spent before counts. */
  resume(usd: number): void {
    const spent = Math.min(usd, this.#budgetUsd);
    this.#beyondUsd = usd - spent;
    super.reserve(spent).settle(spent);
  }

  override reserve(usd: number, key?: string): Reservation {
    const reservation = super.reserve(usd, key);
    const noted = (): void => this.#note(this.#budgetUsd - this.leftUsd + this.#beyondUsd);
    noted();
    return {
      settle: (actual) => {
        reservation.settle(actual);
        noted();
      },
      cancel: () => {
        reservation.cancel();
        noted();
      },
    };
  }
}
