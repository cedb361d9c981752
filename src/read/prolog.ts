/** What stands before the root element of HTML and XML. One pass, whatever stands there. */

const BLANK = /\s*/y;

function skipBlanks(source: string, from: number): number {
  BLANK.lastIndex = from;
  BLANK.exec(source);
  return BLANK.lastIndex;
}

/** Where something else stands than blanks, comments and instructions (`<?…?>`). */
export function afterComments(source: string): number {
  return commentsEnd(source, 0);
}

function commentsEnd(source: string, from: number): number {
  for (let at = skipBlanks(source, from); ; ) {
    const close = source.startsWith('<!--', at) ? '-->' : source.startsWith('<?', at) ? '>' : undefined;
    const end = close === undefined ? -1 : source.indexOf(close, at + (close === '-->' ? 4 : 2));
    if (end === -1) return at;
    at = skipBlanks(source, end + close!.length);
  }
}

/** Where the root element stands: behind comments, instructions and the document type with its declarations. */
export function rootStart(source: string): number {
  for (let at = commentsEnd(source, 0); ; ) {
    if (!/^<!doctype/i.test(source.slice(at, at + 9))) return at;
    const end = typeEnd(source, at);
    if (end === -1) return at;
    at = commentsEnd(source, end);
  }
}

function typeEnd(source: string, from: number): number {
  const close = source.indexOf('>', from);
  const inside = source.indexOf('[', from);
  if (inside === -1 || close < inside) return close === -1 ? -1 : close + 1;
  for (let at = source.indexOf(']', inside); at !== -1; at = source.indexOf(']', at + 1)) {
    const next = skipBlanks(source, at + 1);
    if (source[next] === '>') return next + 1;
  }
  return -1;
}
