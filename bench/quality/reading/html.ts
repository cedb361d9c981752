/** HTML by a plain walk over its text nodes; those that no page shows, and those around the content, apart. */
import type { Extraction } from './formats.ts';
import { attributeOf, type Element, walkHtml } from './markup.ts';

const NO_TEXT = new Set(
  'script style noscript template title iframe object embed canvas audio video map head'.split(' '),
);
const NONE = 'no text of the page';
const CONTROLS = new Set(['button', 'select', 'textarea', 'datalist', 'option']);
const AROUND = new Set(['nav', 'footer', 'menu']);
const AROUND_ROLES =
  /^(?:navigation|banner|contentinfo|search|menu|menubar|toolbar|dialog|alertdialog|tablist|tooltip|complementary)$/u;
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strike strong sub time tt u var wbr'.split(
    ' ',
  ),
);

/** Why the text of an element may be absent; undefined when it is text of the page. */
function reasonOf(element: Element): string | undefined {
  const { name } = element;
  if (NO_TEXT.has(name)) return NONE;
  const style = attributeOf(element, 'style') ?? '';
  if (attributeOf(element, 'hidden') !== undefined || /(?:display\s*:\s*none|visibility\s*:\s*hidden)/iu.test(style))
    return 'hidden';
  if (attributeOf(element, 'aria-hidden') === 'true') return 'hidden';
  if (CONTROLS.has(name)) return 'a control of a form';
  if (name === 'math') return 'inside a formula';
  if (AROUND.has(name) || AROUND_ROLES.test(attributeOf(element, 'role') ?? '')) return 'navigation, footer or banner';
  if (name === 'aside') return 'aside';
  return undefined;
}

export function htmlText(html: string): Extraction {
  let text = '';
  const apart = new Map<string, string>();
  const reasons = new Map<Element | undefined, string | undefined>();
  const add = (piece: string, element: Element | undefined): void => {
    const reason = reasons.get(element);
    if (reason === undefined) text += piece;
    else if (reason !== NONE) apart.set(reason, (apart.get(reason) ?? '') + piece);
  };
  walkHtml(html, {
    open(element, above) {
      reasons.set(element, reasons.get(above.at(-1)) ?? reasonOf(element));
      if (!INLINE.has(element.name)) add('\n', element);
    },
    text(piece, above) {
      add(piece, above.at(-1));
    },
    close(element) {
      if (!INLINE.has(element.name)) add('\n', element);
    },
  });
  return { pages: [text], apart };
}
