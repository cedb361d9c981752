/** OpenDocument text: headings, lists with their numbers, tables by row, notes after their paragraph. */
import { IbidError } from '../../core/errors.ts';
import type { BlockKind } from '../../core/types.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { SpannedCells } from '../data/spanned-cells.ts';
import { MathReader } from '../markup/mathml.ts';
import { type Attributes, attribute, type XmlHandler } from '../markup/xml.ts';
import { RaisedText } from '../raised.ts';
import type { ZipArchive } from '../zip.ts';
import { alternativeText } from './alternative-text.ts';
import { OdtNumbering } from './odt-numbering.ts';
import { ObjectReader } from './odt-objects.ts';
import { foldTable, guessHeaderRows, openPackage, readPart, writeTable } from './ooxml.ts';

/** @throws IbidError FILE_ENCRYPTED, FILE_DAMAGED, FILE_EMPTY, FILE_TOO_LARGE */
export async function parseOdt(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const zip = bytes[0] === 0x3c || bytes[0] === 0xef ? flatPackage(bytes) : openPackage(bytes, context);
  const builder = new DocumentBuilder('odt', context);
  readPart(zip, 'META-INF/manifest.xml', builder, {
    open(name) {
      if (name !== 'encryption-data') return;
      throw new IbidError('FILE_ENCRYPTED', 'the file needs a password', {
        hint: 'Save a copy without a password and ingest that.',
      });
    },
  });
  readMeta(zip, builder);
  const numbering = new OdtNumbering();
  const running = readRunning(zip, builder, numbering);
  for (const text of running.header) builder.block({ kind: 'paragraph' }, text);
  const reader = new BodyReader(builder, numbering, new ObjectReader(zip, builder));
  if (!readPart(zip, 'content.xml', builder, reader)) {
    throw new IbidError('FILE_DAMAGED', 'the package has no content.xml', {
      hint: 'It may be another kind of file: check its extension.',
    });
  }
  for (const text of running.footer) builder.block({ kind: 'paragraph' }, text);
  if (builder.length === 0) {
    const broken = builder.warnings[0];
    if (broken)
      throw new IbidError('FILE_DAMAGED', broken.message, { hint: 'Open it in LibreOffice and save it again.' });
    throw new IbidError('FILE_EMPTY', 'the document holds no text', {
      hint: 'It may hold pictures only: these need OCR.',
    });
  }
  if (builder.title === '') builder.title = reader.title;
  return builder.build();
}

type Package = Pick<ZipArchive, 'read'>;

/** A document in one file of XML (`.fodt`, which begins with `<` or a byte order mark) has all parts in this file. */
function flatPackage(bytes: Uint8Array): Package {
  return { read: (name) => (/^(?:content|styles|meta)\.xml$/u.test(name) ? bytes : undefined) };
}

/** The paragraphs of headers and footers, each once, without numbers of pages; the styles go to `numbering`. */
function readRunning(
  zip: Package,
  builder: DocumentBuilder,
  numbering: OdtNumbering,
): { readonly header: ReadonlySet<string>; readonly footer: ReadonlySet<string> } {
  const found = { header: new Set<string>(), footer: new Set<string>() };
  let into: Set<string> | undefined;
  let text = '';
  let numbers = 0;
  readPart(zip, 'styles.xml', builder, {
    open(name, attributes) {
      numbering.readStyle(name, attributes);
      const side = /^(header|footer)(?:-left|-first)?$/u.exec(name)?.[1];
      if (side) into = found[side as 'header' | 'footer']; // the two that the expression lets pass
      if (name === 'page-number' || name === 'page-count') numbers++;
      if (name === 'tab' || name === 's') text += ' ';
    },
    text(piece) {
      if (into && numbers === 0) text += piece;
    },
    close(name) {
      if (/^(?:header|footer)(?:-left|-first)?$/u.test(name)) into = undefined;
      if (name === 'page-number' || name === 'page-count') numbers--;
      if (name !== 'p' && name !== 'h') return;
      const line = text.replace(/\s+/gu, ' ').trim();
      if (/\p{L}/u.test(line) && !/^page$/iu.test(line)) into?.add(line);
      text = '';
    },
  });
  return found;
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
  builder.title = value('title');
  const author = value('creator') === '' ? value('initial-creator') : value('creator');
  if (author !== '') builder.metadata.author = author;
  const created = Date.parse(value('creation-date'));
  if (!Number.isNaN(created)) builder.metadata.created = new Date(created).toISOString();
}

interface OpenParagraph {
  text: string;
  readonly kind: BlockKind;
  readonly level: number;
  readonly title: boolean;
  /** What stands before the text: a number, or `-` for a bullet. */
  readonly marker: string;
}

interface OpenTable {
  readonly rows: string[][];
  header: number;
  inHeader: boolean;
  readonly spanned: SpannedCells;
  /** Rows that the current cell reaches over. */
  cellRows: number;
  repeat: number;
}

/** A picture or a box: what it shows, and whether it stands among words. */
interface OpenFrame {
  readonly isInLine: boolean;
  title: string;
  desc: string;
}

const FRAMES = new Set('frame g custom-shape rect ellipse line polyline polygon path connector'.split(' '));

/** Left out with their content: deleted text, marks of notes, form controls. */
const SKIPPED = new Set(['tracked-changes', 'forms', 'note-citation', 'sequence-decls', 'index-title-template']);

class BodyReader implements XmlHandler {
  title = '';
  readonly #builder: DocumentBuilder;
  readonly #numbering: OdtNumbering;
  readonly #objects: ObjectReader;
  #math: MathReader | undefined;
  readonly #paragraphs: OpenParagraph[] = [];
  readonly #tables: OpenTable[] = [];
  readonly #after: OpenParagraph[] = [];
  readonly #frames: OpenFrame[] = [];
  readonly #raised = new RaisedText();
  readonly #raisedStyles = new Set<string>();
  #style = '';
  /** Whether each open span is raised. */
  readonly #spans: boolean[] = [];
  #describing: 'title' | 'desc' | undefined;
  #inBody = false;
  #skip = 0;
  #indexes = 0;
  #last: BlockKind | undefined;

  constructor(builder: DocumentBuilder, numbering: OdtNumbering, objects: ObjectReader) {
    this.#builder = builder;
    this.#numbering = numbering;
    this.#objects = objects;
  }

  open(name: string, attributes: Attributes, qualified: string): void {
    if (name === 'body') this.#inBody = true;
    if (!this.#inBody) {
      this.#readStyle(name, attributes);
      return;
    }
    if (this.#skip > 0 || SKIPPED.has(name)) {
      this.#skip++;
      return;
    }
    if (this.#math) {
      this.#math.open(name, attributes);
      return;
    }
    if (name === 'span') this.#spans.push(this.#raisedStyles.has(attribute(attributes, 'style-name') ?? ''));
    if (FRAMES.has(name))
      this.#frames.push({ isInLine: attribute(attributes, 'anchor-type') === 'as-char', title: '', desc: '' });
    const table = this.#tables.at(-1);
    const row = table?.rows.at(-1);
    switch (name) {
      case 'h':
      case 'p': {
        const style = attribute(attributes, 'style-name') ?? '';
        const title = style === 'Title';
        const heading = name === 'h' || title;
        const list = this.#numbering.inList && !heading;
        const kind = heading
          ? 'heading'
          : this.#indexes > 0
            ? 'reference'
            : list
              ? 'list'
              : /^quot/iu.test(style)
                ? 'quote'
                : 'paragraph';
        const level = title ? 1 : Math.min(6, Math.max(1, Number(attribute(attributes, 'outline-level') ?? 1)));
        const marker = list
          ? this.#numbering.next()
          : name === 'h'
            ? this.#numbering.nextHeading(Number(attribute(attributes, 'outline-level') ?? 1), attributes)
            : '';
        this.#paragraphs.push({ text: '', kind, level, title, marker });
        break;
      }
      case 'math':
        this.#math = new MathReader();
        break;
      case 'object':
        this.#showObject(attribute(attributes, 'href') ?? '');
        break;
      case 'title': // `text:title` is a field that shows the title of the document
      case 'desc':
        if (qualified !== 'text:title') this.#describing = name;
        break;
      case 'annotation':
        // Takes its author and date, which stand beside the paragraphs of the comment.
        this.#paragraphs.push({ text: '', kind: 'paragraph', level: 1, title: false, marker: '' });
        break;
      case 's':
      case 'tab':
        this.#write(' ');
        break;
      case 'line-break':
        this.#write('\n');
        break;
      case 'list':
        this.#numbering.openList(attributes);
        break;
      case 'list-item':
        this.#numbering.openItem(attributes);
        break;
      case 'table-of-content':
      case 'bibliography':
      case 'alphabetical-index':
        this.#indexes++;
        break;
      case 'table':
        this.#tables.push({
          rows: [],
          header: 0,
          inHeader: false,
          spanned: new SpannedCells(),
          cellRows: 1,
          repeat: 1,
        });
        break;
      case 'table-header-rows':
        if (table) table.inHeader = true;
        break;
      case 'table-row':
        table?.rows.push([]);
        if (table?.inHeader) table.header = table.rows.length;
        break;
      case 'table-cell':
      case 'covered-table-cell':
        row?.push('');
        if (!table) break;
        table.repeat = Math.min(100, Number(attribute(attributes, 'number-columns-repeated') ?? 1) || 1);
        table.cellRows = Number(attribute(attributes, 'number-rows-spanned') ?? 1);
        break;
    }
  }

  close(name: string): void {
    if (!this.#inBody) return;
    if (this.#skip > 0) {
      this.#skip--;
      return;
    }
    if (this.#math) {
      if (name !== 'math') this.#math.close();
      else {
        this.#write(this.#math.take());
        this.#math = undefined;
      }
      return;
    }
    if (name === 'span') this.#spans.pop();
    if (name === this.#describing) {
      this.#describing = undefined;
      return;
    }
    if (FRAMES.has(name)) this.#endFrame();
    const table = this.#tables.at(-1);
    if (name === 'p' || name === 'h') this.#endParagraph();
    else if (name === 'annotation') this.#paragraphs.pop();
    else if (name === 'list') this.#numbering.closeList();
    else if (name === 'table-of-content' || name === 'bibliography' || name === 'alphabetical-index') this.#indexes--;
    else if (name === 'table-header-rows' && table) table.inHeader = false;
    else if ((name === 'table-cell' || name === 'covered-table-cell') && table) {
      const row = table.rows.at(-1) ?? [];
      if (name === 'table-cell') table.spanned.begin(row.length - 1, row.at(-1) ?? '', table.cellRows);
      for (let i = 1; i < table.repeat; i++) row.push(row.at(-1) ?? '');
    } else if (name === 'table-row' && table) table.spanned.endRow(table.rows.at(-1) ?? []);
    else if (name === 'table') this.#endTable();
  }

  text(text: string): void {
    if (!this.#inBody || this.#skip > 0) return;
    if (this.#math) {
      this.#math.text(text);
      return;
    }
    const frame = this.#frames.at(-1);
    if (this.#describing === undefined) this.#write(text);
    else if (frame) frame[this.#describing] += text;
  }

  /** Takes the styles that raise text: `super 58%`, or a height in percent. */
  #readStyle(name: string, attributes: Attributes): void {
    this.#numbering.readStyle(name, attributes);
    if (name === 'style') this.#style = attribute(attributes, 'name') ?? '';
    else if (/^(?:super|[1-9])/u.test(attribute(attributes, 'text-position') ?? ''))
      this.#raisedStyles.add(this.#style);
  }

  #endFrame(): void {
    const frame = this.#frames.pop();
    const text = alternativeText(frame?.title, frame?.desc);
    if (text === '') return;
    const shown: OpenParagraph = { text, kind: 'paragraph', level: 1, title: false, marker: '' };
    if (this.#paragraphs.length === 0) this.#emit(shown);
    else if (frame?.isInLine) this.#write(` ${text} `);
    else this.#after.push(shown);
  }

  #showObject(href: string): void {
    const { formula, lines } = this.#objects.read(href);
    this.#write(formula);
    if (lines.length === 0) return;
    const shown: OpenParagraph = { text: lines.join('\n'), kind: 'paragraph', level: 1, title: false, marker: '' };
    if (this.#paragraphs.length === 0) this.#emit(shown);
    else this.#after.push(shown);
  }

  #write(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph) paragraph.text += this.#raised.read(paragraph.text, text, this.#spans.includes(true));
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (!paragraph) return;
    const own = paragraph.text
      .replace(/[^\S\n]+/gu, ' ')
      .replace(/ ?\n ?/gu, '\n')
      .trim();
    const text = own === '' || paragraph.marker === '' ? own : `${paragraph.marker} ${own}`;
    const row = this.#tables.at(-1)?.rows.at(-1);
    if (this.#paragraphs.length > 0) {
      // A note, comment or text box inside a paragraph follows the paragraph.
      this.#after.push({ ...paragraph, text });
    } else if (row && row.length > 0) {
      const notes = this.#after.splice(0).map((note) => note.text);
      row[row.length - 1] = [row.at(-1)!, text, ...notes].filter((part) => part !== '').join(' ');
    } else {
      this.#emit({ ...paragraph, text });
      for (const note of this.#after.splice(0)) this.#emit(note);
    }
  }

  #emit({ kind, level, text, title }: OpenParagraph): void {
    if (text === '') return;
    if (this.title === '' && (title || (kind === 'heading' && level === 1))) this.title = text;
    const separator = kind === 'list' && this.#last === 'list' ? '\n' : '\n\n';
    if (this.#builder.block(kind === 'heading' ? { kind, level } : { kind }, text, undefined, separator))
      this.#last = kind;
  }

  #endTable(): void {
    const table = this.#tables.pop();
    if (!table) return;
    if (foldTable(table.rows, this.#tables.at(-1)?.rows.at(-1))) return;
    this.#last = 'table';
    writeTable(this.#builder, table.rows, table.header || guessHeaderRows(table.rows));
  }
}
