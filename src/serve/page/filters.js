import { call } from './api.js';
import { fill, h } from './dom.js';
import { countOf, whereOf } from './where.js';

/** @typedef {{ readonly value: string | number | boolean, readonly documents: number }} Value */
/**
 * @typedef {object} Key
 * @property {string} key
 * @property {number} documents
 * @property {readonly Value[]} values
 * @property {string | number} [least]
 * @property {string | number} [most]
 */
/** @typedef {{ formats: readonly Value[], folders: readonly Value[], metadata: readonly Key[], complete: boolean }} Facets */

const MOST_KEYS = 8;
/** A key with about as many values as documents, such as a subject, is for searching. */
const MOST_VALUES_A_DOCUMENT = 0.75;

/**
 * The filters that an index has.
 * @param {HTMLElement} place
 * @param {import('./where.js').Chosen} chosen
 * @param {string} index
 * @param {{ onChoice: (where: Record<string, unknown>) => void, onClear: () => void }} on
 * @param {AbortSignal} signal
 */
export async function showFilters(place, chosen, index, { onChoice, onClear }, signal) {
  /** @type {Facets} */
  const facets = await call('/api/facets', { ...(index !== '' && { index }) }, signal);
  let now = chosen;
  const choose = (/** @type {Partial<import('./where.js').Chosen>} */ part) => {
    now = { ...now, ...part };
    clear.hidden = countOf(now) === 0;
    onChoice(whereOf(now));
  };
  const clear = h('button', { type: 'button', class: 'clear', onclick: onClear }, 'Clear all filters');
  clear.hidden = countOf(now) === 0;
  fill(
    place,
    formatsView(facets.formats, now.formats, (formats) => choose({ formats })),
    facets.folders.length > 0 &&
      selectView('Folder', facets.folders, now.folder, (folder) => choose({ folder: String(folder ?? '') })),
    ...usefulKeys(facets).map((key) => keyView(key, now, choose, () => now)),
    ...Object.entries(chosen.others).map(([name, condition]) =>
      h('p', { class: 'quiet' }, `${name} ${JSON.stringify(condition)}`),
    ),
    clear,
  );
}

/** Keys that make groups of documents: many share a value, or the values have an order. @param {Pick<Facets, 'metadata'>} facets */
export function usefulKeys({ metadata }) {
  const isUseful = (/** @type {Key} */ { values, least, most }) =>
    least === undefined || most === undefined
      ? values.length <= sumOf(values) * MOST_VALUES_A_DOCUMENT
      : least !== most;
  return metadata.filter(isUseful).slice(0, MOST_KEYS);
}

/** Documents that have one of these values: of many values only the most frequent are told. @param {readonly Value[]} values */
function sumOf(values) {
  return values.reduce((sum, { documents }) => sum + documents, 0);
}

/** @param {readonly Value[]} formats @param {readonly string[]} chosen @param {(formats: readonly string[]) => void} onChange */
function formatsView(formats, chosen, onChange) {
  const boxes = formats.map(({ value, documents }) => {
    const box = h('input', {
      type: 'checkbox',
      value,
      checked: chosen.includes(String(value)),
      onchange: () => onChange(boxes.filter(({ box: one }) => one.checked).map(({ box: one }) => one.value)),
    });
    return { box, label: h('label', {}, box, ` ${value} `, h('span', { class: 'count' }, String(documents))) };
  });
  return h('fieldset', {}, h('legend', {}, 'Format'), ...boxes.map(({ label }) => label));
}

/** @param {string} name @param {readonly Value[]} values @param {unknown} chosen @param {(value: Value['value'] | undefined) => void} onChange */
function selectView(name, values, chosen, onChange) {
  const known = chosen === '' || chosen === undefined || values.some(({ value }) => value === chosen);
  const all = known ? values : [...values, { value: /** @type {Value['value']} */ (chosen), documents: 0 }];
  const select = h(
    'select',
    { onchange: () => onChange(all[select.selectedIndex - 1]?.value) },
    h('option', { value: '' }, 'any'),
    ...all.map(({ value, documents }) =>
      h('option', { selected: value === chosen }, documents > 0 ? `${value} (${documents})` : String(value)),
    ),
  );
  return h('label', { class: 'pick' }, name, select);
}

/**
 * @param {Key} key
 * @param {import('./where.js').Chosen} now
 * @param {(part: Partial<import('./where.js').Chosen>) => void} choose
 * @param {() => import('./where.js').Chosen} current
 */
function keyView({ key, values, least, most }, now, choose, current) {
  if (least === undefined || most === undefined || least === most)
    return selectView(key, values, now.values[key], (value) => {
      const { [key]: _, ...others } = current().values;
      choose({ values: value === undefined ? others : { ...others, [key]: value } });
    });
  const isNumber = typeof least === 'number';
  const type = isNumber ? 'number' : 'date';
  const input = (/** @type {'least' | 'most'} */ end, /** @type {string} */ label) => {
    const value = now.ranges[key]?.[end];
    const field = h('input', {
      ...{
        type,
        value: value === undefined ? undefined : shown(value),
        min: shown(least),
        max: shown(most),
        step: isNumber && 'any',
      },
      'aria-label': `${key} ${label}`,
      onchange: () => {
        const { [end]: _, ...other } = current().ranges[key] ?? {};
        const given = field.value === '' ? {} : { [end]: isNumber ? Number(field.value) : field.value };
        const { [key]: __, ...others } = current().ranges;
        const range = { ...other, ...given };
        choose({ ranges: Object.keys(range).length === 0 ? others : { ...others, [key]: range } });
      },
    });
    return field;
  };
  return h('fieldset', { class: 'range' }, h('legend', {}, key), input('least', 'from'), ' to ', input('most', 'to'));
}

/** @param {string | number} value */
function shown(value) {
  return typeof value === 'number' ? value : value.slice(0, 10);
}
