import { oneLine } from '../../text/one-line.ts';
import type { ParsedDocument } from '../contract.ts';
import { cleanLines } from '../normalise.ts';
import { type LineMark, type Marker, parseMarkup } from './markup.ts';
import { argumentAt } from './tex-arguments.ts';
import { texLayout } from './tex-layout.ts';
import { withLetters } from './tex-letters.ts';
import { withItems } from './tex-list.ts';
import { withParts } from './tex-parts.ts';
import { setUpLines } from './tex-preamble.ts';

const TEX_LEVELS: Readonly<Record<string, number>> = {
  title: 1,
  part: 1,
  chapter: 1,
  section: 2,
  subsection: 3,
  subsubsection: 4,
  paragraph: 5,
  subparagraph: 6,
};

/** The title of a section may go on over so many lines. */
const MOST_TITLE_LINES = 6;

/** Of a title: formulas, and what a label leaves out. */
const SAYS_MORE = /\$|\\[([]|\\(?:thanks|footnote|ensuremath)(?![A-Za-z])/;

/** Code of R in a document of Sweave or knitr; `@` ends it. */
const CHUNK = /^<<[^\n]*>>=\s*$/;

const BOOKMARK = '\\texorpdfstring';

/** LaTeX; the text stays as it is, but for its letters, titles of sections, items of lists and rows of tables,
 * and without commands that only place what is printed. What sets up or defines is code. */
export function parseTex(written: string): ParsedDocument {
  const { source, find } = withItems(withParts(withLetters(cleanLines(written))));
  const marker: Marker = (lines, i) => {
    const { text } = lines[i]!;
    const heading =
      /^\s*\\(title|part|chapter|(?:sub){0,2}section|(?:sub)?paragraph)\*?\s*(?:\[[^\]]*\]\s*)?(?=\{)/.exec(text);
    if (heading) {
      const whole = lines.slice(i, i + MOST_TITLE_LINES).map((line) => line.text);
      const title = titleIn(whole, heading[0].length);
      if (title) return { kind: 'heading', level: TEX_LEVELS[heading[1]!] ?? 2, ...title };
    }
    const begin = /^\s*\\begin\{(verbatim|lstlisting|minted)\*?\}/.exec(text);
    if (begin) {
      let end = i + 1;
      while (end < lines.length && !lines[end]!.text.includes(`\\end{${begin[1]}`)) end++;
      return { kind: 'code', lines: end - i + 1 };
    }
    if (CHUNK.test(text)) {
      let end = i + 1;
      while (end < lines.length && !/^@(?:\s|$)/.test(lines[end]!.text)) end++;
      if (end < lines.length) return { kind: 'code', lines: end - i + 1, language: 'r' };
    }
    const setUp = setUpLines(lines, i);
    return setUp > 0 ? { kind: 'code', lines: setUp, language: 'tex' } : undefined;
  };
  const titleOf = (): string | undefined => {
    const title = /^[^%\n]*?\\title\s*(?:\[[^\]]*\]\s*)?(?=\{)/m.exec(source);
    return (title && texPlain(argumentAt(source, title.index + title[0].length).text)) || undefined;
  };
  const document = parseMarkup(source, 'tex', marker, titleOf, find, (line) => texLayout(line) ?? aboutIn(line));
  const authors = [...source.matchAll(AUTHORS)].map((match) =>
    namesIn(argumentAt(source, match.index + match[0].length).text),
  );
  const author = authors.filter((names) => names !== '').join(', ');
  return author === '' ? document : { ...document, metadata: { ...document.metadata, author } };
}

const AUTHORS = /^[^%\n]*?\\author\s*(?:\[[^\]]*\]\s*)?(?=\{)/gm;
/** What is printed on top of a document. */
const ABOUT =
  /^\s*\\(subtitle|author|date|institute|affiliation|affil|address|email|keywords)\s*(?:\[[^\]]*\]\s*)?(?=\{)/;

/** `\author{Ida \and Max}` as it is printed, where it is one line. */
function aboutIn(line: string): { readonly text: string; readonly isEdge: boolean } | undefined {
  const begin = ABOUT.exec(line);
  if (!begin) return undefined;
  const argument = argumentAt(line, begin[0].length);
  if (!/^\s*(?:%.*)?$/.test(line.slice(argument.end)) || argument.text.trim() === '') return undefined;
  if (begin[1] === 'author') return { text: oneLine(namesIn(argument.text, true)), isEdge: false };
  return SAYS_MORE.test(argument.text) || /\\(?:today|and)\b/.test(argument.text)
    ? undefined
    : { text: texPlain(argument.text), isEdge: false };
}

/** @param withNotes whether what is said of a person is kept, in brackets */
function namesIn(text: string, withNotes = false): string {
  const noted = text
    .replace(/\\(?:inst|orcidID?|textsuperscript)\s*\{[^{}]*\}|\$\^\{?[^$]*\$/g, '')
    .replace(/\\(?:thanks|footnote)\s*\{((?:[^{}]|\{[^{}]*\})*)\}/g, withNotes ? ' ($1)' : '')
    .replace(/\\(?:and|And|AND)(?![A-Za-z])/g, ', ');
  return texPlain(noted).replace(/\s+,/g, ',');
}

/** The title that begins at the brace at `from`, how many lines it takes, and where it ends if text stands behind it. */
function titleIn(
  lines: readonly string[],
  from: number,
): Pick<LineMark, 'label' | 'text' | 'lines' | 'end'> | undefined {
  const source = lines.join('\n');
  const argument = argumentAt(source, from);
  const label = texPlain(argument.text);
  if (label === '' || argument.text.includes('\n\n')) return undefined;
  const behind = /^(?:\s*(?:\\label\{[^}]*\}|\}))*/.exec(source.slice(argument.end))?.[0] ?? '';
  const inLine = behind.includes('\n') ? behind.slice(0, behind.indexOf('\n')) : behind;
  const before = source.slice(0, argument.end + inLine.length);
  const count = before.split('\n').length;
  const end = before.length - before.lastIndexOf('\n') - 1;
  const rest = lines[count - 1]!.slice(end);
  const text = SAYS_MORE.test(argument.text) ? oneLine(argument.text) : label;
  return { label, text, lines: count, ...(/^\s*(?:%.*)?$/.test(rest) ? {} : { end }) };
}

/** Without commands; those that write a name of their own, as `\LaTeX` does, are that name. */
function texPlain(text: string): string {
  return oneLine(
    withoutBookmarks(text)
      .replace(/(?<!\\)%[^\n]*/g, '')
      .replace(/\\(?:thanks|footnote|label)\{[^{}]*\}/g, '')
      .replace(/\\\\(?:\[[^\]]*\])?|~/g, ' ')
      .replace(/\\([&%$#_])/g, '$1')
      .replace(/\\((?:La|Xe|Lua|Xe?La|Bib)?TeX)\b\s?/g, '$1')
      .replace(/\\[a-zA-Z]+\*?\s?|[{}]/g, ''),
  );
}

/** `\texorpdfstring{title}{bookmark}` → `title`. */
function withoutBookmarks(text: string): string {
  let plain = text;
  for (let at = plain.indexOf(BOOKMARK); at !== -1; at = plain.indexOf(BOOKMARK, at)) {
    const title = argumentAt(plain, at + BOOKMARK.length);
    plain = plain.slice(0, at) + title.text + plain.slice(argumentAt(plain, title.end).end);
  }
  return plain;
}
