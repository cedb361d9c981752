import { clipLocators, lineFeeds } from '../../core/location.ts';
import type { Chunk, Document } from '../../core/types.ts';
import { clusterBoundaryAtOrBefore } from '../graphemes.ts';
import { TokenCounter } from '../tokens/tokens.ts';
import { type Atom, atomsOf } from './atoms.ts';
import { joinSmall, type SectionedDraft, topLevelOf } from './join.ts';
import { type ChunkOptions, resolveChunkOptions } from './options.ts';
import { pack } from './pack.ts';
import { pathOf, type Section, type Unit, unitsOf } from './units.ts';

export type { ChunkOptions } from './options.ts';

const contextChars = 600;

/**
 * Cuts a document into chunks that partition it: joined in order their texts are `document.text`, and what separates
 * two blocks belongs to the chunk before. A heading opens a chunk together with what follows it; tables, lists and code
 * stay whole where they fit and are cut at rows, items and declarations where not; prose is cut between sentences. No
 * cut falls inside a visible character.
 *
 * `headings` is the path in force where the chunk's own text begins, that is behind the headings it opens with.
 * Time and memory are linear in the text.
 * @throws IbidError INVALID_ARGUMENT for options out of range
 */
export function chunkDocument(document: Document, options?: ChunkOptions): Chunk[] {
  const { maxTokens, minTokens } = resolveChunkOptions(options);
  const { text } = document;
  const units = snapped(text, unitsOf(document));
  const counter = new TokenCounter(text);
  const drafts: SectionedDraft[] = [];
  for (const group of groupsOf(units)) {
    const atoms: Atom[] = [];
    let headingTokens = 0;
    for (const unit of group) {
      // What follows a heading must leave it room, or the heading would end up alone.
      const limit = Math.max(maxTokens - headingTokens, maxTokens >> 2, 1);
      const before = atoms.length;
      atomsOf(text, counter, unit, unit.kind === 'heading' ? maxTokens : limit, atoms);
      if (unit.kind !== 'heading') headingTokens = 0;
      else for (const { tokens } of atoms.slice(before)) headingTokens += tokens;
    }
    const section = group.at(-1)!.section;
    for (const draft of pack(counter, atoms, maxTokens)) drafts.push({ ...draft, first: section, last: section });
  }
  return finish(document, units, joinSmall(counter, drafts, topLevelOf(units), maxTokens, minTokens));
}

/** Units moved so that none starts inside a visible character; one that vanishes by that is left out. */
function snapped(text: string, units: readonly Unit[]): Unit[] {
  const starts: number[] = [];
  const kept: Unit[] = [];
  for (const unit of units) {
    const previous = starts.at(-1);
    const start = previous === undefined ? 0 : clusterBoundaryAtOrBefore(text, previous, unit.start);
    if (previous !== undefined && start <= previous) continue;
    starts.push(start);
    kept.push(unit);
  }
  return kept.map((unit, i) => ({ ...unit, start: starts[i]!, end: starts[i + 1] ?? text.length }));
}

/** Units that may share chunks freely: a heading (or several in a row) with what follows up to the next heading. */
function* groupsOf(units: readonly Unit[]): Generator<readonly Unit[]> {
  let group: Unit[] = [];
  for (const unit of units) {
    if (unit.kind === 'heading' && group.length > 0 && group.at(-1)!.kind !== 'heading') {
      yield group;
      group = [];
    }
    group.push(unit);
  }
  if (group.length > 0) yield group;
}

function finish(document: Document, units: readonly Unit[], drafts: readonly SectionedDraft[]): Chunk[] {
  const { text, locators, firstLine } = document;
  const title = sameText(document.title);
  const titleSection = units.find((unit) => unit.kind === 'heading' && unit.section.level === 1)?.section;
  const isTitle = (section: Section) => section === titleSection && title !== '' && sameText(section.label) === title;

  const chunks: Chunk[] = [];
  let unit = 0;
  let line = firstLine ?? 0;
  for (const [position, { start, end, tokens }] of drafts.entries()) {
    while (units[unit]!.end <= start) unit++;
    let named = unit;
    // A chunk may open with separators, where what they follow filled its own chunk to the brim.
    if ((units[named]!.block?.end ?? end) <= start && units[named + 1] !== undefined && units[named + 1]!.start < end)
      named++;
    while (units[named]!.kind === 'heading' && units[named + 1] !== undefined && units[named + 1]!.start < end) named++;
    const context = contextAt(text, units[unit]!, start);
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
function contextAt(text: string, { block }: Unit, start: number): string | undefined {
  if (block?.kind !== 'table' || block.header === undefined || start < block.header.end) return undefined;
  const { start: from, end } = block.header;
  const header = text.slice(from, clusterBoundaryAtOrBefore(text, from, Math.min(end, from + contextChars))).trim();
  return header === '' ? undefined : header;
}

function sameText(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}
