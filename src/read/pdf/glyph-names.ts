/** Of the ASCII signs from `!` on that are no letters. */
const SIGNS =
  'exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright asterisk plus comma hyphen period slash zero one two three four five six seven eight nine colon semicolon less equal greater question at'
    .split(' ')
    .map((name, i): [string, string] => [name, String.fromCharCode(0x21 + i)]);
const NAMED: ReadonlyMap<string, string> = new Map([
  ...SIGNS,
  ...['ff', 'fi', 'fl', 'ffi', 'ffl'].map((name): [string, string] => [name, name]),
]);

/**
 * The letters of a glyph that a font names by its parts or by a variant, such as `Q_u`, `t_t.alt` or `zero.oldstyle`;
 * undefined for other names.
 * @see Adobe Glyph List Specification, 2: a suffix goes, underscores divide, `uni` is followed by UTF-16 in hexadecimal
 */
export function lettersOfGlyph(name: string): string | undefined {
  const [base = ''] = name.split('.', 1);
  const parts = base.split('_');
  if (base === name && parts.length < 2) return undefined;
  const letters = parts.map((part) => {
    if (/^\p{L}$/u.test(part)) return part;
    const units = /^uni((?:[0-9A-F]{4})+)$/.exec(part)?.[1]?.match(/.{4}/g);
    return units ? String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16))) : NAMED.get(part);
  });
  return letters.every((letter) => letter?.isWellFormed()) ? letters.join('') : undefined;
}

/** Of the encoding T1, in which TeX sets most languages of Europe: codes 13 to 31, 127 to 191, and what is not Latin-1. */
const LOW = ['‚', '‹', '›', '“', '”', '„', '«', '»', '–', '—', '', '', 'ı', 'ȷ', 'ff', 'fi', 'fl', 'ffi', 'ffl'];
const HIGH = '-ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£';
const APART: Readonly<Record<number, string>> = { 215: 'Œ', 223: 'ẞ', 247: 'œ', 255: 'ß' };
/** A text uses more small letters than formulas do, a comma and a stop. */
const FEWEST_LETTERS = 15;

/**
 * What a code of a bitmap font by dvips stands for, which names its glyphs by their codes (`a27`); undefined for fonts
 * that set no text in T1: the older encoding has its ligatures at the codes 11 to 15.
 */
export function lettersOfBitmap(code: number, glyphs: readonly unknown[]): string | undefined {
  const has = (one: number): boolean => glyphs[one] === `a${one}`;
  const count = (from: number, to: number): number => glyphs.slice(from, to + 1).filter((_, i) => has(from + i)).length;
  if (!has(code) || !has(44) || !has(46) || count(11, 15) > 0 || count(97, 122) < FEWEST_LETTERS) return undefined;
  return code < 127 ? LOW[code - 13] : (HIGH[code - 127] ?? APART[code]);
}
