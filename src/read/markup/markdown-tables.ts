/** Tables of HTML in Markdown, as rows: tags between the cells say nothing to a reader. */
import type { Block, Locator } from '../../core/types.ts';
import { parseHtml } from './html.ts';

const BEGIN = /^ {0,3}<table(?:\s[^>]*)?>/i;
const END = /<\/table>\s*$/i;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const MOST_LINES = 5000;

interface Part {
  readonly text: string;
  /** Lines of the source, from 0; the last one is included. */
  readonly from: number;
  readonly to: number;
  /** Of a table: its block in `text`. */
  readonly blocks?: readonly Block[];
}

interface WithTables {
  readonly text: string;
  /** Tables, and what was around them as texts of Markdown, in order. */
  readonly parts: readonly {
    readonly start: number;
    readonly text: string;
    readonly blocks?: readonly Block[] | undefined;
  }[];
  /** Of each line of the text: where it stands in the source. */
  readonly locators: readonly Locator[];
}

/**
 * @param firstLine of the source
 * @returns undefined for a text without such a table
 */
export function withHtmlTables(source: string, firstLine: number): WithTables | undefined {
  if (!/^ {0,3}<table[\s>]/im.test(source)) return undefined;
  const lines = source.split('\n');
  const parts: Part[] = [];
  let from = 0;
  let fence = '';
  const flush = (to: number): void => {
    const text = lines.slice(from, to).join('\n');
    if (text.trim() !== '') parts.push({ text, from, to: to - 1 });
  };
  for (let i = 0; i < lines.length; i++) {
    const [, mark] = FENCE.exec(lines[i]!) ?? [];
    if (mark !== undefined && (fence === '' || mark.startsWith(fence))) fence = fence === '' ? mark : '';
    if (fence !== '' || !BEGIN.test(lines[i]!)) continue;
    const end = endOf(lines, i);
    const table = end === undefined ? undefined : rowsOf(lines.slice(i, end + 1).join('\n'));
    if (end === undefined || table === undefined) continue;
    flush(i);
    parts.push({ ...table, from: i, to: end });
    from = end + 1;
    i = end;
  }
  if (!parts.some(({ blocks }) => blocks)) return undefined;
  flush(lines.length);
  return joined(parts, firstLine);
}

/** The line that ends the table which begins at a line. */
function endOf(lines: readonly string[], begin: number): number | undefined {
  let depth = 0;
  for (let i = begin; i < lines.length && i < begin + MOST_LINES; i++) {
    depth += (lines[i]!.match(/<table[\s>]/gi)?.length ?? 0) - (lines[i]!.match(/<\/table>/gi)?.length ?? 0);
    if (depth <= 0) return END.test(lines[i]!) ? i : undefined;
  }
  return undefined;
}

/** A table alone, with rows of cells; undefined for one that only lays out pictures or text. */
function rowsOf(html: string): { readonly text: string; readonly blocks: readonly Block[] } | undefined {
  const { text, blocks } = parseHtml(`<body>${html}`, { maxTextChars: Number.POSITIVE_INFINITY, surroundings: WHOLE });
  return blocks.length === 1 && blocks[0]!.kind === 'table' ? { text, blocks } : undefined;
}

const WHOLE = { isWhole: true } as NonNullable<Parameters<typeof parseHtml>[1]['surroundings']>;

function joined(parts: readonly Part[], firstLine: number): WithTables {
  const placed: { start: number; text: string; blocks?: readonly Block[] | undefined }[] = [];
  const locators: Locator[] = [];
  let text = '';
  for (const { text: whole, from, to, blocks } of parts) {
    const blank = /^(?:[ \t]*\n)*/.exec(whole)![0];
    const body = whole.slice(blank.length).trimEnd();
    const skipped = blank.split('\n').length - 1;
    if (text !== '') text += '\n\n';
    placed.push({ start: text.length, text: body, blocks });
    let start = text.length;
    for (const [i, line] of body.split('\n').entries()) {
      const end = start + line.length;
      const at = firstLine + from + skipped + i;
      if (line.trim() !== '')
        locators.push({ start, end, lines: blocks ? [firstLine + from, firstLine + to] : [at, at] });
      start = end + 1;
    }
    text += body;
  }
  return { text, parts: placed, locators };
}
