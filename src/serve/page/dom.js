import { piecesOf } from './spans.js';

/** @typedef {Node | string | undefined | false} Child */

/**
 * An element. Texts become text nodes, so nothing of a document is ever read as HTML.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Readonly<Record<string, unknown>>} [properties] attributes; functions listen: `onclick`; undefined and false are left out
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...present(children));
  return element;
}

/**
 * @param {Element} parent
 * @param {...Child} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren(...present(children));
}

/**
 * @param {readonly Child[]} children
 * @returns {(Node | string)[]}
 */
function present(children) {
  return children.filter((child) => child !== undefined && child !== false);
}

/**
 * Texts in a line, `a · b`; what one of them says of its direction does not reach the others.
 * @param {...(string | undefined | false)} texts
 * @returns {Child[]}
 */
export function dotted(...texts) {
  const own = texts.filter((text) => text !== undefined && text !== false && text !== '');
  return own.flatMap((text, i) => [i > 0 && ' · ', h('bdi', {}, text)]);
}

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 */
export function byId(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`#${id} is not there`);
  return found;
}

/** Scrolling to what has the focus ends below a bar that stays at the top. @param {HTMLElement} bar */
export function scrollBelow(bar) {
  new ResizeObserver(() => {
    const isOnTop = getComputedStyle(bar).position === 'sticky';
    document.documentElement.style.scrollPaddingTop = isOnTop ? `${bar.offsetHeight + 8}px` : '';
  }).observe(bar);
}

/**
 * The link that stands now where one like it stood.
 * @param {Element} old
 * @param {Element} parent
 */
export function linkLike(old, parent) {
  const isSame = (/** @type {Element} */ one) =>
    ['class', 'href'].every((name) => one.getAttribute(name) === old.getAttribute(name));
  return [...parent.querySelectorAll('a')].find(isSame);
}

/**
 * A text with its marks: `span` is `<mark>`, `highlight` is `<strong>`, `word` is `<b>`; others are classes.
 * @param {string} text
 * @param {number} from offset of the text in its document
 * @param {readonly import('./spans.js').Mark[]} marks
 * @returns {Node[]}
 */
export function marked(text, from, marks) {
  return piecesOf(text, from, marks).map(({ text: own, kinds }) => {
    /** @type {Node} */
    let node = document.createTextNode(own);
    if (kinds.includes('word')) node = h('b', {}, node);
    if (kinds.includes('highlight')) node = h('strong', {}, node);
    if (kinds.includes('unsupported'))
      node = h('span', { class: 'unsupported', title: 'No passage supports this.' }, node);
    return kinds.includes('span') ? h('mark', {}, node) : node;
  });
}
