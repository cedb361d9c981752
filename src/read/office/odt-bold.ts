import { type Attributes, attribute } from '../markup/xml.ts';

/** Which styles of an OpenDocument text are bold: those of paragraphs, and of the spans in them. */
export class BoldStyles {
  readonly #own = new Map<string, boolean>();
  readonly #parents = new Map<string, string>();
  readonly #spans: string[] = [];
  #style = '';

  /** Takes each element before the body. */
  readStyle(name: string, attributes: Attributes): void {
    if (name === 'style') {
      this.#style = attribute(attributes, 'name') ?? '';
      this.#parents.set(this.#style, attribute(attributes, 'parent-style-name') ?? '');
    }
    const weight = name === 'text-properties' ? attribute(attributes, 'font-weight') : undefined;
    if (weight !== undefined) this.#own.set(this.#style, weight === 'bold' || Number(weight) >= 600);
  }

  openSpan(attributes: Attributes): void {
    this.#spans.push(attribute(attributes, 'style-name') ?? '');
  }

  closeSpan(): void {
    this.#spans.pop();
  }

  /** Whether text is bold that stands in the open spans of a paragraph of that style. */
  isBoldIn(paragraph: string): boolean {
    for (const style of [...this.#spans.toReversed(), paragraph]) {
      const bold = this.#isBold(style);
      if (bold !== undefined) return bold;
    }
    return false;
  }

  #isBold(style: string): boolean | undefined {
    for (let next = style, i = 0; i < 20; next = this.#parents.get(next) ?? '', i++) {
      const bold = this.#own.get(next);
      if (bold !== undefined) return bold;
    }
    return undefined;
  }
}
