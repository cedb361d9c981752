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

/** Whether a place of a text stands in code between fences, for any place. */
export function fencesOf(text: string): (at: number) => boolean {
  if (!/```|~~~/.test(text)) return () => false;
  const starts: number[] = [];
  const opened: (string | undefined)[] = [];
  let start = 0;
  let open: string | undefined;
  for (const line of text.split('\n')) {
    starts.push(start);
    opened.push(open);
    open = fenceAfter(line, open);
    start += line.length + 1;
  }
  return (at) => {
    const line = starts.findLastIndex((one) => one <= at);
    return fenceAfter(text.slice(starts[line], at), opened[line]) !== undefined;
  };
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
