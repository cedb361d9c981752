import { isBoldTitle } from '../bold-headings.ts';
import { BLOCK_TAGS } from './html-nodes.ts';
import { type HtmlElement, textOf, walk } from './html-tree.ts';

/** What stands in these is a term, a cell, a caption or somebody else's text. */
const OTHER_PARENTS: ReadonlySet<string> = new Set('dd dt td th caption figcaption summary blockquote'.split(' '));

/** Paragraphs in bold letters that are the headings of the text behind them, which is set in others. Tree is measured. */
export function boldHeadings(root: HtmlElement): ReadonlySet<HtmlElement> {
  const found = new Set<HtmlElement>();
  let length = 0;
  walk(root, {
    enter(parent) {
      if (OTHER_PARENTS.has(parent.tag)) return false;
      let open: HtmlElement | undefined;
      for (const child of parent.children) {
        const isText = typeof child === 'string';
        if (isText ? child.trim() === '' : child.textLength === 0) continue;
        const isBold = !isText && (child.tag === 'p' || child.tag === 'div') && isAllBold(child);
        if (isBold) length += child.textLength;
        if (open && !isBold && (isText || !/^h[1-6]$/.test(child.tag))) found.add(open);
        open = isBold && isBoldTitle(textOf(child)) ? child : undefined;
      }
      return true;
    },
  });
  return 2 * length > root.textLength ? new Set() : found;
}

function isAllBold(node: HtmlElement): boolean {
  let bold = 0;
  let isOneBlock = true;
  walk(node, {
    enter(inner) {
      const isBold = inner.tag === 'b' || inner.tag === 'strong';
      if (isBold) bold += inner.textLength;
      if (inner !== node && BLOCK_TAGS.has(inner.tag)) isOneBlock = false;
      return isOneBlock && !isBold;
    },
  });
  return isOneBlock && bold === node.textLength;
}
