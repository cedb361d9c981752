/** PDF through unpdf (pdf.js): text by page, in reading order, with structure. */
import { IbidError } from '../../core/errors.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { buildBlocks } from './blocks.ts';
import type { PdfBlock } from './drafts.ts';
import { findFurniture } from './furniture.ts';
import { type PageRegions, readingOrder } from './layout.ts';
import { type OpenPdf, openPdf, type PdfInfo } from './open.ts';
import { countWords } from './repair.ts';
import { type Layer, pageLayers } from './runs.ts';

/** @throws IbidError FILE_ENCRYPTED, FILE_DAMAGED, FILE_SCANNED (pages, but no text), FILE_TOO_LARGE */
export async function parsePdf(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const builder = new DocumentBuilder('pdf', context);
  const pdf = await openPdf(bytes);
  try {
    for (const defect of pdf.defects) builder.warn('PDF_DAMAGED', defect);
    const pages = await readPages(pdf, builder, context);
    const regions = layOut(pages);
    const vocabulary = countWords(
      regions.flatMap((page) => page.regions.flatMap((region) => region.map((row) => row.text))),
    );
    const blocks = buildBlocks(regions, await pdf.outline(), vocabulary);
    const info = await pdf.info();
    builder.title = chooseTitle(info, blocks, pages);
    if (info.author !== undefined) builder.metadata.author = info.author;
    if (info.created !== undefined) builder.metadata.created = info.created;
    if (info.modified !== undefined) builder.metadata.modified = info.modified;
    builder.metadata.pages = pdf.pageCount;
    writeBlocks(builder, blocks);
    return builder.build();
  } finally {
    await pdf.close();
  }
}

interface PageText {
  readonly page: number;
  readonly layers: readonly Layer[];
  readonly height: number;
  readonly comments: readonly string[];
}

async function readPages(pdf: OpenPdf, builder: DocumentBuilder, context: ParseContext): Promise<PageText[]> {
  const pages: PageText[] = [];
  const blank: number[] = [];
  const broken: number[] = [];
  let characters = 0;
  let cause: unknown;
  for (let page = 1; page <= pdf.pageCount; page++) {
    try {
      const { items, fonts, comments, box } = await pdf.readPage(page);
      const layers = pageLayers(items, fonts, box);
      if (layers.length === 0 && comments.length === 0) blank.push(page);
      else pages.push({ page, layers, comments, height: (box[3] ?? 0) - (box[1] ?? 0) });
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
  if (pages.length === 0) {
    if (broken.length > 0 || pdf.pageCount === 0) {
      throw new IbidError('FILE_DAMAGED', 'no page of this PDF can be read', {
        cause,
        hint: 'Open it in a viewer and save or print it to a new PDF.',
      });
    }
    throw new IbidError('FILE_SCANNED', `the PDF has ${count(pdf.pageCount, 'page')} and no text`, {
      hint: 'It needs OCR: run it through an OCR tool that adds a text layer.',
    });
  }
  if (broken.length > 0) builder.warn('PDF_PAGES_BROKEN', `could not read ${named(broken)}`);
  if (blank.length > 0)
    builder.warn('PDF_PAGES_WITHOUT_TEXT', `no text on ${named(blank)}: blank, or a scan that needs OCR`);
  return pages;
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

function named(pages: readonly number[]): string {
  const shown = pages.slice(0, 20).join(', ');
  const more = pages.length > 20 ? ` and ${pages.length - 20} more` : '';
  return `${pages.length === 1 ? 'page' : 'pages'} ${shown}${more}`;
}

/** The main text of each page without running heads and feet, then text in other directions. */
function layOut(pages: readonly PageText[]): PageRegions[] {
  const furniture = findFurniture(
    pages.map(({ layers, height }) => {
      const segments = layers[0]?.segments ?? [];
      const ys = segments.map((s) => s.y);
      // The frame is from first to last line: a page may not be full, and a rotated layer has its own origin.
      const top = Math.min(...ys);
      return { top, bottom: Math.max(Math.max(...ys), top + height * 0.5), segments };
    }),
  );
  return pages.map(({ page, layers, comments }, i) => {
    const regions = layers.flatMap((layer, n) =>
      readingOrder(n === 0 ? layer.segments.filter((s) => !furniture[i]!.has(s)) : layer.segments),
    );
    return { page, regions, comments };
  });
}

const NO_TITLE =
  /^(?:untitled|no title|unknown|document\d*|microsoft (?:word|powerpoint|excel) - .*|.*\.(?:docx?|pptx?|xlsx?|odt|rtf|tex|dvi|indd|qxd|pdf|html?|txt|ps|eps|fm|pub|md)|slide \d+|powerpoint presentation|title|print|layout \d+|[\W\d_]*|https?:\S*|\(null\))$/iu;

function chooseTitle(info: PdfInfo, blocks: readonly PdfBlock[], pages: readonly PageText[]): string {
  const given = info.title?.replace(/\s+/gu, ' ').trim() ?? '';
  if (given.length > 2 && given.length < 300 && !NO_TITLE.test(given) && !/[\ufffd\0]/u.test(given)) return given;
  const first = pages[0]!;
  let largest = 0;
  const shown = first.layers[0]?.segments ?? [];
  for (const s of shown) {
    if (s.text.length > 3 && /\p{L}{2}/u.test(s.text)) largest = Math.max(largest, s.size);
  }
  const sized = new Set(
    first.layers[0]!.segments.filter((s) => s.size >= largest * 0.95).map((s) => firstWords(s.text)),
  );
  for (const [i, block] of blocks.entries()) {
    const { text, page } = block.pieces[0]!;
    if (page !== first.page) break;
    if (block.kind !== 'heading' || text.length > 250) continue;
    if (![...sized].some((start) => text.startsWith(start))) continue;
    const next = blocks[i + 1];
    const goesOn =
      next?.kind === 'heading' &&
      next.level === block.level &&
      /(?:[:–—,-]|\b(?:of|the|and|for|in|a|to))$/iu.test(text);
    return goesOn ? `${text} ${next.pieces[0]!.text}` : text;
  }
  return '';
}

function firstWords(text: string): string {
  return text.slice(0, 12);
}

function writeBlocks(builder: DocumentBuilder, blocks: readonly PdfBlock[]): void {
  for (const block of blocks) {
    const pieces = block.pieces.filter((piece) => piece.text !== '');
    if (pieces.every((piece) => piece.text.trim() === '')) continue;
    if (builder.length > 0) builder.append('\n\n');
    const start = builder.length;
    for (const [i, piece] of pieces.entries()) {
      const text = i === pieces.length - 1 ? piece.text.trimEnd() : piece.text;
      builder.locate(builder.append(i === 0 ? text.trimStart() : text), { page: piece.page });
    }
    const header =
      block.kind === 'table' && block.headerLength > 0 ? { header: { start, end: start + block.headerLength } } : {};
    const level = block.kind === 'heading' ? { level: block.level ?? 1 } : {};
    builder.mark({ start, end: builder.length }, { kind: block.kind, ...level, ...header });
  }
}
