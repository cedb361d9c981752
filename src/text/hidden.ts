/**
 * What shows nothing, reorders what is shown or steers a terminal: C1 controls, soft hyphens, zero-width spaces and
 * joiners of words, direction marks, overrides and isolates, invisible operators, annotation anchors, Hangul fillers,
 * the tag characters and the selectors beyond the first sixteen, in both of which whole sentences can be hidden. The
 * joiners U+200C and U+200D stay: scripts and emoji need them.
 */
const hidden =
  /[\u0080-\u0084\u0086-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|\u034f|[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;
const control = /[\0-\x08\x0e-\x1f\x7f]|\r(?=\n)/g;
const lineBreak = /[\r\v\f\u0085\u2028\u2029]/g;

/** The text that a person sees: without hidden characters. */
export function withoutHidden(text: string): string {
  return text.replace(hidden, '');
}

/** The same without control characters; of all line breaks only LF is left. */
export function visibleText(text: string): string {
  return withoutHidden(text.replace(control, '').replace(lineBreak, '\n'));
}
