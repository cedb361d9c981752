import { IbidError } from './errors.ts';

/** Money set aside for one call until its real price is known. */
export interface Reservation {
  /** Replaces what was set aside by what it cost. Calling it again changes nothing. */
  settle(usd: number): void;
  /** Gives the money back: the call was refused or never sent. */
  cancel(): void;
}

/**
 * Counts what is spent, and refuses what would go over the budget before it is sent. Shared by everything one run pays for.
 * Sums are kept in billionths of a dollar, so that a million small prices add up exactly.
 */
export class Meter {
  readonly budgetUsd: number | undefined;
  #spent = 0n;
  #reserved = 0n;

  /** @param budgetUsd at least 0; absent = no limit @throws IbidError INVALID_ARGUMENT */
  constructor(budgetUsd?: number) {
    if (budgetUsd !== undefined && !(Number.isFinite(budgetUsd) && budgetUsd >= 0)) {
      throw new IbidError('INVALID_ARGUMENT', `a budget must be a number of USD, at least 0, not ${budgetUsd}`);
    }
    this.budgetUsd = budgetUsd;
  }

  get spentUsd(): number {
    return Number(this.#spent) / NANO;
  }

  /** What may still be set aside; `Infinity` without a budget. */
  get leftUsd(): number {
    return this.budgetUsd === undefined ? Infinity : this.budgetUsd - Number(this.#spent + this.#reserved) / NANO;
  }

  /** @throws IbidError BUDGET_EXCEEDED, and nothing is set aside, when the budget would not cover it */
  reserve(usd: number): Reservation {
    const amount = nanos(usd);
    const limit = this.budgetUsd === undefined ? undefined : nanos(this.budgetUsd);
    if (limit !== undefined && this.#spent + this.#reserved + amount > limit) {
      throw new IbidError(
        'BUDGET_EXCEEDED',
        `the next call costs about ${usd.toFixed(6)} USD; ${Math.max(0, this.leftUsd).toFixed(6)} of ${this.budgetUsd} USD are left`,
        { hint: 'What is finished is kept. Raise the budget and run again: nothing is paid for twice.' },
      );
    }
    this.#reserved += amount;
    let open = true;
    const end = (spent: bigint): void => {
      if (!open) return;
      open = false;
      this.#reserved -= amount;
      this.#spent += spent;
    };
    return { settle: (actual) => end(nanos(actual)), cancel: () => end(0n) };
  }
}

const NANO = 1e9;

function nanos(usd: number): bigint {
  return BigInt(Math.round(usd * NANO));
}
