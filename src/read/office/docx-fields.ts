/** Fields of old forms of Word, whose value is no text of the document: boxes that are ticked, choices from a list. */
import { type Attributes, attribute } from '../markup/xml.ts';

export class FormFieldReader {
  #ticked = false;
  #choices: string[] = [];
  #chosen = 0;
  /** Of each open field, whether its instruction goes on. */
  readonly #instructions: boolean[] = [];

  /** Whether a field stands in the instruction of another one, which shows the result of that one alone. */
  get isInstruction(): boolean {
    const outermost = this.#instructions.indexOf(true);
    return outermost !== -1 && outermost < this.#instructions.length - 1;
  }

  /** A field whose end is missing hides no more than its paragraph. */
  endParagraph(): void {
    while (this.#instructions.includes(true)) this.#instructions.pop();
  }

  open(name: string, attributes: Attributes): void {
    const value = attribute(attributes, 'val');
    const isOn = value !== '0' && value !== 'false';
    if (name === 'fldChar') this.#mark(attribute(attributes, 'fldCharType'));
    else if (name === 'checkBox') this.#ticked = false;
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

  #mark(type: string | undefined): void {
    if (type === 'begin') this.#instructions.push(true);
    else if (type === 'separate' && this.#instructions.length > 0)
      this.#instructions[this.#instructions.length - 1] = false;
    else if (type === 'end') this.#instructions.pop();
  }

  /** @returns what the field shows, when it ends; boxes as Word writes those of today */
  close(name: string): string {
    if (name === 'checkBox') return this.#ticked ? '☒' : '☐';
    return name === 'ddList' ? (this.#choices[this.#chosen] ?? '') : '';
  }
}
