import { boilerplate } from './html-main.ts';
import { type HtmlElement, walk } from './html-tree.ts';

const HEADS = /^(?:header|hgroup|h1)$/;

/**
 * The title of a page may stand before its content: `<header><h1>…</h1><p>By …</p></header><main>`. Where the content has
 * no title of its own, it is moved to its beginning. One that is a link is the name of the site.
 */
export function takePageHead(main: HtmlElement): void {
  if (titlesIn(main) > 0) return;
  for (let node = main; node.parent; node = node.parent) {
    const { children } = node.parent;
    for (let at = children.indexOf(node) - 1; at >= 0; at--) {
      const head = children[at]!;
      if (typeof head === 'string' || !HEADS.test(head.tag) || titlesIn(head) !== 1) continue;
      if (head.linkLength > head.textLength * 0.5 || boilerplate(head, main) !== undefined) continue;
      children.splice(at, 1);
      head.parent = main;
      main.children.unshift(head);
      return;
    }
  }
}

function titlesIn(root: HtmlElement): number {
  let titles = 0;
  walk(root, {
    enter({ tag }) {
      if (tag === 'h1') titles++;
      return true;
    },
  });
  return titles;
}
