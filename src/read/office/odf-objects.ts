/** What OpenDocument keeps in a part of its own and shows in the text: formulas, charts, sheets. */
import { oneLine } from '../../text/one-line.ts';
import type { DocumentBuilder } from '../builder.ts';
import { MathReader } from '../markup/mathml.ts';
import { attribute, type XmlHandler } from '../markup/xml.ts';
import { readPart, rowText } from './ooxml.ts';

interface ShownObject {
  /** In one line, as a part of the sentence; '' for anything else. */
  readonly formula: string;
  /** The paragraphs of anything else; of a table, its rows. */
  readonly lines: readonly string[];
}

type Package = Parameters<typeof readPart>[0];

/** Reads each object once, however often the text names it. */
export class ObjectReader {
  readonly #zip: Package;
  readonly #builder: DocumentBuilder;
  readonly #withData: boolean;
  readonly #seen = new Map<string, ShownObject>();

  /** @param withData whether the numbers of charts are read; in a spreadsheet they stand in its cells */
  constructor(zip: Package, builder: DocumentBuilder, withData = true) {
    this.#zip = zip;
    this.#builder = builder;
    this.#withData = withData;
  }

  /** @param href as the text names the object: `./Object 1`, `Formula-0/` */
  read(href: string): ShownObject {
    const folder = href.replace(/^\.\/|\/$/gu, '');
    const known = this.#seen.get(folder);
    if (known) return { ...known, lines: [] };
    const reader = this.inPlace();
    readPart(this.#zip, `${folder}/content.xml`, this.#builder, reader);
    const shown = reader.shown();
    this.#seen.set(folder, shown);
    return shown;
  }

  /** Takes the elements of an object that stands in the document itself, as in one file of XML. */
  inPlace(): ContentReader {
    return new ContentReader(this.#withData);
  }
}

export class ContentReader implements XmlHandler {
  readonly #withData: boolean;
  readonly #lines: string[] = [];
  #math: MathReader | undefined;
  #text = '';
  #row: string[] | undefined;
  #inBody = false;
  #skip = 0;

  constructor(withData: boolean) {
    this.#withData = withData;
  }

  shown(): ShownObject {
    return { formula: this.#math?.take() ?? '', lines: this.#lines };
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#skip > 0 || (!this.#withData && attribute(attributes, 'name') === 'local-table')) this.#skip++;
    else if (this.#math) this.#math.open(name, attributes);
    else if (name === 'math' && !this.#inBody) this.#math = new MathReader();
    else if (name === 'body') this.#inBody = true;
    else if (name === 'table-row') this.#row = [];
    else if (name === 'table-cell') this.#row?.push('');
    else if (name === 'p' || name === 's' || name === 'tab' || name === 'line-break') this.#text += ' ';
  }

  text(text: string): void {
    if (this.#math) this.#math.text(text);
    else if (this.#inBody && this.#skip === 0) this.#text += text;
  }

  close(name: string): void {
    if (this.#skip > 0) this.#skip--;
    else if (this.#math) this.#math.close();
    else if (name === 'p') {
      const line = oneLine(this.#text);
      this.#text = '';
      if (this.#row?.length) this.#row.push(`${this.#row.pop()} ${line}`.trim());
      else if (line !== '') this.#lines.push(line);
    } else if (name === 'table-row' && this.#row) {
      const line = rowText(this.#row);
      if (line !== '') this.#lines.push(line);
      this.#row = undefined;
    }
  }
}
