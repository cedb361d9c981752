import type { Line } from './markup.ts';

/** Commands before the beginning of a document whose arguments are printed. */
const PRINTED =
  /^\s*\\(?:title|subtitle|author|date|institute|institution|affiliation|affil|address|email|abstract|keywords|publishers|dedication|subject|titlehead)\b/;
/** Commands that set up or define, wherever they stand; what they define may go on over lines. */
const SET_UP =
  /^\s*\\(?:documentclass|documentstyle|usepackage|RequirePackage|(?:re|provide)?newcommand|(?:re)?newenvironment|providecommand|renewcommand|Declare\w+|NewDocument\w+|newtheorem|newlength|newcounter|setlength|setcounter|addtolength|[gex]?def|let|hypersetup|graphicspath|makeatletter|makeatother|pagestyle|bibliographystyle|geometry|definecolor|lstset|theoremstyle|input|include)(?![A-Za-z])/;
const LONGEST_DEFINITION = 60;

const begins = new WeakMap<readonly Line[], number>();

/** The index of the line that begins the document; 0 without one, as in a part of a document. */
function beginOf(lines: readonly Line[]): number {
  let begin = begins.get(lines);
  if (begin === undefined) {
    begin = Math.max(
      0,
      lines.findIndex(({ text }) => /^\s*\\begin\{document\}/.test(text)),
    );
    begins.set(lines, begin);
  }
  return begin;
}

/** How many lines from `index` on are for TeX alone: they set up or define, and print nothing. */
export function setUpLines(lines: readonly Line[], index: number): number {
  const begin = beginOf(lines);
  if (index < begin) {
    if (lines[index]!.text.trim() === '' || PRINTED.test(lines[index]!.text)) return 0;
    if (index > 0 && isInside(lines, index)) return 0;
    let end = index;
    while (end < begin && !PRINTED.test(lines[end]!.text)) end++;
    while (lines[end - 1]!.text.trim() === '') end--;
    return end - index;
  }
  if (!SET_UP.test(lines[index]!.text)) return 0;
  let depth = 0;
  for (let i = index; i < lines.length && i < index + LONGEST_DEFINITION; i++) {
    depth += depthOf(lines[i]!.text);
    if (depth <= 0) return i + 1 - index;
  }
  return 1;
}

/** Whether a printed argument that began before is still open. */
function isInside(lines: readonly Line[], index: number): boolean {
  let first = index - 1;
  while (first >= 0 && first > index - LONGEST_DEFINITION && !PRINTED.test(lines[first]!.text)) first--;
  if (first < 0 || !PRINTED.test(lines[first]!.text)) return false;
  let depth = 0;
  for (let i = first; i < index; i++) {
    depth += depthOf(lines[i]!.text);
    if (depth <= 0) return false;
  }
  return true;
}

function depthOf(text: string): number {
  const plain = text.replace(/\\.|%.*$/g, '');
  return (plain.match(/\{/g)?.length ?? 0) - (plain.match(/\}/g)?.length ?? 0);
}
