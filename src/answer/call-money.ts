import { IbidError } from '../core/errors.ts';
import type { Meter, Reservation } from '../core/meter.ts';

/** Money for one call of a model, which may ask for more while it writes. */
export class CallMoney {
  readonly #meter: Meter;
  readonly #reserved: (Reservation & { readonly usd: number })[] = [];

  /** @throws IbidError BUDGET_EXCEEDED */
  constructor(meter: Meter, usd: number) {
    this.#meter = meter;
    this.#reserve(usd);
  }

  #reserve(usd: number): void {
    this.#reserved.push({ ...this.#meter.reserve(usd), usd });
  }

  /** False where the budget does not cover it. */
  readonly pays = (usd: number): boolean => {
    try {
      this.#reserve(usd);
      return true;
    } catch (error) {
      if (!(error instanceof IbidError) || error.code !== 'BUDGET_EXCEEDED') throw error;
      return false;
    }
  };

  /** @param usd what the call has cost; absent: it is not known, and all that was reserved counts */
  settle(usd?: number): void {
    for (const [i, one] of this.#reserved.entries()) one.settle(usd === undefined ? one.usd : i === 0 ? usd : 0);
  }

  cancel(): void {
    for (const one of this.#reserved) one.cancel();
  }
}
