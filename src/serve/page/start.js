/** @import { Status } from './status.js' */
import { fill, h } from './dom.js';
import { asked, forget } from './history.js';
import { addressOf } from './links.js';
import { counted } from './places.js';

/**
 * What stands there before anything is asked.
 * @param {HTMLElement} place
 * @param {Status} [status]
 */
export function showStart(place, status) {
  const before = asked();
  const forgetAll = () => {
    forget();
    showStart(place, status);
    place.focus();
  };
  fill(
    place,
    h(
      'div',
      { class: 'start' },
      h('h1', {}, 'Ask your documents'),
      h('p', { class: 'quiet', id: 'start-text' }, startText(status)),
      before.length > 0 && h('h2', {}, 'Asked before'),
      before.length > 0 && h('ul', { class: 'before' }, ...before.map(askedLink)),
      before.length > 0 && h('button', { type: 'button', onclick: forgetAll }, 'Forget these'),
    ),
  );
}

/** @param {Status} [status] */
export function startText(status) {
  const documents = status?.indexes.reduce((sum, { documents: own = 0 }) => sum + own, 0);
  const held = documents === undefined ? '' : `${counted(documents, 'document')}. `;
  return `${held}Every sentence of an answer names the place it rests on.`;
}

/** @param {string} question */
function askedLink(question) {
  return h('li', {}, h('a', { href: addressOf({ name: 'ask', question }) }, question));
}
