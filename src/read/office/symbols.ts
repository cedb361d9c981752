/** Characters of fonts that show other characters than their codes say, as Word writes them in DOCX and RTF. */

/** The encoding of the font Symbol, from 0x20 to 0x7E and from 0xA0 to 0xFE. */
const LOW = ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼';
const HIGH = '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\ufffd⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭';

/** Of the pictures of Wingdings, the marks and arrows that people write with. */
const WINGDINGS: Readonly<Record<number, string>> = {
  40: '☎',
  42: '✉',
  108: '●',
  110: '■',
  111: '☐',
  167: '▪',
  168: '☐',
  216: '➢',
  223: '←',
  224: '→',
  225: '↑',
  226: '↓',
  251: '✗',
  252: '✓',
  253: '☒',
  254: '☑',
};

/** True for a font whose characters `symbolOf` knows. */
export function isSymbolFont(font: string): boolean {
  return /^(?:symbol|wingdings)$/iu.test(font);
}

/**
 * What a character of a font shows: Symbol and Wingdings have codes up to 255, also written from U+F000 on. Characters
 * of other fonts are what they are.
 * @returns '' for a picture that is no character
 */
export function symbolOf(font: string, code: number): string {
  const short = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  if (/^symbol$/iu.test(font) && short < 256) {
    const shown = short < 0x80 ? LOW[short - 0x20] : HIGH[short - 0xa0];
    return shown === undefined || shown === '\ufffd' ? '' : shown;
  }
  if (/^wingdings$/iu.test(font) && short < 256) return short === 32 ? ' ' : (WINGDINGS[short] ?? '');
  return short !== code || !(code >= 32 && code <= 0x10ffff) ? '' : String.fromCodePoint(code);
}

/** A text that is set in one of these fonts. */
export function readSymbols(font: string, text: string): string {
  return Array.from(text, (character) => symbolOf(font, character.codePointAt(0)!)).join('');
}
