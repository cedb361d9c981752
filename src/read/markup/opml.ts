/** Outlines in OPML: notes, plans and lists of feeds. */
import { Parser as Htmlparser } from 'htmlparser2';
import { oneLine } from '../../text/one-line.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { rootStart } from '../prolog.ts';
import { shownValue } from './html-values.ts';

const OPML = /^<opml[\s>]/i;
const LONGEST_START = 5000;
const MAX_INDENT = 8;
const MAX_LEVEL = 6;
/** What HTML in an attribute may show at most. */
const SHORT = { maxTextChars: Number.MAX_SAFE_INTEGER };
/** What an outline is called, and what says nothing of its own. */
const NAMES = ['text', 'title'];
const SILENT = /^(?:_?note|type|version|iscomment|isbreakpoint|_status|_complete|complete|checked|expansionstate)$/i;
const LINKS = ['htmlUrl', 'url', 'xmlUrl'];
/** A note of several lines is text below a title. */
const LONG_NOTE = 200;

interface Outline {
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Outline[];
}

export function isOpml(source: string): boolean {
  const start = source.slice(0, LONGEST_START);
  return OPML.test(start.slice(rootStart(start)));
}

/**
 * Outlines are headings where long notes stand, and on the first level if some there have others below them; else items
 * of nested lists.
 */
export function parseOpml(source: string, context: Pick<ParseContext, 'maxTextChars'>): ParsedDocument {
  const builder = new DocumentBuilder('opml', context);
  const root: Outline = { attributes: {}, children: [] };
  const open = [root];
  let field = '';
  let text = '';
  const parser = new Htmlparser(
    {
      onopentag(name, attributes) {
        field = name;
        text = '';
        if (name !== 'outline') return;
        const outline: Outline = { attributes, children: [] };
        open.at(-1)!.children.push(outline);
        open.push(outline);
      },
      ontext(piece) {
        text += piece;
      },
      onclosetag(name) {
        if (name === 'outline' && open.length > 1) open.pop();
        else if (name === field && oneLine(text) !== '') {
          if (name === 'title') builder.title = oneLine(text);
          else if (name === 'ownerName') builder.metadata.author = oneLine(text);
          else if (name === 'dateModified') builder.metadata.modified = oneLine(text);
        }
        field = '';
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(source);
  parser.end();
  if (builder.title !== '') builder.block({ kind: 'heading', level: 1 }, builder.title);
  const writer = new OutlineWriter(builder, builder.title === '' ? 1 : 2);
  writer.write(root.children);
  return builder.build();
}

class OutlineWriter {
  readonly #builder: DocumentBuilder;
  readonly #top: number;
  #items: string[] = [];

  constructor(builder: DocumentBuilder, top: number) {
    this.#builder = builder;
    this.#top = top;
  }

  /** Outlines may nest as deep as they like: they wait in a list. */
  write(outlines: readonly Outline[]): void {
    const hasParts = outlines.some(({ children }) => children.length > 0);
    const waiting = outlines.map((outline) => ({ outline, depth: 0, indent: 0 })).reverse();
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { outline, depth, indent } = next;
      const isHeading = indent === 0 && (hasLongNote(outline) || (depth === 0 && hasParts));
      if (isHeading) this.#heading(outline, depth);
      else this.#item(outline, indent);
      const below = isHeading ? 0 : indent + 1;
      for (const child of outline.children.toReversed())
        waiting.push({ outline: child, depth: depth + 1, indent: below });
    }
    this.#flush();
  }

  #heading(outline: Outline, depth: number): void {
    this.#flush();
    const name = nameOf(outline);
    this.#builder.block({ kind: 'heading', level: Math.min(MAX_LEVEL, this.#top + depth) }, name);
    for (const paragraph of noteOf(outline).split(/\n\s*\n/)) this.#builder.block({ kind: 'paragraph' }, paragraph);
    const more = moreOf(outline).join('\n');
    this.#builder.block({ kind: 'paragraph' }, more);
  }

  #item(outline: Outline, indent: number): void {
    const blanks = '  '.repeat(Math.min(indent, MAX_INDENT));
    const note = noteOf(outline);
    const said = [nameOf(outline), ...(note === '' ? [] : note.split('\n')), ...moreOf(outline)];
    const lines = said.map(oneLine).filter((line) => line !== '');
    if (lines.length > 0) this.#items.push(`${blanks}- ${lines.join(`\n${blanks}  `)}`);
  }

  #flush(): void {
    this.#builder.block({ kind: 'list' }, this.#items.join('\n'));
    this.#items = [];
  }
}

function nameOf({ attributes }: Outline): string {
  const name = NAMES.map((key) => oneLine(shownValue(attributes[key] ?? '', SHORT))).find((text) => text !== '') ?? '';
  const isTicked = /^(?:checked|true)$/i.test(attributes._status ?? attributes._complete ?? attributes.complete ?? '');
  return isTicked && name !== '' ? `☒ ${name}` : name;
}

function noteOf({ attributes }: Outline): string {
  return shownValue(attributes._note ?? attributes.note ?? '', SHORT).trim();
}

function hasLongNote(outline: Outline): boolean {
  const note = noteOf(outline);
  return note.length > LONG_NOTE || note.includes('\n');
}

/** What else it says, each with its name; of its addresses the one that people read. */
function moreOf(outline: Outline): string[] {
  const link = LINKS.find((key) => outline.attributes[key]);
  const named = nameOf(outline);
  return Object.entries(outline.attributes).flatMap(([key, value]) => {
    if (NAMES.includes(key))
      return key === 'title' && !named.endsWith(oneLine(shownValue(value, SHORT))) ? [shownValue(value, SHORT)] : [];
    if (SILENT.test(key) || (LINKS.includes(key) && key !== link) || oneLine(value) === '') return [];
    return [LINKS.includes(key) || key === 'description' ? value : `${key}: ${value}`];
  });
}
