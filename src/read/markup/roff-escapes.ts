/** Escapes of roff: a line of its source → the text that it prints. @see groff(7) */
import { codePoint, namedCharacter } from './roff-characters.ts';

/** What `.ds` and `.nr` have set. */
export interface RoffNames {
  string(name: string): string;
  register(name: string): string;
}

/** Stands for `\c`: the next line goes on without a space. No text holds it. */
export const JOINED = '\0';

/** Stands before an argument that `\\&` guards from being read as a macro or a mark of punctuation. No text holds it. */
export const GUARD = '\x01';

const MAX_DEPTH = 8;
/** A string that holds strings could grow without end. */
const MAX_CHARS = 1 << 16;

/** Signs behind a backslash that print nothing. */
const NOTHING = '&|^%)/,:{}adrpuE!?';
const NAME = 'fFmMgkVY';
/** Escapes with an argument between two equal signs. */
const QUOTED = 'AbBCDhHlLNoRSvwxXZ';

/** A name behind an escape: `x`, `(xx` or `[xxx]`. @returns it, and where it ends */
function nameAt(text: string, at: number): readonly [name: string, end: number] {
  if (text[at] === '(') return [text.slice(at + 1, at + 3), at + 3];
  if (text[at] !== '[') return [text[at] ?? '', at + 1];
  const end = text.indexOf(']', at);
  return end === -1 ? [text.slice(at + 1), text.length] : [text.slice(at + 1, end), end + 1];
}

/** The end of the size of letters: `0`, `-1`, `(12`, `[12]`, `'12'`. */
function sizeEnd(text: string, from: number): number {
  const rest = text.slice(from, from + 12);
  return (
    from + (/^(?:[+-]?(?:\[[^\]]*\]|'[^']*'|\([+-]?..|[1-3]\d(?!\d)|\d)|[([][+-]?\d+\]?)/.exec(rest)?.[0].length ?? 0)
  );
}

/** @param depth how many strings this text stands in */
export function printed(source: string, names: RoffNames, depth = 0): string {
  if (!source.includes('\\')) return source;
  let text = '';
  for (let at = 0; at < source.length; ) {
    const next = source.indexOf('\\', at);
    if (next === -1 || text.length > MAX_CHARS) return text + source.slice(at);
    text += source.slice(at, next);
    const sign = source[next + 1];
    at = next + 2;
    if (sign === undefined || sign === '"' || sign === '#') break;
    if (sign === 'c') return text + JOINED;
    if (sign === '(' || sign === '[') {
      const [name, end] = nameAt(source, at - 1);
      text += namedCharacter(name);
      at = end;
    } else if (sign === '*' || sign === 'n') {
      const isNumber = sign === 'n';
      const [name, end] = nameAt(source, isNumber && /[+-]/.test(source[at] ?? '') ? at + 1 : at);
      text += isNumber ? names.register(name) : depth > MAX_DEPTH ? '' : printed(names.string(name), names, depth + 1);
      at = end;
    } else if (NAME.includes(sign)) [, at] = nameAt(source, at);
    else if (sign === 's') at = sizeEnd(source, at);
    else if (sign === 'z') at = source[at] === '\\' ? at : at + 1;
    else if (QUOTED.includes(sign)) {
      const end = source.indexOf(source[at] ?? '', at + 1);
      if (end === -1) continue;
      text += quotedText(sign, source.slice(at + 1, end));
      at = end + 1;
    } else if (sign === 'e' || sign === '\\') text += '\\';
    else if (sign === '~' || sign === '0') text += ' ';
    else if (sign === 't') text += '\t';
    else if (!NOTHING.includes(sign)) text += sign;
  }
  return text;
}

function quotedText(sign: string, argument: string): string {
  if (sign === 'C') return namedCharacter(argument);
  if (sign === 'N') return codePoint(Number.parseInt(argument, 10));
  if (sign === 'o') return argument.slice(0, 1);
  if (sign === 'h') return /^\s*\+?\d/.test(argument) ? ' ' : '';
  return sign === 'w' ? '1' : '';
}
