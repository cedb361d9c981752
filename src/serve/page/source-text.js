/** @import { PlacedSpan } from './api.js' */
/** @import { Mark } from './spans.js' */
/** @import { Part } from './layout.js' */
import { h, marked } from './dom.js';
import { cellsOf, layoutOf, linesOf } from './layout.js';
import { timeText } from './places.js';

/**
 * A text of the index as it is shown.
 * @typedef {object} ShownText
 * @property {string} text
 * @property {number} from offset of the text in its document
 * @property {string} format
 * @property {readonly Mark[]} marks
 * @property {readonly PlacedSpan[]} places
 * @property {number} [firstLine] line of the source at `from`, for code
 * @property {string} [header] names of columns, where the table began before the text
 * @property {(ms: number) => void} [seek] goes to a time of the recording
 */

/** @param {ShownText} shown */
export function textView(shown) {
  const parts = layoutOf(shown.text, shown.from, shown.format);
  return h('div', { class: `text format-${shown.format}` }, ...parts.map((part) => partView(part, shown)));
}

/** @param {Part} part @param {ShownText} shown @returns {HTMLElement} */
function partView(part, shown) {
  const { kind, text, start, level } = part;
  switch (kind) {
    case 'code':
      return codeView(part, shown);
    case 'table':
      return tableView(part, shown);
    case 'cues':
      return cuesView(part, shown);
    case 'headers':
      return h('div', { class: 'headers' }, ...linesOf(text, start).map((line) => headerView(line, shown)));
    case 'heading':
      return h('p', { class: `heading level-${level}` }, ...marked(text.trimEnd(), start, shown.marks));
    default:
      return h('p', {}, ...marked(text.trimEnd(), start, shown.marks));
  }
}

/** @param {{ start: number, text: string }} line @param {ShownText} shown */
function headerView({ start, text }, { marks }) {
  const colon = text.indexOf(':') + 1;
  return h(
    'p',
    {},
    h('span', { class: 'name' }, ...marked(text.slice(0, colon), start, marks)),
    ...marked(text.slice(colon), start + colon, marks),
  );
}

/** @param {Part} part @param {ShownText} shown */
function codeView({ start, text }, { from, text: all, marks, firstLine }) {
  const lines = linesOf(text, start);
  if (firstLine === undefined)
    return h('pre', { tabindex: '0' }, h('code', {}, ...marked(text.trimEnd(), start, marks)));
  const first = firstLine + (all.slice(0, start - from).match(/\n/g)?.length ?? 0);
  const rows = lines.map((line, i) =>
    h(
      'span',
      { class: 'line' },
      h('span', { class: 'number', 'aria-hidden': 'true', 'data-line': first + i }),
      h('span', {}, ...marked(`${line.text}\n`, line.start, marks)),
    ),
  );
  return h('pre', { class: 'numbered', tabindex: '0' }, h('code', {}, ...rows));
}

/** @param {Part} part @param {ShownText} shown */
function tableView({ start, text }, { marks, from, header, format }) {
  const lines = linesOf(text.trimEnd(), start);
  const head = header !== undefined && start === from ? header.split(' | ') : undefined;
  // the first line of a part that begins in a table is a row
  const own = head || (start > 0 && (start === from || format === 'csv')) ? undefined : lines.shift();
  const names = head?.map((name) => h('th', { scope: 'col' }, name)) ?? (own && cells('th', own, marks));
  const columns = Math.max(names?.length ?? 0, ...lines.map((line) => cellsOf(line.text, 0).length));
  const row = (/** @type {{ start: number, text: string }} */ line) => {
    const own = cells('td', line, marks);
    const missing = Array.from({ length: columns - own.length }, () => h('td')); // empty cells at the end of a row
    return h('tr', { class: isLit(line) && 'lit' }, ...own, ...missing);
  };
  const isLit = (/** @type {{ start: number, text: string }} */ line) =>
    marks.some((mark) => mark.kind === 'span' && mark.start < line.start + line.text.length && mark.end > line.start);
  return h(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Table' },
    h('table', {}, names && h('thead', {}, h('tr', {}, ...names)), h('tbody', {}, ...lines.map(row))),
  );
}

/** @param {'th' | 'td'} tag @param {{ start: number, text: string }} line @param {readonly Mark[]} marks */
function cells(tag, line, marks) {
  return cellsOf(line.text, line.start).map(({ start, text }) =>
    h(
      tag,
      { scope: tag === 'th' && 'col', class: /^[\d\s.,%+−-]+$/.test(text) && 'figure' },
      ...marked(text, start, marks),
    ),
  );
}

/** Lines that were said, each with its time; words with times of their own can be followed. @param {Part} part @param {ShownText} shown */
function cuesView({ start, text }, { marks, places, seek }) {
  const timed = places.filter(({ timeMs }) => timeMs);
  const rows = linesOf(text, start)
    .filter((line) => line.text.trim() !== '')
    .map((line) => {
      const within = timed.filter((one) => one.start < line.start + line.text.length && one.end > line.start);
      const at = within[0]?.timeMs?.[0];
      const label = at === undefined ? '' : timeText(at);
      return h(
        'p',
        { class: 'cue' },
        at === undefined || !seek
          ? h('span', { class: 'time' }, label)
          : h(
              'button',
              { type: 'button', class: 'time', 'aria-label': `Play from ${label}`, onclick: () => seek(at) },
              label,
            ),
        h('span', {}, ...said(line, within, marks)),
      );
    });
  return h('div', { class: 'cues' }, ...rows);
}

/** @param {{ start: number, text: string }} line @param {readonly PlacedSpan[]} within @param {readonly Mark[]} marks */
function said(line, within, marks) {
  /** @type {Node[]} */
  const nodes = [];
  let at = line.start;
  const end = line.start + line.text.length;
  const plain = (/** @type {number} */ to) => {
    if (to > at) nodes.push(...marked(line.text.slice(at - line.start, to - line.start), at, marks));
    at = Math.max(at, to);
  };
  for (const { start, end: stop, timeMs } of within) {
    plain(start);
    const to = Math.min(stop, end);
    if (to <= at) continue;
    const own = marked(line.text.slice(at - line.start, to - line.start), at, marks);
    nodes.push(h('span', { 'data-from': timeMs?.[0], 'data-to': timeMs?.[1] }, ...own));
    at = to;
  }
  plain(end);
  return nodes;
}
