/** What programs that document code draw in ways of their own becomes what it is: code, tables, lists. */
import { type HtmlElement, walk } from './html-tree.ts';

/** Children of a node that are elements. */
function elementsOf({ children }: HtmlElement): HtmlElement[] {
  return children.filter((child): child is HtmlElement => typeof child !== 'string');
}

function hasClass({ attributes }: HtmlElement, name: RegExp): boolean {
  return attributes.class !== undefined && name.test(attributes.class);
}

/** The node under another tag, in its place. */
function retag(node: HtmlElement, tag: string): HtmlElement {
  const named: HtmlElement = { ...node, tag };
  for (const child of elementsOf(named)) child.parent = named;
  const siblings = node.parent?.children;
  if (siblings) siblings[siblings.indexOf(node)] = named;
  return named;
}

const CODE = /(?:^|\s)fragment(?:\s|$)/;
const CODE_LINE = /(?:^|\s)(?:line|ttc)(?:\s|$)/;
const GRID = /(?:^|\s)summary-table(?:\s|$)/;
const GRID_HEAD = /(?:^|\s)table-header(?:\s|$)/;
const GRID_CELL = /(?:^|\s)(?:col-[\w-]+|table-header)(?:\s|$)/;
const SECTIONS = /(?:^|\s)blockList(?:Last)?(?:\s|$)/;
const CONTENTS = /(?:^|\s)toc(?:\s|$)/;

/** Changes a tree: code of Doxygen, summaries of Javadoc, lists of terms without definitions. */
export function reshape(root: HtmlElement): void {
  const found: HtmlElement[] = [];
  walk(root, {
    enter(node) {
      if (
        node.tag === 'dl' ||
        node.tag === 'ul' ||
        (node.tag === 'div' && (hasClass(node, CODE) || hasClass(node, GRID)))
      )
        found.push(node);
      return true;
    },
  });
  for (const node of found) {
    if (node.tag === 'dl') reshapeTerms(node);
    else if (node.tag === 'ul') reshapeSections(node);
    else if (hasClass(node, CODE)) reshapeCode(node);
    else reshapeGrid(node);
  }
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
