import type { BlockKind, Span } from '../../core/types.ts';
import { clusterBoundaryAtOrBefore } from '../graphemes.ts';
import { startsListItem } from '../lines.ts';
import { cutLong, cutPoint } from '../sentences/cuts.ts';
import { sentenceSpans } from '../sentences/sentences.ts';
import type { TokenCounter } from '../tokens/tokens.ts';
import type { Unit } from './units.ts';

/**
 * A span that the packer never cuts: a block that fits, else a row, an item, a sentence, a clause, at last one visible
 * character.
 */
export interface Atom extends Span {
  readonly tokens: number;
  /** Cost of a cut before this atom: 0 between blocks, 1 inside a clause. */
  readonly cutCost: number;
  /** Part of a heading, which must not end a chunk. */
  readonly leadsOn: boolean;
}

/** A text with more characters per token of the bound than this is cut before it is counted. */
const charsPerToken = 16;
const clauseChars = 600;

interface Leaf extends Span {
  readonly cutCost: number;
}

/**
 * Cuts a unit into atoms of at most `limit` tokens; only a single visible character may exceed it. Atoms partition the
 * unit.
 * @param out receives the atoms
 */
export function atomsOf(text: string, counter: TokenCounter, unit: Unit, limit: number, out: Atom[]): void {
  const leadsOn = unit.kind === 'heading';
  const blockCost = unit.kind === 'reference' || leadsOn ? -0.1 : 0;
  refine(
    text,
    counter,
    { start: unit.start, end: unit.end, cutCost: blockCost },
    splittersOf(isCode(unit) ? 'code' : unit.kind),
    0,
    limit,
    leadsOn,
    out,
  );
}

/** Code, or a declaration with the comment above it: a heading that begins before its block. */
function isCode(unit: Unit): boolean {
  return unit.kind === 'code' || (unit.block !== undefined && unit.start < unit.block.start);
}

type Splitter = (text: string, start: number, end: number) => Leaf[];

function splittersOf(kind: BlockKind): readonly Splitter[] {
  if (kind === 'table' || kind === 'record' || kind === 'cue') return [rows, clauses];
  if (kind === 'list' || kind === 'reference') return [items, sentences, clauses];
  if (kind === 'code') return [codeLines, clauses];
  return [sentences, clauses];
}

function refine(
  text: string,
  counter: TokenCounter,
  leaf: Leaf,
  splitters: readonly Splitter[],
  level: number,
  limit: number,
  leadsOn: boolean,
  out: Atom[],
): void {
  const { start, end, cutCost } = leaf;
  if (end - start <= limit * charsPerToken) {
    const tokens = counter.count(start, end);
    if (tokens <= limit) {
      counter.spend(tokens);
      out.push({ start, end, tokens, cutCost, leadsOn });
      return;
    }
  }
  const split = splitters[level];
  if (split) {
    split(text, start, end).forEach((part, i) => {
      refine(text, counter, i === 0 ? { ...part, cutCost } : part, splitters, level + 1, limit, leadsOn, out);
    });
    return;
  }
  const cut = cutPoint(text, start, start + Math.max(1, (end - start) >> 1), end);
  if (cut >= end) {
    const tokens = counter.count(start, end);
    counter.spend(tokens);
    out.push({ start, end, tokens, cutCost, leadsOn });
    return;
  }
  refine(text, counter, { start, end: cut, cutCost }, splitters, level, limit, leadsOn, out);
  refine(text, counter, { start: cut, end, cutCost: 1 }, splitters, level, limit, leadsOn, out);
}

/** Leaves between cuts, which ascend and lie inside `(start, end)`. A cut inside a cluster moves to its start. */
function leavesOf(
  text: string,
  start: number,
  end: number,
  cuts: Iterable<readonly [at: number, cutCost: number]>,
): Leaf[] {
  const leaves: Leaf[] = [];
  let from = start;
  let cost = 0;
  for (const [at, cutCost] of cuts) {
    const safe = clusterBoundaryAtOrBefore(text, from, at);
    if (safe <= from || safe >= end) continue;
    leaves.push({ start: from, end: safe, cutCost: cost });
    from = safe;
    cost = cutCost;
  }
  leaves.push({ start: from, end, cutCost: cost });
  return leaves;
}

function* lineStarts(text: string, start: number, end: number): Generator<number> {
  const slice = text.slice(start, end); // so that the search for a line feed stops at `end`
  for (let feed = slice.indexOf('\n'); feed !== -1 && start + feed + 1 < end; feed = slice.indexOf('\n', feed + 1)) {
    yield start + feed + 1;
  }
}

function rows(text: string, start: number, end: number): Leaf[] {
  const cuts: [number, number][] = [];
  for (const at of lineStarts(text, start, end)) if (text[at] !== '\n') cuts.push([at, 0.05]);
  return leavesOf(text, start, end, cuts);
}

function items(text: string, start: number, end: number): Leaf[] {
  const cuts: [number, number][] = [];
  for (const at of lineStarts(text, start, end)) {
    if (startsListItem(text, at)) cuts.push([at, 0.05 + 0.05 * Math.min(indentOf(text, at, end), 8)]);
    else if (text[at - 2] === '\n' && text[at] !== '\n') cuts.push([at, 0.2]);
  }
  return leavesOf(text, start, end, cuts);
}

/** Lines of code. The cheapest cut is after a blank line at the left edge, an expensive one is inside a body. */
function codeLines(text: string, start: number, end: number): Leaf[] {
  const cuts: [number, number][] = [];
  let previousIndent = 0;
  for (const at of lineStarts(text, start, end)) {
    if (text[at] === '\n') continue;
    const indent = indentOf(text, at, end);
    const afterBlank = text[at - 2] === '\n';
    const closes = /[)\]}]/.test(text[at + indent] ?? '');
    let cost = 0.4 + 0.03 * Math.min(indent, 12);
    if (afterBlank) cost = indent === 0 ? 0.02 : 0.12 + 0.03 * Math.min(indent, 12);
    else if (
      indent === 0 &&
      !closes &&
      (previousIndent > 0 || /[)\]}]\s*$/.test(text.slice(Math.max(start, at - 3), at)))
    )
      cost = 0.1;
    if (closes) cost += 0.3;
    cuts.push([at, cost]);
    previousIndent = indent;
  }
  return leavesOf(text, start, end, cuts);
}

function indentOf(text: string, at: number, end: number): number {
  let indent = 0;
  while (at + indent < end && indent < 200 && (text[at + indent] === ' ' || text[at + indent] === '\t')) indent++;
  return indent;
}

const sentenceMark = /[.!?…。！？।؟۔:"”’')\]」』]/;

function sentences(text: string, start: number, end: number): Leaf[] {
  const slice = text.slice(start, end);
  const cuts: [number, number][] = [];
  let previous = 0;
  for (const span of sentenceSpans(slice, { maxChars: clauseChars })) {
    if (cuts.length > 0 || previous > 0) {
      const gap = slice.slice(previous, span.start);
      const cost = gap.includes('\n\n')
        ? 0.02
        : gap.includes('\n')
          ? 0.1
          : sentenceMark.test(slice[previous - 1] ?? '')
            ? 0.2
            : 0.5;
      cuts.push([start + span.start, cost]);
    }
    previous = span.end;
  }
  return leavesOf(text, start, end, cuts);
}

function clauses(text: string, start: number, end: number): Leaf[] {
  const spans: Span[] = [];
  cutLong(text, start, end, clauseChars, spans);
  return leavesOf(
    text,
    start,
    end,
    spans.slice(1).map((span) => [span.start, 0.6] as const),
  );
}
