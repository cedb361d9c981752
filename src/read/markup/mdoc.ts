import { known } from '../../core/known.ts';
/** The macros of `mdoc`, which say what a word is. @see mdoc(7) */
import type { ManualHead, ManualText } from './manual-items.ts';
import { standardName } from './mdoc-standards.ts';
import { GUARD } from './roff-escapes.ts';
import type { RoffLine } from './roff-lines.ts';

const ENCLOSING: Readonly<Record<string, readonly [string, string]>> = {
  Op: ['[', ']'],
  Bq: ['[', ']'],
  Pq: ['(', ')'],
  Aq: ['<', '>'],
  Brq: ['{', '}'],
  Sq: ['‘', '’'],
  Ql: ['‘', '’'],
  Dq: ['“', '”'],
  Qq: ['"', '"'],
  D1: ['', ''],
  Dl: ['', ''],
};
/** Openings and ends over several lines. */
const PARTS: Readonly<Record<string, string>> = {
  Oo: '[', Oc: ']', Bo: '[', Bc: ']', Po: '(', Pc: ')', Ao: '<', Ac: '>', Bro: '{', Brc: '}',
  So: '‘', Sc: '’', Do: '“', Dc: '”', Qo: '"', Qc: '"', Xo: '', Xc: '', Eo: '', Ec: '',
}; // biome-ignore format: pairs
/** Words of one kind, which differ in their fonts. */
const PLAIN: ReadonlySet<string> = new Set(
  'Ar Pa Em Sy Li Ic Cm Va Vt Dv Ev Er Fa Ft Ad An Cd Ms Mt No Tn Sx Lb Ot Me Fr %A %B %C %D %I %J %N %O %P %Q %R %T %U %V'.split(
    ' ',
  ),
);
const SYSTEMS: Readonly<Record<string, string>> = {
  Bx: 'BSD', Fx: 'FreeBSD', Nx: 'NetBSD', Ox: 'OpenBSD', Dx: 'DragonFly', Ux: 'UNIX', Bsx: 'BSD/OS', At: 'AT&T UNIX',
}; // biome-ignore format: pairs
const CALLABLE: ReadonlySet<string> = new Set([
  ...PLAIN, ...Object.keys(ENCLOSING), ...Object.keys(PARTS), ...Object.keys(SYSTEMS),
  'Fl', 'Nm', 'Xr', 'Fn', 'In', 'Ns', 'Pf', 'Ap', 'Lk', 'St', 'Ta', 'Nd', 'Ek', 'Bk',
]); // biome-ignore format: one list
const CLOSING = /^[.,:;)\]?!]$/;
const OPENING = /^[([]$/;

/** In this order, whatever the order in the source. */
const BOOK = '%A %T %B %I %J %R %N %V %U %P %Q %C %D %O'.split(' ');

function listed(names: readonly string[]): string {
  const [last, ...others] = names.toReversed();
  return `${others.toReversed().join(', ')}${others.length > 1 ? ',' : ''} and ${last}`;
}

interface List {
  readonly isTagged: boolean;
  readonly marker: string;
  count: number;
}

export class Mdoc {
  readonly #text: ManualText;
  readonly #lists: List[] = [];
  #name = '';
  #title = '';
  #section = '';
  #date = '';
  #os = '';
  #isSynopsis = false;
  /** There each book is a paragraph; elsewhere it is named in a sentence. */
  #isSeeAlso = false;
  #isSpaced = true;
  /** The arguments of `Fo`, until `Fc`. */
  #call: string[] | undefined;
  /** Parts of a book that is named, from `Rs` to `Re`. */
  #book: Map<string, string[]> | undefined;
  /** A term of several lines, from `Xo` to `Xc`. */
  #term: string | undefined;

  constructor(text: ManualText) {
    this.#text = text;
  }

  get head(): ManualHead | undefined {
    const name = this.#name || this.#title.toLowerCase();
    return name === '' ? undefined : { name, section: this.#section, date: this.#date, others: [this.#os] };
  }

  take({ request, args, text, line }: RoffLine): void {
    if (this.#term !== undefined) {
      const said = request === undefined ? text : request === 'Sm' ? '' : this.#words([request, ...args]);
      if (request === 'Sm') this.#isSpaced = args[0] !== 'off';
      const gap = this.#isSpaced && !/[[( ]$/.test(this.#term) && !/^[\]).,:]/.test(said) ? ' ' : '';
      this.#term += said === '' ? '' : gap + said;
      if (request !== 'Xc') return;
      this.#text.put('term', this.#term.trim(), [line, line]);
      this.#term = undefined;
      this.#place(true);
      return;
    }
    if (request === undefined) {
      if (text.trim() === '' && !this.#text.isKept) this.#text.close();
      else this.#text.add(text, line);
    } else if (!this.#page(request, args) && !this.#structure(request, args, line)) {
      const said = this.#words([request, ...args]);
      if (said !== '') this.#text.add(said, line);
    }
  }

  /** What a page is called. @returns whether the macro was one of these */
  #page(request: string, given: readonly string[]): boolean {
    const args = given.map((arg) => arg.replace(GUARD, ''));
    if (request === 'Dd') this.#date = args.join(' ').replace(/^\$Mdocdate: (.*?) *\$$/, '$1');
    else if (request === 'Dt') [this.#title = '', this.#section = ''] = args;
    else if (request === 'Os') this.#os = args.join(' ');
    else if (request === 'Sm') this.#isSpaced = args[0] !== 'off';
    else return request === 'Tg' || request === 'ds' || request === 'Bk' || request === 'Ek';
    return true;
  }

  #structure(request: string, args: readonly string[], line: number): boolean {
    const text = this.#text;
    if (request === 'Sh' || request === 'Ss') {
      text.isKept = false;
      this.#lists.length = 0;
      this.#place(false);
      const title = this.#words(['No', ...args]);
      if (request === 'Sh') {
        this.#isSynopsis = /^SYNOPSIS$/i.test(title);
        this.#isSeeAlso = /^SEE ALSO$/i.test(title);
      }
      text.put('heading', title, [line, line], request === 'Sh' ? 1 : 2);
    } else if (request === 'Pp' || request === 'Lp' || request === 'sp') text.close();
    else if (request === 'Rs') this.#book = new Map();
    else if (request === 'Re') this.#cite(line);
    else if (this.#book && request.startsWith('%'))
      this.#book.set(request, [...(this.#book.get(request) ?? []), this.#words([request, ...args])]);
    else if (request === 'Bl') {
      const type = args.find((arg) => /^-(?:tag|hang|ohang|inset|diag|bullet|dash|hyphen|enum|item|column)$/.test(arg));
      const marker = type === '-enum' ? '1' : type === '-item' || type === '-column' ? '' : '- ';
      text.close();
      this.#lists.push({ isTagged: /^-(?:tag|hang|ohang|inset|diag)$/.test(type ?? ''), marker, count: 0 });
    } else if (request === 'It') this.#item(args, line);
    else if (request === 'El') {
      this.#lists.pop();
      this.#place(this.#lists.length > 0);
    } else if (request === 'Bd') {
      text.close();
      text.isKept = args.includes('-literal') || args.includes('-unfilled');
    } else if (request === 'Ed') {
      text.close();
      text.isKept = false;
    } else if (request === 'br' || request === 'Nd' || request === 'In' || request === 'Ft' || request === 'Vt') {
      if (request === 'br' || this.#isSynopsis) text.breakLine();
      if (request === 'br') return true;
      const said = this.#words([request, ...args]);
      text.add(request === 'Nd' ? `– ${said}` : said, line);
      if (this.#isSynopsis && request !== 'Nd') text.breakLine();
    } else if (request === 'Fo') this.#call = [args[0] ?? ''];
    else if (request === 'Fa' && this.#call) this.#call.push(...args);
    else if (request === 'Fc') {
      const [name = '', ...given] = this.#call ?? [];
      this.#call = undefined;
      text.add(`${name}(${given.join(', ')})${args.filter((arg) => CLOSING.test(arg)).join('')}`, line);
    } else return false;
    return true;
  }

  #cite(line: number): void {
    const book = this.#book ?? new Map<string, string[]>();
    this.#book = undefined;
    const said = BOOK.flatMap((part) => {
      const words = book.get(part) ?? [];
      return part === '%A' && words.length > 1 ? [listed(words)] : words;
    });
    if (this.#isSeeAlso) this.#text.close();
    if (said.length > 0) this.#text.add(`${said.join(', ')}.`, line);
    if (this.#isSeeAlso) this.#text.close();
  }

  #place(isEntry: boolean): void {
    this.#text.close();
    this.#text.depth = 2 * Math.max(0, this.#lists.length - 1) + (isEntry ? 1 : 0);
  }

  #item(args: readonly string[], line: number): void {
    const list = this.#lists.at(-1);
    this.#place(false);
    const said = this.#words(['No', ...args]);
    if (list?.isTagged && args.includes('Xo') && !args.includes('Xc')) {
      this.#term = `${said} `; // the words behind it may be joined, not it to them
      return;
    }
    if (list?.isTagged) {
      if (said !== '') this.#text.put('term', said, [line, line]);
      this.#place(true);
      return;
    }
    if (list) list.count++;
    this.#text.open('paragraph', list?.marker === '1' ? `${list.count}. ` : (list?.marker ?? ''));
    if (said !== '') this.#text.add(said, line);
  }

  /** A line of macros as text: some take the macros behind them as words, all take marks of punctuation. */
  #words(tokens: readonly string[]): string {
    let out = '';
    let glue = true;
    const write = (word: string): void => {
      if (word === '') return;
      const isClose = CLOSING.test(word);
      out += glue || isClose || !this.#isSpaced ? word : ` ${word}`;
      glue = OPENING.test(word);
    };
    const ends: string[] = [];
    for (let at = 0; at < tokens.length; ) {
      const token = tokens[at++]!;
      if (!CALLABLE.has(token) && !(at === 1 && /^(?:Ex|Rv)$/.test(token))) {
        write(token);
        continue;
      }
      const from = at;
      while (at < tokens.length && !CALLABLE.has(tokens[at]!)) at++;
      const words = tokens.slice(from, at);
      const [open, end] = known(ENCLOSING, token) ?? [];
      if (token === 'Ns' || token === 'Ap' || token === 'Pf') {
        if (token === 'Pf') write(words.shift() ?? '');
        if (token === 'Ap') out += "'";
        glue = true;
        for (const word of words) write(word);
      } else if (open !== undefined) {
        if (open !== '') write(open);
        glue ||= open !== '';
        ends.push(end!);
        for (const word of words) write(word);
      } else if (Object.hasOwn(PARTS, token)) {
        const sign = PARTS[token]!;
        const closes = token.endsWith('c');
        if (closes) out += sign;
        else write(sign);
        if (!closes && sign !== '') glue = true;
        for (const word of words) write(word);
      } else {
        for (const word of this.#said(token, words)) write(word);
        if (token === 'Fl' && words.length === 0 && tokens[at] === 'Fl') glue = true;
      }
    }
    // Marks of punctuation at the end stand behind what is enclosed.
    const [, inner = '', marks = ''] = ends.length === 0 ? [] : (/^(.*?)([.,:;)\]?!]*)$/s.exec(out) ?? []);
    const isMark = CLOSING.test(tokens.at(-1) ?? '');
    if (ends.length === 0) return out;
    return isMark ? inner + ends.reverse().join('') + marks : out + ends.reverse().join('');
  }

  #said(macro: string, given: readonly string[]): readonly string[] {
    const words = given.filter((word) => word !== '');
    const count = words.findIndex((word) => CLOSING.test(word));
    const own = count === -1 ? words : words.slice(0, count);
    const rest = count === -1 ? [] : words.slice(count);
    if (macro === 'Fl') return own.length === 0 ? ['-', ...rest] : [...own.map((word) => `-${word}`), ...rest];
    if (macro === 'Ar' && own.length === 0) return ['file ...', ...rest];
    if (macro === 'Pa' && own.length === 0) return ['~', ...rest];
    if (macro === 'Nm') {
      if (this.#name === '' && own.length > 0) this.#name = own[0]!;
      return own.length === 0 ? [this.#name, ...rest] : words;
    }
    if (macro === 'St') return [standardName(own[0] ?? ''), ...own.slice(1), ...rest];
    if (macro === 'Xr') return [own.length > 1 ? `${own[0]}(${own[1]})` : (own[0] ?? ''), ...rest];
    if (macro === 'Fn') return [`${own[0] ?? ''}(${own.slice(1).join(', ')})`, ...rest];
    if (macro === 'In') return [`${this.#isSynopsis ? '#include ' : ''}<${own[0] ?? ''}>`, ...rest];
    if (macro === 'Lk') return own.length > 1 ? [...own.slice(1), `<${own[0]}>`, ...rest] : words;
    const system = known(SYSTEMS, macro);
    if (system !== undefined)
      return [
        macro === 'Bx' && own[0] ? `${own[0]}${system}` : system,
        ...(macro === 'Bx' ? own.slice(1) : own),
        ...rest,
      ];
    if (macro === 'Ex') return [`The ${own[1] ?? this.#name} utility exits 0 on success, and >0 if an error occurs.`];
    if (macro === 'Rv')
      return [
        `The ${own[1] ?? this.#name}() function returns the value 0 if successful; otherwise the value -1 is returned and the global variable errno is set to indicate the error.`,
      ];
    if (macro === 'Ta') return ['|', ...words];
    return words;
  }
}
