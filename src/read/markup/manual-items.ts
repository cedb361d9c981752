/** What a manual page says, piece by piece, and how it becomes a document. */
import type { DocumentBuilder } from '../builder.ts';
import { GUARD, JOINED } from './roff-escapes.ts';
import type { RoffTable } from './roff-table.ts';

interface ManualItem {
  readonly kind: 'heading' | 'term' | 'paragraph' | 'list' | 'code' | 'table';
  readonly text: string;
  /** Of a heading: 1 or 2. Of all others: how far it stands in, so that what belongs to a term is deeper than it. */
  readonly depth: number;
  readonly lines: readonly [number, number];
  /** Of a table: the names of its columns, with which it begins. */
  readonly header?: string | undefined;
}

/** What the title line of a page tells. */
export interface ManualHead {
  readonly name: string;
  readonly section: string;
  readonly date?: string | undefined;
  readonly others: readonly string[];
}

/** Of the entries of a list, so many at least have several blocks where its terms are headings. */
const LEAST_LONG = 1 / 3;
/** Characters of an option with its arguments, and of another term. */
const MOST_TERM = 200;
const MOST_WORD = 60;

/** Collects the text of a page: pieces become lines, lines paragraphs. */
export class ManualText {
  readonly items: ManualItem[] = [];
  /** Line ends stay, as in examples. */
  isKept = false;
  /** Where text goes now. */
  depth = 0;
  #kind: ManualItem['kind'] = 'paragraph';
  #text = '';
  #lines: [number, number] | undefined;
  #isJoined = false;
  /** What opens the next paragraph: a bullet or a number. */
  #marker = '';

  /** Adds a line of the source. */
  add(source: string, line: number): void {
    const text = source.replaceAll(GUARD, '');
    const goesOn = text.endsWith(JOINED);
    const said = goesOn ? text.slice(0, -1) : text;
    if (this.#text === '') {
      this.#kind = this.isKept && this.#kind === 'paragraph' ? 'code' : this.#kind;
      this.#text = this.isKept ? said : said.trimStart();
      if (this.isKept && said === '') return;
    } else if (this.isKept) this.#text += `${this.#isJoined ? '' : '\n'}${said}`;
    else if (this.#isJoined) this.#text += said;
    else if (/^\s/.test(said)) this.#text += `\n${said.trimStart()}`;
    else this.#text += ` ${said}`;
    this.#isJoined = goesOn;
    this.#lines = [this.#lines?.[0] ?? line, line];
  }

  /** The next text begins a new line of the paragraph. */
  breakLine(): void {
    if (this.#text !== '' && !this.isKept) {
      this.#text = `${this.#text.trimEnd()}\n`;
      this.#isJoined = true;
    }
  }

  /** Whether something is written since the last block ended. */
  get isOpen(): boolean {
    return this.#text.trim() !== '';
  }

  open(kind: ManualItem['kind'], marker = ''): void {
    this.close();
    this.#kind = kind;
    this.#marker = marker;
  }

  close(): void {
    const isKept = this.#kind === 'code' || this.#kind === 'table';
    const text = isKept
      ? this.#text.replace(/[ \t]+$/gm, '').replace(/^\n+|\s+$/g, '')
      : this.#text
          .split('\n')
          .map((line) => line.replace(/[^\S\n]+/g, ' ').trim())
          .filter((line) => line !== '')
          .join('\n');
    if (text.trim() !== '' && this.#lines) {
      const list = this.#marker !== '' || (this.#kind === 'paragraph' && /^[•·∗○] /.test(text));
      const kind = list && this.#kind === 'paragraph' ? 'list' : this.#kind;
      const marked = `${this.#marker}${this.#marker === '' ? text.replace(/^[•·] /, '- ') : text}`;
      this.items.push({ kind, text: isKept ? text : marked, depth: this.depth, lines: this.#lines });
      this.#marker = '';
    }
    this.#text = '';
    this.#kind = 'paragraph';
    this.#isJoined = false;
    this.#lines = undefined;
  }

  /**
   * Ends the paragraph before what is indented: pages made of AsciiDoc and DocBook write an option so, and below it
   * what it does. A sentence with an example below it ends with a mark, or goes on for longer.
   */
  closeBeforeIndented(): void {
    const text = this.#text.trim();
    const isOption = /^[-+]/.test(text) && text.length <= MOST_TERM;
    const isShort = text.length <= MOST_WORD && text.split(/\s+/).length <= 3;
    if (this.#kind === 'paragraph' && this.#marker === '' && /[^.:;,!?]$/.test(text) && (isOption || isShort))
      this.#kind = 'term';
    this.close();
  }

  /** Adds a block as a whole. */
  put(kind: ManualItem['kind'], text: string, lines: readonly [number, number], depth: number = this.depth): void {
    this.close();
    const said = text.replaceAll(GUARD, '');
    if (said.trim() !== '') this.items.push({ kind, text: said, depth, lines });
  }

  putTable({ rows, headers }: RoffTable, lines: readonly [number, number]): void {
    this.close();
    if (rows.length === 0) return;
    const names = rows.slice(0, headers);
    const width = Math.max(...rows.map((row) => row.split(' | ').length));
    // A rule below names tells that they are names, whatever stands in the rows.
    const rule = headers === 0 ? [] : [Array.from({ length: width }, () => '---').join(' | ')];
    const text = [...names, ...rule, ...rows.slice(headers)].join('\n');
    const header = headers === 0 ? undefined : names.join('\n');
    this.items.push({ kind: 'table', text, depth: this.depth, lines, header });
  }
}

/**
 * Writes the pieces. A term stands before what explains it; where entries are long and nothing else follows in their
 * section, terms are headings, so that each part of an entry has its option above it.
 */
export function writeManual(items: readonly ManualItem[], builder: DocumentBuilder): void {
  for (let start = 0; start < items.length; ) {
    let end = start + 1;
    while (end < items.length && items[end]!.kind !== 'heading') end++;
    writeSection(items.slice(start, end), builder);
    start = end;
  }
}

function writeSection(items: readonly ManualItem[], builder: DocumentBuilder): void {
  const level = items[0]!.kind === 'heading' ? items[0]!.depth : 0;
  const outer = depthOfHeadings(items);
  let terms: ManualItem[] = [];
  const flush = (): void => {
    const first = terms[0];
    if (first === undefined) return;
    const place = { lines: [first.lines[0], terms.at(-1)!.lines[1]] as const };
    const isHeading = first.depth === outer;
    builder.block(
      isHeading ? { kind: 'heading', level: Math.min(6, level + 1) } : { kind: 'list' },
      joined(terms),
      place,
    );
    terms = [];
  };
  for (const item of items) {
    const { kind, text, depth, lines } = item;
    if (kind === 'term') {
      if (terms.length > 0 && terms[0]!.depth !== depth) flush();
      terms.push(item);
    } else if (kind === 'heading') builder.block({ kind, level: depth }, text.replace(/\s+/g, ' '), { lines });
    else {
      const isExplained = terms.length > 0 && terms[0]!.depth !== outer && kind !== 'code' && kind !== 'table';
      if (!isExplained) flush();
      const first = terms[0]?.lines[0] ?? lines[0];
      const told = isExplained ? withTerm(joined(terms), text) : text;
      terms = [];
      const at = builder.length === 0 ? 0 : builder.length + 2; // behind the empty line between blocks
      const named = item.header === undefined ? {} : { header: { start: at, end: at + item.header.length } };
      builder.block({ kind: isExplained ? 'list' : kind, ...named }, told, { lines: [first, lines[1]] });
    }
  }
  flush();
}

function joined(terms: readonly ManualItem[]): string {
  return terms.map(({ text }) => text.replace(/,?\n+/g, ', ')).join(', ');
}

/** A definition with its term, as those of other lists. */
function withTerm(term: string, text: string): string {
  if (term.length > 80) return `${term}\n${text}`;
  return /[\p{L}\p{N})\]>"'»”}]$/u.test(term) ? `${term}: ${text}` : `${term} ${text}`;
}

/** The depth of the terms that are headings; undefined where none are. */
function depthOfHeadings(items: readonly ManualItem[]): number | undefined {
  const first = items.findIndex(({ kind }) => kind === 'term');
  const term = items[first];
  if (term === undefined || items[0]!.kind !== 'heading') return undefined;
  const sizes: number[] = [];
  let isTerm = false;
  for (const { kind, depth } of items.slice(first)) {
    if (depth < term.depth || (depth === term.depth && kind !== 'term')) return undefined;
    const begins = kind === 'term' && depth === term.depth;
    if (begins && !isTerm) sizes.push(0);
    if (!begins) sizes[sizes.length - 1]!++;
    isTerm = begins;
  }
  const long = sizes.filter((size) => size > 1).length;
  return long > 0 && long >= LEAST_LONG * sizes.length ? term.depth : undefined;
}
