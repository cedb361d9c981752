/** Sources of patterns: what begins a comment of one line, and of any. */
export const lineCommentMark: string = '(?://|#|--|;)';
export const commentMark: string = String.raw`(?://|/?\*|#|--|;)`;

/** Whether a document is read by a machine: what looks like markup there says something else. */
export function isProgram(format: string | undefined): boolean {
  return format === 'code' || format === 'yaml';
}

const fence = /^[ \t>]*(```+|~~~+)/;

/** The marks of the fence that a text leaves open: its next line is code. */
export function openFence(text: string): string | undefined {
  let open: string | undefined;
  for (const line of text.split('\n')) open = fenceAfter(line, open);
  return open;
}

/**
 * The marks of the fence that is open behind a line. By CommonMark 4.5 the same character closes it, at least as often,
 * with nothing behind.
 * @param open before the line
 */
export function fenceAfter(line: string, open: string | undefined): string | undefined {
  const mark = fence.exec(line)?.[1];
  if (mark === undefined || open === undefined) return mark ?? open;
  const closes = mark[0] === open[0] && mark.length >= open.length && /[`~]\s*$/.test(line);
  return closes ? undefined : open;
}
