/** What the writer of HTML asks of single elements. */
import { oneLine } from '../../text/one-line.ts';
import { SAID_BELOW } from './html-made.ts';
import { type HtmlElement, textOf, walk } from './html-tree.ts';

/** Whether almost all text stands in links, and there are several. */
export function isLinks(node: HtmlElement): boolean {
  return node.textLength > 0 && node.linkLength > node.textLength * 0.85 && countLinks(node) >= 4;
}

function countLinks(root: HtmlElement): number {
  let count = 0;
  walk(root, {
    enter(node) {
      if (node.tag === 'a') count++;
      return count < 4;
    },
  });
  return count;
}

export function codeLanguage(pre: HtmlElement): string | undefined {
  const inner = pre.children.find((child) => typeof child !== 'string' && child.tag === 'code');
  const names = [pre, inner, pre.parent, pre.parent?.parent].map((node) =>
    typeof node === 'object' ? (node.attributes.class ?? '') : '',
  );
  return /(?:^|\s)(?:language|lang|highlight|highlight-source|brush)[-:]\s?([\w+#]+)/
    .exec(names.join(' '))?.[1]
    ?.toLowerCase();
}

/** The state of a box for ticks: of an item, or one that Notion draws; '' for other elements. */
export function tickOf({ tag, attributes, parent }: HtmlElement): string {
  if (tag === 'input') {
    // Elsewhere boxes are switches of the page.
    const isTask = [parent, parent?.parent, parent?.parent?.parent].some((node) => node?.tag === 'li');
    return isTask && attributes.type === 'checkbox' ? (attributes.checked === undefined ? '☐ ' : '☒ ') : '';
  }
  const drawn = /(?:^|\s)checkbox-(on|off)(?:\s|$)/.exec(attributes.class ?? '')?.[1];
  return drawn === undefined ? '' : drawn === 'on' ? '☒ ' : '☐ ';
}

/** Fewer words name a logo or a button. */
const MOST_NAMING = 3;
/** So far up stands the figure that may say the same below its picture. */
const MOST_ABOVE = 4;
/** A caption has its number before the words: `Figure 14.63.` */
const LONGEST_NUMBER = 24;

/** Whether the alternative text of a picture that stands alone says what it shows, and nothing else there does. */
export function isDescribed({ attributes, parent }: HtmlElement): boolean {
  const { alt = '' } = attributes;
  const words = alt.match(/\p{L}+|\p{N}+/gu) ?? [];
  if (words.length <= MOST_NAMING || !alt.trim().includes(' ')) return false;
  const said = oneLine(alt);
  let around = parent;
  for (let i = 0; i < MOST_ABOVE && around; i++, around = around.parent) {
    const isFigure = around.tag === 'figure';
    const isCaption = around.textLength > 0 && around.textLength <= said.length + LONGEST_NUMBER;
    if ((isFigure || isCaption) && textOf(around).includes(said)) return false;
    if (isFigure) break;
  }
  return true;
}

export const BLOCK_TAGS: ReadonlySet<string> = new Set([
  SAID_BELOW,
  ...(
    'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
]);
export const CELL_TAGS: ReadonlySet<string> = new Set(['td', 'th']);
export const ROW_TAGS: ReadonlySet<string> = new Set(['tr', 'tbody', 'thead', 'tfoot']);

/** A block that is nothing yet but a link with the mark of a note. */
export const NOTE_MARK: RegExp = /^\s*(?:\d{1,3}|[ivxlc]{1,4}|[a-z]|[*†‡]{1,3})$/u;

/** What stands before the text of a note or of a source: `[1]`, `[Knuth]`. */
export const NOTE_LABEL: RegExp = /^\s*\[[\p{L}\p{N}*†‡#.+-]{1,30}\]\s*$/u;

export function isLinkInside({ tag, attributes }: HtmlElement): boolean {
  return tag === 'a' && attributes.href?.startsWith('#') === true;
}

const ARROWS = /^(?:[\^↑↩↵↰⏎⤴⬆\s]|\ufe0e|\ufe0f)+$/u;
const MOST_ARROWS = 4;

/** The arrow behind a note, which leads to its mark. Tree is measured. */
export function isWayBack(node: HtmlElement): boolean {
  return node.textLength > 0 && node.textLength <= MOST_ARROWS && isLinkInside(node) && ARROWS.test(textOf(node));
}

/** Text above the line; the mark of a note in a book is raised by the style of the book. */
export function isRaised({ tag, attributes }: HtmlElement): boolean {
  return tag === 'sup' || /\bnoteref\b/.test(attributes['epub:type'] ?? '') || attributes.role === 'doc-noteref';
}

/** The text of a paragraph: a run of white space is a blank, NUL a line break. */
export function tidyInline(text: string): string {
  return text
    .replace(/[^\S\u00a0]+/g, ' ')
    .replaceAll('\u00a0', ' ')
    .replace(/ ?\u0000 ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The text of a `pre` element, without empty lines around it. */
export function tidyCode(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\u00a0', ' ')
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd();
}
