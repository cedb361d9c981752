/** Manual pages in roff: macros of `man` here, those of `mdoc` in `mdoc.ts`. */
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { cleanLines } from '../normalise.ts';
import { type ManualHead, ManualText, writeManual } from './manual-items.ts';
import { Mdoc } from './mdoc.ts';
import { JOINED } from './roff-escapes.ts';
import { type RoffLine, RoffLines } from './roff-lines.ts';
import { readTable } from './roff-table.ts';

/** A manual page → headings, paragraphs, entries with their terms. @see man(7), mdoc(7) */
export function parseManual(source: string, context: Pick<ParseContext, 'name' | 'maxTextChars'>): ParsedDocument {
  const builder = new DocumentBuilder('man', context);
  const lines = new RoffLines(cleanLines(source));
  const text = new ManualText();
  const man = new Man(text, lines);
  const mdoc = new Mdoc(text);
  let elsewhere: RoffLine | undefined;
  let isMdoc = false;
  let last = 1;
  for (let one = lines.next(); one !== undefined; one = lines.next()) {
    last = one.line;
    if (one.request === 'so') elsewhere ??= one;
    else if (one.request === 'TS') {
      const table = readTable(lines);
      text.putTable(table, [one.line, table.last]);
      last = table.last;
    } else if (one.request === 'Dd' || isMdoc) {
      isMdoc = true;
      mdoc.take(one);
    } else man.take(one);
  }
  text.close();
  writeManual(text.items, builder);
  const head = isMdoc ? mdoc.head : man.head;
  if (head) {
    const { name, section, date, others } = head;
    builder.title = section === '' ? name : `${name}(${section})`;
    const footer = [builder.title, date ?? '', ...others].filter((part) => part !== '');
    if (footer.length > 1) builder.block({ kind: 'paragraph' }, footer.join(', '), { lines: [last, last] });
  }
  // A page of another name only says where its text is.
  if (builder.length === 0 && elsewhere) {
    builder.block({ kind: 'paragraph' }, `See ${elsewhere.args[0] ?? ''}`, { lines: [elsewhere.line, elsewhere.line] });
  }
  return builder.build();
}

/** Macros that set words in one or two fonts in turn. */
const ALTERNATING: ReadonlySet<string> = new Set(['BI', 'BR', 'IB', 'IR', 'RB', 'RI']);
/** Requests and macros of typesetting: their arguments are no text. */
const SETTING: ReadonlySet<string> = new Set(
  (
    'ad na hy nh ne ns rs ft fp ll ls lt in ta tr it ps ss vs pc pl po bp cc c2 ec eo cs bd hw hc mk rt lc rr af ' +
    'UC PD DT AT TE EQ EN OP1 tm ab mso cp cu ul uf sv os nx rd ex pm fl ig wh ch dt di da em lf nm nn nop fam kern ' +
    'color gcolor fcolor defcolor ftr warn IX LINKSTYLE pso char fchar hcode'
  ).split(' '),
);
/** In place of a term: bullets, dashes, numbers. */
const BULLET = /^(?:[•·∗○□*+o-]|—|–|\(?(?:\d{1,3}|[a-z])[.)]|\[\d+\])$/;

class Man {
  head: ManualHead | undefined;
  readonly #text: ManualText;
  readonly #lines: RoffLines;
  #level = 0;
  #isEntry = false;
  readonly #entries: boolean[] = [];
  /** The next line is a term, or a heading of so many levels. */
  #waiting: 'term' | 1 | 2 | undefined;
  #address = '';

  constructor(text: ManualText, lines: RoffLines) {
    this.#text = text;
    this.#lines = lines;
  }

  take({ request, args, text, line }: RoffLine): void {
    if (request === undefined) {
      if (text.trim() === '' && !this.#text.isKept) this.#paragraph();
      else this.#say(text, line);
    } else if (!this.#structure(request, args, line)) this.#words(request, args, text, line);
  }

  /** @returns whether the macro was one of these */
  #structure(request: string, args: readonly string[], line: number): boolean {
    if (request === 'TH') {
      const [name = '', section = '', date, ...others] = args;
      this.head ??= { name: name.toLowerCase() === name ? name : nameOf(name), section, date, others };
    } else if (request === 'SH' || request === 'SS') {
      this.#entries.length = 0;
      this.#level = 0;
      this.#begin(false);
      this.#text.isKept = false;
      const depth = request === 'SH' ? 1 : 2;
      if (args.length > 0) this.#text.put('heading', args.join(' '), [line, line], depth);
      else this.#waiting = depth;
    } else if (request === 'PP' || request === 'LP' || request === 'P' || request === 'HP') this.#begin(false);
    else if (request === 'TP' || request === 'TQ') {
      this.#begin(false);
      this.#waiting = 'term';
    } else if (request === 'IP') {
      const [tag = ''] = args;
      this.#begin(false);
      if (tag !== '') this.#term(tag, line);
      else this.#begin(true);
    } else if (request === 'RS') {
      this.#text.closeBeforeIndented();
      this.#entries.push(this.#isEntry);
      this.#level++;
      this.#begin(false);
    } else if (request === 'RE') {
      this.#text.close();
      this.#level = Math.max(0, this.#level - 1);
      this.#begin(this.#entries.pop() ?? false);
    } else if (request === 'nf' || request === 'EX') this.#keep(true);
    else if (request === 'fi' || request === 'EE') this.#keep(false);
    else if (request === 'sp' || request === 'YS' || request === 'bp') this.#paragraph();
    else if (request === 'br' || request === 'ti' || request === 'ce' || request === 'in') this.#text.breakLine();
    else if (request === 'UR' || request === 'MT') this.#address = args[0] ?? '';
    else if (request === 'UE' || request === 'ME') {
      if (this.#address !== '') this.#say(`<${this.#address}>${args[0] ?? ''}`, line);
      this.#address = '';
    } else return false;
    return true;
  }

  #words(request: string, args: readonly string[], source: string, line: number): void {
    const said = args.join(' ');
    if (ALTERNATING.has(request)) this.#say(args.join(''), line);
    else if (request === 'B' || request === 'I' || request === 'R' || request === 'SM' || request === 'SB') {
      if (said !== '') this.#say(said, line);
    } else if (request === 'SY') {
      this.#paragraph();
      this.#say(said, line);
    } else if (request === 'OP') this.#say(`[${said}]`, line);
    else if (request === 'MR') this.#say(`${args[0] ?? ''}(${args[1] ?? ''})${args[2] ?? ''}`, line);
    else if (request === 'URL' || request === 'MTO') {
      const [address = '', name = '', after = ''] = args;
      this.#say(`${name === '' ? address : `${name} <${address}>`}${after}`, line);
    } else if (!SETTING.has(request) && isText(request, source)) this.#say(this.#lines.print(source), line);
  }

  #begin(isEntry: boolean): void {
    this.#text.close();
    this.#waiting = undefined;
    this.#isEntry = isEntry;
    this.#text.depth = 2 * this.#level + (isEntry ? 1 : 0);
  }

  #paragraph(): void {
    if (this.#text.isKept) this.#text.add('', 0);
    else this.#text.close();
  }

  #keep(isKept: boolean): void {
    if (this.#text.isKept !== isKept) this.#text.close();
    this.#text.isKept = isKept;
  }

  #term(tag: string, line: number): void {
    if (BULLET.test(tag.trim())) {
      this.#begin(false);
      this.#text.open('paragraph', `${/^[•·∗○□*o]$/.test(tag.trim()) ? '-' : tag.trim()} `);
    } else {
      this.#text.put('term', tag.trim(), [line, line]);
      this.#begin(true);
    }
  }

  #say(text: string, line: number): void {
    const waiting = this.#waiting;
    if (waiting === undefined) this.#text.add(text, line);
    else if (waiting === 'term') {
      if (text.endsWith(JOINED)) {
        this.#lead += text.slice(0, -1);
        return;
      }
      this.#waiting = undefined;
      const whole = this.#lead + text;
      this.#lead = '';
      this.#term(whole, line);
    } else {
      this.#waiting = undefined;
      this.#text.put('heading', text, [line, line], waiting);
    }
  }

  /** The parts of a term whose lines are joined. */
  #lead = '';
}

/** The name of a page is often in capitals, whatever the program is called. */
function nameOf(name: string): string {
  return name === name.toUpperCase() ? name.toLowerCase() : name;
}

/** A line of text that begins with the sign of a request, as `'tis` and `.profile` do. */
function isText(request: string, source: string): boolean {
  return source.startsWith("'") ? !/^\w{2}$/.test(request) : /[a-z/~_-]/.test(request) && request.length > 3;
}
