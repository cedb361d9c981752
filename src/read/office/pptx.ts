/**
 * PowerPoint: slides in the order of the show, each a `page`; titles as headings, tables by row, notes after their
 * slide.
 */
import { IbidError } from '../../core/errors.ts';
import { known } from '../../core/known.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { SpannedCells } from '../data/spanned-cells.ts';
import { includePictures, withoutText } from '../image/inside.ts';
import { type Attributes, attribute, type XmlHandler } from '../markup/xml.ts';
import { RaisedText } from '../raised.ts';
import { describedAs } from './alternative-text.ts';
import { textsBeside } from './drawings.ts';
import { includeEmbedded, picturesIn } from './embedded.ts';
import { FormulaReader } from './formula.ts';
import { openOffice, readPart, readRelationships } from './ooxml.ts';
import { ListNumbers } from './pptx-numbering.ts';
import { charsOf, type Shape, SlideWriter } from './slides.ts';

/** @throws IbidError FILE_ENCRYPTED, FILE_DAMAGED, FILE_EMPTY, FILE_TOO_LARGE */
export async function parsePptx(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const { zip, builder, main, relations } = openOffice(bytes, context, 'pptx', 'ppt/presentation.xml');
  const slides: string[] = [];
  readPart(zip, main, builder, {
    open(name, attributes) {
      if (name !== 'sldId') return;
      slides.push(relations.get(attribute(attributes, 'id', 'r') ?? '')?.target ?? '');
    },
  });
  const writer = new SlideWriter(builder);
  let waits = false;
  for (const [index, part] of slides.entries()) {
    const slide = new SlideReader();
    if (!readPart(zip, part, builder, slide)) builder.warn('SLIDE_MISSING', `slide ${index + 1} is not in the file`);
    const related = part === '' ? [] : [...readRelationships(zip, part).values()];
    for (const { lines, tables } of textsBeside(zip, related, builder)) {
      slide.shapes.push({ role: 'other', lines: lines.map((text) => ({ text, level: 0 })), rows: undefined });
      for (const rows of tables) slide.shapes.push({ role: 'other', lines: [], rows, headed: true });
    }
    const notes: Shape[] = [];
    for (const { type, target } of related) {
      if (type !== 'notesSlide') continue;
      const page = new SlideReader();
      readPart(zip, target, builder, page);
      notes.push(...page.shapes.filter(({ role }) => role === 'body' || role === 'other'));
    }
    writer.write(slide.shapes, notes);
    const place = { page: index + 1 };
    const isWaiting = await includePictures(picturesIn(zip, related), charsOf(slide.shapes), builder, context, place);
    waits ||= isWaiting;
    await includeEmbedded(zip, related, builder, context, `slide ${index + 1}`);
  }
  if (builder.length === 0) {
    const broken = builder.warnings[0];
    if (broken)
      throw new IbidError('FILE_DAMAGED', broken.message, { hint: 'Open it in PowerPoint and save it again.' });
    throw withoutText('the show', waits);
  }
  writer.finish();
  return builder.build();
}

const ROLES: Readonly<Record<string, Shape['role']>> = {
  title: 'title',
  ctrTitle: 'title',
  subTitle: 'subtitle',
  body: 'body',
  obj: 'body',
  sldNum: 'furniture',
  dt: 'running',
  ftr: 'running',
  hdr: 'running',
  sldImg: 'furniture',
};

/** Shapes of a slide or a notes page, in drawing order. */
class SlideReader implements XmlHandler {
  readonly shapes: Shape[] = [];
  #shape: Shape | undefined;
  #inCell = false;
  #spanned = new SpannedCells();
  /** Rows that the current cell reaches over; 0 for one that belongs to the cell above. */
  #cellRows = 1;
  #line = '';
  #level = 0;
  readonly #raised = new RaisedText();
  #isRaised = false;
  #inText = false;
  #skip = 0;
  readonly #formula = new FormulaReader();
  #numbers = new ListNumbers();

  open(name: string, attributes: Attributes, qualified: string): void {
    if (this.#skip > 0 || name === 'Fallback') {
      this.#skip++;
      return;
    }
    this.#formula.open(qualified, attributes, this.#line);
    this.#numbers.open(name, attributes);
    switch (name) {
      case 'sp':
      case 'graphicFrame':
        this.#shape = { role: 'other', lines: [], rows: undefined };
        this.shapes.push(this.#shape);
        break;
      case 'cNvPr': {
        const text = describedAs(attributes);
        if (text !== '') this.shapes.push({ role: 'other', lines: [{ text, level: 0 }], rows: undefined });
        break;
      }
      case 'txBody':
        this.#numbers = new ListNumbers();
        break;
      case 'r':
        this.#isRaised = false;
        break;
      case 'rPr':
        this.#isRaised = Number(attribute(attributes, 'baseline') ?? 0) > 0;
        break;
      case 'ph':
        if (this.#shape) this.#shape.role = known(ROLES, attribute(attributes, 'type') ?? 'obj') ?? 'other';
        break;
      case 'tbl':
        if (this.#shape) Object.assign(this.#shape, { rows: [], wide: [] });
        this.#spanned = new SpannedCells();
        break;
      case 'tblPr':
        if (this.#shape) this.#shape.headed = /^(?:1|true)$/u.test(attribute(attributes, 'firstRow') ?? '');
        break;
      case 'tr':
        this.#shape?.rows?.push([]);
        this.#shape?.wide?.push(new Map());
        break;
      case 'tc':
        this.#beginCell(Number(attribute(attributes, 'gridSpan') ?? 1));
        this.#inCell = true;
        this.#cellRows = /^(?:1|true)$/u.test(attribute(attributes, 'vMerge') ?? '')
          ? 0
          : Number(attribute(attributes, 'rowSpan') ?? 1);
        break;
      case 'p':
        this.#line = '';
        this.#level = 0;
        break;
      case 'pPr':
        this.#level = Math.min(8, Number(attribute(attributes, 'lvl') ?? 0) || 0);
        break;
      case 't':
        this.#inText = true;
        break;
      case 'br':
        this.#line += this.#shape?.role === 'title' ? ' ' : '\n';
        break;
      case 'tab':
        break;
    }
  }

  close(name: string, qualified: string): void {
    if (this.#skip > 0) {
      this.#skip--;
      return;
    }
    this.#line = this.#formula.close(qualified, this.#line);
    if (name === 't') this.#inText = false;
    else if (name === 'tc') this.#endCell();
    else if (name === 'tr') this.#spanned.endRow(this.#shape?.rows?.at(-1) ?? []);
    else if (name === 'p') this.#endLine();
    else if (name === 'sp' || name === 'graphicFrame') this.#shape = undefined;
  }

  text(text: string): void {
    if (this.#inText && this.#skip === 0) this.#line += this.#raised.read(this.#line, text, this.#isRaised);
  }

  #beginCell(columns: number): void {
    const row = this.#shape?.rows?.at(-1);
    row?.push('');
    if (row && columns > 1) this.#shape?.wide?.at(-1)?.set(row.length - 1, row.length + columns - 2);
  }

  #endCell(): void {
    this.#inCell = false;
    const row = this.#shape?.rows?.at(-1);
    if (row && this.#cellRows > 0) this.#spanned.begin(row.length - 1, row.at(-1) ?? '', this.#cellRows);
  }

  #endLine(): void {
    const text = this.#line.replace(/[^\S\n]+/gu, ' ').trim();
    this.#line = '';
    if (text === '') return;
    const row = this.#shape?.rows?.at(-1);
    const marker = this.#numbers.next(this.#level);
    if (this.#inCell && row && row.length > 0)
      row[row.length - 1] = [row.at(-1)!, marker === '-' ? '' : marker, text].filter(Boolean).join(' ');
    else this.#shape?.lines.push({ text, level: this.#level, marker });
  }
}
