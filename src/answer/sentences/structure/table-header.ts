import type { Span } from '../../../core/types.ts';

const texRule = /^\s*\\(?:hline|(?:top|mid|bottom)rule|(?:cline|cmidrule)(?:\([a-z]*\))?\{[\d-]+\})\s*$/;

/** `| --- | :-: |`, `+---+---+`, `===  ===`, `\\hline` */
export function isRule(line: string): boolean {
  return texRule.test(line) || (/-|===/.test(line) && /^[\s|:+=-]+$/.test(line));
}

/** The cells of a row of TeX: behind `\\\\` stands nothing to read. */
export function texCells(row: string): string[] {
  const bare = row.replace(/\\\\(?:(?!\\\\).)*$/s, '').replace(/^\s*\\(?:hline|(?:top|mid|bottom)rule)(?![a-z])/, '');
  return bare.split(/(?<!\\)&/);
}

/** The lines above a rule; without one, the first lines (three at most) that hold no figures, where later ones do. */
export function headerOf(contents: readonly Span[], strings: readonly string[]): Span | undefined {
  if (isRule(strings[0]!)) return strings.length > 1 ? headerOf(contents.slice(1), strings.slice(1)) : undefined;
  let count = strings.slice(0, 4).findIndex((string) => isRule(string));
  if (count < 0) {
    count = strings.slice(0, 4).findIndex(hasFigures);
    if (count !== 1 && hasCorner(strings)) count = 1;
    if (count < 0 && strings.length > 2) count = strings.some(hasFigures) ? -1 : 1;
    if (count > 1 && namesAll(strings[0]!, strings[1]!) && !hasUnits(strings[1]!)) count = 1;
    if (count < 1 || isEntry(strings[0]!, strings[count]!) || areEntries(strings.slice(0, count + 1))) return undefined;
    if (strings.slice(0, 2).every((string) => labelCell.test(string))) return undefined;
    if (strings.slice(0, 2).every(saysOfName)) return undefined;
    if (strings.slice(0, 2).every((string) => datedCell.test(string))) return undefined;
  }
  return { start: contents[0]!.start, end: contents[count - 1]!.end };
}

/** `| Wool | Flax` over `Price | 3 | 4`: the names of the columns leave the corner empty. */
function hasCorner([first, second, third]: readonly string[]): boolean {
  if (second === undefined || third === undefined || !/^\s*\|.*[^|\s]\s*$/.test(first!)) return false;
  const [corner, ...names] = cellsOf(first!);
  if (corner !== '' || names.length < 2 || names.some((name) => !/^\p{L}/u.test(name))) return false;
  if (hasFigures(first!) || new Set(names).size < names.length) return false;
  return [second, third].every((row) => /^\s*\p{L}/u.test(row)) && cellsOf(third).length === names.length + 1;
}

/** A line of names, all different, over one of as many cells: it is the whole header, and the next line is a row. */
function namesAll(line: string, below: string): boolean {
  const names = cellsOf(line);
  const cells = cellsOf(below);
  if (names.length !== cells.length || cells.includes('') || names.includes('')) return false;
  return new Set(names).size === names.length && new Set(cells).size < cells.length;
}

const unit = String.raw`(?:[%‰]|°\p{L}?|[$€£¥]|(?:[µμmkMG]?(?:m|g|s|l|N|J|W|Wh|V|A|Hz|Pa|B|bit)|[cd]m|hl|t|lb|oz|in|ft|mi|min|h|d|bar|K|dB|mol|TB|USD|EUR|GBP|CHF|px|rpm|years?|days?|hours?)(?:\s?[²³23])?)`;
const unitCell = new RegExp(`^[(\\[]?${unit}(?:\\s?[/·]\\s?${unit})?[)\\]]?$`, 'u');
const noUnit = /^[-–—]?$/u;

/** `- | N/mm² | %` below the names of the columns: their units, and no row. */
function hasUnits(line: string): boolean {
  const cells = cellsOf(line).filter((cell) => !noUnit.test(cell));
  return cells.length > 1 && cells.every((cell) => unitCell.test(cell));
}

/** `Syntax: | name value` */
const labelCell = /^[|\s]*\p{L}[^|\t]*[:：]\s*(?:\||\t)/u;

/** `2019 to 2021   Trainee, …`: what was when, and not a column. */
const datedCell =
  /^[|\s]*(?:\p{L}{3,9}\.? )?(?:19|20)\d\d(?:\s?(?:[-–—]|to|until|till|bis|à|a) ?(?=\S)| {2,}\p{L}| ?(?:\||\t) ?\p{L})/u;

/** `max_load`, `--brake`, `$tide`, `%j`, `hoist.up()` */
const programName =
  /^[`*]*(?:--?\p{L}[\p{L}\p{N}-]*|[%\\^:]\p{L}{1,2}|\$[\p{L}_]+|\p{L}[\p{L}\p{N}]*(?:[_.]\p{L}[\p{L}\p{N}]*)+(?:\(\))?)[`*]*$/u;

/** `max_load | the heaviest load`: a name of a program and what it is, not the names of columns (`crane_id | max_load`). */
function saysOfName(row: string): boolean {
  const [first = '', ...others] = row.replace(/^[|\s]+|[|\s]+$/g, '').split(/\||\t/);
  return others.length > 0 && programName.test(first.trim()) && !others.some((cell) => programName.test(cell.trim()));
}

/** What stands between the borders of a row: `|`, tabs, runs of blanks. Outside a frame there are empty cells. */
export function cellsOf(row: string): string[] {
  return row.split(/\||\t+| {2,}/).map((cell) => cell.trim());
}

/** `JavaScript, CSS, HTML` */
const severalValues = /^[^,]+,\s[^,]+,\s/u;

/**
 * `Established | June 21, 1788`, `Author(s) | Ann Moor` over rows of as many cells: a label and what it is, as below, and
 * no header.
 */
function isEntry(row: string, below: string): boolean {
  const [label = '', value = '', ...more] = cellsOf(row);
  if (more.length > 0 || cellsOf(below).length !== 2) return false;
  if (!/^\p{L}/u.test(label) || /^(?:19|20)\d\d$/.test(value)) return false;
  return /\d/.test(value) || severalValues.test(value) || /\p{L}\(s\)$/u.test(label);
}

/** `Vessel name | Sea Thrift`, `Home port | Arbroath` over `Length (m) | 9.40`: two columns have no header of two lines. */
function areEntries(rows: readonly string[]): boolean {
  const isLabelled = (row: string): boolean => cellsOf(row).length === 2 && /^\p{L}/u.test(row);
  return rows.length > 2 && rows.every(isLabelled);
}

/** `2.5`, `(1,204)`, `80–200 ml`, `2 GiB` */
const quantity = /^[^\p{L}]*\d[^\p{L}]*(?:(?<=\d\s?)\p{L}{1,4}(?:\/\p{L}{1,3})?)?$/u;
/** A year, with or without what is counted below it; a footnote; an ordinal. */
const noQuantity = /^(?:(?:19|20)\d\d(?!\d|[.,]\d).*|\(\d\)|\d+(?:st|nd|rd|th))$/u;

/** Whether a cell is a quantity. */
export function hasFigures(row: string): boolean {
  return cellsOf(row).some((cell) => quantity.test(cell) && !noQuantity.test(cell));
}
