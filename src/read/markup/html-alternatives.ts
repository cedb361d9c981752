import { BLOCK_TAGS } from './html-nodes.ts';
import type { HtmlElement } from './html-tree.ts';

/** More than these are no alternatives of a word, and every one of them looks at all. */
const MOST_ALTERNATIVES = 12;
const SWITCH = /(?:^|\s)switch(?:inline)?(?:\s|$)/i;
const MAC = /(?:^|\s)(?:mac|mac-?os|osx)(?:\s|$)/i;
const PLATFORM = /(?:^|\s)(?:mac|mac-?os|osx|win|windows|unix|linux)(?:\s|$)/i;

/**
 * Whether a hidden element is the one to read among alternatives that all are hidden, of which a script of the page
 * would show one: `Command` of a Mac or `Ctrl`, the name in one program or another. It is the one of no kind, else the
 * first one, never that of a Mac.
 */
export function isChosenAlternative(node: HtmlElement): boolean {
  const { parent } = node;
  if (!parent || BLOCK_TAGS.has(parent.tag) || parent.children.length > 2 * MOST_ALTERNATIVES) return false;
  const alternatives: HtmlElement[] = [];
  for (const child of parent.children) {
    if (typeof child === 'string' ? child.trim() !== '' : !('hidden' in child.attributes)) return false;
    if (typeof child !== 'string') alternatives.push(child);
  }
  const isMarked =
    SWITCH.test(kind(parent)) || (alternatives.length > 1 && alternatives.some((each) => PLATFORM.test(kind(each))));
  if (!isMarked) return false;
  const readable = alternatives.filter((each) => each.textLength > 0 && !MAC.test(kind(each)));
  return node === (readable.find((each) => kind(each).trim() === '') ?? readable[0]);
}

function kind({ attributes }: HtmlElement): string {
  return attributes.class ?? '';
}
