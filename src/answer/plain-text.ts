/**
 * A quote as it reads inside an answer: one line, without markup. The quote itself stays exact; this is only for the eye.
 * Marks like `[3]` in the source become `(3)`: square brackets with a number are this answer's own.
 */
export function plainText(quote: string): string {
  return quote
    .replace(/^\s*(?:```|~~~)\S*\s*$/gm, ' ')
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+•‣▪]|\d{1,3}[.)])[ \t]+/gm, '')
    .replace(/!?\[([^\]\n]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"]*")?\)/g, '$1')
    .replace(/\*\*(?=\S)(.+?)(?<=\S)\*\*/g, '$1')
    .replace(/(?<![\p{L}\p{N}*/])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![\p{L}\p{N}*/])/gu, '$1')
    .replace(/(`+)(?=\S|\s\S)([^`]+?)\1/g, '$2')
    .replace(/^\s*\|(.*)\|\s*$/gm, '$1')
    .replace(/[ ]*\|[ ]*|\t+/g, ' · ')
    .replace(/\[(\^?\p{Nd}+(?:\s*[,;–-]\s*\p{Nd}+)*)\]/gu, '($1)')
    .replace(/\s+/g, ' ')
    .trim();
}
