import type { Span } from '../../core/types.ts';
import type { TokenCounter } from '../tokens/tokens.ts';
import type { Atom } from './atoms.ts';

/** A chunk before joining. */
export interface Draft extends Span {
  /** Exact number of tokens. */
  readonly tokens: number;
}

/**
 * Groups the atoms of one section into drafts of at most `maxTokens` and about equal size, with cuts of low cost. Each
 * step looks at the atoms of one chunk, so time is linear.
 */
export function pack(counter: TokenCounter, atoms: readonly Atom[], maxTokens: number): Draft[] {
  const drafts: Draft[] = [];
  let remaining = 0;
  for (const { tokens } of atoms) remaining += tokens;
  let first = 0;
  while (first < atoms.length) {
    let last = remaining <= maxTokens ? atoms.length - 1 : bestCut(atoms, first, remaining, maxTokens);
    const start = atoms[first]!.start;
    let tokens = counter.count(start, atoms[last]!.end);
    // The parts have, in rare cases, fewer tokens than the whole.
    while (tokens > maxTokens && last > first) {
      last--;
      tokens = counter.count(start, atoms[last]!.end);
    }
    drafts.push({ start, end: atoms[last]!.end, tokens });
    for (let i = first; i <= last; i++) remaining -= atoms[i]!.tokens;
    first = last + 1;
  }
  return drafts;
}

/**
 * Target size of a chunk, as a share of the bound, where a text needs several; the rest leaves room for a better cut.
 * Chosen by `bench/quality/chunk-sizes.ts` (0.6 to 1 tried; recall of gold text within the first 2,500 tokens 0.954 to
 * 0.964).
 */
const aimShare = 0.8;
/** Above any cost of size (at most 1) and any other cut: chosen only where nothing else fits. */
const afterHeading = 4;
const betweenHeadings = 2;
/** Above any other cut as well. */
const afterColon = 1.8;

/** Index of the last atom of the chunk that starts at `first`. */
function bestCut(atoms: readonly Atom[], first: number, remaining: number, maxTokens: number): number {
  const goal = remaining / Math.ceil(remaining / (aimShare * maxTokens));
  let best = first;
  let bestCost = Number.POSITIVE_INFINITY;
  let size = 0;
  for (let i = first; i < atoms.length - 1; i++) {
    size += atoms[i]!.tokens;
    if (size > maxTokens && i > first) break;
    const off = (size - goal) / goal;
    const next = atoms[i + 1]!;
    const cost = off * off + next.cutCost + costOfStranding(atoms[i]!, next);
    if (cost <= bestCost) {
      bestCost = cost;
      best = i;
    }
  }
  return best;
}

function costOfStranding({ leadsOn }: Atom, next: Atom): number {
  if (leadsOn === 'heading') return next.leadsOn === 'heading' ? betweenHeadings : afterHeading;
  return leadsOn === 'colon' ? afterColon : 0;
}
