/** Text beside the flow of an Office file: boxes, diagrams (SmartArt), charts, and comments on cells and slides. */
import { known } from '../../core/known.ts';
import type { Place } from '../../core/types.ts';
import type { DocumentBuilder } from '../builder.ts';
import { attribute } from '../markup/xml.ts';
import type { ZipArchive } from '../zip.ts';
import { describedAs } from './alternative-text.ts';
import { ChartNumbers } from './chart-numbers.ts';
import { ChartTable } from './chart-table.ts';
import { type Relationship, readPart, readRelationships, unescapeCell, writeTable } from './ooxml.ts';

interface PartKind {
  /** Elements whose content is text. */
  readonly texts: ReadonlySet<string>;
  /** Elements that end a line. */
  readonly ends: ReadonlySet<string>;
}

const boxes: PartKind = { texts: new Set(['t']), ends: new Set(['p']) };
const kinds: Readonly<Record<string, PartKind>> = {
  drawing: boxes,
  diagramData: boxes,
  chart: { texts: new Set(['t', 'v']), ends: new Set(['p', 'ser', 'cat', 'val']) },
  // Kinds of charts since 2016: treemaps, waterfalls, funnels, maps.
  chartEx: { texts: new Set(['t', 'v', 'pt']), ends: new Set(['p', 'strDim', 'numDim', 'txData']) },
  // Boxes that were drawn on a chart.
  chartUserShapes: boxes,
  // Of Excel `comment`, of PowerPoint `cm`, with its replies since 2021.
  comments: { texts: new Set(['t', 'text']), ends: new Set(['comment', 'cm', 'reply']) },
  threadedComment: { texts: new Set(['text']), ends: new Set(['threadedComment']) },
};

/** What one part says. */
export interface Beside {
  readonly lines: readonly string[];
  /** Of a chart: its series by category, each table with one header row. */
  readonly tables: readonly string[][][];
}

/** The lines of each part that is related and holds such text, with those of its own parts (the charts of a sheet). */
export function* textsBeside(
  zip: ZipArchive,
  related: Iterable<Relationship>,
  builder: DocumentBuilder,
): Generator<Beside> {
  for (const { type, target } of related) {
    const kind = known(kinds, type);
    if (!kind) continue;
    const beside = readBeside(zip, target, kind, builder);
    if (beside.lines.length > 0 || beside.tables.length > 0) yield beside;
    if (type === 'drawing' || type === 'chart')
      yield* textsBeside(zip, readRelationships(zip, target).values(), builder);
  }
}

export function writeBeside(builder: DocumentBuilder, { lines, tables }: Beside, place?: Place): void {
  builder.block({ kind: 'paragraph' }, lines.join('\n'), place);
  for (const rows of tables) writeTable(builder, rows, 1, place);
}

function readBeside(zip: ZipArchive, part: string, { texts, ends }: PartKind, builder: DocumentBuilder): Beside {
  const lines: string[] = [];
  /** Lines that a table says, by number; whether it says all of the line that is open. */
  const told = new Set<number>();
  let isTold = true;
  const chart = new ChartTable();
  let line = '';
  let cell = '';
  let inside = false;
  let copies = 0;
  const numbers = new ChartNumbers();
  let from = 0;
  const authors: string[] = [];
  let author: string | undefined;
  readPart(zip, part, builder, {
    open(name, attributes) {
      inside = texts.has(name);
      from = line.length;
      numbers.open(name, attributes);
      chart.open(name, attributes);
      if (name === 'Fallback') copies++;
      if (name === 'cNvPr' && copies === 0) {
        const shown = describedAs(attributes);
        if (shown !== '') lines.push(unescapeCell(shown));
      }
      if (name === 'author') authors.push('');
      if (name === 'comment' || name === 'threadedComment') {
        cell = `${attribute(attributes, 'ref') ?? ''}: `;
        author = authors[Number(attribute(attributes, 'authorId'))];
      }
    },
    text(text) {
      numbers.text(text);
      if (inside && copies === 0) line += text;
      else if (author === undefined && authors.length > 0) authors[authors.length - 1] += text;
    },
    close(name) {
      inside = false;
      if (name === 'Fallback') copies--;
      if (name === 'v') {
        const value = numbers.show(line.slice(from));
        line = line.slice(0, from) + value;
        isTold &&= chart.value(unescapeCell(value).trim());
      } else if (texts.has(name)) isTold = false;
      numbers.close(name);
      if (name !== 't' && texts.has(name)) line += ' ';
      else if (name === 'p') line += '\n';
      chart.close(name);
      if (!ends.has(name)) return;
      // The copy of a thread for old versions of Excel; the thread has a part of its own.
      const isCopy = author?.startsWith('tc=') ?? false;
      if (line.trim() !== '' && !isCopy) {
        if (isTold) told.add(lines.length);
        lines.push(cell + unescapeCell(line).trim());
      }
      line = '';
      isTold = true;
    },
  });
  const tables = chart.tables();
  return tables ? { lines: lines.filter((_, i) => !told.has(i)), tables } : { lines, tables: [] };
}
