/** `Type: `number``, `**Default:** 5`: what manuals write of a setting above its description, each in a line. */
const attribute = /^[\s*_>-]*(type|default|values?|required|optional)s?(?: values?)?[*_]*[ \t]*:[*_]*[ \t]*\S/iu;

/** What a line says of a setting in a word or two: `type` of `Type: `number``; undefined for another line. */
export function attributeOf(line: string): string | undefined {
  return attribute.exec(line)?.[1]?.toLowerCase();
}
