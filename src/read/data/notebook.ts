import { IbidError } from '../../core/errors.ts';
import { isRecord } from '../../core/records.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { parseHtml } from '../markup/html.ts';
import { markdownBlocks } from '../markup/markdown.ts';
import { cleanText } from '../normalise.ts';

/** Longer text outputs are logs or data; only their beginning is useful. */
const MAX_OUTPUT_CHARS = 20_000;

type Limits = Pick<ParseContext, 'maxTextChars'>;

interface Cell {
  readonly kind: string;
  readonly source: string;
  readonly outputs: readonly string[];
}

/**
 * Jupyter notebook → Markdown cells unchanged, code cells, and their text outputs; images and widgets are left out.
 * Locators carry `part: 'cell 3'`, counted from 1.
 * @see https://nbformat.readthedocs.io (formats 3 and 4)
 */
export function parseNotebook(source: string, context: Limits): ParsedDocument {
  const builder = new DocumentBuilder('notebook', context);
  const notebook = parseObject(source);
  const cells = cellsOf(notebook, context);
  if (cells === undefined) throw new IbidError('FILE_DAMAGED', 'not a notebook: it has no cells');
  const language = languageOf(notebook);
  cells.forEach((cell, i) => {
    const place = { part: `cell ${i + 1}` };
    if (cell.kind === 'markdown' || cell.kind === 'heading' || cell.kind === 'raw') {
      writeMarkdown(builder, cell.source, place);
      return;
    }
    builder.block(language === undefined ? { kind: 'code' } : { kind: 'code', language }, cell.source, place);
    for (const output of cell.outputs) {
      builder.block({ kind: 'code' }, beginningOf(output), place);
      if (output.length > MAX_OUTPUT_CHARS) {
        const message = `cell ${i + 1}: of an output of ${output.length} characters the first ${MAX_OUTPUT_CHARS} are read`;
        builder.warn('OUTPUT_CUT', message);
      }
    }
  });
  const document = builder.build();
  const title = document.blocks.find((block) => block.kind === 'heading' && block.level === 1);
  return {
    ...document,
    title: title?.label ?? '',
    metadata: { ...(language === undefined ? {} : { language }), cells: cells.length },
  };
}

function parseObject(source: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    throw new IbidError('FILE_DAMAGED', `not a notebook: ${(error as Error).message.slice(0, 200)}`, { cause: error });
  }
  if (!isRecord(value)) throw new IbidError('FILE_DAMAGED', 'not a notebook: not a JSON object');
  return value;
}

function cellsOf(notebook: Record<string, unknown>, context: Limits): Cell[] | undefined {
  let list: unknown = notebook.cells;
  if (!Array.isArray(list) && Array.isArray(notebook.worksheets)) {
    list = notebook.worksheets.flatMap((sheet: unknown) =>
      isRecord(sheet) && Array.isArray(sheet.cells) ? sheet.cells : [],
    );
  }
  if (!Array.isArray(list)) return undefined;
  return list.filter(isRecord).map((cell) => {
    const kind = String(cell.cell_type ?? 'code');
    const source = joined(cell.source ?? cell.input);
    const level = kind === 'heading' ? Number(cell.level ?? 1) : 0;
    return {
      kind,
      source: level > 0 ? `${'#'.repeat(Math.min(6, level))} ${source}` : source,
      outputs: Array.isArray(cell.outputs)
        ? cell.outputs.filter(isRecord).map((output) => outputText(output, context))
        : [],
    };
  });
}

function joined(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : '';
}

function outputText(output: Record<string, unknown>, context: Limits): string {
  const data = isRecord(output.data) ? output.data : output;
  if (output.output_type === 'error' || output.output_type === 'pyerr')
    return [output.ename, output.evalue].filter((part) => typeof part === 'string').join(': ');
  const text = joined(output.text) || joined(data['text/plain']);
  // `<Figure size 640x480 …>` is the placeholder of an image, others stand for Markdown, HTML or JSON.
  const isPlaceholder = /^<(?:Figure size|IPython\.core\.display|matplotlib\.|AxesSubplot)[^\n]*>$/.test(text.trim());
  if (text !== '' && !isPlaceholder) return text;
  const markdown = joined(data['text/markdown']);
  if (markdown !== '') return markdown;
  const html = joined(data['text/html']);
  if (html !== '') return parseHtml(html, { ...context, surroundings: { isWhole: true } }).text;
  const tex = joined(data['text/latex']);
  if (tex !== '') return tex;
  const json = data['application/json'];
  return isRecord(json) || Array.isArray(json) ? JSON.stringify(json) : '';
}

function beginningOf(output: string): string {
  return output.length > MAX_OUTPUT_CHARS ? `${output.slice(0, MAX_OUTPUT_CHARS)}\n…` : output;
}

function languageOf(notebook: Record<string, unknown>): string | undefined {
  const metadata = isRecord(notebook.metadata) ? notebook.metadata : {};
  const info = isRecord(metadata.language_info) ? metadata.language_info.name : undefined;
  const kernel = isRecord(metadata.kernelspec) ? metadata.kernelspec.language : undefined;
  const language = info ?? kernel;
  return typeof language === 'string' ? language.toLowerCase() : undefined;
}

function writeMarkdown(builder: DocumentBuilder, source: string, place: { part: string }): void {
  const text = cleanText(source)
    .replace(/!\[([^\]]{0,200})\]\(data:[\w+/=;,:.%-]{200,}\)/g, '![$1]') // images pasted into the cell
    .replace(/^\n+/, '')
    .trimEnd();
  if (text === '') return;
  if (builder.length > 0) builder.append('\n\n');
  const span = builder.append(text);
  for (const { start, end, ...shape } of markdownBlocks(text, span.start)) builder.mark({ start, end }, shape);
  builder.locate(span, place);
}
