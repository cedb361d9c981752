/** Line ends in every spelling: CRLF, CR, next line, line and paragraph separator, vertical tab, form feed. */
const lineEnds = /\r\n?|[\u0085\u2028\u2029\v\f]/g;
/**
 * What carries no text: C0 controls except tab and the line ends above, DEL, and byte order marks wherever they stand.
 */
const noise = /[\0-\x08\x0E-\x1F\x7F\uFEFF]/g;
const suspicious = /[\0-\x08\v-\x1F\x7F\u0085\u2028\u2029\uFEFF]/;

/**
 * What a document's text must be, for text that does not come from a reader (a pipeline's own): LF line ends; no NUL,
 * no control but tab and LF, no byte order mark; lone surrogates replaced by U+FFFD. Idempotent. Nothing else changes:
 * no NFC, no trimming.
 */
export function normaliseText(text: string): string {
  // Noise goes first: it may hide a CRLF (CR NUL LF) or stand between the halves of a surrogate pair.
  const clean = suspicious.test(text) ? text.replace(noise, '').replace(lineEnds, '\n') : text;
  return clean.isWellFormed() ? clean : clean.toWellFormed();
}
