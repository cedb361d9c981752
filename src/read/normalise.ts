/** The text rules of `Document.text`, in two flavours that differ only in what a page break becomes. */

/**
 * For text that a parser puts together: LF line ends, no byte order mark, no C0 or C1 control except tab and LF;
 * form feed, vertical tab, NEL and the Unicode line and paragraph separators become LF; a lone surrogate becomes
 * U+FFFD. Idempotent.
 */
export function cleanText(text: string): string {
  return clean(text, '\n');
}

/**
 * For text that keeps its source's lines: as `cleanText`, but what an editor does not count as a line end
 * (form feed and its like) becomes a space, so that counting line feeds gives the line number people see.
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
  return out.isWellFormed() ? out : out.toWellFormed();
}

// Tab (09) and LF (0a) stay; U+FEFF, U+FFFE and U+FFFF are no characters; everything else here is a control.
const MAYBE_DIRTY = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/;
const PAGE_BREAK = /[\f\v\u0085\u2028\u2029]/g;
const DROPPED = /[\0-\x08\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff]/g;
/** Colours and cursor movements of terminals (ECMA-48 control sequences). */
const TERMINAL_ESCAPE = /\x1b\[[0-?]*[ -/]*[@-~]/g;
