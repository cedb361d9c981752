/** Styles of a Word document: name, base style, heading level, list. */
import { type Attributes, attribute, type XmlHandler } from '../markup/xml.ts';

export interface Style {
  name: string;
  basedOn: string;
  outline: number | undefined;
  list: string;
  level: number;
  bold: boolean | undefined;
  hidden: boolean | undefined;
}

export class Styles {
  readonly #styles = new Map<string, Style>();
  readonly handler: XmlHandler = {
    open: (name, attributes) => this.#open(name, attributes),
  };
  #current: Style | undefined;

  #open(name: string, attributes: Attributes): void {
    const value = attribute(attributes, 'val') ?? '';
    if (name === 'style') {
      this.#current = {
        name: '',
        basedOn: '',
        outline: undefined,
        list: '',
        level: 0,
        bold: undefined,
        hidden: undefined,
      };
      this.#styles.set(attribute(attributes, 'styleId') ?? '', this.#current);
      return;
    }
    const style = this.#current;
    if (!style) return;
    if (name === 'name') style.name = value.toLowerCase();
    else if (name === 'basedOn') style.basedOn = value;
    else if (name === 'outlineLvl') style.outline = Number(value);
    else if (name === 'numId') style.list = value;
    else if (name === 'ilvl') style.level = Number(value);
    else if (name === 'b') style.bold = isOn(value);
    else if (name === 'vanish') style.hidden = isOn(value);
  }

  /** The style and its base styles, nearest first. */
  *chain(id: string): Generator<Style> {
    let next = id;
    for (let i = 0; i < 20; i++) {
      const style = this.#styles.get(next);
      if (!style) return;
      yield style;
      next = style.basedOn;
    }
  }

  isBold(id: string): boolean | undefined {
    for (const { bold } of this.chain(id)) if (bold !== undefined) return bold;
    return undefined;
  }

  isHidden(id: string): boolean {
    for (const { hidden } of this.chain(id)) if (hidden !== undefined) return hidden;
    return false;
  }

  name(id: string): string {
    return this.#styles.get(id)?.name ?? id.toLowerCase();
  }

  /** 1 to 6; undefined when paragraphs of this style are no headings. */
  headingLevel(id: string): number | undefined {
    const direct = /^(?:heading|überschrift|titre|título|titolo|kop)\s*(\d)/iu.exec(id.replace(/_/gu, ' '))?.[1];
    for (const { name, outline } of this.chain(id)) {
      const digit = /^heading (\d)/u.exec(name)?.[1];
      if (digit !== undefined) return Math.min(6, Number(digit));
      if (outline !== undefined) return outline < 9 ? Math.min(6, outline + 1) : undefined;
    }
    return direct === undefined ? undefined : Math.min(6, Number(direct));
  }
}

/** Whether a property that is there is on: without a value it is. */
export function isOn(value: string | undefined): boolean {
  return value !== '0' && value !== 'false' && value !== 'off';
}
