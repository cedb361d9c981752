import type { TokenCounter } from '../tokens/tokens.ts';
import type { BlockUnit, Section } from './block-units.ts';
import type { Draft } from './pack.ts';

export interface SectionedDraft extends Draft {
  /** Sections of the first and last text of the draft; they differ after small sections are joined. */
  readonly first: Section;
  readonly last: Section;
}

/**
 * The level whose sections should not share a chunk: the outermost, or the next one if there is a single outermost
 * heading (the document's title).
 */
export function topLevelOf(units: readonly BlockUnit[]): number {
  const counts = new Map<number, number>();
  for (const { kind, section } of units) {
    if (kind === 'heading') counts.set(section.level, (counts.get(section.level) ?? 0) + 1);
  }
  const levels = [...counts.keys()].sort((a, b) => a - b);
  const outermost = levels[0] ?? 1;
  return counts.get(outermost) === 1 ? (levels[1] ?? outermost) : outermost;
}

/** Joins each draft under `minTokens` to its closest neighbour, if both fit into `maxTokens`. */
export function joinSmall(
  counter: TokenCounter,
  drafts: readonly SectionedDraft[],
  topLevel: number,
  maxTokens: number,
  minTokens: number,
): SectionedDraft[] {
  const out: SectionedDraft[] = [];
  for (const [i, draft] of drafts.entries()) {
    const previous = out.at(-1);
    const joined = previous && join(counter, previous, draft, topLevel, maxTokens, minTokens);
    if (!joined) {
      out.push(draft);
      continue;
    }
    const next = drafts[i + 1];
    // Only a small draft after a large one has a choice; a small previous draft must be joined now.
    if (
      next &&
      previous.tokens >= minTokens &&
      kinship(draft, next, topLevel, minTokens) > kinship(previous, draft, topLevel, minTokens) &&
      join(counter, draft, next, topLevel, maxTokens, minTokens)
    ) {
      out.push(draft);
      continue;
    }
    out[out.length - 1] = joined;
  }
  return out;
}

/** The token counts of two texts and of both joined may differ by a few. */
const seamTokens = 16;

function join(
  counter: TokenCounter,
  a: SectionedDraft,
  b: SectionedDraft,
  topLevel: number,
  maxTokens: number,
  minTokens: number,
): SectionedDraft | undefined {
  if (a.tokens >= minTokens && b.tokens >= minTokens) return undefined;
  if (a.tokens + b.tokens > maxTokens + seamTokens || kinship(a, b, topLevel, minTokens) === 0) return undefined;
  const tokens = counter.count(a.start, b.end);
  return tokens <= maxTokens ? { start: a.start, end: b.end, tokens, first: a.first, last: b.last } : undefined;
}

/** How close a draft and the next one are; 0: never joined. */
function kinship(a: SectionedDraft, b: SectionedDraft, topLevel: number, minTokens: number): number {
  if (a.last === b.first) return 4;
  if (a.last.part !== b.first.part) return 0; // the headings over it would be those of another file
  if (isAncestor(a.last, b.first)) return 3;
  if (a.last.parent === b.first.parent && topOf(a.last, topLevel) === topOf(b.first, topLevel)) return 2;
  if (topOf(a.last, topLevel) === topOf(b.first, topLevel)) return 1;
  return a.tokens < minTokens && b.tokens < minTokens ? 0.5 : 0;
}

function isAncestor(section: Section, of: Section): boolean {
  for (let at = of.parent; at; at = at.parent) if (at === section) return true;
  return false;
}

function topOf(section: Section, topLevel: number): Section {
  let at = section;
  while (at.level > topLevel && at.parent) at = at.parent;
  return at;
}
