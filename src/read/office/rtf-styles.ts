import { nested } from './docx-numbering.ts';

/** Styles stand near the beginning of a file. */
const LONGEST_SHEET = 1 << 18;

/** The styles of headings, by number, with their level from 0: some programs say it by the name of a style alone. */
export function headingStyles(source: string): ReadonlyMap<number, number> {
  const start = source.indexOf('{\\stylesheet');
  const sheet = start === -1 ? '' : source.slice(start, start + LONGEST_SHEET);
  const found = [...sheet.matchAll(/\{\\s(\d{1,5})\b[^{};]*[ \n]heading (\d);\}/gi)];
  return new Map(found.map(([, style, level]) => [Number(style), Number(level) - 1]));
}

/** What stands before the words of an item, where nothing else says that there is one: a bullet or a number, and a tab. */
const MARKED = /^(?:[•◦▪■‣·–-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxlc]{1,5})[.)])\t+(?=\S)/u;

/** The items of lists, and how deep they stand. */
export class RtfItems {
  /** How far items are moved in, each further than the one before. */
  #indents: number[] = [];

  /**
   * A paragraph as an item of a list, if it is one.
   * @param isMarked whether the file says that it has a marker
   * @param level in the list, from 0, where the file says so
   */
  read(text: string, isMarked: boolean, indent: number, level: number | undefined): string | undefined {
    const before = (isMarked ? /^[^\t]{1,20}\t+(?=\S)/u : MARKED).exec(text)?.[0];
    if (before === undefined) {
      this.#indents = [];
      return undefined;
    }
    while (this.#indents.length > 0 && this.#indents.at(-1)! >= indent) this.#indents.pop();
    this.#indents.push(indent);
    const depth = level ?? this.#indents.length - 1;
    const said = before.trim();
    const marker = /[\p{L}\p{N}]/u.test(said) ? said : '-';
    return `${nested(marker, depth)}${marker} ${text.slice(before.length)}`;
  }
}
