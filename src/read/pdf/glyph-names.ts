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
