import { type HtmlElement, walk } from './html-tree.ts';

/** What stands in these is a line of a list, a cell, or somebody else's text. */
const OTHER_PARENTS: ReadonlySet<string> = new Set('li td th caption figcaption blockquote pre'.split(' '));
const BLOCKS: ReadonlySet<string> = new Set('p pre ul ol dl table blockquote'.split(' '));
/** Of the definitions of a list, so many at least have several blocks. */
const LEAST_LONG = 1 / 3;

interface TermList {
  readonly node: HtmlElement;
  definitions: number;
  long: number;
  /** Whether a heading or nothing follows, or a term of this list. */
  follows?: boolean | TermList;
}

/**
 * Lists of definitions whose terms are the headings of sections, as manuals set their options, settings and functions:
 * many definitions have several paragraphs, and no text follows that would then stand below the last term.
 * @param root measured
 * @param isHeading whether an element is a heading of the page
 * @param isLeftOut whether an element is no part of the text
 */
export function listsOfSections(
  root: HtmlElement,
  isHeading: (node: HtmlElement) => boolean,
  isLeftOut: (node: HtmlElement) => boolean,
): ReadonlySet<HtmlElement> {
  const closed: TermList[] = [];
  const open: TermList[] = [];
  const definitions: { blocks: number }[] = [];
  let ended: TermList[] = [];
  let others = 0;
  let headings = 0;
  let terms = 0;
  const follow = (what: boolean | TermList): void => {
    for (const list of ended) list.follows = what;
    ended = [];
  };
  const closeDefinition = (): void => {
    const { blocks } = definitions.pop()!;
    const [outer, list] = [definitions.at(-1), open.at(-1)];
    if (outer) outer.blocks += blocks;
    if (!list) return;
    list.definitions++;
    if (blocks > 1) list.long++;
  };
  walk(root, {
    enter(node) {
      if (isLeftOut(node)) return false;
      const definition = definitions.at(-1);
      if (definition && others === 0 && BLOCKS.has(node.tag) && node.textLength > 0) definition.blocks++;
      if (OTHER_PARENTS.has(node.tag)) others++;
      if (others > 0) return true;
      if (isHeading(node)) headings++;
      if (node.tag === 'dt') terms++;
      if (node.tag === 'dl') open.push({ node, definitions: 0, long: 0 });
      if (node.tag === 'dd') definitions.push({ blocks: 0 });
      return true;
    },
    text(text) {
      if (ended.length === 0 || text.trim() === '') return;
      follow(headings > 0 || (others === 0 && terms > 0 && open.at(-1)) || false);
    },
    leave(node) {
      if (OTHER_PARENTS.has(node.tag)) others--;
      if (others > 0 || OTHER_PARENTS.has(node.tag)) return;
      if (isHeading(node)) headings--;
      if (node.tag === 'dt') terms--;
      if (node.tag === 'dd') closeDefinition();
      if (node.tag !== 'dl') return;
      const list = open.pop()!;
      closed.push(list);
      ended.push(list);
    },
  });
  follow(true);
  const found = new Set<HtmlElement>();
  // What a list waits for closed after it.
  for (const { node, definitions, long, follows } of closed.reverse()) {
    if (isNotes(node)) continue;
    const isLast = typeof follows === 'object' ? found.has(follows.node) : follows === true;
    if (isLast && long > 0 && long >= LEAST_LONG * definitions) found.add(node);
  }
  return found;
}

/** Notes and sources of docutils have marks as terms: `1`, `[Knuth]`. */
function isNotes({ attributes }: HtmlElement): boolean {
  return /(?:^|\s)(?:footnote|citation)(?:\s|$)/.test(attributes.class ?? '');
}

/** The term whose definition is read, of the innermost open list. */
export class HtmlTerms {
  readonly #sections: ReadonlySet<HtmlElement>;
  readonly #levels: number[] = [];
  #term = '';

  /** @param sections lists whose terms are headings */
  constructor(sections: ReadonlySet<HtmlElement>) {
    this.#sections = sections;
  }

  /** The level of the headings that the terms are; 0 where they are none. */
  get level(): number {
    return this.#levels.at(-1) ?? 0;
  }

  /** @param level of the heading above */
  open(list: HtmlElement, level: number): void {
    this.#levels.push(this.#sections.has(list) ? Math.min(6, (this.level || level) + 1) : 0);
  }

  close(): void {
    this.#levels.pop();
  }

  /** Several terms may have one definition, in lines or elements of their own. */
  add(term: string): void {
    const inLine = term.replace(/,?\n+/g, ', ');
    this.#term = this.#term === '' ? inLine : `${this.#term}, ${inLine}`;
  }

  take(): string {
    const term = this.#term;
    this.#term = '';
    return term;
  }

  /** A definition with its term, if that is not taken yet. */
  before(text: string): string {
    const term = this.take();
    if (term === '') return text;
    if (term.length > 80) return `${term}\n${text}`;
    return /[\p{L}\p{N})\]>"'»”]$/u.test(term) ? `${term}: ${text}` : `${term} ${text}`;
  }
}
