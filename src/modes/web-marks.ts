import { normaliseUrl, type Source } from '../wire/search/index.ts';

/** How a page is named in the marks this hands on: `[w3.1]`, beside the `[s1.2]` of the documents. */
export const PAGE_PREFIX = 'w';

/** A number, a number from 0, a link; what follows a number decides whether it is the text of a link. */
const NUMBER = /\[(?:(web):)?(\d{1,4})\]/y;
const LINK = /\[([^[\]\n]{1,300})\]\((https?:\/\/[^\s()]{1,2000}(?:\([^\s()]{0,200}\)[^\s()]{0,200})?)\)/y;
/** The beginning of something that may still become one of them. */
const UNFINISHED =
  /\[(?:[^[\]\n]{0,300}|[^[\]\n]{1,300}\](?:\([^\s()]{0,2000}(?:\([^\s()]{0,200}\)?[^\s()]{0,200})?)?)$/y;

/**
 * Turns what a service of the web writes after its sentences into marks of one kind, while the text streams: `[3]` is
 * page 3, `[web:2]` the third page, a Markdown link cites when its address is a page; all become `[w3.1]`. Code is left
 * alone. As long as no page is known, what begins with a marker waits. Any cutting of the text gives the same marks.
 */
export class WebMarks {
  #pages: readonly Source[] = [];
  #byUrl = new Map<string, Source>();
  #held = '';
  /** The backticks that opened the code we are in. */
  #code = '';
  #line = '';

  setPages(pages: readonly Source[]): void {
    this.#pages = pages;
    this.#byUrl = new Map(pages.map((page) => [normaliseUrl(page.url), page]));
  }

  /** What can be said of the text so far. */
  push(piece: string): string {
    return this.#read(this.#held + piece, false);
  }

  end(): string {
    return this.#read(this.#held, true);
  }

  #read(input: string, isLast: boolean): string {
    let out = '';
    let at = 0;
    this.#held = '';
    while (at < input.length) {
      const char = input[at]!;
      if (char === '`') {
        const run = /`+/y;
        run.lastIndex = at;
        const ticks = run.exec(input)![0];
        if (at + ticks.length === input.length && !isLast) break; // there may be more of them
        if (this.#code === '') this.#code = ticks;
        else if (this.#code === ticks) this.#code = '';
        out += this.#put(ticks);
        at += ticks.length;
        continue;
      }
      if (char === '[' && this.#code === '') {
        const marker = this.#markerAt(input, at, isLast);
        if (marker === 'wait') break;
        if (marker) {
          out += this.#put(marker.text);
          at += marker.length;
          continue;
        }
      }
      out += this.#put(char);
      at++;
    }
    this.#held = input.slice(at);
    return out;
  }

  /** Code between single backticks ends with its paragraph, whether it was closed or not. */
  #put(text: string): string {
    const isBlankLine = text === '\n' && this.#line.trim() === '';
    this.#line = text === '\n' ? '' : this.#line + text;
    if (isBlankLine && this.#code.length < 3) this.#code = '';
    return text;
  }

  #markerAt(input: string, at: number, isLast: boolean): { text: string; length: number } | 'wait' | undefined {
    const match = (pattern: RegExp): RegExpExecArray | null => {
      pattern.lastIndex = at;
      return pattern.exec(input);
    };
    const isKnown = this.#pages.length > 0;
    const link = match(LINK);
    if (link) {
      const [whole, title, url] = link;
      const page = this.#byUrl.get(normaliseUrl(url!));
      if (page) return { text: `${title} [${PAGE_PREFIX}${page.number}.1]`, length: whole.length };
      return isKnown || isLast ? { text: whole, length: whole.length } : 'wait';
    }
    if (!isLast && match(UNFINISHED)) return 'wait';
    const numbered = match(NUMBER);
    if (!numbered || input[at + numbered[0].length] === '(') return undefined;
    if (!isKnown && !isLast) return 'wait';
    const [whole, fromZero, digits] = numbered;
    // a mark of an unknown page gets an unknown number; the writer drops such marks and counts them
    const number = fromZero
      ? (this.#pages[Number(digits)]?.number ?? this.#pages.length + Number(digits) + 1)
      : Number(digits);
    return { text: `[${PAGE_PREFIX}${number}.1]`, length: whole.length };
  }
}
