import type { DocumentBuilder } from '../builder.ts';
import { type Attributes, attribute } from '../markup/xml.ts';

/** Says how much text was left out because its author has hidden it. */
export function tellHidden(builder: DocumentBuilder, parts: number): void {
  if (parts > 0)
    builder.leaveOut(parts, 'HIDDEN_TEXT', `left out hidden text of ${parts === 1 ? '1 place' : `${parts} places`}`);
}

/** What an OpenDocument text hides: sections, paragraphs, and what a style hides. */
export class HiddenParts {
  /** Paragraphs and spans that were left out. */
  count = 0;
  readonly #own = new Map<string, boolean>();
  readonly #parents = new Map<string, string>();
  #style = '';

  /** Takes each element before the body. */
  readStyle(name: string, attributes: Attributes): void {
    if (name === 'style') {
      this.#style = attribute(attributes, 'name') ?? '';
      this.#parents.set(this.#style, attribute(attributes, 'parent-style-name') ?? '');
    }
    const display = name === 'text-properties' ? attribute(attributes, 'display') : undefined;
    if (display !== undefined) this.#own.set(this.#style, display === 'none');
  }

  /** Whether an element is hidden with all that it holds. */
  hides(name: string, attributes: Attributes): boolean {
    if (name === 'section')
      return attribute(attributes, 'display') === 'none' || attribute(attributes, 'is-hidden') === 'true';
    if (name === 'hidden-text') return attribute(attributes, 'is-hidden') === 'true';
    if (name !== 'p' && name !== 'h' && name !== 'span') return false;
    return this.#isHidden(attribute(attributes, 'style-name') ?? '');
  }

  /** Counts what an element that is left out says. */
  leaveOut(name: string): void {
    if (name === 'p' || name === 'h' || name === 'span') this.count++;
  }

  #isHidden(style: string): boolean {
    for (let next = style, i = 0; i < 20; next = this.#parents.get(next) ?? '', i++) {
      const own = this.#own.get(next);
      if (own !== undefined) return own;
    }
    return false;
  }
}
