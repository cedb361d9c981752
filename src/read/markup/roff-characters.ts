/** Characters of roff that have names. @see groff_char(7) */

const NAMED: ReadonlyMap<string, string> = new Map(
  (
    'aq \' dq " lq “ rq ” oq ‘ cq ’ Bq „ bq ‚ bu • em — en – hy - mi - pl + eq = ti ~ ha ^ rs \\ sl / at @ sh # Do $ ' +
    'co © rg ® tm ™ de ° +- ± mu × di ÷ <= ≤ >= ≥ != ≠ == ≡ ~~ ≈ =~ ≅ ap ∼ -> → <- ← <> ↔ ua ↑ da ↓ lA ⇐ rA ⇒ hA ⇔ ' +
    'ga ` aa ´ ba | or | bv │ br │ ul _ ru _ la ⟨ ra ⟩ lB [ rB ] lC { rC } Fo « Fc » fo ‹ fc › 12 ½ 14 ¼ 34 ¾ ' +
    'S1 ¹ S2 ² S3 ³ sc § ps ¶ dg † dd ‡ mc µ ss ß AE Æ ae æ OE Œ oe œ /O Ø /o ø oA Å oa å -D Ð Sd ð TP Þ Tp þ ' +
    'vS Š vs š vZ Ž vz ž ,C Ç ,c ç .i ı /L Ł /l ł r! ¡ r? ¿ ct ¢ Po £ Ye ¥ Eu € eu € if ∞ no ¬ ** ∗ ci ○ sq □ OK ✓ ' +
    'ff ff fi fi fl fl Fi ffi Fl ffl fm ′ sd ″ lh ☜ rh ☞ lz ◊ pd ∂ is ∫ sr √ mo ∈ es ∅ fa ∀ te ∃ OR ∨ AN ∧ pc · ' +
    'Of ª Om º %0 ‰ bb ¦ gr ∇ sb ⊂ sp ⊃ cu ∪ ca ∩ Ah ℵ 18 ⅛ 38 ⅜ 58 ⅝ 78 ⅞ +e ϵ +f φ +h ϑ +p ϖ ts ς -+ ∓ -h ℏ hbar ℏ ' +
    '.j ȷ /_ ∠ 3d ∴ tf ∴ << ≪ >> ≫ ~= ≈ |= ≃ ne ≢ CL ♣ DI ♦ HE ♥ SP ♠ CR ↵ Cs ¤ Fn ƒ IJ Ĳ ij ĳ Im ℑ Re ℜ wp ℘ a" ˝ a- ¯ ' +
    'a. ˙ a^ ^ ab ˘ ac ¸ ad ¨ ah ˇ ao ˚ a~ ~ ho ˛ rn ‾ c* ⊗ c+ ⊕ coproduct ∐ product ∏ sum ∑ sqrt √ integral ∫ f/ ⁄ ib ⊆ ' +
    'ip ⊇ nb ⊄ nc ⊅ nm ∉ st ∋ pp ⊥ pt ∝ md ⋅ lc ⌈ lf ⌊ rc ⌉ rf ⌋ t+- ± tdi ÷ tmu × tno ¬ uA ⇑ dA ⇓ vA ⇕ va ↕'
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

/** Accents by their names: `\[e aa]` is é. */
const ACCENT_NAMES: Readonly<Record<string, string>> = {
  ga: '\u0300',
  aa: '\u0301',
  'a^': '\u0302',
  'a~': '\u0303',
  'a-': '\u0304',
  ab: '\u0306',
  'a.': '\u0307',
  ad: '\u0308',
  ao: '\u030a',
  'a"': '\u030b',
  ah: '\u030c',
  ac: '\u0327',
  ho: '\u0328',
};

/** Greek letters by those of their names: `*a` is alpha. */
const GREEK = new Map([...'abgdezyhiklmncoprstufxqw'].map((sign, i) => [sign, 'αβγδεζηθικλμνξοπρστυφχψω'[i]!]));

/** The character that `\(name` and `\[name]` write; '' for a name that is not known. */
export function namedCharacter(name: string): string {
  const named = NAMED.get(name);
  if (named !== undefined) return named;
  const codes = /^u([0-9A-F]{4,6}(?:_[0-9A-F]{4,6})*)$/.exec(name)?.[1];
  if (codes !== undefined) {
    const signs = codes.split('_').map((code) => codePoint(Number.parseInt(code, 16)));
    return signs.join('').normalize('NFC');
  }
  const byte = /^char(\d{1,3})$/.exec(name)?.[1];
  if (byte !== undefined) return codePoint(Number(byte));
  const [base = '', ...accents] = name.split(' ');
  if (accents.length > 0) {
    const letter = base.length === 1 ? base : namedCharacter(base);
    return (letter + accents.map((accent) => ACCENT_NAMES[accent] ?? '').join('')).normalize('NFC');
  }
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
