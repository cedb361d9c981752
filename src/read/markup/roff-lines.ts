/** Requests of roff that choose and make lines: conditions, strings, numbers, macros. @see groff(7) */
import { GUARD, JOINED, printed, type RoffNames } from './roff-escapes.ts';

export interface RoffLine {
  /** Without its escapes, unless `request` is set. */
  readonly text: string;
  /** Number of the line in the file, from 1. */
  readonly line: number;
  /** Name of the request or macro; its arguments have no escapes, but for the sign of a guard in `mdoc`. */
  readonly request?: string;
  readonly args: readonly string[];
}

interface Source {
  readonly text: string;
  readonly line: number;
  /** Macros that this line comes from. */
  readonly depth: number;
}

const MAX_DEPTH = 12;
/** A condition is shorter. */
const LONGEST_NUMBER = 500;
/** Macros may make so many lines more than the file has. */
const MAX_MADE = 200_000;

const COMMENT = /(?<!\\)((?:\\\\)*)\\["#].*$/;

/** Arguments as macros take them: blanks part them, quotes hold them together, `""` in quotes is one. */
function splitArgs(text: string): string[] {
  const args: string[] = [];
  const pattern = /"((?:[^"\\]|""|\\[\s\S]?)*)(?:"|$)|((?:[^\s\\]|\\[\s\S]?)+)/g;
  for (const [, quoted, plain] of text.matchAll(pattern)) args.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
  return args;
}

export class RoffLines implements RoffNames {
  readonly #stack: Source[] = [];
  readonly #strings = new Map([
    ['R', '®'],
    ['Tm', '™'],
    ['lq', '“'],
    ['rq', '”'],
    ['.T', 'utf8'],
  ]);
  readonly #registers = new Map([['.g', 1]]);
  readonly #macros = new Map<string, readonly string[]>();
  readonly #changed = new Map<string, string>();
  readonly #conditions: boolean[] = [];
  #made = 0;
  /** Macros of this page call others by their names. */
  #guards = false;

  constructor(source: string) {
    const lines = source.replaceAll(JOINED, '').split('\n');
    const joined: Source[] = [];
    for (let i = 0; i < lines.length; i++) {
      const line = i + 1;
      let text = lines[i]!;
      while (/(?<!\\)(?:\\\\)*\\$/.test(text) && !COMMENT.test(text) && i + 1 < lines.length)
        text = text.slice(0, -1) + lines[++i]!;
      joined.push({ text, line, depth: 0 });
    }
    this.#stack = joined.reverse();
  }

  string(name: string): string {
    return this.#strings.get(name) ?? '';
  }

  register(name: string): string {
    return String(this.#registers.get(name) ?? 0);
  }

  /** The next line that prints something or is a macro of a page; undefined at the end. */
  next(): RoffLine | undefined {
    for (let source = this.#stack.pop(); source !== undefined; source = this.#stack.pop()) {
      const { line, depth } = source;
      const text = source.text.replace(COMMENT, '$1');
      const [, request, rest = ''] = /^[.'][ \t]*((?:[^\s\\]|\\[({[*][^\s]*)*)[ \t]*(.*)$/s.exec(text) ?? [];
      if (request === undefined) {
        if (text === '' && source.text !== '') continue;
        return { text: this.#print(text.replaceAll('\\}', '')), line, args: [] };
      }
      // A block may end behind the name, or behind what it says.
      const name = request.replace(/\\\}.*$/, '');
      if (name === '' || this.#control(name, rest, source)) continue;
      const args = splitArgs(rest.replace(/\\\}\s*$/, ''));
      const body = this.#macros.get(name);
      if (body === undefined) {
        this.#guards ||= name === 'Dd';
        const shown = args.map((arg) => (this.#guards && arg.startsWith('\\&') ? GUARD : '') + this.#print(arg));
        return { text, line, request: name, args: shown };
      }
      this.#made += body.length;
      if (depth < MAX_DEPTH && this.#made < MAX_MADE) {
        const lines = body.map((one) => ({ text: filled(one, args), line, depth: depth + 1 }));
        this.#stack.push(...lines.reverse());
      }
    }
    return undefined;
  }

  /** The source of the next line, which is taken; undefined at the end. For tables. */
  raw(): { readonly text: string; readonly line: number } | undefined {
    return this.#stack.pop();
  }

  print(text: string): string {
    return this.#print(text);
  }

  #print(text: string): string {
    let shown = printed(text, this);
    if (this.#changed.size > 0) shown = [...shown].map((sign) => this.#changed.get(sign) ?? sign).join('');
    return shown;
  }

  /** @returns whether the request was one of these */
  #control(name: string, rest: string, source: Source): boolean {
    const [first = '', second = ''] = splitArgs(rest);
    if (name === 'if') this.#choose(rest, source);
    else if (name === 'ie') this.#conditions.push(this.#choose(rest, source));
    else if (name === 'el') this.#take(!(this.#conditions.pop() ?? true), rest, source);
    else if (name === 'while') this.#take(false, rest.replace(/^\S+\s*/, ''), source);
    else if (name === 'do' || name === 'nop') this.#stack.push({ ...source, text: name === 'do' ? `.${rest}` : rest });
    else if (name === 'ds' || name === 'as' || name === 'ds1' || name === 'as1') {
      const [, key = '', value = ''] = /^(\S+)[ \t]*"?(.*)$/s.exec(rest) ?? [];
      this.#strings.set(key, ((name.startsWith('as') ? this.#strings.get(key) : '') + value).slice(0, 10_000));
    } else if (name === 'nr') {
      const by = this.#number(this.#print(second));
      this.#registers.set(first, /^[+-]/.test(second) ? (this.#registers.get(first) ?? 0) + by : by);
    } else if (name === 'rr') this.#registers.delete(first);
    else if (name === 'de' || name === 'de1' || name === 'am' || name === 'am1' || name === 'ig') {
      const body = this.#until(name === 'ig' ? first : second);
      const before = name.startsWith('am') ? (this.#macros.get(first) ?? []) : [];
      if (name !== 'ig' && !(name.startsWith('am') && before.length === 0))
        this.#macros.set(first, [...before, ...body]);
    } else if (name === 'rm') this.#macros.delete(first);
    else if (name === 'als' || name === 'rn') {
      const body = this.#macros.get(name === 'als' ? second : first);
      if (body !== undefined) this.#macros.set(name === 'als' ? first : second, body);
    } else if (name === 'tr') {
      const signs = [...printed(rest, this)];
      for (let i = 0; i < signs.length; i += 2) this.#changed.set(signs[i]!, signs[i + 1] ?? ' ');
    } else return false;
    return true;
  }

  /** The lines of a macro, up to `..` or a line with its end. */
  #until(end: string): string[] {
    const body: string[] = [];
    const last = end === '' ? '.' : end;
    for (let source = this.#stack.pop(); source !== undefined; source = this.#stack.pop()) {
      const name = /^[.'][ \t]*(\S+)/.exec(source.text)?.[1];
      if (name === last) break;
      body.push(source.text);
    }
    return body;
  }

  #choose(rest: string, source: Source): boolean {
    const [isTrue, then] = this.#condition(rest);
    this.#take(isTrue, then, source);
    return isTrue;
  }

  /** Goes on with `then`, or leaves it out with its block. */
  #take(isTrue: boolean, then: string, source: Source): void {
    if (isTrue) {
      const text = then.replace(/^\\\{[ \t]*/, '');
      if (text !== '') this.#stack.push({ ...source, text });
      return;
    }
    const deeper = (text: string): number => (text.match(/\\\{/g)?.length ?? 0) - (text.match(/\\\}/g)?.length ?? 0);
    let open = deeper(then);
    while (open > 0) {
      const next = this.#stack.pop();
      if (next === undefined) return;
      open += deeper(next.text);
    }
  }

  /** Whether a condition holds on a terminal, and what follows it. */
  #condition(rest: string): readonly [boolean, string] {
    const [, nots = '', text = ''] = /^((?:![ \t]*)*)(.*)$/s.exec(rest) ?? [];
    const isNot = (nots.match(/!/g)?.length ?? 0) % 2 === 1;
    const answer = (isTrue: boolean, used: number): readonly [boolean, string] => [
      isTrue !== isNot,
      text.slice(used).trimStart(),
    ];
    const known = /^([nteov])(?![\w(])/.exec(text);
    if (known) return answer(known[1] === 'n' || known[1] === 'o', 1);
    const named = /^[dcmrFS][ \t]*(\S+)/.exec(text);
    if (named) {
      const name = named[1]!;
      const holds = text[0] === 'd' ? this.#strings.has(name) || this.#macros.has(name) : this.#registers.has(name);
      return answer(text[0] === 'c' || holds, named[0].length);
    }
    const quote = /^(['"])(.*?)\1(.*?)\1/s.exec(text);
    if (quote) return answer(this.#print(quote[2]!) === this.#print(quote[3]!), quote[0].length);
    const number = /^(?:\([^\s]*\)|\\n(?:\(..|\[[^\]]*\]|.)|\\w(.).*?\1|[\d.\w<>=&:+*/%()-])+/.exec(
      text.slice(0, LONGEST_NUMBER),
    );
    return number ? answer(this.#number(this.#print(number[0])) > 0, number[0].length) : answer(false, 0);
  }

  /** An expression is read from left to right, whatever its operators; units are not told apart. */
  #number(text: string): number {
    const tokens = text.match(/\d+(?:\.\d+)?|[<>=]=?|[-+*/%&:()!]/g) ?? [];
    let at = 0;
    const value = (depth: number): number => {
      const token = tokens[at++];
      if (token === '-') return -value(depth);
      if (token === '+') return value(depth);
      if (token === '(' && depth < MAX_DEPTH) return all(depth + 1);
      return Number(token) || 0;
    };
    const all = (depth: number): number => {
      let left = value(depth);
      while (at < tokens.length && tokens[at] !== ')') {
        const sign = tokens[at++]!;
        left = operate(sign, left, value(depth));
      }
      at++;
      return left;
    };
    return all(0);
  }
}

function operate(sign: string, a: number, b: number): number {
  if (sign === '+') return a + b;
  if (sign === '-') return a - b;
  if (sign === '*') return a * b;
  if (sign === '/') return b === 0 ? 0 : Math.trunc(a / b);
  if (sign === '%') return b === 0 ? 0 : a % b;
  if (sign === '&') return Number(a > 0 && b > 0);
  if (sign === ':') return Number(a > 0 || b > 0);
  if (sign.startsWith('<')) return Number(sign === '<=' ? a <= b : a < b);
  if (sign.startsWith('>')) return Number(sign === '>=' ? a >= b : a > b);
  return Number(a === b);
}

/** A line of a macro with its arguments; what was escaped twice is escaped once. */
function filled(text: string, args: readonly string[]): string {
  return text
    .replace(/\\\\\$([1-9*@])/g, (_, which: string) =>
      which === '*'
        ? args.join(' ')
        : which === '@'
          ? args.map((arg) => `"${arg}"`).join(' ')
          : (args[Number(which) - 1] ?? ''),
    )
    .replace(/\\\\n\(\.\$|\\\\n\[\.\$\]/g, String(args.length))
    .replaceAll('\\\\', '\\');
}
