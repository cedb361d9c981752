import { Parser as Htmlparser } from 'htmlparser2';
import { oneLine } from '../../text/one-line.ts';
import { tagOf } from './html-roles.ts';
import { MathReader } from './mathml.ts';
import { svgLabels } from './svg.ts';

/** One element; children are elements and strings in order. */
export interface HtmlElement {
  tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (HtmlElement | string)[];
  parent: HtmlElement | undefined;
  /** Characters of text below, without white space; then those inside links. `measure` fills these three fields. */
  textLength: number;
  linkLength: number;
  hasHeading: boolean;
}

/** Elements whose content is no text of the page. */
const SILENT = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
  'embed',
  'canvas',
  'audio',
  'video',
  'map',
  'datalist',
  'select',
  'button',
  'input',
  'dialog',
  'noframes',
  'rp', // `rt` is put in brackets anyway
]);
const KEPT_ATTRIBUTES = [
  'id',
  'class',
  'role',
  'href',
  'style',
  'hidden',
  'aria-hidden',
  'aria-label',
  'epub:type',
  'lang',
  'content',
  'name',
  'property',
  'start',
  'colspan',
  'rowspan',
  'scope',
  'headers',
  'rel',
  'alt',
  'itemprop',
  'type',
  'value',
  'reversed',
  'checked',
  'title',
];
const MAX_ATTRIBUTE = 300;

/** What a browser, or a reader without one, sees before and after an element. */
const MARKS: Readonly<Record<string, readonly [before: string, after: string]>> = { rt: ['(', ')'], q: ['“', '”'] };

/**
 * HTML → a tree of text and structure. No recursion but for pages in frames, so elements may be nested without a bound;
 * nothing is fetched. SVG is its labels, a line each; MathML is its text alternative, else its source in TeX, else its
 * tokens in one line.
 */
export function parseTree(html: string): HtmlElement {
  return parseInto(element('#root', {}, undefined), html, 0);
}

/** @param frames that stand around the page */
function parseInto(root: HtmlElement, html: string, frames: number): HtmlElement {
  let current = root;
  let silent = 0;
  let pre = 0;
  let math: MathReader | undefined;
  /** A formula as its author wrote it, which a script of the page would draw. */
  let tex: string | undefined;
  let isList = false;
  /** What is chosen from a list. */
  let chosen: string | undefined;
  /** Where a drawing begins in the source. */
  let drawing: number | undefined;
  const parser = new Htmlparser(
    {
      onopentag(tag, attributes) {
        if (silent > 0 || (SILENT.has(tag) && !isShown(tag, attributes))) {
          if (silent === 0) {
            isList = tag === 'select';
            if (tag === 'svg' && !isUnseen(attributes)) drawing = parser.startIndex;
            if (tag === 'iframe' && attributes.srcdoc && frames < MOST_FRAMES)
              addPage(current, attributes.srcdoc, frames + 1);
            if (tag === 'input' && TYPED.test(attributes.type ?? 'text') && attributes.value)
              addText(current, ` ${attributes.value} `);
          }
          if (isList && tag === 'option' && attributes.selected !== undefined) chosen = '';
          math?.open(tag, attributes);
          if (tag === 'script' && /^math\/(?:tex|asciimath)/.test(attributes.type ?? '') && !isDrawn(current)) tex = '';
          if (tag === 'math' && silent === 0) {
            if (attributes.alttext) addText(current, attributes.alttext);
            else math = new MathReader();
          }
          silent++;
          return;
        }
        const kept: Record<string, string> = {};
        for (const name of KEPT_ATTRIBUTES) {
          const value = attributes[name];
          if (value !== undefined) kept[name] = value.length > MAX_ATTRIBUTE ? value.slice(0, MAX_ATTRIBUTE) : value;
        }
        if (tag === 'pre') pre++;
        const child = element(tagOf(tag, attributes), kept, current);
        if (pre === 0 && isBlockSpan(child)) breakLine(current);
        if (isChange(child) && isChange(current.children.at(-1))) addText(current, ' ');
        current.children.push(child);
        current = child;
        addText(child, MARKS[tag]?.[0] ?? '');
      },
      ontext(text) {
        if (silent === 0) addText(current, text);
        else if (tex !== undefined) tex += text;
        else if (chosen !== undefined) chosen += text;
        else math?.text(text);
      },
      onclosetag() {
        if (silent === 0) {
          addText(current, MARKS[current.tag]?.[1] ?? '');
          if (current.tag === 'pre') pre--;
          const closed = current;
          if (current.parent) current = current.parent;
          if (closed.tag === 'td') moveHeads(closed, current);
          if (closed.tag === 'head') moveContent(closed, current);
          if (pre === 0 && isBlockSpan(closed)) breakLine(current);
          return;
        }
        silent--;
        if (chosen !== undefined) {
          addText(current, ` ${chosen} `);
          chosen = undefined;
        }
        if (tex !== undefined) {
          addText(current, tex);
          tex = undefined;
        }
        if (silent === 0 && drawing !== undefined) {
          addLines(current, svgLabels(html.slice(drawing, parser.endIndex + 1)));
          drawing = undefined;
        }
        if (silent > 0) math?.close();
        else if (math) {
          addText(current, math.take());
          math = undefined;
        }
      },
    },
    { decodeEntities: true, recognizeSelfClosing: true },
  );
  // In pieces: the parser joins new input to what it holds, and one huge write is no faster.
  for (let at = 0; at < html.length; at += 1 << 20) parser.write(html.slice(at, at + (1 << 20)));
  parser.end();
  return root;
}

/** Pages in pages: no writer nests more, and each is a call inside the one before. */
const MOST_FRAMES = 20;
/** What is written into a form, not its buttons, its secrets and what nobody sees. */
const TYPED = /^(?:text|number|date|time|datetime-local|month|week|email|tel|url|search)$/i;

/** Exceptions among silent elements. */
function isShown(tag: string, attributes: Readonly<Record<string, string>>): boolean {
  // A declared shadow root is what the page shows: so saved pages keep components.
  if (tag === 'template') return attributes.shadowrootmode !== undefined;
  return tag === 'dialog' ? attributes.open !== undefined : tag === 'input' && attributes.type === 'checkbox';
}

function isUnseen({ style = '', hidden, 'aria-hidden': aria }: Readonly<Record<string, string>>): boolean {
  return (
    hidden !== undefined || aria === 'true' || /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style)
  );
}

/** Lines apart from the text around them; one alone is a part of it. */
function addLines(parent: HtmlElement, text: string): void {
  if (!text.includes('\n')) {
    if (text !== '') addText(parent, ` ${text} `);
    return;
  }
  const lines = element('div', {}, parent);
  parent.children.push(lines);
  for (const [i, line] of text.split('\n').entries()) {
    if (i > 0) breakLine(lines);
    addText(lines, line);
  }
}

/** A cell without an end tag ends where a head cell begins, which the parser takes for a part of it. */
function moveHeads(cell: HtmlElement, row: HtmlElement): void {
  const first = cell.children.findIndex((child) => typeof child !== 'string' && child.tag === 'th');
  if (first < 0) return;
  for (const child of cell.children.splice(first)) {
    if (typeof child !== 'string') child.parent = row;
    row.children.push(child);
  }
}

/** Elements that a head cannot have. */
const CONTENT = new Set(
  'body main article section div p table h1 h2 h3 h4 h5 h6 ul ol dl pre blockquote center form hr br img font span a b i u strong em small big'.split(
    ' ',
  ),
);

/** A head without an end tag ends where the page begins, which the parser takes for a part of it. */
function moveContent(head: HtmlElement, page: HtmlElement): void {
  const first = head.children.findIndex((child) => typeof child !== 'string' && CONTENT.has(child.tag));
  if (first < 0) return;
  for (const child of head.children.splice(first)) {
    if (typeof child !== 'string') child.parent = page;
    page.children.push(child);
  }
}

/** A page that stands in a frame of this one as a text. */
function addPage(parent: HtmlElement, html: string, frames: number): void {
  const frame = element('div', {}, parent);
  parent.children.push(frame);
  parseInto(frame, html, frames);
}

/** Whether a formula stands before its source: a page that was saved after MathJax had drawn it. */
function isDrawn({ children }: HtmlElement): boolean {
  const before = children.at(-1);
  return (
    typeof before === 'object' &&
    /(?:^|\s)MathJax(?:_\w+)?(?:\s|$)/.test(before.attributes.class ?? '') &&
    !/(?:^|\s)MathJax_Preview(?:\s|$)/.test(before.attributes.class ?? '')
  );
}

function isBlockSpan({ tag, attributes }: HtmlElement): boolean {
  return tag === 'span' && /(?:^|;)\s*display\s*:\s*block/i.test(attributes.style ?? '');
}

/** What was taken out or put in: an old price and the new one stand beside each other, and are two words. */
function isChange(child: HtmlElement | string | undefined): boolean {
  return typeof child === 'object' && (child.tag === 'del' || child.tag === 'ins' || child.tag === 's');
}

function breakLine(parent: HtmlElement): void {
  parent.children.push(element('br', {}, parent));
}

function addText(parent: HtmlElement, text: string): void {
  const last = parent.children.length - 1;
  const before = parent.children[last];
  if (typeof before === 'string') parent.children[last] = before + text;
  else if (text !== '') parent.children.push(text);
}

function element(tag: string, attributes: Record<string, string>, parent: HtmlElement | undefined): HtmlElement {
  return { tag, attributes, children: [], parent, textLength: 0, linkLength: 0, hasHeading: false };
}

/** Visits a tree without recursion, so that no nesting is too deep. `enter` returns false to skip the children. */
export function walk(
  root: HtmlElement,
  visit: {
    enter(node: HtmlElement): boolean;
    text?(text: string, parent: HtmlElement): void;
    leave?(node: HtmlElement): void;
  },
): void {
  const stack: { node: HtmlElement; next: number }[] = [];
  if (!visit.enter(root)) return;
  stack.push({ node: root, next: 0 });
  while (stack.length > 0) {
    const top = stack[stack.length - 1]!;
    const child = top.node.children[top.next++];
    if (child === undefined) {
      visit.leave?.(top.node);
      stack.pop();
    } else if (typeof child === 'string') {
      visit.text?.(child, top.node);
    } else if (visit.enter(child)) {
      stack.push({ node: child, next: 0 });
    }
  }
}

/** Fills `textLength`, `linkLength` and `hasHeading` (`h1` to `h3`, the element itself or below) of every element. */
export function measure(root: HtmlElement): void {
  let links = 0;
  walk(root, {
    enter(node) {
      if (node.tag === 'a') links++;
      if (/^h[1-3]$/.test(node.tag)) node.hasHeading = true;
      return true;
    },
    text(text, parent) {
      const length = text.replace(/\s+/g, '').length;
      parent.textLength += length;
      if (links > 0) parent.linkLength += length;
    },
    leave(node) {
      if (node.tag === 'a') links--;
      if (node.parent) {
        node.parent.textLength += node.textLength;
        node.parent.linkLength += node.linkLength;
        if (node.hasHeading) node.parent.hasHeading = true;
      }
    },
  });
}

/** The text of an element, white space collapsed, up to some 2,000 characters. */
export function textOf(root: HtmlElement): string {
  let out = '';
  walk(root, {
    enter: () => out.length < 2000,
    text(text) {
      out += text;
    },
  });
  return oneLine(out);
}
