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
  const index = choice('Index', ['all indexes', ...names], (chosen) => onChoice({ index: chosen, reference: '' }));
  const mode = choice('Answered by', ['extractive', ...others], (chosen) => onChoice({ mode: chosen, reference: '' }));
  return {
    elements: [...(names.length > 1 ? [index] : []), ...(modes.length > 1 ? [mode] : [])],
    /** @param {View} view */
    show(view) {
      index.value = view.index;
      mode.value = view.mode === 'extractive' ? '' : view.mode;
    },
  };
}

/** @param {string} label @param {readonly string[]} names the first is chosen by '' @param {(value: string) => void} onChoice */
function choice(label, names, onChoice) {
  const select = h(
    'select',
    { 'aria-label': label, onchange: () => onChoice(select.value) },
    ...names.map((name, i) => h('option', { value: i === 0 ? '' : name }, name)),
  );
  return select;
}
