import type { Span } from '../../../core/types.ts';
import { declarations } from '../../../read/code/outline.ts';
import { boldLine, plainInline } from '../../../read/markup/markdown-inline.ts';
import { documentField } from '../../../text/languages/document-fields.ts';
import { partOfDescription } from '../../../text/languages/heading-words.ts';
import { saysPart } from '../../../text/languages/member-questions.ts';
import { asksAtEnd } from '../../../text/languages/question-marks.ts';
import { readsAsTitle } from '../../../text/title-line.ts';
import { attributeOf } from './attribute-line.ts';
import { chatHeadingsOver, chats } from './chat-headings.ts';
import { fencesOf } from './code.ts';
import { declaredIn } from './declaration-line.ts';
import { dictionaryNames } from './dictionary.ts';
import { keyLine } from './keys.ts';
import { valuesOf } from './values.ts';
import { isVersionNote } from './version-note.ts';
import { keysOver } from './yaml-keys.ts';

/** The headings that stand over each part of a text, outermost first; a heading stands over itself. */
interface HeadingsOver {
  readonly paths: readonly (readonly string[])[];
  /** Whether the part is a heading itself. */
  readonly isHeading: readonly boolean[];
}

const marked = /^(#{1,6})[ \t]+(\S.*?)[ \t]*#*$/;
/** A line over a line of marks, as long as a heading. */
const underlined = /^[ \t]{0,3}(\S[^\n]{0,88})\n[ \t]{0,3}([=-])\2{2,}[ \t]*$/;
const maxChars = 90;
const mostWords = 9;
/** Stands over a list of sources, with or without an empty line between. */
export const sourcesLine: RegExp =
  /^(?:sources|references|bibliography|quellen|literatur|fuentes|références|bibliographie|fonti)$/iu;
/** `Source code: lib/hoist.py` */
const ofFile = /[:：]\s+\S*\/\S*$/u;
/** `Sluice manual      36`, at the foot of a page; `en  |  fr`; `Assets | 8,182.5`, a row alone */
const inColumns = /\S {2,}\S|\S \| -?(?:\p{Sc} ?)?-?\p{N}/u;
/**
 * `-j njobs --jobs=njobs`, `work_mem (integer)`, `json.load(fp)`, `payload`: what manuals explain in sections of their
 * own, without another mark than the line.
 */
const programTerm =
  /^(?!\p{Lu}\p{Ll}+$)(?:--?[\p{L}\p{N}](?:(?!: )[^\n])*(?<![.!?:;,])|[\p{L}_$%<][\p{L}\p{N}]*(?:[_.:<>=$-]{1,2}[\p{L}\p{N}]+)*>?(?: ?\([^\n]*\)| ?\[[^\n]*\])?)$/u;
/** `timeout queue <timeout>`, `balance <algorithm> [ <arguments> ]`; not `see Ann <ann@quay.example>`. */
const usage =
  /^\p{Ll}[\p{L}\p{N}._-]*(?: \p{Ll}[\p{L}\p{N}._-]*){0,2} (?:[[{] ?)?<[\p{L}\p{N}_ .|-]+>(?:[^\n]*(?:[^\n.!?:;,]|\.{3}))?$/u;
/** `SHOW quay.lamps;` and below it `SHOW quay.lamps = number;`: the forms of a statement that is explained below them. */
const statements = /^\p{Lu}{2,} [^\n.!?:]*(?:\.\w[^\n.!?:]*)?;(?:\n\p{Lu}{2,} [^\n;]*;)*$/u;
/** What is said of it may be no sentence, and goes on in the next line where lines are broken by hand. */
const prose = /^["'“(]?\p{Lu}\S*(?:\s+\S+){3}/u;
const sentence = /^["'“(]?\p{Lu}[^\n]*\s[^\n]*[.:!?]["'”)]?$/u;
/** Where a line that begins with the mark is a comment of some program. */
const withoutMarks: ReadonlySet<string> = new Set(['code', 'html']);
const noNames: ReadonlyMap<number, string> = new Map();

/**
 * A chunk holds the headings of its first section only, and short sections share a chunk. The others are lines of its
 * text: with the mark of Markdown, or short lines of their own between empty lines, without an end mark or as a question.
 * Of a program they are the declarations.
 * @param headings of the chunk: they stand over what comes before the first heading inside
 * @param format the document's
 * @param language of a program
 */
export function headingsOver(
  text: string,
  units: readonly Span[],
  headings: readonly string[],
  format: string = 'markdown',
  language?: string,
): HeadingsOver {
  if (format === 'code')
    return { paths: declarationsOver(text, units, headings, language), isHeading: units.map(() => false) };
  if (format === 'yaml') return keysOver(text, units, headings);
  if (chats.has(format)) return chatHeadingsOver(text, units, headings);
  const isFenced = fencesOf(text);
  const mayBeMarked = ({ start }: Span): boolean => !withoutMarks.has(format) && !isFenced(start);
  const names = format === 'text' ? dictionaryNames(text) : noNames;
  let path = headings;
  let baseLevel: number | undefined;
  let opening = true;
  const isHeading: boolean[] = [];
  const paths = units.map((unit, i) => {
    const name = names.get(unit.start);
    const heading =
      name !== undefined
        ? { title: name, level: undefined, isTerm: undefined }
        : isEntry(text, units, i) || isFigure(text, units, i)
          ? undefined
          : headingAt(text, unit, units[i + 1], mayBeMarked, format === 'html');
    isHeading.push(heading !== undefined);
    if (heading === undefined) {
      opening = false;
      return path;
    }
    const { title, level } = heading;
    if (opening && headings.includes(title)) {
      if (headings.at(-1) === title) baseLevel = level;
      return path;
    }
    const depth =
      level === undefined
        ? Math.max(0, headings.length - (heading.isTerm && !isProgramTerm(headings.at(-1) ?? '') ? 0 : 1))
        : Math.max(0, headings.length - 1 + level - (baseLevel ?? headings.length + 1));
    path = [...(path === headings || depth < path.length ? path.slice(0, depth) : path), title];
    opening = false;
    return path;
  });
  return { paths, isHeading };
}

function declarationsOver(
  text: string,
  units: readonly Span[],
  headings: readonly string[],
  language: string | undefined,
): (readonly string[])[] {
  const found = declarations(text, language, headings.length > 0);
  const first = found[0] === undefined ? -1 : headings.lastIndexOf(found[0].label);
  const outer = first < 0 ? headings.slice(0, -1) : headings.slice(0, first);
  const open: { level: number; label: string }[] = [];
  let path = headings;
  let next = 0;
  return units.map(({ start }) => {
    for (; next < found.length && found[next]!.start <= start; next++) {
      const { level, label } = found[next]!;
      while (open.length > 0 && open.at(-1)!.level >= level) open.pop();
      open.push({ level, label });
      path = [...outer, ...open.map((one) => one.label)];
    }
    return path;
  });
}

/** `Excess: EUR 250`, `Premium 2024: EUR 90`: a label and its value; `Part 2: Bees` is a heading. */
const entry =
  /^[\p{Lu}\p{Lo}](?:[^\n:：.!?\p{N}]{0,40}[:：][ \t]*(?=\S)|[^\n:：.!?]{0,40}[:：][ \t]*(?=(?:\p{Lu}{3}[ \t]|\p{Sc})?\p{N}))(.*[^?？\n])$/u;

const labelOfParagraph = /^([^\s:](?:[^:.!?]|[:.!?](?!\s)){0,58}): \S/;

/** The name of a program that a paragraph explains: `--jobs` of `--jobs: How many run at once. The default is 1.` */
export function paragraphTerm(before: string): string | undefined {
  const paragraph = before.split(/\n\s*\n/).at(-1)!;
  const found = paragraph.includes('\n') ? undefined : labelOfParagraph.exec(paragraph)?.[1];
  return found !== undefined && isProgramTerm(found) ? found : undefined;
}

/** In one paragraph after another: `Default: 5`, `Since 3.1`. */
const mostParagraphs = 4;
const valueAlone = /^\W*(?:by )?defaults?\s*[:=]\s*\S/iu;

/** The name of a program whose default is a paragraph of its own, below those that explain it: `Default: 5`. */
export function termOfValue(before: string, own: string): string | undefined {
  const paragraphs = before.split(/\n\s*\n/);
  if (paragraphs.at(-1)!.trim() !== '' || !valueAlone.test(own)) return undefined;
  for (const paragraph of paragraphs.slice(-mostParagraphs - 1, -1).reverse()) {
    const term = paragraphTerm(paragraph);
    if (term !== undefined || valueAlone.test(paragraph)) return term;
  }
  return undefined;
}

/** Whether a line is the name of what a manual explains: an option, a setting, a function, with its arguments or not. */
export function isProgramTerm(line: string): boolean {
  return programTerm.test(line) || usage.test(line);
}

/** The innermost of the title and the headings that names what is described below it. */
export function describedBy(title: string, headings: readonly string[]): string {
  return headings.findLast((one) => !partOfDescription.test(one.trim())) ?? title;
}

/** The name of the statement whose forms a paragraph lists: `SHOW lamps` of `SHOW quay.lamps; SHOW quay.lamps = number;` */
export function statementName(paragraph: string): string | undefined {
  if (!statements.test(paragraph)) return undefined;
  return paragraph
    .split(';')[0]!
    .replace(/\b\w+\.(?=\w)/, '')
    .replace(/\s*[=(].*$/s, '');
}

/** Of the paragraph around a place, where its explanation follows. */
function statementAt(text: string, at: number): string | undefined {
  const start = Math.max(0, text.lastIndexOf('\n\n', at));
  const end = text.indexOf('\n\n', at);
  if (end < 0 || !prose.test(text.slice(end).trimStart())) return undefined;
  return statementName(text.slice(start, end).trim());
}

/** `F11: Full screen`; `A: The quay` is a part of something. */
const hasKeys = /^\P{L}*\p{L}+\s*(?:\p{N}|[+-])/u;
/** `127    if the command is not found`: a number in a column of its own, and no capital letter behind the gap. */
const numberedEntry = /^\d{1,3}(?:\t| {2})[ \t]*\p{Ll}/u;
/** Whether a line says a value under a label: what keys or codes do, a figure, or the line above or below it is such a one too. */
function isEntry(text: string, units: readonly Span[], at: number): boolean {
  const { start, end } = units[at]!;
  const own = text.slice(start, end);
  if (numberedEntry.test(own) || (hasKeys.test(own) && keyLine(own) !== undefined)) return true;
  const found = entryAt(text, units[at]);
  if (found === undefined) return false;
  return /\p{N}/u.test(found) || [at - 1, at + 1].some((i) => entryAt(text, units[i]) !== undefined);
}

function entryAt(text: string, unit: Span | undefined): string | undefined {
  const own = unit && text.slice(unit.start, unit.end);
  return own && /[:：]/.test(own) ? entry.exec(own)?.[1] : undefined;
}

const numericDay = /(?<![\d/])\d{1,2}\/\d{1,2}\/\d{4}(?!\d)/;

/**
 * Whether a line says a day or an amount and a heading follows, as on slides and forms: `Margin 26.6 %` above the title
 * of the next page. Nothing stands below it, so it is what stands below the heading before.
 */
function isFigure(text: string, units: readonly Span[], at: number): boolean {
  const [line = '', next = ''] = units.slice(at, at + 2).map(({ start, end }) => text.slice(start, end));
  if (!readsAsTitle(line, mostWords) || !(marked.test(next) || readsAsTitle(next, mostWords))) return false;
  return numericDay.test(line) || valuesOf(line).some(({ kind, key, unit }) => unit !== '' || isDay(kind, key));
}

const isDay = (kind: string, key: string): boolean => kind === 'date' && !/^-|-0$/.test(key);

function headingAt(
  text: string,
  unit: Span,
  next: Span | undefined,
  mayBeMarked: (unit: Span) => boolean,
  hasTerms: boolean,
): { title: string; level?: number; isTerm?: true } | undefined {
  const { start, end } = unit;
  const line = text.slice(start, end);
  const mark = marked.exec(line);
  if (mark) return mayBeMarked(unit) ? { title: plainInline(mark[2]!), level: mark[1]!.length } : undefined;
  const statement = hasTerms && line.endsWith(';') ? statementAt(text, start) : undefined;
  if (statement !== undefined) return { title: statement, isTerm: true };
  const under = underlined.exec(line);
  if (under && mayBeMarked(unit)) return { title: plainInline(under[1]!), level: under[2] === '=' ? 1 : 2 };
  if (next === undefined || line.length > maxChars || line.includes('\n')) return undefined;
  if (mayBeMarked(next) && marked.test(text.slice(next.start, next.end))) return undefined; // `MIT` below `License`
  if (!/(?:^|\n[ \t]*)$/.test(text.slice(Math.max(0, start - 80), start))) return undefined;
  if (isVersionNote(line) || valueAlone.test(line) || attributeOf(line) !== undefined || saysPart(line))
    return undefined;
  if (documentField.test(line)) return undefined;
  const before = text.slice(0, start);
  const after = text.slice(end, next.start);
  const isAlone = (before.trim() === '' || /\n[ \t]*\n[ \t]*$/.test(before.slice(-80))) && /\n/.test(after);
  if (!isAlone) return undefined;
  const isApart = /\n[ \t]*\n/.test(after);
  if (hasTerms && isApart && programTerm.test(line)) {
    const below = text.slice(next.start, next.end);
    if (sentence.test(below) || declaredIn(below.split('\n')[0]!)?.name === line) return { title: line, isTerm: true };
  }
  if (hasTerms && isApart && programTerm.test(line) && valueAlone.test(text.slice(next.start, next.end)))
    return { title: line, isTerm: true };
  if (hasTerms && isApart && usage.test(line) && prose.test(text.slice(next.start, next.end)))
    return { title: line, isTerm: true };
  const title = boldLine(line) ?? line;
  if (!readsAsTitle(title, mostWords) || ofFile.test(title)) return undefined;
  if (inColumns.test(title.replace(/^[\p{N}A-Z.]+\s+/u, ''))) return undefined;
  return asksAtEnd.test(title) || isApart || sourcesLine.test(title)
    ? { title: title.replace(/\s+/g, ' ') }
    : undefined;
}
