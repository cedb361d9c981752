/** Comments of reStructuredText and AsciiDoc, which no page shows. Each line stays a line. */
import type { ReadWarning } from '../../core/types.ts';

interface Shown {
  readonly source: string;
  readonly warnings: readonly ReadWarning[];
}

function without(lines: string[], gone: readonly number[], sign: string): Shown {
  const written = lines.join('\n');
  if (gone.length === 0) return { source: written, warnings: [] };
  for (const i of gone) lines[i] = '';
  // A file of nothing else is read as it is.
  if (lines.every((line) => line.trim() === '')) return { source: written, warnings: [] };
  const message = `left out comments (${sign}) on ${gone.length === 1 ? '1 line' : `${gone.length} lines`}`;
  return { source: lines.join('\n'), warnings: [{ code: 'MARKUP_COMMENTS', message, leftOut: gone.length }] };
}

/** Two points at the margin, but for a note, a target, a substitution or a directive. */
const RST_COMMENT = /^\.\.(?:$|[ \t]+(?!\[|_|\||[\w.+:-]+ ?::)|[ \t]*$)/;

/** Without `.. comments`, which go on with what is deeper. Examples of comments are deeper than the margin, and stay. */
export function withoutRstComments(source: string): Shown {
  const lines = source.split('\n');
  const gone: number[] = [];
  for (let i = 0; i < lines.length; i++) {
    if (!RST_COMMENT.test(lines[i]!)) continue;
    gone.push(i);
    // A mark alone above an empty line is a comment without a text.
    if (/^\.\.\s*$/.test(lines[i]!) && (lines[i + 1] ?? '').trim() === '') continue;
    for (; i + 1 < lines.length && !/^\S/.test(lines[i + 1]!); i++) if (lines[i + 1]!.trim() !== '') gone.push(i + 1);
  }
  return without(lines, gone, '..');
}

const ADOC_CODE = /^(-{4,}|\.{4,}|`{3,}|\+{4,})[ \t]*$/;
const ADOC_BLOCK = /^\/{4,}[ \t]*$/;

/** Without lines that begin with `//` and what stands between `////`; examples in blocks of code stay. */
export function withoutAdocComments(source: string): Shown {
  if (!source.includes('//')) return { source, warnings: [] };
  const lines = source.split('\n');
  const gone: number[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const edge = ADOC_CODE.exec(line)?.[1];
    const last = edge !== undefined || ADOC_BLOCK.test(line) ? endOf(lines, i) : -1;
    if (last === -1) {
      if (/^\/\/(?!\/)/.test(line)) gone.push(i);
      continue;
    }
    if (edge === undefined) for (let at = i; at <= last; at++) gone.push(at);
    i = last;
  }
  return without(lines, gone, '//');
}

const LONGEST = 2000;

/** The line like this one that ends a block; -1 where none does. */
function endOf(lines: readonly string[], begin: number): number {
  const edge = lines[begin]!.trimEnd();
  for (let i = begin + 1; i < lines.length && i < begin + LONGEST; i++) if (lines[i]!.trimEnd() === edge) return i;
  return -1;
}
