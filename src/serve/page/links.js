/**
 * What the address of the page says.
 * @typedef {object} View
 * @property {'start' | 'ask' | 'search' | 'source'} name
 * @property {string} question
 * @property {Readonly<Record<string, unknown>>} where
 * @property {string} index '' for all
 * @property {string} mode who answers; '' for what costs nothing
 * @property {string} reference of the source that is open; '' for none
 * @property {string} owner index of the source that is open, where all are asked; '' where it is `index`
 */

/**
 * @param {URL} url
 * @returns {View}
 */
export function viewOf(url) {
  const get = (/** @type {string} */ name) => url.searchParams.get(name) ?? '';
  const question = get('q').trim();
  const common = {
    question,
    where: whereOf(get('where')),
    index: get('index'),
    mode: get('mode'),
    reference: get('ref'),
    owner: get('in'),
  };
  if (url.pathname === '/source' && common.reference !== '') return { ...common, name: 'source' };
  if (question === '') return { ...common, name: 'start' };
  return { ...common, name: get('view') === 'search' ? 'search' : 'ask' };
}

/**
 * The address of a view, without the server.
 * @param {Partial<View>} view
 */
export function addressOf(view) {
  const { name = 'start', question = '', where = {}, index = '', mode = '', reference = '', owner = '' } = view;
  const search = new URLSearchParams();
  if (name !== 'source') {
    if (question !== '') search.set('q', question);
    if (name === 'search') search.set('view', 'search');
    if (Object.keys(where).length > 0) search.set('where', JSON.stringify(where));
    if (mode !== '') search.set('mode', mode);
  }
  if (index !== '') search.set('index', index);
  if (reference !== '') search.set('ref', reference);
  if (reference !== '' && owner !== '') search.set('in', owner);
  const text = search.toString();
  return `${name === 'source' ? '/source' : '/'}${text === '' ? '' : `?${text}`}`;
}

/** @param {string} text */
function whereOf(text) {
  if (text === '') return {};
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
  } catch {
    return {}; // a link that was cut off
  }
}
