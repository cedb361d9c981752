type LineKind = 'plain' | 'blank' | 'heading' | 'underline' | 'list' | 'table' | 'code' | 'fence' | 'turn' | 'label';

/** One line of a text, classified for sentence splitting. */
export interface Line {
  readonly kind: LineKind;
  readonly start: number;
  /** Offset of the line feed, or the length of the text. */
  readonly end: number;
  /** Start of the prose: after a list marker, a speaker's name or a label, where a full stop ends no sentence. */
  readonly contentStart: number;
  /** The mark of the code block in which the next line stands: of the fence that opened it; '' outside. */
  readonly fence: string;
}

/** Markdown may part its items by breaks of HTML; those of AsciiDoc have a full stop, one more in each inner list. */
const listMarker =
  /[ \t]*(?:<br ?\/?>[ \t]*)?(?:[-*+•‣◦▪·–—]|\.{1,2}|\*{2,5}|\(?\d{1,3}[.)]|\(?[a-zA-Z]\)|\(?[ivx]{1,4}[.)]|[a-z]\.(?=[ \t]+\p{Lu}(?!\.)))[ \t]+/uy;
const versus = /[ \t]*v\.[ \t]/y;
const heading = /[ \t]{0,3}#{1,6}[ \t]/y;
const underline = /[ \t]{0,3}(?:=+|-{3,}|\*{3,}|_{3,})[ \t]*(?:\n|$)/y;
/** A line that opens a block of code. Backquotes behind those of the fence are code within prose. */
const openingFence = /[ \t]*(?:(`{3,})[^`\n]*|(~{3,})[^\n]*)(?:\n|$)/y;
const closingFence = /[ \t]*(`{3,}|~{3,})[ \t]*(?:\n|$)/y;
/** "Anna: …", "[12:03] Bob Lee: …", "<anna> …" */
const turn =
  /(?:\[[^\]\n]{1,30}\][ \t]*)?(?:<[^>\n]{1,30}>|[\p{Lu}\p{Lo}][\p{L}\p{N}_.'’-]{0,24}(?: [\p{Lu}\p{Lo}][\p{L}\p{N}_.'’-]{0,24}){0,2}:)[ \t]+/uy;
/** "Due date: …", "**VAT 7 %:** …", an indented "Disk: …", "2016 – 2021: …", "9:30: …": a name or a time, and what it is */
const label =
  /[ \t]{0,8}(?:(?:\*\*|__)[^*_:\n]{1,60}(?::(?:\*\*|__)|(?:\*\*|__):)|\p{Nd}{1,4}(?:[.:h]\p{Nd}{2})?(?: ?[-–—] ?[\p{L}\p{Nd}][\p{L}\p{Nd}.:]{0,9})?:|(?:\*\*|__)?[\p{Lu}\p{Lo}][\p{L}\p{N}_./()&’'-]{0,24}(?:,? [\p{L}\p{N}_./()&%’'-]{1,24}){0,5}(?:\*\*|__)?:(?:\*\*|__)?)[ \t]+\S/uy;
const codeEnd = /[{};]$/;
const codeInside = /[={}()[\]<>]|^\s*\/\//;
/** What prose does not have: "(a) the rent (as defined) under § 3(b);" has brackets alone. */
const codeSign = /[={}<>]|^\s*\/\/|[A-Za-z_]\((?!s\))|\)\./;
const fourWords = /(?:\p{L}{2,} ){3}\p{L}{2,}/u;
const sentenceInside = /[.!?] \p{Lu}/u;

function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** The first group of a match at `at` that matched. */
function groupAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.slice(1).find(Boolean);
}

function closes(text: string, start: number, fence: string): boolean {
  return groupAt(closingFence, text, start)?.startsWith(fence) ?? false;
}

/** Where the line ends in which a place lies: at its line feed, or at the end of the text. */
export function endOfLine(text: string, at: number): number {
  const feed = text.indexOf('\n', at);
  return feed < 0 ? text.length : feed;
}

/** Whether a list item starts at `at`, the start of a line. */
export function startsListItem(text: string, at: number): boolean {
  return matchAt(listMarker, text, at) !== -1;
}

/**
 * Classifies the line that starts at `start`; `previous` is the line above. Patterns read a bounded prefix, so a long
 * line costs little.
 */
export function classifyLine(text: string, start: number, previous: Line | undefined): Line {
  const end = endOfLine(text, start);
  const inside = previous?.fence ?? '';
  const line = (kind: LineKind, contentStart = start, fence = ''): Line => ({
    kind,
    start,
    end,
    contentStart: Math.min(contentStart, end),
    fence,
  });
  let first = start;
  while (first < end && (text[first] === ' ' || text[first] === '\t')) first++;
  const lead = text[first];
  if (first === end) return line('blank', start, inside);
  if (inside !== '') return closes(text, start, inside) ? line('fence') : line('code', start, inside);
  const opened = lead === '`' || lead === '~' ? groupAt(openingFence, text, start) : undefined;
  if (opened !== undefined) return line('fence', start, opened);
  if (lead === '#' && matchAt(heading, text, start) !== -1) return line('heading');
  if (matchAt(underline, text, start) !== -1) return line(previous?.kind === 'plain' ? 'underline' : 'heading');
  // "Marbury / v. Madison" in wrapped text
  const isVersus = previous?.kind === 'plain' && matchAt(versus, text, start) !== -1;
  const afterMarker = isVersus ? -1 : matchAt(listMarker, text, start);
  if (isTableRow(text, first, end, afterMarker)) return line('table');
  if (isCode(text, start, end, afterMarker)) return line('code');
  if (afterMarker !== -1) return line('list', afterMarker);
  const afterTurn = matchAt(turn, text, start);
  if (afterTurn !== -1) return line('turn', afterTurn);
  const afterLabel = matchAt(label, text, start);
  return afterLabel === -1 ? line('plain') : line('label', afterLabel - 1);
}

function isTableRow(text: string, first: number, end: number, afterMarker: number): boolean {
  if (text[first] === '|') return true;
  // A longer line is prose, or a row too long to be one unit.
  if (end - first > 4_000) return false;
  const from = afterMarker === -1 ? first : afterMarker;
  const content = text.slice(from, end).trimEnd();
  return content.includes('\t') || content.includes(' | ');
}

function isCode(text: string, start: number, end: number, afterMarker: number): boolean {
  let last = end;
  while (last > start && (text[last - 1] === ' ' || text[last - 1] === '\t')) last--;
  if (!codeEnd.test(text[last - 1] ?? '')) return false;
  if (end - start > 400) return false;
  const content = text.slice(Math.max(start, afterMarker), last);
  if (!codeInside.test(content) || sentenceInside.test(content)) return false;
  return codeSign.test(content) || (afterMarker === -1 && !fourWords.test(content));
}

/** Whether a line is a heading without a mark: a short line above a much longer one that starts like a sentence. */
export function opensAsHeading(text: string, line: Line, next: Line): boolean {
  const length = line.end - line.start;
  if (length > 60 || next.end - next.start < 2 * length) return false;
  const last = text.slice(line.start, line.end).trimEnd().at(-1) ?? '';
  if (/[,;:、，：；-]/.test(last)) return false;
  return /^\s*[\p{Lu}\p{Lo}\p{Nd}"“«„‘]/u.test(text.slice(next.start, next.start + 16));
}
