/**
 * The text rules of `Document.text`: LF line ends (CR LF, CR, NEL, LINE and PARAGRAPH SEPARATOR stay what they mean),
 * no byte order mark, no NUL or other C0/C1 control except tab and LF, form feed and vertical tab are line ends,
 * a lone surrogate becomes U+FFFD.
 * Idempotent: `cleanText(cleanText(x)) === cleanText(x)`.
 */
export function cleanText(text: string): string {
  let out = text;
  if (MAYBE_DIRTY.test(out)) {
    out = out
      .replace(/\r\n?|[\f\v\u0085\u2028\u2029]/g, '\n')
      .replace(DROPPED, '');
  }
  return out.isWellFormed() ? out : out.toWellFormed();
}

const MAYBE_DIRTY = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/;
const DROPPED = /[\0-\x08\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff]/g;
