/** What a tagged PDF says of its text: which cell of which table it is, and which items of lists have a drawn mark. */
import type { getDocumentProxy } from 'unpdf';

type Proxy = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Proxy['getPage']>>;

export interface TaggedTable {
  /** Whether each cell of a row is a title, by row and cell. */
  readonly rows: readonly (readonly { readonly isTitle: boolean }[])[];
}

/** Where in a table a text stands. */
export interface TaggedCell {
  readonly table: TaggedTable;
  readonly row: number;
  /** Which of the cells of its row, not of the columns: a cell may reach over several. */
  readonly cell: number;
}

/** By the name of a marked content of the page. */
export interface PageTags {
  readonly cells: ReadonlyMap<string, TaggedCell>;
  /** Contents that begin an item of a list whose mark is a drawing, in groups: one of a group begins it. */
  readonly unmarked: ReadonlyMap<string, symbol>;
}

interface Node {
  readonly role?: string;
  readonly type?: string;
  readonly id?: string;
  readonly children?: readonly Node[];
}

const MOST_DEPTH = 60;

/** Whether a file says that it is tagged, and does not doubt it. */
export async function isTagged(proxy: Proxy): Promise<boolean> {
  try {
    const info: unknown = await proxy.getMarkInfo();
    return Reflect.get(Object(info), 'Marked') === true && Reflect.get(Object(info), 'Suspects') !== true;
  } catch {
    return false;
  }
}

/** @returns undefined for a page without tables and lists, or with a broken structure */
export async function tagsOf(page: Page): Promise<PageTags | undefined> {
  const cells = new Map<string, TaggedCell>();
  const unmarked = new Map<string, symbol>();
  const visit = (node: Node, depth: number): void => {
    if (depth > MOST_DEPTH) return;
    if (node.role === 'Table') readTable(node, cells);
    if (node.role === 'LI') readItem(node, unmarked);
    for (const child of node.children ?? []) visit(child, depth + 1);
  };
  try {
    visit(((await page.getStructTree()) ?? {}) as Node, 0); // its shape is that of `Node`
  } catch {
    return undefined;
  }
  return cells.size + unmarked.size > 0 ? { cells, unmarked } : undefined;
}

/** A table in a cell is no table of its own; the outer one is left to the lines and gaps of the page. */
function readTable(node: Node, cells: Map<string, TaggedCell>): void {
  const rows: { isTitle: boolean }[][] = [];
  const table: TaggedTable = { rows };
  const found = new Map<string, TaggedCell>();
  let isPlain = true;
  const visit = ({ role, children = [] }: Node, depth: number, isHead: boolean): void => {
    if (depth > MOST_DEPTH) return;
    if (role === 'TR') {
      const row = rows.length;
      const own = children.filter((child) => child.role === 'TH' || child.role === 'TD');
      rows.push(own.map((child) => ({ isTitle: isHead || child.role === 'TH' })));
      for (const [cell, child] of own.entries()) {
        const place = { table, row, cell };
        for (const content of contentsOf(child, 0)) {
          if (content === undefined) isPlain = false;
          else found.set(content, place);
        }
      }
    } else for (const child of children) visit(child, depth + 1, isHead || child.role === 'THead');
  };
  visit(node, 0, false);
  for (const [content, cell] of found) {
    if (isPlain && !cells.has(content)) cells.set(content, cell);
    else if (!isPlain) cells.delete(content);
  }
}

/** The contents in a cell; undefined among them for a table. */
function* contentsOf(node: Node, depth: number): Generator<string | undefined> {
  if (node.type === 'content' && node.id !== undefined) yield node.id;
  if (depth > MOST_DEPTH) return;
  for (const child of node.children ?? []) {
    if (child.role === 'Table') yield undefined;
    else yield* contentsOf(child, depth + 1);
  }
}

/** The text of an item begins in the first of its contents that has any. A label with text is a mark by itself. */
function readItem({ children = [] }: Node, unmarked: Map<string, symbol>): void {
  const [label, ...rest] = children;
  if (label?.role !== 'Lbl' || rest.length === 0) return;
  const item = Symbol('item');
  for (const part of [label, ...rest.filter(({ role }) => role !== 'L')])
    for (const content of contentsOf(part, 0))
      if (content !== undefined && !unmarked.has(content)) unmarked.set(content, item);
}
