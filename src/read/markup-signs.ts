/** Tells markup by what only it has, where the name says no more than that a file is text. */

/** A title above a line of signs. */
const UNDERLINED = /^\S[^\n]{2,119}\r?\n(?:={3,}|-{3,}|~{3,}|\*{3,}|\^{3,})[ \t]*\r?$/m;
const ADOC_TITLE = /^={1,5} [^\s=][^\n=]*\r?$/m;
/** Directives, targets of links and roles of reStructuredText, at the margin or in a line. */
const RST = /^\.\. (?:[a-z][\w:-]{1,40}::(?:[ \t]|\r?$)|_[^:\n]{1,80}:)|(?<![\w:`]):[a-z][a-z:+.-]{1,30}:`[^`\n]/gm;
/** What stands above a block of AsciiDoc, what is included, and links. */
const ADOC =
  /^\[(?:verse|source|listing|quote|horizontal|glossary|discrete|NOTE|TIP|WARNING|IMPORTANT|CAUTION|cols=|\[)[^\]\n]{0,200}\]\]?\r?$|^(?:include|image|ifdef|ifndef|endif)::[^\s[]{0,200}\[|(?<![\w:])(?:link|linkgit|xref|footnote|kbd|btn):[^\s[]{0,200}\[/gm;
/** The head that AsciiDoc asks of a manual page. */
const ADOC_MANUAL = /^[\w.+-]+\(\d\w?\)\r?\n={3,}\r?\n+NAME\r?\n-{3,}\r?\n/;
const ENOUGH = 2;

/** Its title and two signs say so. @param head the beginning of a text */
export function markupIn(head: string): 'rst' | 'asciidoc' | undefined {
  if (ADOC_MANUAL.test(head)) return 'asciidoc';
  const isUnderlined = UNDERLINED.test(head);
  if (isUnderlined && (head.match(RST)?.length ?? 0) >= ENOUGH) return 'rst';
  const isTitled = isUnderlined || ADOC_TITLE.test(head);
  return isTitled && (head.match(ADOC)?.length ?? 0) >= ENOUGH ? 'asciidoc' : undefined;
}
