/** OpenDocument text: headings, lists with their numbers, tables by row, notes after their paragraph. */
import type { BlockKind } from '../../core/types.ts';
import type { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { includePictures } from '../image/inside.ts';
import { MathReader } from '../markup/mathml.ts';
import { type Attributes, attribute, type XmlHandler } from '../markup/xml.ts';
import { RaisedText } from '../raised.ts';
import { alternativeText } from './alternative-text.ts';
import { HiddenParts, tellHidden } from './hidden.ts';
import { ObjectReader } from './odf-objects.ts';
import { OdfTable } from './odf-table.ts';
import { BoldStyles } from './odt-bold.ts';
import { FormValues } from './odt-forms.ts';
import { OdtNumbering } from './odt-numbering.ts';
import { foldedRows, foldTable, writeTable } from './ooxml.ts';
import { OpenDocument, RaisedSpans, readRunning, SHAPES } from './opendocument.ts';
import { headWideCells } from './wide-cells.ts';

/** @throws IbidError FILE_ENCRYPTED, FILE_DAMAGED, FILE_EMPTY, FILE_TOO_LARGE */
export async function parseOdt(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const file = new OpenDocument(bytes, context, 'odt');
  const { zip, builder } = file;
  const numbering = new OdtNumbering();
  const bold = new BoldStyles();
  const hidden = new HiddenParts();
  const running = readRunning(file, (name, attributes) => {
    numbering.readStyle(name, attributes);
    bold.readStyle(name, attributes);
    hidden.readStyle(name, attributes);
  });
  for (const text of running.header) builder.block({ kind: 'paragraph' }, text);
  const before = builder.length;
  const reader = new BodyReader(builder, numbering, bold, hidden, new ObjectReader(zip, builder));
  file.readBody(reader, (name, attributes) => reader.readStyle(name, attributes));
  const waits = await includePictures(file.pictures(reader.pictures), builder.length - before, builder, context);
  for (const text of running.footer) builder.block({ kind: 'paragraph' }, text);
  tellHidden(builder, hidden.count);
  file.refuseEmpty('the document', waits);
  if (builder.title === '') builder.title = reader.title;
  return builder.build();
}

interface OpenParagraph {
  text: string;
  readonly kind: BlockKind;
  readonly level: number;
  readonly title: boolean;
  /** What stands before the text: a number, or `-` for a bullet. */
  readonly marker: string;
  readonly style?: string;
  /** Whether it has text that is not bold. */
  isPlain: boolean;
  /** How many texts waited for the end of a paragraph when it began: those after them hang on it. */
  readonly after: number;
  /** Set instead of a text for a table in a box. */
  readonly table?: OdfTable;
}

/** What stands beside the text. */
const SHOWN: OpenParagraph = {
  text: '',
  kind: 'paragraph',
  level: 1,
  title: false,
  marker: '',
  isPlain: true,
  after: 0,
};

/** A picture or a box: what it shows, and whether it stands among words. */
interface OpenFrame {
  readonly isInLine: boolean;
  readonly name: string | undefined;
  title: string;
  desc: string;
}

/** Left out with their content: deleted text, marks of notes, forms (their values stand where the text names them), how a word is spoken, programs. */
const SKIPPED = new Set(
  ['tracked-changes', 'forms', 'note-citation', 'sequence-decls', 'index-title-template'].concat('ruby-text', 'script'),
);

class BodyReader implements Required<XmlHandler> {
  title = '';
  /** Parts of the package, in the order of the text. */
  readonly pictures: string[] = [];
  readonly #builder: DocumentBuilder;
  readonly #numbering: OdtNumbering;
  readonly #bold: BoldStyles;
  readonly #hidden: HiddenParts;
  readonly #objects: ObjectReader;
  readonly #forms = new FormValues();
  #math: MathReader | undefined;
  readonly #paragraphs: OpenParagraph[] = [];
  readonly #tables: { readonly table: OdfTable; readonly boxed: number }[] = [];
  readonly #after: OpenParagraph[] = [];
  readonly #frames: OpenFrame[] = [];
  readonly #raised = new RaisedText();
  readonly #spans = new RaisedSpans();
  #describing: 'title' | 'desc' | undefined;
  #skip = 0;
  /** Whether what is skipped was hidden by its author. */
  #isHidden = false;
  #indexes = 0;
  #last: BlockKind | undefined;

  constructor(
    builder: DocumentBuilder,
    numbering: OdtNumbering,
    bold: BoldStyles,
    hidden: HiddenParts,
    objects: ObjectReader,
  ) {
    this.#builder = builder;
    this.#numbering = numbering;
    this.#bold = bold;
    this.#hidden = hidden;
    this.#objects = objects;
  }

  /** Takes the elements before the body. */
  readStyle(name: string, attributes: Attributes): void {
    this.#numbering.readStyle(name, attributes);
    this.#bold.readStyle(name, attributes);
    this.#hidden.readStyle(name, attributes);
    this.#spans.readStyle(name, attributes);
  }

  open(name: string, attributes: Attributes, qualified: string): void {
    if (this.#isHidden || this.#hidden.hides(name, attributes)) {
      this.#isHidden = true;
      this.#hidden.leaveOut(name);
      this.#skip++;
      return;
    }
    if (this.#skip > 0 || SKIPPED.has(name)) {
      if (qualified.startsWith('form:')) this.#forms.open(name, attributes);
      this.#skip++;
      return;
    }
    if (this.#math) {
      this.#math.open(name, attributes);
      return;
    }
    if (name === 'image') this.pictures.push(attribute(attributes, 'href') ?? '');
    if (name === 'span') {
      this.#spans.open(attributes);
      this.#bold.openSpan(attributes);
    }
    if (SHAPES.has(name))
      this.#frames.push({
        isInLine: attribute(attributes, 'anchor-type') === 'as-char',
        name: attribute(attributes, 'name'),
        title: '',
        desc: '',
      });
    switch (name) {
      case 'h':
      case 'p':
        this.#beginParagraph(name, attributes);
        break;
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
        this.#paragraphs.push({ ...SHOWN, after: this.#after.length });
        break;
      case 'control':
        this.#showField(this.#forms.valueOf(attribute(attributes, 'control') ?? ''));
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
        this.#tables.push({ table: new OdfTable(), boxed: this.#paragraphs.length });
        break;
      default:
        this.#tables.at(-1)?.table.open(name, attributes);
    }
  }

  #beginParagraph(name: 'h' | 'p', attributes: Attributes): void {
    const style = attribute(attributes, 'style-name') ?? '';
    const title = style === 'Title';
    const outline = Number(attribute(attributes, 'outline-level') ?? 1);
    const level = title ? 1 : Math.min(6, Math.max(1, outline));
    const kind = name === 'h' || title ? 'heading' : this.#kindOf(style);
    let marker = '';
    if (kind !== 'heading' && this.#numbering.inList) marker = this.#numbering.next();
    else if (name === 'h') marker = this.#numbering.nextHeading(outline, attributes);
    const after = this.#after.length;
    this.#paragraphs.push({ text: '', kind, level, title, marker, style, isPlain: false, after });
  }

  #kindOf(style: string): 'reference' | 'list' | 'quote' | 'paragraph' {
    if (this.#indexes > 0) return 'reference';
    if (this.#numbering.inList) return 'list';
    return /^quot/iu.test(style) ? 'quote' : 'paragraph';
  }

  close(name: string): void {
    if (this.#skip > 0) {
      if (--this.#skip === 0) this.#isHidden = false;
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
    if (name === 'span') {
      this.#spans.close();
      this.#bold.closeSpan();
    }
    if (name === this.#describing) {
      this.#describing = undefined;
      return;
    }
    if (SHAPES.has(name)) this.#endFrame();
    if (name === 'p' || name === 'h') this.#endParagraph();
    else if (name === 'annotation') this.#paragraphs.pop();
    else if (name === 'list') this.#numbering.closeList();
    else if (name === 'table-of-content' || name === 'bibliography' || name === 'alphabetical-index') this.#indexes--;
    else if (name === 'table') this.#endTable();
    else this.#tables.at(-1)?.table.close(name);
  }

  text(text: string): void {
    if (this.#skip > 0) return;
    if (this.#math) {
      this.#math.text(text);
      return;
    }
    const frame = this.#frames.at(-1);
    if (this.#describing === undefined) this.#write(text);
    else if (frame) frame[this.#describing] += text;
  }

  #endFrame(): void {
    const frame = this.#frames.pop();
    const text = alternativeText(frame?.title, frame?.desc, frame?.name);
    if (text === '') return;
    const shown: OpenParagraph = { ...SHOWN, text };
    if (this.#paragraphs.length === 0) this.#emit(shown);
    else if (frame?.isInLine) this.#write(` ${text} `);
    else this.#after.push(shown);
  }

  #showField(text: string): void {
    if (this.#paragraphs.length > 0) this.#write(text && ` ${text} `);
    else this.#emit({ ...SHOWN, text });
  }

  #showObject(href: string): void {
    const { formula, lines } = this.#objects.read(href);
    this.#write(formula);
    if (lines.length === 0) return;
    const shown: OpenParagraph = { ...SHOWN, text: lines.join('\n') };
    if (this.#paragraphs.length === 0) this.#emit(shown);
    else this.#after.push(shown);
  }

  #write(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (!paragraph) return;
    paragraph.isPlain ||= text.trim() !== '' && !this.#bold.isBoldIn(paragraph.style ?? '');
    paragraph.text += this.#raised.read(paragraph.text, text, this.#spans.isRaised);
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (!paragraph) return;
    const own = paragraph.text
      .replace(/[^\S\n]+/gu, ' ')
      .replace(/ ?\n ?/gu, '\n')
      .trim();
    const text = own === '' || paragraph.marker === '' ? own : `${paragraph.marker} ${own}`;
    const table = this.#tables.at(-1);
    if (table && table.boxed === this.#paragraphs.length) {
      const after = this.#after.splice(paragraph.after);
      if (table.table.add(text, ...after.map((note) => note.text))) return;
      this.#after.push(...after);
    }
    if (this.#paragraphs.length > 0) {
      // A note, comment or text box inside a paragraph follows the paragraph.
      this.#after.push({ ...paragraph, text });
      return;
    }
    this.#emit({ ...paragraph, text });
    for (const note of this.#after.splice(0)) this.#emit(note);
  }

  #emit({ kind, level, text, title, isPlain, table }: OpenParagraph): void {
    if (text === '') return;
    if (table) {
      this.#writeTable(table);
      return;
    }
    if (this.title === '' && (title || (kind === 'heading' && level === 1))) this.title = text;
    const separator = kind === 'list' && this.#last === 'list' ? '\n' : '\n\n';
    const wrote = this.#builder.block(kind === 'heading' ? { kind, level } : { kind }, text, undefined, separator);
    if (wrote) this.#last = kind;
    if (wrote && !isPlain && (kind === 'paragraph' || kind === 'list')) this.#builder.setBold(wrote);
  }

  #endTable(): void {
    const ended = this.#tables.pop();
    if (!ended) return;
    const { table, boxed } = ended;
    const around = this.#tables.at(-1);
    if (around?.boxed === boxed && foldTable(table.rows, around.table.rows.at(-1))) return;
    if (boxed === 0) this.#writeTable(table);
    else this.#after.push({ ...SHOWN, text: foldedRows(table.rows), table });
  }

  #writeTable({ rows, wide, header }: OdfTable): void {
    this.#last = 'table';
    writeTable(this.#builder, rows, headWideCells(rows, wide, header));
  }
}
