import { strict as assert } from 'node:assert';
import type { CallOptions } from '../core/types.ts';

/** One thing that a contract asks for. `run` rejects where it is not kept. */
export interface ContractCheck {
  readonly name: string;
  run(): Promise<void>;
}

/** Makes the part that is checked, anew for each check. */
export type Make<T> = () => T | Promise<T>;

/** Checks by name; each gets a part of its own. */
export function checks<T>(make: Make<T>, named: Readonly<Record<string, (part: T) => Promise<void>>>): ContractCheck[] {
  return Object.entries(named).map(([name, check]) => ({ name, run: async () => check(await make()) }));
}

/** A call whose signal is aborted already must end with the signal's reason, and must not give a result. */
export async function endsWhenAborted(call: (options: CallOptions) => Promise<unknown>): Promise<void> {
  const reason = new Error('the caller has left');
  await assert.rejects(call({ signal: AbortSignal.abort(reason) }), (error) => error === reason);
}

/** What a call cost is a number, and no more than was estimated before. */
export function costsAtMost(costUsd: number, estimateUsd: number | undefined): void {
  assert.ok(Number.isFinite(costUsd) && costUsd >= 0, `the cost must be a number of USD, at least 0, not ${costUsd}`);
  if (estimateUsd !== undefined) {
    assert.ok(costUsd <= estimateUsd + 1e-9, `a call cost ${costUsd} USD and was estimated at ${estimateUsd} at most`);
  }
}
