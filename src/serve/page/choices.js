/** @import { Status } from './status.js' */
/** @import { View } from './links.js' */
import { h } from './dom.js';

/**
 * What the server can: several indexes and modes are to be chosen from.
 * @param {Status} status
 * @param {(change: Partial<View>) => void} onChoice
 */
export function choicesOf({ indexes, modes }, onChoice) {
  const names = indexes.map(({ name }) => name);
  const others = modes.filter((mode) => mode !== 'extractive');
  const index = choice('Index', ['all indexes', ...names], names.length > 1, (chosen) =>
    onChoice({ index: chosen, reference: '' }),
  );
  const mode = choice('Answered by', ['extractive', ...others], others.length > 0, (chosen) =>
    onChoice({ mode: chosen, reference: '' }),
  );
  return {
    elements: [index.select, mode.select],
    /** @param {View} view */
    show(view) {
      index.show(view.index);
      mode.show(view.mode === 'extractive' ? '' : view.mode);
    },
  };
}

/**
 * @param {string} label
 * @param {readonly string[]} names the first is chosen by ''
 * @param {boolean} areSeveral
 * @param {(value: string) => void} onChoice
 */
function choice(label, names, areSeveral, onChoice) {
  const select = h(
    'select',
    { 'aria-label': label, onchange: () => onChoice(select.value) },
    ...names.map((name, i) => h('option', { value: i === 0 ? '' : name }, name)),
  );
  const other = h('option', {});
  /** A link may choose what is not offered: that is seen, and can be left. @param {string} value */
  const show = (value) => {
    const isOffered = value === '' || names.indexOf(value) > 0;
    other.remove();
    if (!isOffered) {
      other.value = other.textContent = value;
      select.append(other);
    }
    select.value = value;
    select.hidden = isOffered && !areSeveral;
  };
  return { select, show };
}
