import { type HtmlElement, walk } from './html-tree.ts';

const DROPPED_TAGS = new Set(['nav', 'footer', 'menu', 'head', 'title']);
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
 * Words in a class or id of elements around the content. Whole words between separators: `footnotes` does not match
 * `footer`, but `navigation-guide` matches.
 */
const BOILERPLATE =
  /(?:^|[\s_-])(?:nav|navbar|navigation|menu|submenu|breadcrumbs?|sidebar|side-bar|cookies?|cookie-?banner|consent|gdpr|footer|site-?header|page-?header|masthead|tagline|topbar|top-?nav|social|share|sharing|advert|advertisement|ads?|adsense|sponsor|promo|newsletter|subscribe|signup|related|recommended|skip-?link|skip-?to|toc|toctree|table-of-contents|pagination|pager|prev-?next|edit-?page|edit-?link|search-?box|searchbox|sr-only|visually-hidden|screen-reader|noprint|vector-menu|mw-editsection|mw-jump-link|navbox|catlinks|printfooter|metadata-box|headerlink|anchor-link|hash-link)(?:$|[\s_-])/i;
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

/**
 * Whether an element is around the content, not part of it. An element with much of the content is never dropped.
 * @param main the element with the content
 */
export function isBoilerplate(node: HtmlElement, main: HtmlElement): boolean {
  const { tag, attributes } = node;
  if (tag === 'head' || tag === 'title') return true;
  if ('hidden' in attributes || attributes['aria-hidden'] === 'true') return node.textLength < main.textLength * 0.5;
  if (attributes.style !== undefined && INVISIBLE.test(attributes.style))
    return node.textLength < main.textLength * 0.5;
  if (node.textLength >= main.textLength * 0.4) return false;
  if (DROPPED_TAGS.has(tag)) return true;
  if (attributes.role !== undefined && DROPPED_ROLES.has(attributes.role)) return true;
  const dense = node.linkLength > node.textLength * 0.5;
  if (tag === 'aside' || attributes.role === 'complementary')
    return dense || main.tag === 'body' || node.textLength < 20;
  if (tag === 'header') return !node.hasHeading && node.textLength < 300;
  if (tag === 'body' || tag === 'html' || tag === 'p' || tag === 'code' || tag === 'td' || tag === 'th') return false;
  if (/^h[1-6]$/.test(tag)) return false;
  const names = `${attributes.class ?? ''} ${attributes.id ?? ''}`;
  return names !== ' ' && BOILERPLATE.test(names) && (dense || node.textLength < 400 || tag === 'a');
}
