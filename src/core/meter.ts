import { numberOf } from './arguments.ts';
import { IbidError } from './errors.ts';

/** Money reserved for one call until its real price is known. */
export interface Reservation {
  /**
   * Replaces the reserved amount by the real price; what is no number from 0 is no price, and the amount stays. Only
   * the first call counts.
   */
  settle(usd: number): void;
  /** Frees the reserved amount: the call was refused or never sent. */
  cancel(): void;
}

/** Maximum cost of calls, in USD: a number for one call, or a meter that several calls share. */
export type Budget = number | Meter;

/**
 * Counts spent money, and refuses a call that would exceed the budget before it is sent. All billed calls of one run
 * share a meter. Sums are integers in billionths of a dollar, so that many small prices add up exactly.
 */
export class Meter {
  readonly #limitUsd: number | undefined;
  readonly #parent: Meter | undefined;
  #spent = 0n;
  #reserved = 0n;
  /** Work that has a price on this meter already. */
  readonly #booked = new Set<string>();

  /**
   * @param budgetUsd at least 0; absent = no limit
   * @param parent a meter that also counts the calls of this one, and whose budget also applies
   * @throws IbidError INVALID_ARGUMENT
   */
  constructor(budgetUsd?: number, parent?: Meter) {
    if (budgetUsd !== undefined) numberOf(budgetUsd, 'a budget', 0, Number.MAX_VALUE, 'USD');
    this.#limitUsd = budgetUsd;
    this.#parent = parent;
  }

  /**
   * The meter for a `budget` option: the given one, or a new one with that many USD.
   * @throws IbidError INVALID_ARGUMENT
   */
  static of(budget: Budget | undefined): Meter {
    if (budget instanceof Meter) return budget;
    if (budget === undefined || typeof budget === 'number') return new Meter(budget);
    throw new IbidError('INVALID_ARGUMENT', 'a budget must be a number of USD, or a Meter', {
      hint: 'Give a number from 0; without a limit, leave the budget out.',
    });
  }

  /** A meter for one part of the work. It spends from this meter's budget. */
  child(): Meter {
    return new Meter(undefined, this);
  }

  /** The budget that applies, in USD; undefined when there is none. */
  get budgetUsd(): number | undefined {
    return this.#limitUsd ?? this.#parent?.budgetUsd;
  }

  get spentUsd(): number {
    return Number(this.#spent) / NANO;
  }

  /** Money that can still be reserved, in USD; `Infinity` without a budget. */
  get leftUsd(): number {
    const own = this.#limitUsd === undefined ? Infinity : this.#limitUsd - Number(this.#spent + this.#reserved) / NANO;
    return Math.min(own, this.#parent?.leftUsd ?? Infinity);
  }

  /**
   * @param key names the work: what has a price on this meter already is not booked a second time
   * @throws IbidError BUDGET_EXCEEDED when the budget does not cover the amount, INVALID_ARGUMENT for a price that is no
   * number from 0; then nothing is reserved
   */
  reserve(usd: number, key?: string): Reservation {
    if (key !== undefined && this.#booked.has(key)) return { settle: () => {}, cancel: () => {} };
    const amount = nanos(usd);
    const limit = this.#limitUsd === undefined ? undefined : nanos(this.#limitUsd);
    if (limit !== undefined && this.#spent + this.#reserved + amount > limit) {
      throw overBudget(usd, this.leftUsd, this.#limitUsd!);
    }
    const above = this.#parent?.reserve(usd, key);
    this.#reserved += amount;
    let open = true;
    const end = (spent: bigint): void => {
      if (!open) return;
      open = false;
      this.#reserved -= amount;
      this.#spent += spent;
    };
    return {
      settle: (actual) => {
        if (open && key !== undefined) this.#booked.add(key);
        above?.settle(actual);
        end(Number.isFinite(actual) && actual >= 0 ? nanos(actual) : amount);
      },
      cancel: () => {
        above?.cancel();
        end(0n);
      },
    };
  }
}

/** Why a call of `usd` is not sent, when `leftUsd` of `budgetUsd` are left. */
export function overBudget(usd: number, leftUsd: number, budgetUsd: number): IbidError {
  const price = usd > 0 && usd < 0.000001 ? 'less than 0.000001' : `about ${usd.toFixed(6)}`;
  return new IbidError(
    'BUDGET_EXCEEDED',
    `the next call costs ${price} USD; ${Math.max(0, leftUsd).toFixed(6)} of ${budgetUsd} USD are left`,
    { hint: 'Raise the budget, or ask for less.' },
  );
}

/**
 * The price of a call, 0 when unknown. A budget needs a known price.
 * @throws IbidError INVALID_ARGUMENT for an unknown price with a budget
 */
export function affordable(usd: number | undefined, model: string, { budgetUsd }: Meter): number {
  if (usd === undefined && budgetUsd !== undefined) {
    throw new IbidError('INVALID_ARGUMENT', `a budget needs a price, and none is known for "${model}"`, {
      hint: 'Give a price with the model (`prices` of a service, `usdPerMillionTokens` of an own model), or leave the budget out.',
    });
  }
  return usd ?? 0;
}

const NANO = 1e9;

/** @throws IbidError INVALID_ARGUMENT: a sum below 0 would raise the budget */
function nanos(usd: number): bigint {
  return BigInt(Math.round(numberOf(usd, 'a price', 0, Number.MAX_VALUE, 'USD') * NANO));
}
