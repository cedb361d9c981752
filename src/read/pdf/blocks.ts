/** Turns rows in reading order into blocks: headings, paragraphs, lists and tables, across columns and pages. */
import { joinedRow } from './broken-rows.ts';
import {
  bare,
  CAPTION,
  type Draft,
  liftAsides,
  measureStyle,
  NUMBERED,
  type PdfBlock,
  regionDrafts,
  roundSize,
  type Style,
} from './drafts.ts';
import type { PageRegions, Region } from './layout.ts';
import { setListLevels } from './list-levels.ts';
import { lineJoint, type WordCounts } from './repair.ts';

export interface OutlineEntry {
  readonly title: string;
  /** 1 is outermost. */
  readonly level: number;
}

export function buildBlocks(
  pages: readonly PageRegions[],
  outline: readonly OutlineEntry[],
  vocabulary: WordCounts,
): { readonly blocks: PdfBlock[]; readonly repeated: readonly string[] } {
  const repeated: string[] = [];
  const style = measureStyle(pages);
  const titles = new Map(outline.map((entry) => [bare(entry.title), entry.level]));
  const drafts: Draft[] = [];
  const crossed = new Set<string>();
  let headBefore = '';
  for (const { page, regions, head = [], isHeadRepeated = false, foot = [], turned = [], comments } of pages) {
    const running = (region: Region, isText = false): void => {
      for (const draft of regionDrafts(region, page, style, titles, vocabulary)) {
        const kind = isText && draft.kind === 'heading' ? 'paragraph' : draft.kind;
        drafts.push({ ...draft, kind, open: false, running: true });
      }
    };
    const from = drafts.length;
    // What many pages say stands over no section of theirs; on the first page it may be the title.
    running(head, isHeadRepeated && page > pages[0]!.page);
    const headText = drafts.slice(from).map(textOf).join('\n');
    // Below the number of another invoice, a table with the same names of columns is not the one of the page before.
    const isOther = headText !== '' && headBefore !== '' && headText !== headBefore;
    headBefore = headText;
    for (const region of regions) {
      let seeking = true; // the first paragraph may continue an earlier column, after a table or caption at the top
      const [main, aside] = liftAsides(region);
      const found = [main, aside].flatMap((rows) => [...regionDrafts(rows, page, style, titles, vocabulary)]);
      for (const draft of found) {
        const isNew = isOther && draft.headerLength > 0;
        if (draft.top && !isNew && continueTable(drafts.findLast(isText), draft, page)) {
          if (draft.headerLength > 0) repeated.push(draft.pieces[0]!.text.slice(0, draft.headerLength));
          continue;
        }
        const inWay = draft.kind === 'table' || CAPTION.test(draft.pieces[0]!.text);
        if (inWay || !seeking || !continueParagraph(drafts, draft, vocabulary)) drafts.push(draft);
        else
          for (const each of drafts) if (isHeader(each) && each.pieces[0]!.page >= page - 1) crossed.add(formOf(each));
        if (!inWay) seeking = false;
      }
    }
    for (const region of turned) running(region);
    running(foot, true);
    for (const text of comments) drafts.push(commentDraft(text, page));
  }
  // What a sentence goes on across is the heading of nothing.
  for (const draft of drafts) if (isHeader(draft) && crossed.has(formOf(draft))) draft.kind = 'paragraph';
  attachCaptions(drafts);
  setLevels(drafts, style, titles);
  setListLevels(drafts);
  return { blocks: drafts, repeated };
}

function isText({ running }: Draft): boolean {
  return !running;
}

/** Whether it looks like a heading and is a running header or footer with a number, which changes. */
function isHeader({ running, kind, pieces }: Draft): boolean {
  return running === true && kind === 'heading' && pieces.some(({ text }) => /\d/u.test(text));
}

function textOf({ pieces }: Draft): string {
  return pieces.map(({ text }) => text).join('');
}

function formOf(draft: Draft): string {
  return textOf(draft).replace(/\d+/gu, '#');
}

function commentDraft(text: string, page: number): Draft {
  return {
    kind: 'paragraph',
    pieces: [{ text, page }],
    headerLength: 0,
    size: 0,
    bold: false,
    rows: 1,
    open: false,
    top: false,
  };
}

/**
 * A paragraph that is open at the end of a column or page continues in the first paragraph of the next one. Tables,
 * captions and notes between the two stay in place.
 */
function continueParagraph(drafts: readonly Draft[], draft: Draft, vocabulary: WordCounts): boolean {
  if (draft.kind !== 'paragraph') return false;
  const start = draft.pieces[0]!.text;
  if (!/^[\p{Ll}\p{Lo}\p{N}(“"$]/u.test(start) || CAPTION.test(start) || NUMBERED.test(start)) return false;
  const last = drafts.findLastIndex(isText);
  for (let i = last; i >= 0 && i >= last - 7; i--) {
    const earlier = drafts[i]!;
    if (earlier.running) continue;
    const end = earlier.pieces.at(-1)!;
    if (draft.pieces[0]!.page - end.page > 1) return false;
    if (earlier.kind === 'heading') return false;
    if (earlier.kind !== 'paragraph' && earlier.kind !== 'list') continue;
    if (Math.abs(earlier.size - draft.size) > 0.05 * draft.size || earlier.bold !== draft.bold) continue;
    if (CAPTION.test(earlier.pieces[0]!.text)) continue;
    const [word = ''] = start.split(' ', 1);
    const hadNoRoom = earlier.room !== undefined && word.length + 1 > earlier.room && /^\p{Ll}/u.test(start);
    if (!earlier.open && !hadNoRoom) return false;
    // Without a lower-case start the evidence is weak: only the previous block can continue.
    if (!/^\p{Ll}/u.test(start) && i !== last) return false;
    const { drop, glue } = lineJoint(end.text, start, vocabulary);
    end.text = (drop > 0 ? end.text.slice(0, -drop) : end.text) + glue;
    earlier.pieces.push(...draft.pieces);
    earlier.open = draft.open;
    if (draft.room === undefined) delete earlier.room;
    else earlier.room = draft.room;
    return true;
  }
  return false;
}

/**
 * Joins a table at the top of a page to the one at the end of the page before: same number of columns, same header or
 * none. The header then holds for the whole table.
 */
function continueTable(earlier: Draft | undefined, draft: Draft, page: number): boolean {
  if (earlier?.kind !== 'table' || draft.kind !== 'table') return false;
  const last = earlier.pieces.at(-1)!;
  if (last.page !== page - 1 || earlier.headerLength === 0 || Math.abs(earlier.size - draft.size) > 0.05 * draft.size)
    return false;
  let { text } = draft.pieces[0]!;
  if (columns(text) !== columns(earlier.pieces[0]!.text)) return false;
  if (draft.headerLength > 0) {
    if (text.slice(0, draft.headerLength) !== earlier.pieces[0]!.text.slice(0, earlier.headerLength)) return false;
    text = text.slice(draft.headerLength + 1);
  }
  const rows = last.text.split('\n');
  const [first, ...others] = text.split('\n');
  const whole = joinedRow(rows.at(-1)!, first!);
  if (whole !== undefined) {
    last.text = rows.with(-1, whole).join('\n');
    text = others.join('\n');
    if (text === '') return true;
  }
  last.text += '\n';
  earlier.pieces.push({ text, page });
  return true;
}

/** The number of cells in most lines of a table. */
function columns(text: string): number {
  const counts = new Map<number, number>();
  for (const line of text.split('\n')) {
    const cells = line.split(' | ').length;
    counts.set(cells, (counts.get(cells) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0;
}

/** A caption directly above or below a table becomes its first or last line. */
function attachCaptions(drafts: Draft[]): void {
  for (let i = 0; i < drafts.length; i++) {
    const table = drafts[i]!;
    if (table.kind !== 'table') continue;
    const above = drafts[i - 1];
    const below = drafts[i + 1];
    const page = table.pieces[0]!.page;
    const lastPage = table.pieces.at(-1)!.page;
    if (above && isTableCaption(above, page)) {
      const caption = above.pieces[0]!.text;
      table.pieces[0]!.text = `${caption}\n${table.pieces[0]!.text}`;
      table.headerLength += caption.length + (table.headerLength > 0 ? 1 : 0);
      drafts.splice(i - 1, 1);
      i--;
    } else if (below && isTableCaption(below, lastPage) && !(drafts[i + 2]?.kind === 'table')) {
      table.pieces.at(-1)!.text += `\n${below.pieces[0]!.text}`;
      drafts.splice(i + 1, 1);
    }
  }
}

function isTableCaption(draft: Draft, page: number): boolean {
  const first = draft.pieces[0]!;
  return (
    draft.kind !== 'table' &&
    draft.pieces.length === 1 &&
    first.page === page &&
    /^(?:table|tab\.|exhibit|tabelle|tableau|表)/iu.test(first.text) &&
    CAPTION.test(first.text)
  );
}

/** Sets heading levels: by the outline, else by the depth of the number, else by font size, largest first. */
function setLevels(drafts: readonly Draft[], style: Style, titles: ReadonlyMap<string, number>): void {
  const headings = drafts.filter((draft) => draft.kind === 'heading');
  const sizes = [...new Set(headings.map((draft) => roundSize(draft.size)))]
    .filter((s) => s > 1.05 * style.bodySize)
    .sort((a, b) => b - a);
  for (const draft of headings) {
    const text = draft.pieces.map((piece) => piece.text).join('');
    const known = titles.get(bare(text));
    const number = /^(?:\d{1,2}|[A-Z](?=\.))((?:\.\d{1,2})*)\.?\s/u.exec(text)?.[1];
    const bySize = sizes.indexOf(roundSize(draft.size));
    const offset = sizes.length > 0 ? 1 : 0;
    let level: number;
    if (known !== undefined) level = known;
    else if (number !== undefined) level = offset + 1 + (number.match(/\./gu)?.length ?? 0);
    else level = bySize === -1 ? Math.min(sizes.length, 4) + 1 : bySize + 1;
    draft.level = Math.max(1, Math.min(6, level));
  }
}
