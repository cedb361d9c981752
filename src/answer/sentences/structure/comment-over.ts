import type { Hit, Span } from '../../../core/types.ts';
import { isProgram, lineCommentMark, openFence } from './code.ts';
import { assignment, instruction } from './statements.ts';

/** A line that begins as a comment of a program does. */
export const commentLine: RegExp = /^[ \t]*(?:#|\/\/+!?|;|--|\/?\*+)[ \t]/;
const commentOfProse = new RegExp(String.raw`^[ \t]*${lineCommentMark}[ \t]`);
/** `build: test`, with what it does. */
const makeTarget = /^[\w./%-]+(?:[ \t]+[\w./%-]+)*[ \t]*:(?![:=])/;
/** Behind the last sentence of a comment. */
const commentEnd = /^[ \t]*(?:\*+\/[ \t]*)?\n(?:[ \t]*\*+\/[ \t]*\n)?/;

/**
 * Whether the next line is what a comment explains: `# Turns it off` over `pump.on = 0`. In Markdown `#` is a heading; in
 * a program a comment also tells what many lines do, and is taken along to a value alone.
 */
export function isCommentOver(
  { text, format, metadata }: Hit['chunk'],
  { start, end }: Span,
  next: Span | undefined,
): boolean {
  const isCode = isProgram(format);
  const gap = (isCode ? commentEnd : /^\n/).exec(text.slice(end, next?.end))?.[0];
  if (next === undefined || gap === undefined) return false;
  const lines = text.slice(text.lastIndexOf('\n', start) + 1, end).split('\n');
  const below = text.slice(end + gap.length, next.end);
  const mark = isCode ? commentLine : commentOfProse;
  if (!lines.every((line) => mark.test(line)) || mark.test(below) || /^\s*\n/.test(below)) return false;
  if (isCode && metadata.language === 'make' && makeTarget.test(below)) return true;
  if (isCode) return assignment.test(below) || instruction.test(below) || (format === 'yaml' && isOneKey(below));
  return lines.length === 1 && (format !== 'markdown' || openFence(text.slice(0, start)) !== undefined);
}

/** `port: 80`, `hosts:` with its items: one key of YAML, whose items are no mappings. */
function isOneKey(below: string): boolean {
  return below.split('\n').every((line, i) => i === 0 || /^[ \t]*-\s/.test(line));
}
