/** `{@link Lock}`, `{@link Lock | the lock}`, `{@link #peek() peek}` */
const docLink = /\{@link(?:code|plain)?\s+([^\s{}|(]+(?:\([^(){}]*\))?)([^{}]*)\}/g;
const docCode = /\{@code\s([^{}]*)\}/g;
/** Elements of documentation in Java and C#. Only an opening bracket that stands apart is none of `List<A>`. */
const docTag =
  /(?:(?<![\p{L}\p{N}_:])<|<\/)(?:summary|remarks|returns|value|example|para|param|typeparam|exception|c|code|p|pre|em|strong|tt|ul|ol|li|b|i|br)(?:\s+(?:name|cref)="([^"]*)")?\s*\/?>/gu;
const docReference = /<(?:see|seealso|paramref|typeparamref)\s+(?:name|cref|langword|href)="([^"]*)"\s*\/>/g;

/** A line of a comment without the markup that documents a program: what a link says, and no fence. */
export function plainComment(line: string): string {
  if (/^[ \t]*(?:```+|~~~+)[\w-]*\s*$/.test(line)) return '';
  return line
    .replace(
      docLink,
      (_, target: string, label: string) => label.trim().replace(/^\|\s*/, '') || target.replace(/^#/, ''),
    )
    .replace(docCode, (_, code: string) => code.trim())
    .replace(docReference, '$1')
    .replace(docTag, (_, name?: string) => (name ? `${name}: ` : ''));
}
