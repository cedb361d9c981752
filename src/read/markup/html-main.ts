import { isChosenAlternative } from './html-alternatives.ts';
import { SAID_BELOW } from './html-made.ts';
import { type HtmlElement, textOf, walk } from './html-tree.ts';

const DROPPED_TAGS = new Set(['nav', 'footer', 'menu', 'head', 'title', SAID_BELOW]);
const DROPPED_ROLES = new Set([
  'navigation',
  'banner',
  'contentinfo',
  'search',
  'menu',
  'menubar',
  'toolbar',
  'dialog',
  'alertdialog',
  'tablist',
  'tooltip',
]);

/**
 * Words in a class or id of elements around the content. They end the name, but for words about its layout:
 * `site-navigation` and `toc_entries` match, `navigation-guide`, `related-work` and `footnotes` do not.
 */
const BOILERPLATE =
  /(?:^|[\s_-])(?:nav|navbar|navigation|menu|submenu|breadcrumbs?|sidebar|side-bar|cookies?|cookie-?banner|consent|gdpr|footer|site-?header|page-?header|masthead|tagline|topbar|top-?nav|social|share|sharing|advert|advertisement|ads?|adsense|sponsor|promo|newsletter|subscribe|signup|related|recommended|skip-?link|skip-?to|toc|toctree|table-of-contents|pagination|pager|prev-?next|edit-?page|edit-?link|search-?box|searchbox|sr-only|visually-hidden|screen-reader|noprint|vector-menu|mw-editsection|mw-jump-link|navbox|catlinks|printfooter|navheader|navfooter|metadata-box|headerlink|anchor-link|hash-link|navigationbar|docnav|nav_table|nav-panel|navset(?:top|bottom)|tocset|chlink(?:prevnext)?(?:top|bot)|viewcode-(?:back|link)|(?:previous|next)_page|copiable-(?:anchor|link))(?:[_-]+(?:area|bar|block|box|btn|button|buttons|col|column|container|content|desktop|entries|entry|form|fixed|group|header|icon|icons|inner|item|items|label|left|level|link|links|list|main|mobile|modal|notice|outer|overlay|panel|popup|posts|primary|right|root|row|secondary|section|side|sticky|text|title|toggle|top|tree|widget|wrap|wrapper|\d+))*(?=$|\s)/i;
/** Links to other pages of a manual, as GNU's programs mark them, and numbers of the lines of code. */
const BESIDE_LINK = /^(?:next|prev|previous|up|contents|index|start|top|first|last)$/;
/** Links to the source and buttons of Rustdoc, by the whole name: `has-srclink` is content. */
const RUSTDOC = /(?:^|\s)(?:srclink|out-of-band|hideme)(?=$|\s)/;
/** What Doxygen shows where the pointer rests on a name of its code. */
const TIP = /^ttc$/;
const LINE_NUMBER = /(?:^|\s)linenos?(?=$|\s)/;
/** The links from a note to each of its marks, as docutils writes them. */
const BACK = /(?:^|\s)(?:fn-)?backrefs?(?=$|\s)/;
const NOTE_ROLES = /^doc-(?:footnote|endnotes?|biblioentry|bibliography)$/;
const NOTE_NAMES = /(?:^|[\s_-])(?:footnotes?|endnotes?|citations?)(?=$|[\s_-])/i;
const INVISIBLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/** The element with the content of the page: `main`, a single `article`, else the body. */
export function mainElement(root: HtmlElement): HtmlElement {
  let body: HtmlElement | undefined;
  const mains: HtmlElement[] = [];
  const articles: HtmlElement[] = [];
  let nested = 0;
  walk(root, {
    enter(node) {
      if (node.tag === 'body') body ??= node;
      if (node.tag === 'main' || node.attributes.role === 'main') mains.push(node);
      else if (node.tag === 'article' && nested++ === 0) articles.push(node);
      return true;
    },
    leave(node) {
      if (node.tag === 'article' && node.attributes.role !== 'main') nested--;
    },
  });
  // A page with most text outside its <body> (unclosed head, two bodies) is used whole.
  const whole = body !== undefined && body.textLength >= root.textLength * 0.5 ? body : root;
  const main = mains.sort((a, b) => b.textLength - a.textLength)[0];
  if (main && main.textLength >= Math.min(200, whole.textLength * 0.2)) return main;
  const article = articles.length === 1 ? articles[0] : undefined;
  if (article && article.textLength >= whole.textLength * 0.4) return article;
  return whole;
}

/** Why an element is not shown, wherever it stands; undefined for what is shown. */
export function invisible(node: HtmlElement, main: HtmlElement): string | undefined {
  const { tag, attributes } = node;
  if (tag === 'head' || tag === 'title') return tag;
  const hidden =
    ('hidden' in attributes && !isChosenAlternative(node)) ||
    (attributes['aria-hidden'] === 'true' && !isSeen(node)) ||
    (attributes.style !== undefined && INVISIBLE.test(attributes.style));
  return hidden && node.textLength < main.textLength * 0.5 ? 'hidden' : undefined;
}

/**
 * Text that is hidden from who hears the page alone: a caption, which they are told as the alternative text of its
 * picture, a paragraph or a cell, words in a line. Larger parts are panels and menus, which are shut.
 */
const SEEN = new Set('figcaption p td th span b strong em small abbr time u s del ins mark font'.split(' '));
/** Pictures made of letters; a formula that MathML beside it says. */
const DRAWN =
  /(?:^|[\s_-])(?:icons?|glyphicon|material-symbols\S*|katex\S*|mathjax\S*|mjx\S*|anchor|permalink)(?=$|[\s_-])/i;

function isSeen(node: HtmlElement): boolean {
  if (!SEEN.has(node.tag) || DRAWN.test(node.attributes.class ?? '')) return false;
  return node.tag === 'figcaption' || /\p{L}{2}|\p{N}/u.test(textOf(node));
}

/**
 * Why an element is around the content, not part of it; undefined for content. An element with much of the content is
 * never dropped.
 * @param main the element with the content
 */
export function boilerplate(node: HtmlElement, main: HtmlElement): string | undefined {
  const { tag, attributes } = node;
  const unseen = invisible(node, main);
  if (unseen !== undefined) return unseen;
  if (node.textLength >= main.textLength * 0.4) return undefined;
  if (DROPPED_TAGS.has(tag)) return tag;
  const { role = '' } = attributes;
  if (BACK.test(attributes.class ?? '')) return 'links back';
  if (isNote(node)) return undefined;
  if (DROPPED_ROLES.has(role)) return `role ${role}`;
  if (node.textLength < MOST_BUTTON && RUSTDOC.test(attributes.class ?? '')) return 'links to the source';
  if (tag === 'div' && TIP.test(attributes.class ?? '')) return 'tips';
  const dense = node.linkLength > node.textLength * 0.5;
  if ((tag === 'span' || tag === 'td' || tag === 'th') && LINE_NUMBER.test(attributes.class ?? ''))
    return 'numbers of lines';
  if (dense && node.textLength < MOST_BESIDE && tag !== 'a' && leadsBeside(node)) return 'links to pages beside';
  if (tag === 'aside' || role === 'complementary') {
    return dense || node.textLength < 20 || (main.tag === 'body' && !isProse(node)) ? 'aside' : undefined;
  }
  if (tag === 'header') return !node.hasHeading && node.textLength < 300 ? tag : undefined;
  if (tag === 'body' || tag === 'html' || tag === 'p' || tag === 'code' || tag === 'td' || tag === 'th')
    return undefined;
  if (/^h[1-6]$/.test(tag)) return undefined;
  const name = BOILERPLATE.exec(`${attributes.class ?? ''} ${attributes.id ?? ''}`);
  if (!name || (!dense && /^\s*(?:[\w-]*[_-])?side-?bar/i.test(name[0]) && isProse(node))) return undefined;
  return dense || node.textLength < 400 || tag === 'a' ? `class or id "${name[0].trim()}"` : undefined;
}

const MOST_BUTTON = 40;
const MOST_BESIDE = 400;
/** More are no line of links; pages nest without a bound. */
const MOST_ELEMENTS = 100;

/** Whether all links, two at least, lead to the pages beside, and nothing is a heading. */
function leadsBeside(node: HtmlElement): boolean {
  let count = 0;
  let others = 0;
  let elements = 0;
  walk(node, {
    enter({ tag, attributes }) {
      elements++;
      if (tag === 'a' && BESIDE_LINK.test(attributes.rel ?? '')) count++;
      else if ((tag === 'a' && attributes.href !== undefined) || /^h[1-6]$/.test(tag)) others++;
      return others === 0 && elements < MOST_ELEMENTS;
    },
  });
  return count > 1 && others === 0 && elements < MOST_ELEMENTS;
}

/** A note or a source, which may be no more than a link. */
function isNote({ tag, attributes: { role = '', class: names = '' } }: HtmlElement): boolean {
  return NOTE_ROLES.test(role) || (tag === 'aside' && NOTE_NAMES.test(names));
}

/** A box of a book or a manual says something: a sentence of eight words, or of 24 letters where no blank parts words. */
function isProse(node: HtmlElement): boolean {
  const text = textOf(node);
  return (
    /(?:[\p{L}\p{N}][^\s.!?]*\s+){7,}[^\s.!?]*[\p{L}\p{N}][.!?]/u.test(text) ||
    /[^。！？।۔\s]{24,}[。！？]|(?:[^।۔؟\s]+\s+){7,}[^\s]*[।۔؟]/u.test(text) ||
    (UNSPACED.test(text) && (/\p{sc=Thai}{32,}/u.test(text) || saysUnspaced(text.replace(BESIDE_LATIN, ''))))
  );
}

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;
/** Blanks beside Latin letters and figures part no sentence of Chinese or Japanese: `經由 VNC 連結`. */
const BESIDE_LATIN = /(?<=[\p{sc=Latin}\p{N}"“”()])\s+|\s+(?=[\p{sc=Latin}\p{N}"“”()])/gu;
const FEWEST_UNSPACED = 12;

function saysUnspaced(text: string): boolean {
  const sentences = text.match(/[^。！？\s]{24,}[。！？]/g) ?? [];
  return sentences.some(
    (one) => (one.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu) ?? []).length >= FEWEST_UNSPACED,
  );
}

/** The largest nodes that neither hold `main` nor stand in it. */
export function outside(main: HtmlElement): (HtmlElement | string)[] {
  const found: (HtmlElement | string)[] = [];
  for (let node = main; node.parent; node = node.parent)
    found.push(...node.parent.children.filter((child) => child !== node));
  return found;
}

export function wordsIn(node: HtmlElement | string): string {
  if (typeof node === 'string') return node;
  const texts: string[] = [];
  walk(node, { enter: () => true, text: (text) => texts.push(text) });
  return texts.join(' ');
}
