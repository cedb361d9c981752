/** Lists of LaTeX: items get the mark that is printed before them. Each line stays a line. */

import { formatNumber } from '../office/docx-numbering.ts';
import type { TableFinder } from './markup-tables.ts';
import { texTable } from './tex-table.ts';

const ENVIRONMENT = 'itemize|enumerate|description|compactitem|compactenum|compactdesc|asparaitem|asparaenum';
const BEGIN = new RegExp(`^\\s*\\\\begin\\{(${ENVIRONMENT})\\}`);
const BEGIN_BEHIND = new RegExp(`\\\\begin\\{(${ENVIRONMENT})\\}\\s*(\\[[^\\]]{0,200}\\])?\\s*(?:%.*)?$`);
const OPTIONS = /^\s*\[([^\]]*)\]/;
const END = new RegExp(`^\\s*\\\\end\\{(?:${ENVIRONMENT})\\}`);
const END_BEHIND = new RegExp(`\\\\end\\{(?:${ENVIRONMENT})\\}\\s*(?:%.*)?$`);
const ITEM = /^\s*\\item(?![A-Za-z])(?:<[^>]*>)?\s*/;
const ANY = new RegExp(`\\\\item(?![A-Za-z])|\\\\(?:begin|end)\\{(${ENVIRONMENT})\\}`, 'g');
const NOTHING = /^\s*(?:%.*)?$/;
/** Where one stands, the lists before it have ended, whatever the file says. */
const SECTION = /^\s*\\(?:part|chapter|(?:sub){0,2}section|end\{document\})/;
const LENGTH = '(?:itemsep|parskip|parsep|topsep)';
/** Commands that only say how a list looks. */
const LOOKS = new RegExp(
  String.raw`^\s*\\(?:tightlist|setcounter\{enumi*v?\}\{\d+\}|(?:def|renewcommand\*?)\s*\{?\\labelenumi*v?\}?\s*\{.*\}|(?:${LENGTH}|setlength\s*\{?\\${LENGTH}).*)\s*(?:%.*)?$`,
);
const CODE = /\\(begin|end)\{(?:verbatim|lstlisting|minted|Verbatim|Highlighting|comment)\*?\}/g;
const BOXES: readonly (readonly [command: RegExp, box: string])[] = [
  [/^\$?\\(?:square|Box|Square)\$?$/, '☐'],
  [/^\$?\\(?:boxtimes|XBox|checkmark|CheckedBox|done)\$?$/, '☒'],
];
/** What is printed of numbers where the list does not say, by depth. */
const FORMATS = ['decimal', 'lowerLetter', 'lowerRoman', 'upperLetter'];
const COUNTERS: readonly (readonly [command: RegExp, format: string])[] = [
  [/\\arabic/, 'decimal'],
  [/\\alph/, 'lowerLetter'],
  [/\\Alph/, 'upperLetter'],
  [/\\roman/, 'lowerRoman'],
  [/\\Roman/, 'upperRoman'],
  [/^\(?1[.)]?$/, 'decimal'],
  [/^\(?a[.)]?$/, 'lowerLetter'],
  [/^\(?A[.)]?$/, 'upperLetter'],
  [/^\(?i[.)]?$/, 'lowerRoman'],
  [/^\(?I[.)]?$/, 'upperRoman'],
];

const MAX_INDENT = 8;

interface List {
  readonly kind: 'itemize' | 'enumerate' | 'description';
  /** Numbered lists around its items. */
  readonly numbered: number;
  format: string;
  count: number;
  /** Where the text of an item begins. */
  width: number;
}

/** The source with marked items, and what finds its tables and lists. */
export function withItems(source: string): { readonly source: string; readonly find: TableFinder } {
  if (!source.includes('\\item')) return { source, find: texTable };
  const reader = new ItemReader(source.split('\n'));
  const marked = reader.read();
  const from = marked.slice(0, marked.search(/\S/)).split('\n').length - 1;
  const find: TableFinder = (lines, index) => {
    const table = texTable(lines, index);
    const list = reader.lists[index + from];
    if (table || list === undefined || lines[index]!.trim() === '') return table;
    let end = index + 1;
    while (end < lines.length && reader.lists[end + from] === list && !texTable(lines, end)) end++;
    const items = lines.slice(index, end).map((text, i) => ({ text, at: [index + i, index + i] as const }));
    return { lines: items.filter(({ text }) => text.trim() !== ''), headers: 0, taken: end - index };
  };
  return { source: marked, find };
}

class ItemReader {
  /** By line: which of the outermost lists it belongs to. */
  readonly lists: (number | undefined)[] = [];
  #outer = 0;
  readonly #lines: string[];
  readonly #lists: List[] = [];
  /** The mark of an item whose text has not come. */
  #pending: { readonly mark: string; readonly line: number; readonly isWord: boolean } | undefined;
  #code = 0;

  constructor(lines: string[]) {
    this.#lines = lines;
  }

  read(): string {
    for (let i = 0; i < this.#lines.length; i++) {
      const line = this.#lines[i]!;
      const before = this.#code;
      for (const [, way] of line.matchAll(CODE)) this.#code = Math.max(0, this.#code + (way === 'begin' ? 1 : -1));
      if (before > 0 || this.#code > 0) continue;
      this.lists[i] = this.#lists.length > 0 ? this.#outer : undefined;
      if (!/^\s*%/.test(line)) this.#lines[i] = this.#readLine(line, i);
    }
    this.#dropPending();
    return this.#lines.join('\n');
  }

  #readLine(line: string, index: number): string {
    if (SECTION.test(line)) this.#close(this.#lists.length);
    const found = [...line.matchAll(ANY)];
    const behind = BEGIN.test(line) ? undefined : BEGIN_BEHIND.exec(line);
    if (found.length > (BEGIN.test(line) || behind || END_BEHIND.test(line) ? 2 : 1)) {
      // Items in one line stay there as they are.
      for (const [whole, environment] of found) {
        if (whole.startsWith('\\begin')) this.#open(environment!, '');
        else if (whole.startsWith('\\end')) this.#close(1);
      }
      return line;
    }
    if (behind) {
      const placed = this.#readLine(line.slice(0, behind.index), index);
      this.#open(behind[1]!, behind[2]?.slice(1, -1) ?? '');
      return placed;
    }
    const begin = BEGIN.exec(line);
    if (begin) {
      const inside = line.slice(begin[0].length);
      const options = OPTIONS.exec(inside);
      this.#open(begin[1]!, options?.[1] ?? '');
      return this.#readItem(inside.slice(options?.[0].length ?? 0), index);
    }
    if (END.test(line)) {
      this.#close(1);
      return this.#place(line.replace(END, '').trimStart(), index);
    }
    const end = END_BEHIND.exec(line);
    if (!end) return this.#readItem(line, index);
    const placed = this.#readItem(line.slice(0, end.index), index);
    this.#close(1);
    return placed;
  }

  #readItem(line: string, index: number): string {
    const list = this.#lists.at(-1);
    if (list && LOOKS.test(line)) {
      this.#readLooks(list, line);
      return '';
    }
    if (!list || !ITEM.test(line)) return this.#place(line, index);
    return this.#item(list, line.replace(ITEM, ''), index);
  }

  #close(lists: number): void {
    this.#dropPending();
    this.#lists.length = Math.max(0, this.#lists.length - lists);
  }

  #open(environment: string, options: string): void {
    this.#dropPending();
    const kind = /enum/.test(environment) ? 'enumerate' : /desc/.test(environment) ? 'description' : 'itemize';
    const depth = this.#lists.at(-1)?.numbered ?? 0;
    const said = /label\s*=\s*([^,]*)/.exec(options)?.[1] ?? options;
    const numbered = depth + (kind === 'enumerate' ? 1 : 0);
    const list: List = { kind, format: formatIn(said) ?? FORMATS[Math.min(depth, 3)]!, count: 0, width: 0, numbered };
    list.count = Number(/start\s*=\s*(\d+)/.exec(options)?.[1] ?? 1) - 1;
    if (this.#lists.length === 0) this.#outer++;
    this.#lists.push(list);
  }

  #readLooks(list: List, line: string): void {
    const count = /\\setcounter\{enumi*v?\}\{(\d+)\}/.exec(line)?.[1];
    if (count !== undefined) list.count = Number(count);
    const label = /\\labelenumi*v?\}?\{(.*)\}/.exec(line)?.[1];
    if (label !== undefined) list.format = formatIn(label) ?? list.format;
  }

  #item(list: List, text: string, index: number): string {
    this.#dropPending();
    const label = labelAt(text);
    const rest = label === undefined ? text : text.slice(label.length + 2).trimStart();
    const isTerm = list.kind === 'description' && label !== undefined;
    const own = label === undefined || label.trim() === '' || isTerm ? undefined : boxOf(label.trim());
    const isNumbered = list.kind === 'enumerate' && label === undefined;
    const mark = isNumbered ? `${formatNumber(++list.count, list.format)}. ` : '- ';
    const indent = '  '.repeat(Math.min(MAX_INDENT, this.#lists.length - 1));
    list.width = indent.length + mark.length;
    const word = isTerm ? `${withColon(label)} ` : own === undefined ? '' : `${own} `;
    this.#pending = { mark: `${indent}${mark}${word}`, line: index, isWord: word !== '' };
    return this.#place(rest, index);
  }

  /** Text of an item, or of none. */
  #place(line: string, index: number): string {
    if (NOTHING.test(line)) return this.#lists.length > 0 ? '' : line.trim();
    const list = this.#lists.at(-1);
    this.lists[index] = list && this.#outer;
    if (!list) return line;
    const pending = this.#pending;
    this.#pending = undefined;
    return (pending?.mark ?? ' '.repeat(list.width)) + line.trim();
  }

  /** An item without text of its own is its label, if it has one. */
  #dropPending(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (!pending?.isWord) return;
    this.#lines[pending.line] = pending.mark.trimEnd();
  }
}

function formatIn(label: string): string | undefined {
  return COUNTERS.find(([command]) => command.test(label.trim()))?.[1];
}

/** What stands in brackets behind `\item`; brackets in braces are text. */
function labelAt(text: string): string | undefined {
  if (!text.startsWith('[')) return undefined;
  let depth = 0;
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '{') depth++;
    else if (text[at] === '}') depth--;
    else if (text[at] === ']' && depth <= 0) return text.slice(1, at);
  }
  return undefined;
}

function boxOf(label: string): string {
  return BOXES.find(([command]) => command.test(label))?.[1] ?? label;
}

function withColon(term: string): string {
  return /[\p{P}\p{S}]$/u.test(term.replace(/\}+$/, '')) ? term : `${term}:`;
}
