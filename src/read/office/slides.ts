/** The slides of any presentation: what stands on them, and how it is written. */
import type { DocumentBuilder } from '../builder.ts';
import { writeTable } from './ooxml.ts';
import { headWideCells } from './wide-cells.ts';

export interface Line {
  readonly text: string;
  /** How deep it stands in a list, from 0. */
  readonly level: number;
  /** What stands before it: `2.`, `-` for a bullet, '' for nothing; absent if the file does not say. */
  readonly marker?: string | undefined;
}

export interface Shape {
  role: 'title' | 'subtitle' | 'body' | 'running' | 'furniture' | 'comment' | 'other';
  readonly lines: Line[];
  /** Set for a table. */
  rows: string[][] | undefined;
  /** By row of the table: the cells that reach over several columns. */
  wide?: Map<number, number>[];
  /** Whether the file says that the first row of the table is names of columns. */
  headed?: boolean;
}

/** Characters of a slide, without its title and what stands on all slides. */
export function charsOf(shapes: readonly Shape[]): number {
  let count = 0;
  for (const { role, lines, rows = [] } of shapes) {
    if (role !== 'body' && role !== 'other') continue;
    for (const { text } of lines) count += text.length;
    for (const cell of rows.flat()) count += cell.length;
  }
  return count;
}

/** Writes slides in the order of the show: the title as a heading, then the other shapes, then the notes. */
export class SlideWriter {
  readonly #builder: DocumentBuilder;
  readonly #running = new Set<string>();
  #title = '';
  #page = 0;

  constructor(builder: DocumentBuilder) {
    this.#builder = builder;
  }

  write(shapes: readonly Shape[], notes: readonly Shape[]): void {
    const page = ++this.#page;
    const title = shapes.find((shape) => shape.role === 'title');
    if (title) {
      const text = title.lines.map((line) => line.text).join(' ');
      this.#builder.block({ kind: 'heading', level: 1 }, text, { page });
      if (this.#title === '') this.#title = text;
    }
    for (const shape of shapes) {
      if (shape.role === 'running') {
        // Dates and footers are said once.
        const text = shape.lines.map((line) => line.text).join('\n');
        if (this.#running.has(text)) continue;
        this.#running.add(text);
      }
      if (shape !== title) writeShape(this.#builder, shape, page);
    }
    for (const shape of notes) writeShape(this.#builder, shape, page);
  }

  /** After the last slide. */
  finish(): void {
    if (this.#builder.title === '') this.#builder.title = this.#title;
    this.#builder.metadata.pages = this.#page;
  }
}

/** Writes a shape as lists, paragraphs or a table. */
export function writeShape(builder: DocumentBuilder, shape: Shape, page: number): void {
  if (shape.role === 'furniture') return;
  if (shape.rows) {
    const told = shape.headed && shape.rows.length > 1 ? 1 : 0;
    writeTable(builder, shape.rows, headWideCells(shape.rows, shape.wide ?? []) || told, { page });
    return;
  }
  const lines = shape.lines.filter((line) => line.text !== '');
  const isList = shape.role === 'body' && lines.length > 1;
  const markers = lines.map(({ marker }) => marker ?? (isList ? '-' : ''));
  for (let from = 0, to: number; from < lines.length; from = to) {
    const kind = markers[from] === '' ? 'paragraph' : 'list';
    to = from + 1;
    while (to < lines.length && (markers[to] === '') === (kind === 'paragraph')) to++;
    const text = lines.slice(from, to).map((line, i) => {
      const marker = markers[from + i]!;
      return marker === '' ? line.text : `${'  '.repeat(line.level)}${marker} ${line.text}`;
    });
    builder.block({ kind }, text.join('\n'), { page });
  }
}
