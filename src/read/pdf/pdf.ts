/** PDF through unpdf (pdf.js): text by page, in reading order, with structure. */
import { IbidError } from '../../core/errors.ts';
import { OCR_HINT } from '../../core/waiting.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { hasText, noteOcr, unread } from '../ocr/lines.ts';
import { type ReadAttachment, readAttachments, writeAttachments } from './attachments.ts';
import { buildBlocks } from './blocks.ts';
import type { PdfBlock } from './drafts.ts';
import { findFurniture } from './furniture.ts';
import { type PageRegions, readingOrder, toRows } from './layout.ts';
import { findLineNumbers } from './line-numbers.ts';
import { type OpenPdf, openPdf } from './open.ts';
import { besides } from './pictured.ts';
import { countWords } from './repair.ts';
import { type Grid, gridsOf, hasRows, withLoneRows, withRuledTables } from './ruled.ts';
import { type DrawnText, type Layer, pageLayers, type Segment } from './runs.ts';
import { longerSide, type ScannedPage, withScans } from './scans.ts';
import { levelTitles } from './standing-titles.ts';
import { withoutFalseTables, withTaggedTables } from './tagged-tables.ts';
import { chooseTitle } from './title.ts';
import { findWatermarks } from './watermarks.ts';

/** @throws IbidError FILE_ENCRYPTED, FILE_DAMAGED, FILE_SCANNED (pages, but no text), FILE_TOO_LARGE */
export async function parsePdf(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  return (await readPdf(bytes, context)).document;
}

/**
 * A PDF as a document, with the text of what the document leaves out: running headers, footers, repeated titles of
 * tables, numbers of pages and lines.
 */
export async function readPdf(
  bytes: Uint8Array,
  context: ParseContext,
): Promise<{ readonly document: ParsedDocument; readonly leftOut: readonly string[] }> {
  const builder = new DocumentBuilder('pdf', context);
  const pdf = await openPdf(bytes);
  try {
    for (const defect of pdf.defects) builder.warn('PDF_DAMAGED', defect);
    const { pages, scanned, attachments } = await readPages(pdf, builder, context);
    const { regions, leftOut } = layOut(pages, builder);
    const vocabulary = countWords(
      regions.flatMap(({ head = [], foot = [], regions: rest, turned = [] }) =>
        [head, ...rest, ...turned, foot].flatMap((region) => region.map((row) => row.text)),
      ),
    );
    const { blocks: written, repeated } = buildBlocks(regions, await pdf.outline(), vocabulary);
    if (repeated.length > 0) {
      const lines = repeated.reduce((sum, titles) => sum + titles.split('\n').length, 0);
      const times = count(repeated.length, 'time');
      builder.leaveOut(lines, 'PDF_REPEATED_TITLES', `left out titles that a table repeats on its next page, ${times}`);
    }
    const blocks = withScans(written, scanned);
    const info = await pdf.info();
    builder.title = chooseTitle(info, blocks, pages);
    if (info.author !== undefined) builder.metadata.author = info.author;
    if (info.created !== undefined) builder.metadata.created = info.created;
    if (info.modified !== undefined) builder.metadata.modified = info.modified;
    builder.metadata.pages = pdf.pageCount;
    noteOcr(
      builder,
      scanned.map(({ page, reading }) => {
        const { failure } = reading;
        return failure === undefined ? reading : { ...reading, failure: `page ${page} was not read: ${failure}` };
      }),
    );
    writeBlocks(builder, blocks);
    writeAttachments(attachments, builder);
    return { document: builder.build(), leftOut: [...leftOut, ...repeated] };
  } finally {
    await pdf.close();
  }
}

/** After so many pages without lines between gaps, lines are sought only where pieces stand below each other. */
const MOST_UNRULED = 8;

interface PageText {
  readonly page: number;
  readonly layers: readonly Layer[];
  readonly grids: readonly Grid[];
  /** The visible part of the page in user space: [x0, y0, x1, y1]. */
  readonly box: readonly number[];
  readonly comments: readonly string[];
}

interface PagesRead {
  readonly pages: readonly PageText[];
  readonly scanned: readonly ScannedPage[];
  readonly attachments: readonly ReadAttachment[];
}

async function readPages(pdf: OpenPdf, builder: DocumentBuilder, context: ParseContext): Promise<PagesRead> {
  const pages: PageText[] = [];
  const scanned: ScannedPage[] = [];
  const blank: number[] = [];
  const broken: number[] = [];
  const listed = [...(await pdf.attachments())];
  let characters = 0;
  let unruled = 0;
  let cause: unknown;
  for (let page = 1; page <= pdf.pageCount; page++) {
    try {
      const {
        items,
        fonts,
        rules,
        comments,
        attachments: pinned,
        isStamped,
        box,
      } = await pdf.readPage(page, unruled < MOST_UNRULED);
      listed.push(...pinned);
      const grids = gridsOf(rules ?? []);
      if (grids.some(hasRows)) unruled = 0;
      else if (rules) unruled++;
      const uprights = grids.filter(hasRows).flatMap((grid) => grid.rules.filter(({ isUpright }) => isUpright));
      const layersOf = (texts: readonly DrawnText[]): Layer[] => pageLayers(texts, fonts, box, uprights);
      const first = layersOf(items);
      const plain = withoutFalseTables(items, first[0]?.segments ?? []);
      const layers = plain === items ? first : layersOf(plain);
      const isBlank = layers.length === 0 && comments.length === 0;
      const isScan = isBlank || isStamped;
      const reading = isScan ? context.recognise?.({ page, inches: longerSide(box) }) : undefined;
      if (reading) scanned.push({ page, reading: besides(reading, items.map(({ str }) => str).join('')) });
      else if (isScan) blank.push(page);
      if (!isBlank) pages.push({ page, layers, grids, comments, box });
      for (const layer of layers) characters += layer.characters;
    } catch (error) {
      broken.push(page);
      cause = error;
    }
    if (characters > context.maxTextChars) {
      throw new IbidError('FILE_TOO_LARGE', `the text is longer than ${context.maxTextChars} characters`, {
        hint: 'Split the file, or raise maxTextChars.',
      });
    }
  }
  const attachments = await readAttachments(listed, pdf.attached, builder, context);
  const isRead =
    scanned.some(({ reading }) => reading.pages.some(hasText)) || attachments.some((file) => file.document);
  if (pages.length === 0 && !isRead) {
    if (scanned.length > 0) throw unread(scanned.map(({ reading }) => reading));
    if (broken.length > 0 || pdf.pageCount === 0) {
      throw new IbidError('FILE_DAMAGED', 'no page of this PDF can be read', {
        cause,
        hint: 'Open it in a viewer and save or print it to a new PDF.',
      });
    }
    throw new IbidError('FILE_SCANNED', `the PDF has ${count(pdf.pageCount, 'page')} and no text`, { hint: OCR_HINT });
  }
  if (broken.length > 0) builder.warn('PDF_PAGES_BROKEN', `could not read ${named(broken)}`);
  if (blank.length > 0)
    builder.warn('PDF_PAGES_WITHOUT_TEXT', `no text on ${named(blank)}: blank, or a scan that needs OCR`);
  return { pages, scanned, attachments };
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

function named(pages: readonly number[]): string {
  const shown = pages.slice(0, 20).join(', ');
  const more = pages.length > 20 ? ` and ${pages.length - 20} more` : '';
  return `${pages.length === 1 ? 'page' : 'pages'} ${shown}${more}`;
}

/** The main text of each page without numbers of lines, running headers and footers, then text in other directions. */
function layOut(
  pages: readonly PageText[],
  builder: DocumentBuilder,
): { readonly regions: readonly PageRegions[]; readonly leftOut: readonly string[] } {
  const printed = pages.map(({ layers, box }) => {
    const [top, bottom] = edgesOf(box, layers[0]?.direction ?? 0);
    return { top, bottom, segments: layers[0]?.segments ?? [] };
  });
  const lineNumbers = findLineNumbers(printed.map(({ segments }) => segments));
  const numbers = lineNumbers.reduce((sum, page) => sum + page.size, 0);
  if (numbers > 0) {
    const on = count(lineNumbers.filter((page) => page.size > 0).length, 'page');
    builder.leaveOut(numbers, 'PDF_LINE_NUMBERS', `left out the numbers of ${count(numbers, 'line')} on ${on}`);
  }
  const frames = printed.map((page, i) => ({
    ...page,
    segments: page.segments.filter((segment) => !lineNumbers[i]!.has(segment)),
  }));
  const furniture = findFurniture(frames);
  const lines = furniture.reduce((sum, page) => sum + page.lines, 0);
  if (lines > 0) {
    const on = count(furniture.filter((page) => page.lines > 0).length, 'page');
    builder.leaveOut(
      lines,
      'PDF_RUNNING_LINES',
      `left out ${count(lines, 'line')} on ${on}: running headers and footers after the first, page numbers`,
    );
  }
  const watermarks = findWatermarks(pages.map(({ layers }) => layers));
  const marks = watermarks.reduce((sum, page) => sum + page.size, 0);
  if (marks > 0) {
    const on = count(watermarks.filter((page) => page.size > 0).length, 'page');
    builder.leaveOut(marks, 'PDF_WATERMARKS', `left out ${count(marks, 'watermark')} on ${on}, all after the first`);
  }
  const grids = withLoneRows(pages.map((page) => page.grids));
  const regions = pages.map(({ page, layers, comments }, i): PageRegions => {
    const { gone, kept, repeated } = furniture[i]!;
    const { top, bottom, segments } = frames[i]!;
    const running = segments.filter((s) => kept.has(s) && !gone.has(s));
    const main = segments.filter((s) => !gone.has(s) && !kept.has(s));
    const upper = (s: Segment): boolean => s.y < (top + bottom) / 2;
    const rest = layers.slice(1).map((layer) => {
      return { ...layer, segments: layer.segments.filter((s) => !watermarks[i]!.has(s)) };
    });
    const { read, titles } = layers[0]?.direction === 0 ? withTitledTables(main, rest, grids[i]!) : unturned(main);
    return {
      page,
      regions: readingOrder(read),
      turned: rest.flatMap(({ segments: turned }) => readingOrder(turned.filter((s) => !titles.has(s)))),
      head: toRows(running.filter(upper)),
      isHeadRepeated: running.every((s) => !upper(s) || repeated.has(s)),
      foot: toRows(running.filter((s) => !upper(s))),
      comments,
    };
  });
  const gone = [...lineNumbers, ...furniture.map((page) => page.gone), ...watermarks];
  return { regions, leftOut: gone.flatMap((segments) => [...segments].map(({ text }) => text)) };
}

interface WithTables {
  readonly read: readonly Segment[];
  /** Turned texts that are read with a table. */
  readonly titles: ReadonlyMap<Segment, Segment>;
}

const unturned = (read: readonly Segment[]): WithTables => ({ read, titles: new Map() });

/** The segments of a page with its tables, and the turned titles of their columns where these are all in tables. */
function withTitledTables(segments: readonly Segment[], turned: readonly Layer[], grids: readonly Grid[]): WithTables {
  const titles = levelTitles(turned, grids, segments);
  const level = new Set(titles.values());
  if (level.size > 0) {
    const read = withTables([...segments, ...level], grids);
    if (!read.some((segment) => level.has(segment))) return { read, titles };
  }
  return unturned(withTables(segments, grids));
}

/** The segments of a page, each row of a table as one; what the file says of a table comes before what its lines say. */
function withTables(segments: readonly Segment[], grids: readonly Grid[]): Segment[] {
  const tagged = withTaggedTables(segments, grids);
  const rest = tagged.filter(({ ruled }) => ruled === undefined);
  return [...withRuledTables(rest, grids), ...tagged.filter(({ ruled }) => ruled !== undefined)];
}

/** Upper and lower edge of a page in the coordinates of text of this direction. */
function edgesOf(
  [x0 = 0, y0 = 0, x1 = 0, y1 = 0]: readonly number[],
  direction: Layer['direction'],
): [top: number, bottom: number] {
  const turn = direction === 'vertical' ? Math.PI * 1.5 : (direction * Math.PI) / 180;
  const ys = [x0, x1].flatMap((x) => [y0, y1].map((y) => x * Math.sin(turn) - y * Math.cos(turn)));
  return [Math.min(...ys), Math.max(...ys)];
}

function writeBlocks(builder: DocumentBuilder, blocks: readonly PdfBlock[]): void {
  for (const block of blocks) {
    const pieces = block.pieces.filter((piece) => piece.text !== '');
    if (pieces.every((piece) => piece.text.trim() === '')) continue;
    if (builder.length > 0) builder.append('\n\n');
    const start = builder.length;
    for (const [i, piece] of pieces.entries()) {
      const text = i === pieces.length - 1 ? piece.text.trimEnd() : piece.text;
      const { page, ocr } = piece;
      // The blanks before an item say its level.
      const own = i === 0 && block.kind !== 'list' ? text.trimStart() : text;
      builder.locate(builder.append(own), { page, ...(ocr ? { ocr } : {}) });
    }
    const header =
      block.kind === 'table' && block.headerLength > 0 ? { header: { start, end: start + block.headerLength } } : {};
    const level = block.kind === 'heading' ? { level: block.level ?? 1 } : {};
    builder.mark({ start, end: builder.length }, { kind: block.kind, ...level, ...header });
  }
}
