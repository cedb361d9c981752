import { known } from '../../core/known.ts';
/** What is drawn on a slide or a sheet of OpenDocument: shapes with their lines and tables, objects, comments. */
import { type Attributes, attribute, type XmlHandler } from '../markup/xml.ts';
import { RaisedText } from '../raised.ts';
import { alternativeText } from './alternative-text.ts';
import type { ContentReader, ObjectReader } from './odf-objects.ts';
import { OdfTable } from './odf-table.ts';
import type { OdpNumbering } from './odp-numbering.ts';
import { type RaisedSpans, SHAPES } from './opendocument.ts';
import type { Shape } from './slides.ts';

const ROLES: Readonly<Record<string, Shape['role']>> = {
  title: 'title',
  subtitle: 'subtitle',
  outline: 'body',
  'date-time': 'running',
  header: 'running',
  footer: 'running',
  'page-number': 'furniture',
};

/** Left out with their content: numbers of pages, how a word is spoken, form controls. */
const SKIPPED = new Set(['page-number', 'page-count', 'ruby-text', 'forms']);

/** A shape whose end was not read yet. */
interface OpenShape {
  readonly shape: Shape;
  table: OdfTable | undefined;
  /** The paragraph that is read. */
  text: string | undefined;
  level: number;
  readonly name: string | undefined;
  title: string;
  desc: string;
}

/** Takes the elements of shapes and comments, and of a cell between `begin` and `end`. */
export class DrawingReader implements XmlHandler {
  readonly #objects: ObjectReader;
  readonly #spans: RaisedSpans;
  readonly #raised = new RaisedText();
  readonly #open: OpenShape[] = [];
  #shapes: Shape[] = [];
  #describing: 'title' | 'desc' | undefined;
  /** An object that stands in the document itself, and how deep in it. */
  #object: ContentReader | undefined;
  #depth = 0;
  #skip = 0;

  readonly #numbering: OdpNumbering | undefined;

  constructor(objects: ObjectReader, spans: RaisedSpans, numbering?: OdpNumbering) {
    this.#objects = objects;
    this.#spans = spans;
    this.#numbering = numbering;
  }

  /** Whether a shape is open, so that all elements belong to it. */
  get isInside(): boolean {
    return this.#open.length > 0;
  }

  /** The shapes that ended, in the order of drawing. */
  take(): Shape[] {
    const shapes = this.#shapes;
    this.#shapes = [];
    return shapes;
  }

  /** Something that holds paragraphs begins. */
  begin(role: Shape['role'] = 'other', name?: string): Shape {
    const shape: Shape = { role, lines: [], rows: undefined };
    this.#numbering?.beginShape();
    this.#open.push({ shape, table: undefined, text: undefined, level: 0, name, title: '', desc: '' });
    return shape;
  }

  end(): void {
    this.#open.pop();
  }

  open(name: string, attributes: Attributes, qualified: string): void {
    if (this.#skip > 0 || SKIPPED.has(name)) {
      this.#skip++;
      return;
    }
    if (this.#object) {
      this.#depth++;
      this.#object.open(name, attributes);
      return;
    }
    if (SHAPES.has(name) || name === 'annotation') {
      const role = name === 'annotation' ? 'comment' : known(ROLES, attribute(attributes, 'class'));
      this.#shapes.push(this.begin(role, attribute(attributes, 'name')));
      return;
    }
    const top = this.#open.at(-1);
    if (!top) return;
    this.#numbering?.open(name, attributes);
    switch (name) {
      case 'p':
      case 'h':
        top.text = '';
        break;
      case 'span':
        this.#spans.open(attributes);
        break;
      case 's':
      case 'tab':
        this.text(' ');
        break;
      case 'line-break':
        this.text(top.shape.role === 'title' ? ' ' : '\n');
        break;
      case 'list':
        top.level++;
        break;
      case 'title': // `text:title` is a field that shows the title of the document
      case 'desc':
        if (qualified !== 'text:title') this.#describing = name;
        break;
      case 'object': {
        const href = attribute(attributes, 'href');
        if (href === undefined) this.#object = this.#objects.inPlace();
        else this.#show(this.#objects.read(href));
        break;
      }
      case 'table':
        top.table = new OdfTable();
        Object.assign(top.shape, { rows: top.table.rows, wide: top.table.wide });
        break;
      default:
        top.table?.open(name, attributes);
    }
  }

  close(name: string): void {
    if (this.#skip > 0) {
      this.#skip--;
      return;
    }
    if (this.#object && this.#depth > 0) {
      this.#depth--;
      this.#object.close(name);
      return;
    }
    const top = this.#open.at(-1);
    if (!top) return;
    if (name === 'object' && this.#object) {
      this.#show(this.#object.shown());
      this.#object = undefined;
    } else if (name === this.#describing) this.#describing = undefined;
    else if (SHAPES.has(name) || name === 'annotation') this.#endShape(top);
    else if (name === 'p' || name === 'h') endLine(top, this.#numbering);
    else if (name === 'span') this.#spans.close();
    else if (name === 'list') {
      top.level--;
      this.#numbering?.close(name);
    } else if (name === 'table') top.table = undefined;
    else top.table?.close(name);
  }

  text(text: string): void {
    const top = this.#open.at(-1);
    if (this.#skip > 0 || !top) return;
    if (this.#object) this.#object.text(text);
    else if (this.#describing) top[this.#describing] += text;
    else if (top.text !== undefined) top.text += this.#raised.read(top.text, text, this.#spans.isRaised);
  }

  #show({ formula, lines }: ReturnType<ObjectReader['read']>): void {
    for (const text of [formula, ...lines]) if (text !== '') this.#open.at(-1)?.shape.lines.push({ text, level: 0 });
  }

  /** What a shape shows stands behind its text. */
  #endShape({ title, desc, name }: OpenShape): void {
    this.#open.pop();
    const text = alternativeText(title, desc, name);
    if (text !== '') this.#shapes.push({ role: 'other', lines: [{ text, level: 0 }], rows: undefined });
  }
}

function endLine(top: OpenShape, numbering: OdpNumbering | undefined): void {
  const text = (top.text ?? '')
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/ ?\n ?/gu, '\n')
    .trim();
  top.text = undefined;
  if (text === '' || top.table?.add(text)) return;
  const marker = top.shape.role === 'title' ? '' : numbering?.next();
  top.shape.lines.push({ text, level: Math.max(0, Math.min(8, top.level - 1)), marker });
}
