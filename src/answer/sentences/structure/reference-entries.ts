import type { Span } from '../../../core/types.ts';
import { entryPartAt } from '../../../text/languages/member-questions.ts';
import { endOfLine } from '../../../text/lines.ts';
import { declaredIn } from './declaration-line.ts';

/** What a reference explains below a line that declares it: a function, a method, a class, a setting. */
export interface ReferenceEntry {
  /** As they are written, with what they belong to; several where forms stand above one description. */
  readonly names: readonly string[];
  /** Whether the lines declare something also where the name is a plain word. */
  readonly isSure: boolean;
  readonly args: readonly string[];
  readonly start: number;
  /** Where the declarations end, and what is said of them begins. */
  readonly body: number;
  readonly end: number;
}

interface DeclaredLine {
  readonly name: string;
  readonly isSure: boolean;
  /** Where what is said of it begins in the same line. */
  readonly ends?: number;
}

const name = '[\\p{L}_$~][\\p{L}\\p{N}_$]*(?:(?:\\.|::|:|#|->)~?[\\p{L}_][\\p{L}\\p{N}_$]*)*';
/** `◆ lift()` of Doxygen. */
const heading = new RegExp(`^[ \\t]*◆\\s*(${name})`, 'u');
/** `int lift | ( | load_t | load,`: a declaration that is set as a table. */
const tabled = new RegExp(`(?:^|[\\s*&])(${name}) \\| \\( \\|`, 'u');
/** ` -- Scheme Procedure: lift load`, `Function: int lift (load_t load)`, of Texinfo. */
const labelled =
  /^ ?(?:-- (?:[\p{L}\p{N}][\p{L}\p{N} ]{1,40}?)|(?:[\p{L}\p{N}]+ ){0,3}(?:Function|Procedure|Macro|Syntax|Method|Variable|Command|Type|Constant|Special Form)s?): (?=\S)/u;
/** `pub fn lift<'a>(&self) -> Load` */
const rust = /^[ \t]*(?:(?:pub(?:\([^)]*\))?|const|unsafe|async|extern(?: "[^"]*")?) )*fn (\p{L}[\p{L}\p{N}_]*)/u;
/** `class hoist.Crane(load, rope=None)`, `property load`, `hoist.lift(load)` as Sphinx writes them. */
const kinded = new RegExp(
  `^[ \\t]*(?:abstract |async |final )*(?:class|exception|property|attribute|classmethod|staticmethod|method|function|static|data) (${name})(?=$|\\(|:\\s| = |: )`,
  'u',
);
/** `lift(load): Raises a load.` */
const joined = new RegExp(
  `^[ \\t]*(?:(?:async|class|classmethod|staticmethod|exception|static|abstract|property) )?(${name})\\([^\\n]*?\\)(?: (?:→|->) [^:\\n]{1,80})?: (?=\\p{Lu})`,
  'u',
);
/** `public static int lift(Load load,` goes on in the next line. */
const modified =
  /^[ \t]*(?:[-•*] )?(?:@\p{L}+ )*(?:public|protected|private|static|abstract|final|virtual|extern|inline|def|func)\b[^=;\n]*?([\p{L}_$][\p{L}\p{N}_$]*)\(/u;
/** `lpad('hi', 5) → xxxhi`: a call and what comes of it. */
const isExample = /^[^(]*\(\s*(?:['"’“\d-]|\p{Lu}+\[)|(?:→|->)\s*['"{[\d-]/u;
const longestLine = 700;
/** Lines of one declaration, and of what stands between the forms of one function. */
const mostLines = 16;

function declaredOn(line: string, isApart: boolean): DeclaredLine | undefined {
  if (line.length < 2 || line.length > longestLine || !/\p{L}/u.test(line)) return undefined;
  const found = heading.exec(line) ?? tabled.exec(line);
  if (found) return { name: found[1]!, isSure: true };
  const label = labelled.exec(line);
  if (label) return labelledName(line.slice(label[0].length));
  const fn = rust.exec(line) ?? modified.exec(line);
  if (fn) return { name: fn[1]!, isSure: true };
  const term = joined.exec(line);
  if (term) return { name: term[1]!, isSure: true, ends: term[0].length };
  const kind = kinded.exec(line);
  if (kind) return { name: kind[1]!, isSure: true, ...endOfKinded(line, kind[0].length) };
  if (!line.includes('(') || isExample.test(line) || entryPartAt(line) !== undefined) return undefined;
  const declared = declaredIn(line);
  if (declared === undefined || (declared.mayCall && !isApart)) return undefined;
  return { name: declared.name, isSure: /→|->/.test(line) || !declared.mayCall };
}

function endOfKinded(line: string, from: number): { ends?: number } {
  return line.startsWith(': ', from) ? { ends: from + 2 } : {};
}

/** Types may stand before the name, arguments in brackets or without them behind it. */
function labelledName(rest: string): DeclaredLine | undefined {
  const bracket = /(\S+) ?\(/.exec(rest);
  const word = (bracket?.[1] ?? rest.split(/\s/)[0]!).replace(/^[*&‘“]+|[’”,;]+$/g, '');
  return word === '' ? undefined : { name: word, isSure: true };
}

/** The entries of a text, in order; each goes on to the next one. */
export function referenceEntries(text: string): readonly ReferenceEntry[] {
  const entries: { names: string[]; isSure: boolean; args: string[]; start: number; body: number; end: number }[] = [];
  let isApart = true;
  let hasBody = true;
  for (let at = 0; at < text.length; ) {
    const end = endOfLine(text, at);
    const line = text.slice(at, end);
    const isEmpty = line.trim() === '';
    const declared = isEmpty ? undefined : declaredOn(line, isApart);
    if (declared === undefined) {
      if (!isEmpty) hasBody = true;
      isApart = isEmpty;
      at = end + 1;
      continue;
    }
    const ends = declared.ends === undefined ? endOfDeclaration(text, at, end) : at + declared.ends;
    const last = entries.at(-1);
    const from = text.slice(at, ends);
    if (last !== undefined && !hasBody) {
      last.names.push(declared.name);
      last.isSure ||= declared.isSure;
      last.args.push(...argumentsOf(from, declared.name));
      last.body = ends;
    } else {
      if (last) last.end = at;
      const args = argumentsOf(from, declared.name);
      entries.push({ names: [declared.name], isSure: declared.isSure, args, start: at, body: ends, end: text.length });
    }
    hasBody = declared.ends !== undefined;
    isApart = false;
    at = declared.ends === undefined ? ends + 1 : end + 1;
  }
  return entries;
}

/** Behind the line in which the brackets of the arguments are closed. */
function endOfDeclaration(text: string, at: number, end: number): number {
  for (let lines = 0, to = end; lines < mostLines; lines++) {
    const own = text.slice(at, to);
    if (own.split('(').length <= own.split(')').length) return to;
    if (to >= text.length) return end;
    const next = endOfLine(text, to + 1);
    if (text.slice(to, next).trim() === '') return end;
    to = next;
  }
  return end;
}

/** The names of the arguments that a declaration has behind its name. */
function argumentsOf(declaration: string, called: string): string[] {
  const behind = declaration.slice(declaration.indexOf(called) + called.length).replace(/\|/g, ' ');
  const open = behind.indexOf('(');
  const close = behind.lastIndexOf(')');
  if (open < 0 || close < open) return behind.match(/[\p{L}_][\p{L}\p{N}_-]*/gu) ?? [];
  return partsOf(behind.slice(open + 1, close)).flatMap((piece) => {
    const own = piece.replace(/=.*$/s, '');
    const before = /^\s*\W*([\p{L}_$][\p{L}\p{N}_$-]*)\s*\??:(?!:)/u.exec(own);
    const words = own.match(/[\p{L}_$][\p{L}\p{N}_$-]*/gu);
    const found = before?.[1] ?? words?.at(-1);
    return found === undefined ? [] : [found];
  });
}

/** At the commas that stand in no brackets of their own. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    if ('([{<'.includes(text[i]!)) depth++;
    else if (')]}'.includes(text[i]!) || (text[i] === '>' && text[i - 1] !== '-')) depth--;
    else if (text[i] === ',' && depth <= 0) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  return [...parts, text.slice(from)];
}

/** `load – how heavy it is`, `- load (Optional[int]) – …`, `[in] | load | …`, `load: …`: the parameter that a unit explains. */
const explained =
  /^[ \t]*(?:[-*•] )?(?:\|?[ \t]*\[(?:in|out|in, ?out)\][ \t]*\| )?[`*]{0,3}([\p{L}_$][\p{L}\p{N}_$-]*)[`*]{0,3}(?: ?\([^\n]{1,80}?\))?(?::| [–—-]| \|) (?=\S)/u;

/** The name that a line explains: `load` of `load (number): what is lifted`. */
export function explainedIn(unit: string): string | undefined {
  const label = entryPartAt(unit);
  const own = label?.part === 'parameters' ? unit.slice(label.end).trimStart() : unit;
  return explained.exec(own.replace(/^\|\s*(?=\S)/, ''))?.[1];
}

/**
 * What a reference declares above a text, of which this is the first that it says: between them stand parameters alone.
 * None where the text has the name.
 */
export function memberOver(text: string, { start, end }: Span): string | undefined {
  const entry = referenceEntries(text.slice(0, end)).at(-1);
  if (entry === undefined || !entry.isSure || start <= entry.start) return undefined;
  const [first] = entry.names as [string, ...string[]];
  if (text.slice(start, end).includes(lastPart(first))) return undefined;
  const between = text.slice(entry.body, Math.max(entry.body, start)).split('\n');
  return between.every((line) => line.trim() === '' || explainedIn(line) !== undefined) ? first : undefined;
}

const lastPart = (full: string): string => full.split(/::|[.#]/).at(-1)!;
