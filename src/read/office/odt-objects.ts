/** What OpenDocument keeps in a part of its own and shows in the text: formulas, charts, sheets. */
import type { DocumentBuilder } from '../builder.ts';
import { MathReader } from '../markup/mathml.ts';
import type { XmlHandler } from '../markup/xml.ts';
import { readPart } from './ooxml.ts';

export interface Shown {
  /** In one line, as a part of the sentence; '' for anything else. */
  readonly formula: string;
  /** The paragraphs of anything else. */
  readonly lines: readonly string[];
}

type Package = Parameters<typeof readPart>[0];

/** Reads each object once, however often the text names it. */
export class ObjectReader {
  readonly #zip: Package;
  readonly #builder: DocumentBuilder;
  readonly #seen = new Map<string, Shown>();

  constructor(zip: Package, builder: DocumentBuilder) {
    this.#zip = zip;
    this.#builder = builder;
  }

  /** @param href as the text names the object: `./Object 1` */
  read(href: string): Shown {
    const folder = href.replace(/^\.\//u, '');
    const known = this.#seen.get(folder);
    if (known) return { ...known, lines: [] };
    const reader = new ContentReader();
    readPart(this.#zip, `${folder}/content.xml`, this.#builder, reader);
    const shown = { formula: reader.math?.take() ?? '', lines: reader.lines };
    this.#seen.set(folder, shown);
    return shown;
  }
}

class ContentReader implements XmlHandler {
  math: MathReader | undefined;
  readonly lines: string[] = [];
  #text = '';
  #inBody = false;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.math) this.math.open(name, attributes);
    else if (name === 'math' && !this.#inBody) this.math = new MathReader();
    else if (name === 'body') this.#inBody = true;
    else if (name === 'p' || name === 's' || name === 'tab' || name === 'line-break') this.#text += ' ';
  }

  text(text: string): void {
    if (this.math) this.math.text(text);
    else if (this.#inBody) this.#text += text;
  }

  close(name: string): void {
    if (this.math) this.math.close();
    else if (name === 'p') {
      const line = this.#text.replace(/\s+/gu, ' ').trim();
      if (line !== '') this.lines.push(line);
      this.#text = '';
    }
  }
}
