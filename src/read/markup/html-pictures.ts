import { BLOCK_TAGS } from './html-nodes.ts';
import type { HtmlElement } from './html-tree.ts';

/** The pictures that stand among words. */
export class PicturesInText {
  /** Whether there are words in the block around a picture, for the block and the elements between. */
  readonly #withText = new Map<HtmlElement, boolean>();

  /** Whether a picture stands among words, so that its alternative text is a part of what they say. */
  has(picture: HtmlElement): boolean {
    const between: HtmlElement[] = [];
    let block = picture.parent;
    let has = block && this.#withText.get(block);
    while (block && has === undefined && !BLOCK_TAGS.has(block.tag)) {
      between.push(block);
      block = block.parent;
      has = block && this.#withText.get(block);
    }
    has ??=
      block?.children.some((child) =>
        typeof child === 'string' ? child.trim() !== '' : !BLOCK_TAGS.has(child.tag) && child.textLength > 0,
      ) ?? false;
    // Of each element on the way: pictures inside of each other's elements would go the whole way each.
    for (const element of block ? [...between, block] : between) this.#withText.set(element, has);
    return has;
  }
}
