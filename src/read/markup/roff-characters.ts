/** Characters of roff that have names. @see groff_char(7) */

const NAMED: ReadonlyMap<string, string> = new Map(
  (
    'aq \' dq " lq “ rq ” oq ‘ cq ’ Bq „ bq ‚ bu • em — en – hy - mi - pl + eq = ti ~ ha ^ rs \\ sl / at @ sh # Do $ ' +
    'co © rg ® tm ™ de ° +- ± mu × di ÷ <= ≤ >= ≥ != ≠ == ≡ ~~ ≈ =~ ≅ ap ∼ -> → <- ← <> ↔ ua ↑ da ↓ lA ⇐ rA ⇒ hA ⇔ ' +
    'ga ` aa ´ ba | or | bv │ br │ ul _ ru _ la ⟨ ra ⟩ lB [ rB ] lC { rC } Fo « Fc » fo ‹ fc › 12 ½ 14 ¼ 34 ¾ ' +
    'S1 ¹ S2 ² S3 ³ sc § ps ¶ dg † dd ‡ mc µ ss ß AE Æ ae æ OE Œ oe œ /O Ø /o ø oA Å oa å -D Ð Sd ð TP Þ Tp þ ' +
    'vS Š vs š vZ Ž vz ž ,C Ç ,c ç .i ı /L Ł /l ł r! ¡ r? ¿ ct ¢ Po £ Ye ¥ Eu € eu € if ∞ no ¬ ** ∗ ci ○ sq □ OK ✓ ' +
    'ff ff fi fi fl fl Fi ffi Fl ffl fm ′ sd ″ lh ☜ rh ☞ lz ◊ pd ∂ is ∫ sr √ mo ∈ es ∅ fa ∀ te ∃ OR ∨ AN ∧ pc · ' +
    'Of ª Om º %0 ‰ bb ¦ gr ∇ sb ⊂ sp ⊃ cu ∪ ca ∩ Ah ℵ'
  )
    .split(' ')
    .reduce<[string, string][]>((pairs, word, i, words) => {
      if (i % 2 === 0) pairs.push([word, words[i + 1]!]);
      return pairs;
    }, []),
);

const ACCENTS: Readonly<Record<string, string>> = {
  ':': '\u0308',
  "'": '\u0301',
  '`': '\u0300',
  '^': '\u0302',
  '~': '\u0303',
};

/** Greek letters by those of their names: `*a` is alpha. */
const GREEK = new Map([...'abgdezyhiklmncoprstufxqw'].map((sign, i) => [sign, 'αβγδεζηθικλμνξοπρστυφχψω'[i]!]));

/** The character that `\(name` and `\[name]` write; '' for a name that is not known. */
export function namedCharacter(name: string): string {
  const named = NAMED.get(name);
  if (named !== undefined) return named;
  const code = /^u([0-9A-F]{4,6})/.exec(name)?.[1];
  if (code !== undefined) return codePoint(Number.parseInt(code, 16));
  const byte = /^char(\d{1,3})$/.exec(name)?.[1];
  if (byte !== undefined) return codePoint(Number(byte));
  if (name.length !== 2) return name.length === 1 ? name : '';
  if (name[0] === '*') {
    const small = GREEK.get(name[1]!.toLowerCase()) ?? '';
    return name[1] === name[1]!.toLowerCase() ? small : small.toUpperCase();
  }
  const accent = ACCENTS[name[0]!];
  return accent === undefined ? '' : (name[1] + accent).normalize('NFC');
}

/** '' for a number that is no character. */
export function codePoint(code: number): string {
  const isText = code >= 32 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isText ? String.fromCodePoint(code) : '';
}
