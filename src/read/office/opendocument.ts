/** Common parts of the formats of OpenDocument: package, properties, running lines, raised text. */

import { IbidError } from '../../core/errors.ts';
import { oneLine } from '../../text/one-line.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext } from '../contract.ts';
import { type InnerPicture, withoutText } from '../image/inside.ts';
import { type Attributes, attribute, type XmlHandler } from '../markup/xml.ts';
import type { ZipArchive } from '../zip.ts';
import { openPackage, readPart, takeProperties } from './ooxml.ts';

export type Package = Pick<ZipArchive, 'read'>;

/** A package, or a document in one file of XML (`.fodt`), with what it says of itself in the builder. */
export class OpenDocument {
  readonly zip: Package;
  readonly builder: DocumentBuilder;

  /** @throws IbidError FILE_EMPTY, FILE_ENCRYPTED, FILE_DAMAGED, FILE_TOO_LARGE */
  constructor(bytes: Uint8Array, context: ParseContext, format: string) {
    this.builder = new DocumentBuilder(format, context);
    this.zip = bytes[0] === 0x3c || bytes[0] === 0xef ? flatPackage(bytes) : openPackage(bytes, context, this.builder);
    readPart(this.zip, 'META-INF/manifest.xml', this.builder, {
      open(name) {
        if (name !== 'encryption-data') return;
        throw new IbidError('FILE_ENCRYPTED', 'the file needs a password', {
          hint: 'Save a copy without a password and ingest that.',
        });
      },
    });
    readMeta(this.zip, this.builder);
  }

  /**
   * @param handler gets the elements of the body @param readStyle gets those before it
   * @throws IbidError FILE_DAMAGED, FILE_TOO_LARGE
   */
  readBody(handler: Required<XmlHandler>, readStyle: (name: string, attributes: Attributes) => void): void {
    let inBody = false;
    const body: XmlHandler = {
      open(name, attributes, qualified) {
        if (inBody) handler.open(name, attributes, qualified);
        else if (name === 'body') inBody = true;
        else readStyle(name, attributes);
      },
      close(name, qualified) {
        if (inBody) handler.close(name, qualified);
      },
      text(text) {
        if (inBody) handler.text(text);
      },
    };
    if (readPart(this.zip, 'content.xml', this.builder, body)) return;
    throw new IbidError('FILE_DAMAGED', 'the package has no content.xml', {
      hint: 'It may be another kind of file: check its extension.',
    });
  }

  /** @param parts as `draw:image` names them */
  *pictures(parts: Iterable<string>): Generator<InnerPicture> {
    for (const part of new Set(parts)) {
      const bytes = this.zip.read(part.replace(/^\.\//u, ''));
      if (bytes) yield { name: part.split('/').at(-1)!, bytes };
    }
  }

  /**
   * @param what holds no text: the document, the show
   * @param waits whether pictures of it wait for OCR
   * @throws IbidError FILE_DAMAGED, FILE_EMPTY, FILE_SCANNED when nothing was written
   */
  refuseEmpty(what: string, waits = false): void {
    if (this.builder.length > 0) return;
    const broken = this.builder.warnings[0];
    if (broken)
      throw new IbidError('FILE_DAMAGED', broken.message, { hint: 'Open it in LibreOffice and save it again.' });
    throw withoutText(what, waits);
  }
}

/** A document in one file of XML, which begins with `<` or a byte order mark, has all parts in this file. */
function flatPackage(bytes: Uint8Array): Package {
  return { read: (name) => (/^(?:content|styles|meta)\.xml$/u.test(name) ? bytes : undefined) };
}

function readMeta(zip: Package, builder: DocumentBuilder): void {
  let field = '';
  const values = new Map<string, string>();
  let isMeta = true;
  readPart(zip, 'meta.xml', builder, {
    open: (name) => {
      field = name;
    },
    text: (text) => {
      if (isMeta) values.set(field, (values.get(field) ?? '') + text);
    },
    close: (_, qualified) => {
      if (qualified === 'office:meta') isMeta = false;
      field = '';
    },
  });
  const value = (name: string): string => values.get(name)?.trim() ?? '';
  takeProperties(builder, {
    title: value('title'),
    author: value('creator') === '' ? value('initial-creator') : value('creator'),
    created: value('creation-date'),
    modified: value('date'),
  });
}

/** Elements that are drawn and may hold text. */
export const SHAPES: ReadonlySet<string> = new Set(
  'frame g custom-shape rect ellipse circle line polyline polygon regular-polygon path connector measure caption'.split(
    ' ',
  ),
);

/** Fields of a header or footer that are other ones on each page. */
const COUNTED = new Set(['page-number', 'page-count', 'sheet-name', 'file-name']);

/** The paragraphs of headers and footers, each once, without numbers of pages. @param readStyle gets all elements */
export function readRunning(
  { zip, builder }: OpenDocument,
  readStyle?: (name: string, attributes: Attributes) => void,
): { readonly header: ReadonlySet<string>; readonly footer: ReadonlySet<string> } {
  const found = { header: new Set<string>(), footer: new Set<string>() };
  let into: Set<string> | undefined;
  let text = '';
  let counted = 0;
  readPart(zip, 'styles.xml', builder, {
    open(name, attributes) {
      readStyle?.(name, attributes);
      const side = /^(header|footer)(?:-left|-first)?$/u.exec(name)?.[1];
      if (side && attribute(attributes, 'display') !== 'false') into = found[side as 'header' | 'footer']; // the two that the expression lets pass
      if (COUNTED.has(name)) counted++;
      if (name === 'tab' || name === 's') text += ' ';
    },
    text(piece) {
      if (into && counted === 0) text += piece;
    },
    close(name) {
      if (/^(?:header|footer)(?:-left|-first)?$/u.test(name)) into = undefined;
      if (COUNTED.has(name)) counted--;
      if (name !== 'p' && name !== 'h') return;
      const line = oneLine(text);
      if (!/^(?:page|of|\P{L})*$/iu.test(line)) into?.add(line);
      text = '';
    },
  });
  return found;
}

/** Which spans are raised: `super 58%`, or a height in percent. */
export class RaisedSpans {
  readonly #styles = new Set<string>();
  readonly #open: boolean[] = [];
  #style = '';

  /** Takes each element before the body. */
  readStyle(name: string, attributes: Attributes): void {
    if (name === 'style') this.#style = attribute(attributes, 'name') ?? '';
    else if (/^(?:super|[1-9])/u.test(attribute(attributes, 'text-position') ?? '')) this.#styles.add(this.#style);
  }

  open(attributes: Attributes): void {
    this.#open.push(this.#styles.has(attribute(attributes, 'style-name') ?? ''));
  }

  close(): void {
    this.#open.pop();
  }

  /** Whether a span that is open is raised. */
  get isRaised(): boolean {
    return this.#open.includes(true);
  }
}
