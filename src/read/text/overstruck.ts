/** Bold and underlined letters of a printed text, as `man` writes them: `N\bN`, `_\bN`, `N\b_`, and `+\bo` for a bullet. */
const OVERSTRUCK = /(\S)\x08(?=\1)|_\x08(?=\S)|\+\x08(?=o)/gu;
const UNDERLINED = /(\S)\x08_/gu;

/** Each letter once. */
export function withoutOverstrikes(text: string): string {
  return text.includes('\b') ? text.replace(OVERSTRUCK, '').replace(UNDERLINED, '$1') : text;
}
