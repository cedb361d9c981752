import { withoutSoftHyphens } from '../text/normalise.ts';

/** The rules for `Document.text`, in two variants that differ only in the replacement of a page break. */

/**
 * For text that a parser composes. CR, CRLF, form feed, vertical tab, NEL and the Unicode line and paragraph separators
 * become LF. Byte order marks, C0 and C1 controls (except tab and LF), escape sequences of terminals and soft hyphens
 * between letters go. A lone surrogate becomes U+FFFD. Idempotent.
 */
export function cleanText(text: string): string {
  return clean(text, '\n');
}

/**
 * For text that keeps the lines of its source. As `cleanText`, but a character that an editor does not count as a line
 * end (form feed and similar) becomes a space, so that counted line feeds give the line number of the source.
 */
export function cleanLines(text: string): string {
  return clean(text, ' ');
}

function clean(text: string, pageBreak: string): string {
  let out = text;
  if (MAYBE_DIRTY.test(out)) {
    if (out.includes('\r')) out = out.replace(/\r\n?/g, '\n');
    if (out.includes('\x1b')) out = out.replace(TERMINAL_ESCAPE, '');
    out = out.replace(PAGE_BREAK, pageBreak).replace(DROPPED, '');
  }
  return withoutSoftHyphens(out.isWellFormed() ? out : out.toWellFormed());
}

// Tab (09) and LF (0a) stay; U+FEFF, U+FFFE and U+FFFF are no characters; all others here are controls or separators.
const MAYBE_DIRTY = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/;
const PAGE_BREAK = /[\f\v\u0085\u2028\u2029]/g;
const DROPPED = /[\0-\x08\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff]/g;
/** Colours and cursor movements of terminals (ECMA-48 control sequences). */
const TERMINAL_ESCAPE = /\x1b\[[0-?]*[ -/]*[@-~]/g;
