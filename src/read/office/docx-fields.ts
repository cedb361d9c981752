/** Fields of old forms of Word, whose value is no text of the document: boxes that are ticked, choices from a list. */
import { type Attributes, attribute } from '../markup/xml.ts';

export class FormFieldReader {
  #ticked = false;
  #choices: string[] = [];
  #chosen = 0;

  open(name: string, attributes: Attributes): void {
    const value = attribute(attributes, 'val');
    const isOn = value !== '0' && value !== 'false';
    if (name === 'checkBox') this.#ticked = false;
    else if (name === 'ddList') {
      this.#choices = [];
      this.#chosen = 0;
    } else if (name === 'checked') this.#ticked = isOn;
    else if (name === 'default') {
      this.#ticked = isOn;
      this.#chosen = Number(value) || 0;
    } else if (name === 'result') this.#chosen = Number(value) || 0;
    else if (name === 'listEntry') this.#choices.push(value ?? '');
  }

  /** @returns what the field shows, when it ends; boxes as Word writes those of today */
  close(name: string): string {
    if (name === 'checkBox') return this.#ticked ? '☒' : '☐';
    return name === 'ddList' ? (this.#choices[this.#chosen] ?? '') : '';
  }
}
