import { noticeWord } from '../../text/languages/notice-words.ts';
import { BLOCK_TAGS } from './html-nodes.ts';
import { type HtmlElement, textOf, walk } from './html-tree.ts';

/** Classes of the boxes in which manuals set their notes, tips and warnings. */
const BOX =
  /(?:^|[\s_-])(?:admonition(?:block)?|alert|callout|note|tip|hint|notice|important|warning|caution|danger|attention|seealso|info)(?=$|[\s_-])/i;
const BOX_TAG = /^(?:div|aside|section|blockquote|table)$/;
/** So many elements at most stand around a title in its box. */
const MOST_AROUND = 12;
/** Characters of the longest title, without white space. */
const MOST_CHARACTERS = 24;

/** Boxes that begin with a word for their kind, which is the title of nothing below the box. */
export interface HtmlNotices {
  /** The element that holds the word alone. */
  readonly titles: ReadonlySet<HtmlElement>;
  /** Tables that only draw a box. */
  readonly tables: ReadonlySet<HtmlElement>;
}

/** @param root measured */
export function noticesOf(root: HtmlElement): HtmlNotices {
  const titles = new Set<HtmlElement>();
  const tables = new Set<HtmlElement>();
  walk(root, {
    enter(node) {
      if (node === root || !BOX_TAG.test(node.tag) || !BOX.test(node.attributes.class ?? '')) return true;
      const [title, drawing] = titleOf(node);
      if (title) {
        titles.add(title);
        for (const table of drawing) tables.add(table);
      }
      return true;
    },
  });
  return { titles, tables };
}

/** The block at the beginning of a box that holds nothing but a word for it, and the tables around that block. */
function titleOf(box: HtmlElement): [title: HtmlElement | undefined, tables: HtmlElement[]] {
  const tables: HtmlElement[] = [];
  let node = firstOf(box);
  if (box.tag === 'table') tables.push(box);
  for (let i = 0; i < MOST_AROUND && typeof node === 'object'; i++, node = firstOf(node)) {
    if (node.tag === 'table') tables.push(node);
    const isPart = node.textLength < (node.parent?.textLength ?? 0);
    const isShort = node.textLength <= MOST_CHARACTERS && BLOCK_TAGS.has(node.tag);
    if (isPart && isShort && noticeWord.test(textOf(node))) return [node, tables];
  }
  return [undefined, tables];
}

function firstOf({ children }: HtmlElement): HtmlElement | string | undefined {
  return children.find((child) => (typeof child === 'string' ? child.trim() !== '' : child.textLength > 0));
}
