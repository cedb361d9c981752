/** Tags that load an address, run something or lead to an address under another name. */
const names =
  'a|audio|base|button|embed|form|frame|iframe|image|img|input|link|meta|object|picture|script|style|svg|track|video';
const tag = new RegExp(String.raw`<(?=/?(?:${names})[\s/>])`, 'gi');
/** Of these, `Output<A>` and `<Input extends Base>` of a program: no attribute has a value, so they lead nowhere. */
const idle = 'a|base|button|embed|form|frame|image|img|input|link|meta|object|track';
const tagBesideTypes = new RegExp(String.raw`${tag.source}(?!(?:${idle})(?:\s[^<>=]*)?>)`, 'gi');
const cutTag = /<(?=\/?[a-z]*$)/i;
/** What makes a link, an image or the address of a label in Markdown, when nothing stands between. */
const pair = /(?<=!)\[|(?<=\])[(:]/g;

/**
 * Text of an answer that loads nothing and shows where it leads, also where an application renders it as Markdown with
 * HTML: of images and links the address stays beside the label, the brackets of tags become others. An image that a
 * document has asked for would carry the answer's words away as soon as it is shown.
 * @param before the character that the text is written behind
 * @param ends other text may be written behind it at once, so that the beginning of a tag may not stay one
 */
export function inert(text: string, before = '', ends = false): string {
  const closed = ends ? text.replace(cutTag, '‹') : text;
  return (before + closed.replace(tag, '‹')).replace(pair, ' $&').slice(before.length);
}

/** The same for the whole text of a program, whose types keep their brackets. */
export function inertCode(code: string): string {
  return code.replace(tagBesideTypes, '‹').replace(pair, ' $&');
}
