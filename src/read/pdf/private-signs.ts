/**
 * Characters of the private use area that PDFs write for known signs: Adobe's variants (figures in old style, small
 * capitals, parts of large brackets) and the codes of the fonts Symbol and Wingdings, of which Word makes its bullets.
 * @see Adobe Glyph List, and Adobe's corporate use subarea
 */
import { symbolOf } from '../office/symbols.ts';

const PRIVATE = /[\uf020-\uf0ff\uf643-\uf64c\uf6be-\uf8fe]/g;

/** First code and what the codes from there on stand for. */
const RUNS: readonly (readonly [code: number, signs: string])[] = [
  [0xf643, '0123456789'],
  [0xf6be, 'ȷ'],
  [0xf6d9, '©®™1'],
  [0xf6de, '—¢¢,,$$--..abdeilmorst'],
  [0xf6f9, 'łœ'],
  [0xf6fd, 'š'],
  [0xf6ff, 'ž'],
  [0xf721, '!'],
  [0xf724, '$'],
  [0xf726, '&'],
  [0xf730, '0123456789'],
  [0xf73f, '?'],
  [0xf761, 'abcdefghijklmnopqrstuvwxyz'],
  [0xf7a1, '¡¢'],
  [0xf7bf, '¿'],
  [0xf7e0, 'àáâãäåæçèéêëìíîïðñòóôõö'],
  [0xf7f8, 'øùúûüýþÿ'],
  [0xf8e8, '®©™'],
];
const SIGNS: ReadonlyMap<string, string> = new Map([
  ...RUNS.flatMap(([code, signs]) =>
    Array.from(signs, (sign, i): [string, string] => [String.fromCharCode(code + i), sign]),
  ),
  // Of a bracket in parts the uppermost part is the bracket.
  ...Array.from({ length: 26 }, (_, i): [string, string] => [String.fromCharCode(0xf8e5 + i), '']).filter(
    ([part]) => !/[\uf8e8-\uf8ea]/.test(part),
  ),
  ['\uf8eb', '('],
  ['\uf8f6', ')'],
  ['\uf8ee', '['],
  ['\uf8f9', ']'],
  ['\uf8f1', '{'],
  ['\uf8fc', '}'],
]);

/** @param font its name in the file */
export function withoutPrivateSigns(text: string, font: string): string {
  return text.replace(PRIVATE, (sign) => SIGNS.get(sign) ?? (symbolIn(font, sign) || sign));
}

function symbolIn(font: string, sign: string): string {
  const code = sign.charCodeAt(0);
  const known = /^(?:[A-Z]{6}\+)?(symbol|wingdings)(?!\s*[23])/i.exec(font)?.[1];
  if (code > 0xf0ff) return '';
  return known ? symbolOf(known, code) : code === 0xf0b7 ? '•' : '';
}
