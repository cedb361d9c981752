/** Tables of `tbl`, row by row. */
import type { RoffLines } from './roff-lines.ts';

/** Reads from behind `.TS` to `.TE`. @returns lines of cells, and the last line of the file that was read */
export function readTable(lines: RoffLines): { readonly rows: readonly string[]; readonly last: number } {
  const rows: string[] = [];
  let last = 1;
  let tab = '\t';
  /** Options end with `;`, the format of columns with `.`; then come the data. */
  let isData = false;
  let cells: string[] | undefined;
  let block: string[] | undefined;
  const show = (cell: string): string => lines.print(cell).replace(/\s+/g, ' ').trim();
  const add = (text: string): void => {
    // A cell of several lines stands between `T{` and `T}`; the row goes on behind it.
    const parts = text.split(tab);
    cells ??= [];
    const isOpen = parts.at(-1)?.trim() === 'T{';
    cells.push(...(isOpen ? parts.slice(0, -1) : parts));
    if (isOpen) {
      block = [];
      return;
    }
    const row = cells.map(show).map((cell) => (/^(?:[_=]|\\[_^])$/.test(cell) ? '' : cell));
    if (row.some((cell) => cell !== '')) rows.push(row.join(' | ').replace(/(?: \|\s*)+$/, ''));
    cells = undefined;
  };
  for (let raw = lines.raw(); raw !== undefined; raw = lines.raw()) {
    last = raw.line;
    const { text } = raw;
    if (/^\.TE\b/.test(text)) break;
    if (/^[.']\s*T&/.test(text)) isData = false;
    else if (!isData) {
      const option = /\btab\s*\((.)\)/i.exec(text)?.[1];
      if (option !== undefined) tab = option;
      if (/\.\s*$/.test(text)) isData = true;
    } else if (block !== undefined && text.startsWith('T}')) {
      cells!.push(block.join(' '));
      block = undefined;
      const rest = text.slice(2);
      if (rest.startsWith(tab)) add(rest.slice(tab.length));
      else add('');
    } else if (block !== undefined) block.push(text.replace(/^[.']\s*(?:[a-z]\w*\b.*|[A-Z]{1,2}\s+)/, ''));
    else if (!/^[.']/.test(text)) add(text);
  }
  return { rows, last };
}
