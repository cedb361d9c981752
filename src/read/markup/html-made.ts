/** What programs that document code draw in ways of their own becomes what it is: code, tables, lists. */
import { type HtmlElement, walk } from './html-tree.ts';

/** Children of a node that are elements. */
function elementsOf({ children }: HtmlElement): HtmlElement[] {
  return children.filter((child): child is HtmlElement => typeof child !== 'string');
}

function hasClass({ attributes }: HtmlElement, name: RegExp): boolean {
  return attributes.class !== undefined && name.test(attributes.class);
}

function retag(node: HtmlElement, tag: string): HtmlElement {
  node.tag = tag;
  return node;
}

const CODE = /(?:^|\s)fragment(?:\s|$)/;
const CODE_LINE = /(?:^|\s)(?:line|ttc)(?:\s|$)/;
const GRID = /(?:^|\s)summary-table(?:\s|$)/;
const GRID_HEAD = /(?:^|\s)table-header(?:\s|$)/;
const GRID_CELL = /(?:^|\s)(?:col-[\w-]+|table-header)(?:\s|$)/;
const TITLE = /(?:^|\s)title(?:\s|$)/;
const TITLE_AROUND = /(?:^|\s)headertitle(?:\s|$)/;
const PROTOTYPE = /(?:^|\s)memproto(?:\s|$)/;
const SECTIONS = /(?:^|\s)blockList(?:Last)?(?:\s|$)/;
/** The first sentence of a description, which Scaladoc shows until the whole is opened. */
const SHORT = /(?:^|\s)shortcomment(?:\s|$)/;
const WHOLE = /(?:^|\s)fullcomment(?:\s|$)/;
/** What is left out because it is said again below. */
export const SAID_BELOW = 'said-below';
const CONTENTS = /(?:^|\s)toc(?:\s|$)/;

/** Changes a tree: code, titles and members of Doxygen, summaries of Javadoc, lists of terms without definitions. */
export function reshape(root: HtmlElement): void {
  const found: [node: HtmlElement, change: (node: HtmlElement) => void][] = [];
  let before: HtmlElement | undefined;
  walk(root, {
    leave(node) {
      before = node;
    },
    enter(node) {
      if (before?.parent === node.parent && hasClass(node, WHOLE) && hasClass(before!, SHORT))
        retag(before!, SAID_BELOW);
      const change = node.tag === 'div' ? divisionChange(node) : CHANGES.get(node.tag);
      if (change) found.push([node, change]);
      return true;
    },
  });
  for (const [node, change] of found) change(node);
}

function divisionChange(node: HtmlElement): ((node: HtmlElement) => void) | undefined {
  if (node.attributes.class === undefined) return undefined;
  if (hasClass(node, CODE)) return reshapeCode;
  if (hasClass(node, GRID)) return reshapeGrid;
  if (hasClass(node, PROTOTYPE)) return reshapePrototype;
  return hasClass(node, TITLE) && node.parent && hasClass(node.parent, TITLE_AROUND) ? reshapeTitle : undefined;
}

/** Doxygen: an element for each line of code. */
function reshapeCode(node: HtmlElement): void {
  const lines = elementsOf(node);
  if (lines.length === 0 || !lines.every((line) => line.tag === 'div' && hasClass(line, CODE_LINE))) return;
  // Each line brings its break.
  node.children.splice(0, node.children.length, ...lines);
  retag(node, 'pre');
}

/** Javadoc: names of columns and cells in one row of elements, which a style sheet breaks into rows. */
function reshapeGrid(node: HtmlElement): void {
  const cells = elementsOf(node);
  const columns = cells.findIndex((cell) => !hasClass(cell, GRID_HEAD));
  if (columns < 2 || cells.length % columns !== 0 || !cells.every((cell) => hasClass(cell, GRID_CELL))) return;
  const table = retag(node, 'table');
  table.children.length = 0;
  for (let at = 0; at < cells.length; at += columns) {
    const row: HtmlElement = { ...node, tag: 'tr', attributes: {}, children: [], parent: table };
    table.children.push(row);
    for (const cell of cells.slice(at, at + columns)) {
      cell.parent = row;
      row.children.push(cell);
      retag(cell, at === 0 ? 'th' : 'td');
    }
  }
}

/** Javadoc draws sections as items of lists. */
function reshapeSections(node: HtmlElement): void {
  const items = elementsOf(node);
  const isSection = (item: HtmlElement): boolean => elementsOf(item)[0]?.tag === 'section';
  if (!hasClass(node, SECTIONS) && (items.length === 0 || !items.every(isSection))) return;
  for (const item of elementsOf(retag(node, 'div'))) retag(item, 'div');
}

/** Terms alone are a list, and so are contents, whose parts stand as definitions. */
function reshapeTerms(node: HtmlElement): void {
  const parts = elementsOf(node);
  const isContents = hasClass(node, CONTENTS);
  if (parts.length < 2 || !parts.every(({ tag }) => tag === 'dt' || (isContents && tag === 'dd'))) return;
  const list = retag(node, 'ul');
  for (const part of elementsOf(list)) retag(part, part.tag === 'dt' ? 'li' : 'div');
}

/** Doxygen: the title of a page, in which the groups of a class stand too. */
function reshapeTitle(node: HtmlElement): void {
  const around = node.parent!;
  const groups = elementsOf(node).filter(({ tag }) => tag === 'div');
  const words = node.children.filter((child) => typeof child === 'string' || child.tag !== 'div');
  node.children.splice(0, node.children.length, ...words);
  retag(node, 'h1');
  for (const group of groups) group.parent = around;
  around.children.push(...groups);
}

const IN_PROTOTYPE = /^(?:table|tbody|tr|td|div)$/;

/** Doxygen: the cells of a declaration are its words. */
function reshapePrototype(node: HtmlElement): void {
  const parts: HtmlElement[] = [];
  walk(node, {
    enter(part) {
      if (part !== node && (IN_PROTOTYPE.test(part.tag) || part.tag === 'span')) parts.push(part);
      return true;
    },
  });
  for (const part of parts.reverse()) {
    part.children.push(' ');
    if (part.tag !== 'span') retag(part, 'span');
  }
}

const HEADING = /^h[1-6]$/;

/** The heading that is a row of its own. */
function headingOf(row: HtmlElement): HtmlElement | undefined {
  const [cell, ...others] = elementsOf(row);
  const [heading, ...more] = cell ? elementsOf(cell) : [];
  return others.length === 0 && more.length === 0 && heading && HEADING.test(heading.tag) ? heading : undefined;
}

/** A table with headings in rows of their own, as of members in Doxygen, is a table below each. */
function reshapeHeaded(node: HtmlElement): void {
  const rows = elementsOf(node).flatMap((part) => (part.tag === 'tbody' ? elementsOf(part) : [part]));
  if (!rows.every(({ tag }) => tag === 'tr') || !rows.some(headingOf)) return;
  const around = retag(node, 'div');
  const attributes = around.attributes;
  around.children.length = 0;
  let table: HtmlElement | undefined;
  for (const row of rows) {
    const heading = headingOf(row);
    if (!heading && !table) {
      table = { ...around, tag: 'table', attributes, children: [], parent: around };
      around.children.push(table);
    }
    const parent: HtmlElement = heading ? around : table!;
    if (heading) table = undefined;
    const part = heading ?? row;
    part.parent = parent;
    parent.children.push(part);
  }
}

const CHANGES: ReadonlyMap<string, (node: HtmlElement) => void> = new Map([
  ['dl', reshapeTerms],
  ['ul', reshapeSections],
  ['table', reshapeHeaded],
]);
