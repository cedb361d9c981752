import type { ServiceLimits } from './contract.ts';

export interface Sized {
  readonly chunks: number;
  readonly tokens: number;
}

interface Bin {
  readonly items: number[];
  chunks: number;
  tokens: number;
}

/**
 * Packs windows into requests close to the limits. First-fit decreasing bin packing: at most 11/9 of the smallest
 * possible number of requests, plus a constant; all requests but the last are nearly full (Johnson 1973; Dósa 2007,
 * doi:10.1007/978-3-540-74450-4_1).
 * @returns indices into `items`, ascending in each request; requests in the order of their first item
 */
export function packRequests(items: readonly Sized[], limits: ServiceLimits): number[][] {
  const order = items.map((_, i) => i).sort((a, b) => items[b]!.tokens - items[a]!.tokens || a - b);
  const bins: Bin[] = [];
  let open = 0; // earlier bins have the maximum number of items
  for (const i of order) {
    const { chunks, tokens } = items[i]!;
    while (open < bins.length && bins[open]!.items.length >= limits.documents) open++;
    let bin: Bin | undefined;
    for (let b = open; b < bins.length && bin === undefined; b++) {
      const { items: held, chunks: has, tokens: used } = bins[b]!;
      const fits = held.length < limits.documents && has + chunks <= limits.chunks && used + tokens <= limits.tokens;
      if (fits) bin = bins[b];
    }
    if (bin === undefined) {
      bin = { items: [], chunks: 0, tokens: 0 };
      bins.push(bin);
    }
    bin.items.push(i);
    bin.chunks += chunks;
    bin.tokens += tokens;
  }
  for (const { items: held } of bins) held.sort((a, b) => a - b);
  return bins.map(({ items: held }) => held).sort((a, b) => a[0]! - b[0]!);
}
