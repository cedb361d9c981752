import { textOf } from '../core/arguments.ts';

/** Line ends in every spelling: CRLF, CR, next line, line and paragraph separator, vertical tab, form feed. */
const lineEnds = /\r\n?|[\u0085\u2028\u2029\v\f]/g;
/** Characters without text: C0 controls except tab and the line ends above, DEL, byte order marks at any place. */
const noise = /[\0-\x08\x0E-\x1F\x7F\uFEFF]/g;
const suspicious = /[\0-\x08\v-\x1F\x7F\u0085\u2028\u2029\uFEFF]/;

const hyphenInWord = /(?<=\p{L}\p{M}*)\u00AD+(?=\p{L})/gu;

/** The words of a text without the soft hyphens inside them: with these, nobody would find `Donau&shy;dampf`. */
export function withoutSoftHyphens(text: string): string {
  return text.includes('\u00AD') ? text.replace(hyphenInWord, '') : text;
}

/**
 * Normalises a text that does not come from a reader: line ends become LF; NUL, controls (except tab and LF) and byte
 * order marks go, soft hyphens between letters too; a lone surrogate becomes U+FFFD. Nothing else changes: no NFC, no
 * trimming. Idempotent.
 */
export function normaliseText(text: string): string {
  textOf(text, 'the text');
  // Noise goes first: it may stand inside a CRLF (CR NUL LF) or between the halves of a surrogate pair.
  const clean = suspicious.test(text) ? text.replace(noise, '').replace(lineEnds, '\n') : text;
  return withoutSoftHyphens(clean.isWellFormed() ? clean : clean.toWellFormed());
}
