/** What Obsidian adds to Markdown: tags, aliases, links between notes, names of blocks, comments. */
import type { Metadata, MetadataValue } from '../../core/types.ts';

/** Front matter with one of these says what a note is about, in words that people search for. */
const NOTE_KEYS = ['tags', 'tag', 'aliases', 'alias', 'cssclasses'] as const;
const LINK = /\[\[([^[\]|\n]{1,300})(?:\|[^[\]\n]{0,300})?\]\]/g;
/** A letter somewhere: `#1` is a number. Nested tags have slashes. */
const TAG = /(?<=^|[\s(])#([\p{L}\p{N}_/-]*\p{L}[\p{L}\p{N}_/-]*)/gmu;
const BLOCK_NAME = /(?<=^|[^\S\n])\^([A-Za-z0-9-]{1,64})[^\S\n]*$/gm;
const MOST = 200;

/** Whether the front matter is part of the text: search and answers find what stands there. */
export function isNote(metadata: Metadata): boolean {
  return NOTE_KEYS.some((key) => metadata[key] !== undefined && metadata[key] !== null && metadata[key] !== '');
}

/**
 * Links, tags and names of blocks of a text, each joined with commas; links without `.md`. Tags of the front matter
 * come first, its links last. Empty for a text that is no note of Obsidian.
 */
export function noteMetadata(text: string, metadata: Metadata): Metadata {
  const fields = Object.values(metadata).filter((value) => typeof value === 'string' && value.includes('[['));
  const hasLinks = fields.length > 0 || text.includes('[[');
  if (!hasLinks && !isNote(metadata)) return {};
  const prose = withoutCode(text);
  // In a cell of a table the line before the other name has a backslash.
  const links = unique(`${prose}\n${fields.join('\n')}`.matchAll(LINK)).map((link) =>
    link.replace(/\\$/, '').replace(/\.md(?=$|#)/i, ''),
  );
  if (links.length === 0 && !isNote(metadata)) return {};
  const given = [metadata.tags, metadata.tag].flatMap(listOf).map((tag) => tag.replace(/^#/, ''));
  const tags = [...new Set([...given, ...unique(prose.matchAll(TAG))])].slice(0, MOST);
  const aliases = [metadata.aliases, metadata.alias].flatMap(listOf);
  const blocks = unique(prose.matchAll(BLOCK_NAME));
  const found: Record<string, MetadataValue> = {};
  if (tags.length > 0) found.tags = tags.join(', ');
  if (aliases.length > 0) found.aliases = aliases.join(', ');
  if (links.length > 0 && metadata.links === undefined) found.links = [...new Set(links)].join(', ');
  if (blocks.length > 0 && metadata.blocks === undefined) found.blocks = blocks.join(', ');
  return found;
}

function listOf(value: MetadataValue | undefined): string[] {
  if (value === undefined || value === null) return [];
  return String(value)
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function unique(matches: Iterable<RegExpExecArray>): string[] {
  const found = new Set<string>();
  for (const [, name] of matches) {
    found.add(name!.trim());
    if (found.size >= MOST) break;
  }
  return [...found];
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Lines in fenced code become empty, so that offsets of lines stay. */
function* linesOf(text: string): Generator<{ readonly line: string; readonly isCode: boolean }> {
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    const isFence =
      mark !== undefined && (fence === undefined || (mark[0] === fence[0] && mark.length >= fence.length));
    const isCode = fence !== undefined || isFence;
    if (isFence) fence = fence === undefined ? mark : undefined;
    yield { line, isCode };
  }
}

function withoutCode(text: string): string {
  return [...linesOf(text)].map(({ line, isCode }) => (isCode ? '' : line.replace(/`[^`]*`/g, ''))).join('\n');
}

/** A comment opens behind a blank, and closes anywhere: `50%%` is text. */
const OPEN = /(?<=^|\s)%%/u;
const MARK = /%%/g;

/**
 * The text without `%% comments %%`. Line feeds stay, so that lines keep their numbers. A comment without an end is
 * text. @returns also the number of lines that lost something
 */
export function withoutComments(text: string): { readonly text: string; readonly lines: number } {
  if (!text.includes('%%')) return { text, lines: 0 };
  const out: string[] = [];
  let open: { line: number; column: number } | undefined;
  let lines = 0;
  for (const { line, isCode } of linesOf(text)) {
    let kept = '';
    let at = 0;
    const ticks = new Ticks(line);
    for (const match of isCode ? [] : line.matchAll(MARK)) {
      if (ticks.enclose(match.index)) continue;
      if (open === undefined) {
        if (!OPEN.test(line.slice(Math.max(0, match.index - 1), match.index + 2))) continue;
        kept += line.slice(at, match.index);
        open = { line: out.length, column: kept.length };
        at = match.index;
      } else {
        // The lines between lose all of their text; the first keeps what stood before the mark.
        for (let i = open.line; i < out.length; i++) out[i] = i === open.line ? out[i]!.slice(0, open.column) : '';
        lines += out.length - open.line + 1;
        open = undefined;
        at = match.index + 2;
      }
    }
    out.push(kept + line.slice(at));
  }
  return { text: out.join('\n'), lines };
}

/** Asked of places in a line, first to last. */
class Ticks {
  readonly #line: string;
  readonly #last: number;
  #at = 0;
  #count = 0;

  constructor(line: string) {
    this.#line = line;
    this.#last = line.lastIndexOf('`');
  }

  /** Whether a place stands in a span of code. */
  enclose(place: number): boolean {
    if (place > this.#last) return false;
    for (; this.#at < place; this.#at++) if (this.#line[this.#at] === '`') this.#count++;
    return this.#count % 2 === 1;
  }
}
