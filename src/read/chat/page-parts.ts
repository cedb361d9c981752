/** Elements of the pages in which programs write a chat, by their classes. */
import { type HtmlElement, walk } from '../markup/html-tree.ts';

/** Whether an element is of a class. */
export function has({ attributes }: HtmlElement, name: string): boolean {
  return ` ${attributes.class ?? ''} `.includes(` ${name} `);
}

/** The outermost elements of a class, in order. @param closed a class of elements that are not looked into */
export function found(root: HtmlElement, name: string, closed?: string): HtmlElement[] {
  const out: HtmlElement[] = [];
  walk(root, {
    enter(node) {
      if (node !== root && has(node, name)) {
        out.push(node);
        return false;
      }
      return node === root || closed === undefined || !has(node, closed);
    },
  });
  return out;
}

/** The addresses of links, in order. */
export function links(root: HtmlElement): string[] {
  const out: string[] = [];
  walk(root, {
    enter({ tag, attributes }) {
      if (tag === 'a' && attributes.href !== undefined) out.push(attributes.href);
      return true;
    },
  });
  return out;
}

/** Text with the line ends of `br` alone. Details inside, such as times and counts of votes, are left out. */
export function linesIn(root: HtmlElement): string {
  let out = '';
  let kept = 0;
  walk(root, {
    enter(node) {
      if (node !== root && node.tag === 'span' && has(node, 'details')) return false;
      if (node.tag === 'br') out += '\0';
      if (node.tag === 'pre') kept++;
      return true;
    },
    text: (text) => {
      out += kept > 0 ? text.replaceAll('\n', '\0') : text;
    },
    leave(node) {
      if (node.tag === 'pre') kept--;
    },
  });
  return out
    .replace(/\s+/g, ' ')
    .replace(/ ?\0 ?/g, '\n')
    .trim();
}
