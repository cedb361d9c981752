import type { ServiceName } from './contract.ts';

/** What one carried-out piece of work was charged. */
export interface LedgerEntry {
  readonly service: ServiceName;
  /** `messages.create`, `batches.request`, `embeddings` … */
  readonly operation: string;
  readonly model?: string | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** Credits or characters of audio, searches of an agent …: what the operation counts beside tokens. */
  readonly units?: number | undefined;
  readonly usd: number;
  /**
   * What was paid for, so that "exactly once" can be checked: texts of an embedding call, custom_id of a batch entry.
   */
  readonly items?: readonly string[] | undefined;
}

export interface LedgerTotals {
  requests: number;
  inputTokens: number;
  outputTokens: number;
  units: number;
  usd: number;
}

const zero = (): LedgerTotals => ({ requests: 0, inputTokens: 0, outputTokens: 0, units: 0, usd: 0 });

/** The service's own books: what it would charge, whatever the client believes. */
export class Ledger {
  readonly entries: LedgerEntry[] = [];

  add(entry: LedgerEntry): void {
    this.entries.push(entry);
  }

  totals(operation?: string): LedgerTotals {
    const sum = zero();
    for (const entry of this.entries) {
      if (operation !== undefined && entry.operation !== operation) continue;
      sum.requests += 1;
      sum.inputTokens += entry.inputTokens ?? 0;
      sum.outputTokens += entry.outputTokens ?? 0;
      sum.units += entry.units ?? 0;
      sum.usd += entry.usd;
    }
    return sum;
  }

  byOperation(): Readonly<Record<string, LedgerTotals>> {
    const operations = [...new Set(this.entries.map((entry) => entry.operation))];
    return Object.fromEntries(operations.map((operation) => [operation, this.totals(operation)]));
  }

  /** Item → how often it was paid for. */
  timesPaid(operation?: string): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const entry of this.entries) {
      if (operation !== undefined && entry.operation !== operation) continue;
      for (const item of entry.items ?? []) counts.set(item, (counts.get(item) ?? 0) + 1);
    }
    return counts;
  }

  clear(): void {
    this.entries.length = 0;
  }
}
