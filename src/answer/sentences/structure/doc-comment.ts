import { lineCommentMark } from './code.ts';

/** A comment begins, as code has it on what follows or above it. */
const blockBegins = /(?:^|\n)[ \t]*(?:\/\*\*?|"{3}|'{3})[\s*]*$/;
/** Behind imports, so that it is no licence. */
const behindImports = /\bimport\b[\s\S]*\n[ \t]*\/\*\*[\s*]*$/;
const blockEnds = /\*\//;
const line = new RegExp(String.raw`^[ \t]*${lineCommentMark}`);
/** The last line of a text has the mark of a comment, and nothing behind it yet. */
const markAlone = new RegExp(String.raw`^[ \t]*(${lineCommentMark})[\s/!#;-]*$`);
const marks = /^[\s*/"'#;-]*/;

/** Whether a comment begins with a part of a program: in a block, or in lines above what has the name. */
export function beginsComment(text: string, { start, end }: { start: number; end: number }, name: string): boolean {
  const before = text.slice(0, start) + marks.exec(text.slice(start, end))![0];
  return blockBegins.test(before) || beginsLines(before, text.slice(end), name);
}

/** Whether a comment begins that a passage ends with, behind imports: what it explains stands in the next passage. */
export function beginsCutComment(text: string, { start, end }: { start: number; end: number }): boolean {
  const before = text.slice(0, start) + marks.exec(text.slice(start, end))![0];
  return behindImports.test(before) && !blockEnds.test(text.slice(start));
}

function beginsLines(before: string, behind: string, name: string): boolean {
  const lines = before.split('\n');
  const mark = markAlone.exec(lines.at(-1)!)?.[1];
  if (mark === undefined || lines.at(-2)?.trimStart().startsWith(mark)) return false;
  const below = behind.split('\n').slice(1);
  return below.find((one) => !line.test(one) && !/^\s*[@[]/.test(one))?.includes(name) ?? false;
}
