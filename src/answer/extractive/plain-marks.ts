type Marks = readonly (readonly [mark: RegExp, shown: string])[];

/** Beyond what all of them share, by format. */
const markdown: Marks = [
  [/^[ \t]*\[\^[^\]\s]+\]:[ \t]*/gm, ''], // the text of a note
  [/\[\^[^\]\s]+\]/g, ''],
  [/^([ \t]*>[ \t]*\[![^\]\n]+\][+-]?[ \t]+[^\n]*[^\s.:!?…])[ \t]*\n(?=[ \t]*>[ \t]*\S)/gmu, '$1:\n'], // its title
  [/^([ \t]*>[ \t]*)\[!\p{L}[\p{L}\p{N}|_-]*\][+-]?[ \t]*/gmu, '$1'], // `[!WARNING]`, `[!tip]-`
  [/!\[\[([^[\]|\n]+)\|\d+(?:x\d+)?\]\]/g, '$1'], // a picture with its width
  [/!?\[\[(?:[^[\]|\n]*\|)?([^[\]|\n]+)\]\]/g, '$1'],
  [/(?<![\p{L}\p{N})\]])!?\[(?=[^[\]\n]*\p{L})([^[\]\n]+)\]\[[^[\]\n]*\]/gu, '$1'], // `[tides][7]`
  [/(?<![=\p{L}\p{N}])==(?=\S)([^=\n]+?)(?<=\S)==(?![=\p{L}\p{N}])/gu, '$1'],
  [/(?<![\p{L}\p{N}_])__(?=\S)([^_\n]*\s[^_\n]*?)(?<=\S)__(?![\p{L}\p{N}_])/gu, '$1'],
  [/(?<![\p{L}\p{N}_])_(?=[^\s_])([^_\n]+?)(?<=\S)_(?![\p{L}\p{N}_])/gu, '$1'],
  [/\n[ \t]*:[ \t]+(?=\S)/g, ': '], // what a term is
];
const rst: Marks = [
  [/(^[ \t]*|[:;] ):(\p{L}[\p{L}\p{N} _-]{0,40}):[ \t]+(?=\S)/gmu, '$1$2: '], // `:Default: 5`
  [/^([ \t]*)\.\. [\w:-]+::[ \t]*/gm, '$1'], // `.. note:: `
  [/:[a-z][\w+:.-]{0,80}:`([^`<\n]*[^`<\s])\s*(?:<[^`>\n]*>)?`/g, '$1'],
  [/(?<!`)`([^`<\n]*[^`<\s])\s*<[^`>\n]*>`__?/g, '$1'],
];
const org: Marks = [
  [/^[ \t]*#\+\w+:?[ \t]*/gm, ''],
  [/\[\[(?:[^[\]\n]*\]\[)?([^[\]\n]+)\]\]/g, '$1'],
  [/(?<![\p{L}\p{N}=~])([=~])(?=\S)([^=~\n]+?)(?<=\S)\1(?![\p{L}\p{N}=~])/gu, '$2'],
];
const asciidoc: Marks = [
  [/<<[^<>\n,]*,\s*([^<>\n]+)>>/g, '$1'],
  [/^(\S[^\n]*?)::\n(?=\S[^\n]*?::(?:\s|$))/gm, '$1, '], // two terms of one definition
  [/^(\S[^\n]*?)::(?:[ \t]+|[ \t]*\n[ \t]*)(?=\S)/gm, '$1: '],
  [/^\+$/gm, ''],
];

const marksOf: Readonly<Record<string, Marks>> = { markdown, mdx: markdown, rst, text: rst, org, asciidoc };

/** A text without the marks that its format alone has. Code spans of Markdown must be taken out before. */
export function withoutMarks(text: string, format: string | undefined): string {
  let out = text;
  for (const [mark, shown] of marksOf[format ?? ''] ?? []) out = out.replace(mark, shown);
  return out;
}
