import { visibleText } from '../../text/hidden.ts';
import { itemMark } from '../../text/item-mark.ts';
import { oneLine } from '../../text/one-line.ts';
import { afterOrdinal } from '../../text/sentences/rules.ts';
import { inert, inertCode } from '../inert.ts';
import { fenceAfter, isProgram, openFence } from '../sentences/structure/code.ts';
import { fieldName } from '../sentences/structure/note-fields.ts';
import { citedNotes } from '../sentences/structure/note-marks.ts';
import { plainComment } from './plain-comment.ts';
import { withoutMarks } from './plain-marks.ts';
import { plainTex } from './plain-tex.ts';

/** Where a quote stands, as far as it decides what is markup in it. */
interface QuoteContext {
  /** The document's, as the reader named it: a program has comments, not emphasis. */
  readonly format?: string | undefined;
  /** The text of its chunk before it: an open fence there makes its first lines code. */
  readonly before?: string | undefined;
}

/** `:::`, `::: warning`, `::: tip A title`, `!!! tip` of Markdown dialects: a mark of a block, as a fence is. */
const directive = /^[ \t]*(?::::+|!!!|\?\?\?\+?)[ \t]*[\w-]*[ \t]*/;
/** Code in TeX that a text leaves open. */
const openListing = /\\begin\{(verbatim|lstlisting|minted)\*?\}(?!.*\\end\{\1)/s;
const commentMark = /^[ \t]*(?:\/\/+!?|\/\*+|\*+\/|\*(?![*/])|#+!?|--+|;+)(?=\s|$)[ \t]*/;

/** `[14][15] The lock`, behind the end of a sentence: marks of the line above. A list of sources has more such lines. */
const notesOfBefore = /^(?:\[(?!0)\p{Nd}{1,3}\])+\s+(?=\p{Lu})/u;

/** Whether a text ends with the end of a sentence and of its line. */
function endsLine(before: string): boolean {
  if (!/\S[ \t]*\n[ \t]*$/.test(before.slice(-leadChars))) return false;
  const line = before.trimEnd().split('\n').at(-1)!;
  return /[.!?]["”’)]*$/.test(line) && !/^[ \t]*\[\p{Nd}/u.test(line);
}
const leadChars = 200;

/**
 * A quote as it reads inside an answer: one line, without markup and hidden characters; code keeps every character of
 * its own, but that nothing in it is a link. The quote itself stays exact; this is only for the eye. Square brackets
 * with a number are this answer's own: marks like `[3]` in the source become `(3)`, and where round ones would say
 * something else, as in `list[3]` and `x ∈ [0, 1]`, blanks stand inside.
 */
export function plainText(cited: string, { format, before = '' }: QuoteContext = {}): string {
  const quote = notesOfBefore.test(cited) && endsLine(before) ? cited.replace(notesOfBefore, '') : cited;
  if (isProgram(format)) {
    // Behind code a comment keeps its marks: without them it would read as code.
    let isCode = false;
    const begun = before.slice(before.lastIndexOf('\n') + 1); // of the first line: its comment's mark stands there
    const lines = quote.split('\n').map((line, i) => {
      const whole = i === 0 ? begun + line : line;
      isCode ||= line.trim() !== '' && (!commentMark.test(whole) || /\*\/\s*\S/.test(whole));
      return isCode ? line : plainComment(line.replace(commentMark, '').replace(/\s*\*+\/\s*$/, ''));
    });
    return joinedLine(lines.map(withOwnBrackets), inertCode);
  }
  if (format === 'tex') return joinedLine([openListing.test(before) ? quote : plainTex(quote)]);
  let open = openFence(before);
  const parts: string[] = [];
  let prose: string[] = [];
  const closeProse = (): void => {
    if (prose.length > 0) parts.push(plainProse(prose.join('\n'), format));
    prose = [];
  };
  for (const line of quote.split('\n')) {
    const next = fenceAfter(line, open);
    if (next !== open) closeProse();
    else if (open !== undefined) parts.push(withOwnBrackets(line));
    else
      prose.push(
        format === 'markdown' ? line.replace(directive, '').replace(fieldName, '$1:') : line.replace(directive, ''),
      );
    open = next;
  }
  closeProse();
  return joinedLine(parts);
}

/** Letters that fonts join, as they are typed. */
const ligatures = /[\ufb00-\ufb06]/g;
/** `wide.⁷`, `harbour⁷` and `Smith†`; `km²` and `miles²` are units. */
const raisedMarks =
  /(?:(?<=\p{L}{4})(?![²³](?![¹²³⁰⁴-⁹]))|(?<=\p{L}{2}[.,;:!?”"’]))(?:[¹²³⁰⁴-⁹]+(?:[,–][¹²³⁰⁴-⁹]+)*|[†‡]+)(?=[\s.,;:!?]|$)/gu;
/** The same as readers of HTML and office files write it: `harbour^7`, `1990^7`; `10^3` and `km^2` are powers. */
const writtenMarks =
  /(?<=\p{L}{4}|[.,;:!?”"’]|(?<!\p{N})(?:1\d|20)\d\d)\^\p{Nd}{1,3}(?:[,–]\^?\p{Nd}{1,3})*(?=[\s.,;:!?]|$)/gu;
/** A word that is cut by the end of its line. */
const softBreak = /\u00ad\s*\n\s*(?=\p{Ll})/gu;
/** The same with a hyphen that is seen; `pre- and postwar` keeps its blank. */
const hyphenBreak = /(?<=\p{L}[-\u2010])[ \t]*\n\s*(?=\p{Ll})(?!(?:and|or|to|und|oder|bis|et|ou|y|o|e|en|of)\s)/gu;
/** The end of a line of at least 14 characters in a text without blanks: `用ソ` and below it `フトウェア`. */
const wideBreak =
  /(?<=[^\n]{13}[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\u3001-\u303f\uff01-\uff60])[ \t]*\n[ \t]*(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\u3001-\u303f\uff01-\uff60])/gu;

const bracketed = /\[(\^?\p{Nd}+(?:\s*[,;–-]\s*\p{Nd}+)*)\]/gu;
/** No mark begins with 0, and none stands behind these signs. */
const interval = /(?<=[=∈∉⊂⊆∪∩×]\s*)\[\p{Nd}[^[\]]*\]|\[0[^[\]]*\]/gu;

/** `list[3]` as `list[ 3 ]`. */
function withOwnBrackets(code: string): string {
  return code.replace(bracketed, '[ $1 ]');
}

function joinedLine(parts: readonly string[], safe: (text: string) => string = inert): string {
  const text = visibleText(parts.join(' ')).replace(interval, (brackets) => withOwnBrackets(brackets));
  return safe(oneLine(text.replace(bracketed, '($1)')));
}

/**
 * Characters that no text uses for itself (Unicode: noncharacters). With a number between them they stand for what is no
 * markup, while the markup around it is taken away.
 */
const holders = /[\uFDD0\uFDD1]/g;
const held = /\uFDD0(\d+)\uFDD1/g;

/** A cell ends where the next one begins. */
const cellEnd = /<\/t[dh]\s*>\s*<t[dh](?:\s[^<>]*)?>/gi;
/** Elements of HTML that Markdown may hold (CommonMark 6.6), and comments; `a<b and b>c` is none. */
const htmlTag =
  /<!--[\s\S]*?-->|<\/?(?:a|abbr|b|big|blockquote|br|center|cite|code|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|picture|pre|q|s|samp|section|small|source|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|wbr)(?:\s+[\w:-]+\s*=[^<>]*|\s+open)?\s*\/?>/gi;
/** Of these, the ones that stand inside a line and part no words. */
const inlineTag =
  /^<\/?(?:a|abbr|b|big|cite|code|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var|wbr)\b/i;
const entities: Readonly<Record<string, string>> = { amp: '&', gt: '>', lt: '<', nbsp: ' ', quot: '"' };

function withoutHtml(text: string): string {
  return text
    .replace(cellEnd, ' · ')
    .replace(htmlTag, (tag) => (inlineTag.test(tag) ? '' : ' '))
    .replace(/&(amp|gt|lt|nbsp|quot);/g, (_, name: string) => entities[name]!);
}

/** With the word behind it: `5. ` is a mark before an item, and the day in `5. April`. */
const blockMark = new RegExp(String.raw`^[ \t]*(?:#{1,6}|>|${itemMark})[ \t]+(?=(\p{L}*))`, 'gmu');
/** Formats whose readers write no other mark than those of items: there `> 5 mg` and `# 12` are text. */
const itemAlone = new RegExp(String.raw`^[ \t]*${itemMark}[ \t]+(?=(\p{L}*))`, 'gmu');
const unmarked: ReadonlySet<string> = new Set(
  'pdf docx doc xlsx xls csv tsv pptx ppt odt ods odp rtf parquet arrow sqlite image'.split(' '),
);

const codeSpan = /(?<!`)(`+)(?!`)(?=\S|\s\S)((?:[^`]|(?!\1(?!`))`)+?)\1(?!`)/g;
/** The same, or a sign that is not Markdown's: `snake\_case`. */
const codeOrEscape = new RegExp(`${codeSpan.source}|\\\\([!-/:-@[-\`{-~])`, 'g');

/** What underlines a heading or rules off a table. */
const ruleLine = /^(?=(?:.*[^\s|]){3})[\s|:+=~^"*_#\u2500-\u257f-]+$/;
const itemLine = new RegExp(String.raw`^[ \t]*${itemMark}[ \t]+\S`);
/** `Capital: Oslo` */
const labelLine = /^[ \t]*\p{L}(?:[^:.!?\n]|\.(?=\p{L})){0,60}: +\S/u;
const endsOpen = /[\p{L}\p{N})\]"'”’»>*_%\uFDD1]\s*$/u;

/**
 * Lines without rules; items, and values under labels, that end without a mark have a semicolon between them, the last
 * item before a paragraph a full stop.
 */
function parted(text: string): string {
  if (!text.includes('\n')) return text; // a cell may be `***`
  const lines = text.split('\n').filter((line) => !ruleLine.test(line));
  const firstItem = lines.findIndex((line) => itemLine.test(line));
  let next = '';
  let isApart = false;
  for (let i = lines.length - 1; i >= 0; i--) {
    const line = lines[i]!;
    if (line.trim() === '') {
      isApart = true;
      continue;
    }
    const goesOn =
      (firstItem >= 0 && i >= firstItem && itemLine.test(next)) || (labelLine.test(line) && labelLine.test(next));
    const ends = isApart && itemLine.test(line) && /^\S/.test(next);
    if ((goesOn || ends) && endsOpen.test(line)) lines[i] = `${line.trimEnd()}${goesOn ? ';' : '.'}`;
    next = line;
    isApart = false;
  }
  return lines.join('\n');
}

/** `[![build](badge.svg)](https://…)`: a picture as the text of a link. */
const linkedPicture = /\[!\[([^\]\n]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"]*")?\)\]/g;

/** `2**3`, `**\/*.ts` and `f(**a,**b)` have none. */
const bold = /(?<![/\p{N}])\*\*(?=[^\s/])(.+?)(?<=[^\s/])\*\*(?!\/|(?<=[^\p{L}\p{N}]\*\*)[\p{L}\p{N}])/gu;

function plainProse(text: string, format: string | undefined): string {
  const isMarkdown = format === 'markdown' || format === 'mdx'; // which may hold elements of HTML
  const spans: string[] = [];
  const prose = (isMarkdown ? text : withoutMarks(text, format))
    .replace(holders, '')
    .replace(isMarkdown ? codeOrEscape : codeSpan, (span, _, code: string | undefined, sign: string) => {
      if (!isMarkdown && /^`[^`'\n]+'/.test(span)) return span; // `this' is how some quote
      spans.push(code === undefined ? sign : withOwnBrackets(code));
      return `\uFDD0${spans.length - 1}\uFDD1`;
    });
  return parted(isMarkdown ? withoutHtml(withoutMarks(prose, format)) : prose)
    .replace(unmarked.has(format ?? '') ? itemAlone : blockMark, (mark, word: string) =>
      afterOrdinal.has(word) && mark.trim().endsWith('.') ? mark : '',
    )
    .replace(linkedPicture, '[$1]')
    .replace(/!?\[([^\]\n]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"]*")?\)/g, '$1')
    .replace(bold, '$1')
    .replace(/(?<![\p{L}\p{N}*/])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![\p{L}\p{N}*/])/gu, '$1')
    .replace(/^\s*\|(.*)\|\s*$/gm, (whole, row: string) =>
      row.includes('|') ? row.replace(/(?<! ) *\| */g, ' · ') : whole,
    )
    .replace(/^[ \t]*\|[ \t]+(?=[^|\n]+$)/gm, '') // behind an empty cell
    .replace(/\{[^{}\n]*\}|(?<=\S) +\| +(?=\S)|(?<=\S *)\t[ \t]*(?=\S)/g, (found) =>
      found.startsWith('{') ? found : ' · ',
    )
    .replace(softBreak, '')
    .replace(hyphenBreak, '')
    .replace(wideBreak, '')
    .replace(citedNotes, '')
    .replace(raisedMarks, '')
    .replace(writtenMarks, '')
    .replace(ligatures, (letters) => letters.normalize('NFKC'))
    .replace(held, (_, at: string) => spans[Number(at)]!);
}
