/** What is written into the form of an OpenDocument text: the file says it before the text, which names each field. */
import { type Attributes, attribute } from '../markup/xml.ts';

const WRITTEN = new Set(['text', 'textarea', 'formatted-text', 'number', 'date', 'time', 'combobox']);

export class FormValues {
  readonly #values = new Map<string, string>();
  #list = '';

  /** Takes each element of the forms. */
  open(name: string, attributes: Attributes): void {
    const id = attribute(attributes, 'id') ?? '';
    if (WRITTEN.has(name))
      this.#values.set(id, attribute(attributes, 'current-value') ?? attribute(attributes, 'value') ?? '');
    else if (name === 'fixed-text') this.#values.set(id, attribute(attributes, 'label') ?? '');
    else if (name === 'checkbox' || name === 'radio') {
      const state = name === 'checkbox' ? 'state' : 'selected';
      const isOn = attribute(attributes, `current-${state}`) ?? attribute(attributes, state) ?? '';
      const box = /^(?:checked|true)$/.test(isOn) ? '☒' : '☐';
      this.#values.set(id, `${box} ${attribute(attributes, 'label') ?? ''}`);
    } else if (name === 'listbox') this.#list = id;
    else if (name === 'option') {
      const isOn = attribute(attributes, 'current-selected') ?? attribute(attributes, 'selected');
      const before = this.#values.get(this.#list);
      const label = attribute(attributes, 'label') ?? '';
      if (isOn === 'true') this.#values.set(this.#list, before === undefined ? label : `${before}, ${label}`);
    }
  }

  /** What a field shows; '' for one without a value, for buttons and for secrets. */
  valueOf(id: string): string {
    return (this.#values.get(id) ?? '').trim();
  }
}
