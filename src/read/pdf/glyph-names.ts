/**
 * The letters of a glyph that a font names by its parts, such as `Q_u` or `t_t.alt`; undefined for other names.
 * @see Adobe Glyph List Specification, 2: a suffix goes, underscores divide, `uni` is followed by UTF-16 in hexadecimal
 */
export function lettersOfGlyph(name: string): string | undefined {
  const parts = name.split('.', 1)[0]!.split('_');
  if (parts.length < 2) return undefined;
  const letters = parts.map((part) => {
    if (/^\p{L}$/u.test(part)) return part;
    const units = /^uni((?:[0-9A-F]{4})+)$/.exec(part)?.[1]?.match(/.{4}/g);
    return units && String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16)));
  });
  return letters.every((letter) => letter?.isWellFormed()) ? letters.join('') : undefined;
}
