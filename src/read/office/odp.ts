/** OpenDocument presentations: slides in the order of the show, each a `page`, as those of PowerPoint. */
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { includePictures } from '../image/inside.ts';
import { type Attributes, attribute, type XmlHandler } from '../markup/xml.ts';
import { DrawingReader } from './odf-drawing.ts';
import { ObjectReader } from './odf-objects.ts';
import { OdpNumbering } from './odp-numbering.ts';
import { OpenDocument, RaisedSpans } from './opendocument.ts';
import { charsOf, type Shape, SlideWriter } from './slides.ts';

/**
 * Hidden slides are read; what stands on the master pages is not.
 * @throws IbidError FILE_ENCRYPTED, FILE_DAMAGED, FILE_EMPTY, FILE_TOO_LARGE
 */
export async function parseOdp(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const file = new OpenDocument(bytes, context, 'odp');
  const writer = new SlideWriter(file.builder);
  const spans = new RaisedSpans();
  const numbering = new OdpNumbering();
  const objects = new ObjectReader(file.zip, file.builder);
  const reader = new ShowReader(new DrawingReader(objects, spans, numbering));
  file.readBody(reader, (name, attributes) => {
    spans.readStyle(name, attributes);
    numbering.readStyle(name, attributes);
  });
  reader.finish();
  let waits = false;
  for (const [index, { shapes, notes, pictures }] of reader.slides.entries()) {
    writer.write(shapes, notes);
    const shown = file.pictures(pictures);
    const isWaiting = await includePictures(shown, charsOf(shapes), file.builder, context, { page: index + 1 });
    waits ||= isWaiting;
  }
  file.refuseEmpty('the show', waits);
  writer.finish();
  return file.builder.build();
}

interface Slide {
  readonly shapes: readonly Shape[];
  readonly notes: readonly Shape[];
  /** Parts of the package. */
  readonly pictures: readonly string[];
}

/** Texts that slides name: `use-footer-name` is the name of a `footer-decl`. */
const DECLARED = /^(header|footer|date-time)-decl$/u;

class ShowReader implements Required<XmlHandler> {
  readonly slides: Slide[] = [];
  readonly #drawing: DrawingReader;
  readonly #declared = new Map<string, string>();
  /** The name of the text that is declared. */
  #declaring: string | undefined;
  #onSlide = false;
  #shapes: Shape[] = [];
  #running: Shape[] = [];
  #notes: Shape[] = [];
  #pictures: string[] = [];

  constructor(drawing: DrawingReader) {
    this.#drawing = drawing;
  }

  open(name: string, attributes: Attributes, qualified: string): void {
    const declared = DECLARED.exec(name)?.[1];
    if (declared !== undefined) this.#declaring = `${declared} ${attribute(attributes, 'name')}`;
    else if (qualified === 'draw:page') {
      this.#onSlide = true;
      this.#running = ['header', 'date-time', 'footer'].flatMap((kind) => {
        const text = this.#declared.get(`${kind} ${attribute(attributes, `use-${kind}-name`)}`)?.trim();
        return text ? [{ role: 'running', lines: [{ text, level: 0 }], rows: undefined }] : [];
      });
    } else if (name === 'notes' && !this.#drawing.isInside) this.#shapes = this.#drawing.take();
    else if (this.#onSlide) {
      if (qualified === 'draw:image') this.#pictures.push(attribute(attributes, 'href') ?? '');
      this.#drawing.open(name, attributes, qualified);
    }
  }

  close(name: string, qualified: string): void {
    if (DECLARED.test(name)) this.#declaring = undefined;
    else if (name === 'notes' && !this.#drawing.isInside)
      this.#notes = this.#drawing.take().filter(({ role }) => role === 'other');
    else if (qualified === 'draw:page') this.#endSlide();
    else if (this.#onSlide) this.#drawing.close(name);
  }

  text(text: string): void {
    if (this.#declaring !== undefined)
      this.#declared.set(this.#declaring, (this.#declared.get(this.#declaring) ?? '') + text);
    else if (this.#onSlide) this.#drawing.text(text);
  }

  /** After the last slide; where the file is cut short, in the midst of one. */
  finish(): void {
    if (this.#onSlide) this.#endSlide();
  }

  #endSlide(): void {
    const shapes = [...this.#shapes, ...this.#drawing.take(), ...this.#running];
    this.slides.push({ shapes, notes: this.#notes, pictures: this.#pictures });
    this.#onSlide = false;
    this.#shapes = [];
    this.#notes = [];
    this.#pictures = [];
  }
}
