import { objectOf } from '../../core/arguments.ts';
import { clipLocators, lineFeeds } from '../../core/location.ts';
import type { Chunk, Document } from '../../core/types.ts';
import { clusterBoundaryAtOrBefore } from '../graphemes.ts';
import { oneLine } from '../one-line.ts';
import { TokenCounter } from '../tokens/tokens.ts';
import { type Atom, atomsOf } from './atoms.ts';
import { type BlockUnit, blockUnitsOf, pathOf, type Section } from './block-units.ts';
import { joinSmall, type SectionedDraft, topLevelOf } from './join.ts';
import { type ChunkOptions, resolveChunkOptions } from './options.ts';
import { pack } from './pack.ts';

export type { ChunkOptions } from './options.ts';

const contextChars = 600;
/** Small parts have more tokens than their whole. */
const seams = 1.25;

/**
 * Cuts a document into chunks that partition it: their texts, joined in order, are `document.text`. Separators between
 * two blocks belong to the first block's chunk. A heading opens a chunk together with the text below it, and a sentence
 * that ends in a colon stays with what it announces. Tables, lists and code stay whole if they fit, else they are cut at
 * rows, items and declarations. Prose is cut between sentences. No cut falls inside a visible character.
 *
 * `headings` is the path of the chunk's first text after the headings that open the chunk. Time and memory are linear
 * in the text.
 * @throws IbidError INVALID_ARGUMENT for options out of range
 */
export function chunkDocument(document: Document, options?: ChunkOptions): Chunk[] {
  return chunkWithin(document, {}, options);
}

interface CutLimits {
  readonly timeoutMs?: number | undefined;
  readonly chunks?: number | undefined;
}

/**
 * As `chunkDocument`. Ends when it takes too long, or when the text certainly makes more chunks than are allowed; a
 * result may have some more.
 * @throws IbidError FILE_TIMEOUT, FILE_TOO_LARGE
 */
export function chunkWithin(document: Document, limits: CutLimits, options?: ChunkOptions): Chunk[] {
  const { maxTokens, minTokens } = resolveChunkOptions(options);
  const { text } = objectOf(document, 'the document', 'text', 'blocks', 'locators');
  const units = snapped(text, blockUnitsOf(document));
  const counter = new TokenCounter(text, {
    timeoutMs: limits.timeoutMs,
    tokens: (limits.chunks ?? Infinity) * maxTokens * seams,
  });
  const drafts: SectionedDraft[] = [];
  for (const group of groupsOf(units)) {
    const atoms: Atom[] = [];
    let leading = 0;
    for (const unit of group) {
      // What stands below a heading, or is announced, leaves room for that, or it would be alone in a chunk.
      const limit = Math.max(maxTokens - leading, maxTokens >> 2, 1);
      const before = atoms.length;
      atomsOf(text, counter, unit, unit.kind === 'heading' ? maxTokens : limit, atoms);
      leading = atoms.slice(before).reduce((sum, { leadsOn, tokens }) => (leadsOn ? sum + tokens : 0), leading);
    }
    const section = group.at(-1)!.section;
    for (const draft of pack(counter, atoms, maxTokens)) drafts.push({ ...draft, first: section, last: section });
  }
  return finish(document, units, joinSmall(counter, drafts, topLevelOf(units), maxTokens, minTokens));
}

/** Moves units so that none starts inside a visible character. Units that become empty are left out. */
function snapped(text: string, units: readonly BlockUnit[]): BlockUnit[] {
  const starts: number[] = [];
  const kept: BlockUnit[] = [];
  for (const unit of units) {
    const previous = starts.at(-1);
    const start = previous === undefined ? 0 : clusterBoundaryAtOrBefore(text, previous, unit.start);
    if (previous !== undefined && start <= previous) continue;
    starts.push(start);
    kept.push(unit);
  }
  return kept.map((unit, i) => ({ ...unit, start: starts[i]!, end: starts[i + 1] ?? text.length }));
}

/** Units that may share chunks: a heading (or several in a row) with the text up to the next one, or to its end. */
function* groupsOf(units: readonly BlockUnit[]): Generator<readonly BlockUnit[]> {
  let group: BlockUnit[] = [];
  for (const unit of units) {
    const last = group.at(-1);
    const begins = unit.kind === 'heading' ? last?.kind !== 'heading' : last?.section !== unit.section;
    if (last && begins) {
      yield group;
      group = [];
    }
    group.push(unit);
  }
  if (group.length > 0) yield group;
}

function finish(document: Document, units: readonly BlockUnit[], drafts: readonly SectionedDraft[]): Chunk[] {
  const { text, locators, firstLine, format, metadata } = document;
  // nobody writes it into the code, but people search for it
  const language = format === 'code' && typeof metadata.language === 'string' ? metadata.language : undefined;
  const title = sameText(document.title);
  const titleSection = units.find((unit) => unit.kind === 'heading' && unit.section.level === 1)?.section;
  const isTitle = (section: Section) => section === titleSection && title !== '' && sameText(section.label) === title;

  const chunks: Chunk[] = [];
  let unit = 0;
  let line = firstLine ?? 0;
  for (const [position, { start, end, tokens }] of drafts.entries()) {
    while (units[unit]!.end <= start) unit++;
    let named = unit;
    // A chunk may open with separators when the block before them filled a chunk of its own.
    if ((units[named]!.block?.end ?? end) <= start && units[named + 1] !== undefined && units[named + 1]!.start < end)
      named++;
    while (units[named]!.kind === 'heading' && units[named + 1] !== undefined && units[named + 1]!.start < end) named++;
    const context = contextAt(text, units[unit]!, start) ?? language;
    chunks.push({
      position,
      span: { start, end },
      text: text.slice(start, end),
      headings: pathOf(units[named]!.section)
        .filter((section) => !isTitle(section))
        .map((section) => section.label),
      ...(context === undefined ? undefined : { context }),
      tokens,
      locators: clipLocators(locators, { start, end }),
      ...(firstLine === undefined ? undefined : { firstLine: line }),
    });
    if (firstLine !== undefined) line += lineFeeds(text, start, end);
  }
  return chunks;
}

/** The header row of a table that was cut before this chunk. */
function contextAt(text: string, { block }: BlockUnit, start: number): string | undefined {
  if (block?.kind !== 'table' || block.header === undefined || start < block.header.end) return undefined;
  const { start: from, end } = block.header;
  const header = text.slice(from, clusterBoundaryAtOrBefore(text, from, Math.min(end, from + contextChars))).trim();
  return header === '' ? undefined : header;
}

function sameText(text: string): string {
  return oneLine(text).toLowerCase();
}
