/** A header or footer of printed pages without its codes; '' for one that counts pages. */
export function runningText(code: string): string {
  const text = code
    .replace(/&"[^"]*"|&K(?:[\dA-F]{6}|\d\d[+-]\d{3})|&\d+/giu, '')
    .replace(/&[LCR]/gu, '\n')
    .replace(/&([^&])|&(&)/gu, (_, __, ampersand: string | undefined) => ampersand ?? '')
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/ ?\n\s*/gu, '\n')
    .trim();
  return /^(?:page|of|\P{L})*$/iu.test(text) ? '' : text;
}
