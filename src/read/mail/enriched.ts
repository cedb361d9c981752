/** Text with commands in brackets, which mail had before HTML. @see RFC 1896 */

/** One line end is a blank, two are one, and so on; `<<` is a bracket, and what a `param` holds is no text. */
export function plainOfEnriched(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/<param>[^<]*<\/param>/gi, '')
    .replace(/<<|<\/?[a-z][a-z0-9-]{0,60}>/gi, (tag) => (tag === '<<' ? '<' : ''))
    .replace(/\n+/g, (ends) => (ends.length === 1 ? ' ' : '\n'.repeat(ends.length)));
}
