import type { BlockKind, Span } from '../../core/types.ts';
import { clusterBoundaryAtOrBefore } from '../graphemes.ts';
import { startsListItem } from '../lines.ts';
import { cutLong, cutPoint } from '../sentences/cuts.ts';
import { sentenceSpans } from '../sentences/sentences.ts';
import type { TokenCounter } from '../tokens/tokens.ts';
import type { BlockUnit } from './block-units.ts';

/**
 * A span that the packer never cuts: a block that fits, else a row, an item, a sentence, a clause, at last one visible
 * character.
 */
export interface Atom extends Span {
  readonly tokens: number;
  /** Cost of a cut before this atom: 0 between blocks, 1 inside a clause. */
  readonly cutCost: number;
  /** Part of a heading, or a sentence that announces the block below (`It needs:`): should not end a chunk. */
  readonly leadsOn: LeadsOn | undefined;
}

type LeadsOn = 'heading' | 'colon';

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
export function atomsOf(text: string, counter: TokenCounter, unit: BlockUnit, limit: number, out: Atom[]): void {
  const isHeading = unit.kind === 'heading';
  const blockCost = unit.kind === 'reference' || isHeading ? -0.1 : 0;
  const splitters = splittersOf(isCode(unit) ? 'code' : unit.kind);
  const lead = announces(text, unit) ? startOfLead(text, unit) : unit.end;
  const atoms = (start: number, end: number, cutCost: number, leadsOn?: LeadsOn): void => {
    if (start < end) refine(text, counter, { start, end, cutCost }, splitters, 0, limit, leadsOn, out);
  };
  atoms(unit.start, lead, blockCost, isHeading ? 'heading' : undefined);
  atoms(lead, unit.end, lead === unit.start ? blockCost : betweenSentences, 'colon');
}

/** Whether a paragraph ends in a colon: what it says stands in the block below. */
function announces(text: string, { kind, start, end }: BlockUnit): boolean {
  return kind === 'paragraph' && /[:：]\s*$/.test(text.slice(Math.max(start, end - longestGap), end));
}

/** Characters between two blocks that are looked at. */
const longestGap = 64;

/** The start of the last sentence of a paragraph. */
function startOfLead(text: string, { start, end }: BlockUnit): number {
  const from = Math.max(start, end - clauseChars);
  const at = sentenceSpans(text.slice(from, end)).at(-1)?.start ?? 0;
  return at === 0 ? start : clusterBoundaryAtOrBefore(text, start, from + at);
}

/** Code, or a declaration with the comment above it: a heading that begins before its block. */
function isCode(unit: BlockUnit): boolean {
  return unit.kind === 'code' || (unit.block !== undefined && unit.start < unit.block.start);
}

/** Offset of a cut, and its cost. */
type Cut = readonly [at: number, cutCost: number];
/** Gives the possible cuts of a text, one by one: a block of 100 MB has millions. */
type Splitter = (text: string, start: number, end: number) => Generator<Cut>;

function splittersOf(kind: BlockKind): readonly Splitter[] {
  if (kind === 'table' || kind === 'record' || kind === 'cue') return [rowCuts, clauseCuts];
  if (kind === 'list' || kind === 'reference') return [itemCuts, sentenceCuts, clauseCuts];
  if (kind === 'code') return [codeCuts, clauseCuts];
  return [sentenceCuts, clauseCuts];
}

function refine(
  text: string,
  counter: TokenCounter,
  leaf: Leaf,
  splitters: readonly Splitter[],
  level: number,
  limit: number,
  leadsOn: LeadsOn | undefined,
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
    for (const part of leavesOf(text, start, end, split(text, start, end))) {
      const leaf = part.start === start ? { ...part, cutCost } : part;
      refine(text, counter, leaf, splitters, level + 1, limit, leadsOn, out);
    }
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
function* leavesOf(text: string, start: number, end: number, cuts: Iterable<Cut>): Generator<Leaf> {
  let from = start;
  let cost = 0;
  for (const [at, cutCost] of cuts) {
    const safe = clusterBoundaryAtOrBefore(text, from, at);
    if (safe <= from || safe >= end) continue;
    yield { start: from, end: safe, cutCost: cost };
    from = safe;
    cost = cutCost;
  }
  yield { start: from, end, cutCost: cost };
}

function* lineStarts(text: string, start: number, end: number): Generator<number> {
  const slice = text.slice(start, end); // so that the search for a line feed stops at `end`
  for (let feed = slice.indexOf('\n'); feed !== -1 && start + feed + 1 < end; feed = slice.indexOf('\n', feed + 1)) {
    yield start + feed + 1;
  }
}

function* rowCuts(text: string, start: number, end: number): Generator<Cut> {
  for (const at of lineStarts(text, start, end)) if (text[at] !== '\n') yield [at, 0.05];
}

function* itemCuts(text: string, start: number, end: number): Generator<Cut> {
  for (const at of lineStarts(text, start, end)) {
    if (startsListItem(text, at)) yield [at, 0.05 + 0.05 * Math.min(indentOf(text, at, end), 8)];
    else if (text[at - 2] === '\n' && text[at] !== '\n') yield [at, 0.2];
  }
}

/** Lines of code. The cheapest cut is after a blank line at the left edge, an expensive one is inside a body. */
function* codeCuts(text: string, start: number, end: number): Generator<Cut> {
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
    yield [at, cost];
    previousIndent = indent;
  }
}

function indentOf(text: string, at: number, end: number): number {
  let indent = 0;
  while (at + indent < end && indent < 200 && (text[at + indent] === ' ' || text[at + indent] === '\t')) indent++;
  return indent;
}

const betweenSentences = 0.2;
const sentenceMark = /[.!?…。！？।؟۔:"”’')\]」』]/;
/** Code units of a block whose sentences are looked for at a time. */
const sentenceWindow = 1 << 20;

function* sentenceCuts(text: string, start: number, end: number): Generator<Cut> {
  let previous = -1; // end of the last sentence
  for (let from = start; from < end; ) {
    const to = Math.min(end, from + sentenceWindow);
    const spans = sentenceSpans(text.slice(from, to), { maxChars: clauseChars });
    // The last sentence of a window may go on: the next window begins with it.
    const next = to === end || spans.length < 2 ? to : from + spans.pop()!.start;
    for (const span of spans) {
      if (previous >= 0) yield [from + span.start, gapCost(text, previous, from + span.start)];
      previous = from + span.end;
    }
    from = next;
  }
}

function gapCost(text: string, start: number, end: number): number {
  const gap = text.slice(start, end);
  if (gap.includes('\n\n')) return 0.02;
  if (gap.includes('\n')) return 0.1;
  return sentenceMark.test(text[start - 1]!) ? betweenSentences : 0.5;
}

function* clauseCuts(text: string, start: number, end: number): Generator<Cut> {
  const spans: Span[] = [];
  cutLong(text, start, end, clauseChars, spans);
  for (const span of spans.slice(1)) yield [span.start, 0.6];
}
