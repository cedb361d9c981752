import type { Span } from '../../../core/types.ts';

/** `timeout:`, `- name: search`, `"on":`; the key is the group. */
const keyLine = /^([ \t]*(?:- +)*)(?:"([^"\n]+)"|'([^'\n]+)'|([^\s#:"'[{&*!|>%@-][^:#\n]*?)):(?=\s|$)[ \t]*([^\n]*)$/;
/** Nothing, or what says how the lines below are read: `|`, `>-`, `&base`. */
const opensBelow = /^(?:[|>][-+\d]*|&\S+|!\S+)?[ \t]*(?:#.*)?$/;
const item = /^[ \t]*-(?:\s|$)/;
const scalarItem = /^[ \t]*-[ \t]+(?!\S+:(?:\s|$))[^\n]*$/;
/** `- name: search`: what an item of a list is called. */
const namedItem = /^[ \t]*- +(?:name|id|key):[ \t]+["']?([\p{L}\p{N}_.@/-]+)["']?[ \t]*$/u;
const opensList = /(?:^|\n)[ \t]*(?:- +)*[^\s#][^\n]*:[ \t]*$/;
const comment = /^[ \t]*#+[ \t]*/;
const maxTitle = 90;
const maxJoined = 600;

const indentOf = (line: string): number => /^[ \t]*/.exec(line)![0].length;

/**
 * The keys that stand over each part of a text, outermost first: `jobs`, `build` over `timeout: 5`. A comment that a text
 * begins with says what all of it is.
 */
export function keysOver(
  text: string,
  units: readonly Span[],
  headings: readonly string[],
): { readonly paths: readonly (readonly string[])[]; readonly isHeading: readonly boolean[] } {
  const title = titleOf(text, units[0]);
  const outer = title === undefined || headings.includes(title) ? headings : [...headings, title];
  const open: { readonly indent: number; readonly key: string }[] = [];
  const paths: (readonly string[])[] = [];
  let at = 0;
  let next = 0;
  for (const line of text.split('\n')) {
    const end = at + line.length;
    if (line.trim() !== '') {
      const indent = indentOf(line);
      const isItem = item.test(line);
      if (!comment.test(line))
        while (open.length > 0 && (isItem ? open.at(-1)!.indent > indent : open.at(-1)!.indent >= indent)) open.pop();
      const over = comment.test(line) ? open.filter((one) => one.indent < indent) : open;
      const path = [...outer, ...over.map(({ key }) => key)];
      for (; next < units.length && units[next]!.start <= end; next++)
        paths.push(next === 0 && title ? headings : path);
      const [, before = '', double, single, plain, value = ''] = keyLine.exec(line) ?? [];
      const key = double ?? single ?? plain;
      if (key !== undefined && opensBelow.test(value)) open.push({ indent: before.length, key });
      const name = namedItem.exec(line)?.[1];
      if (name !== undefined) open.push({ indent: indent + 1, key: name });
    }
    at = end + 1;
  }
  return { paths, isHeading: units.map(() => false) };
}

function titleOf(text: string, first: Span | undefined): string | undefined {
  if (first === undefined || text.slice(0, first.start).trim() !== '') return undefined;
  const own = text.slice(first.start, first.end);
  return comment.test(own) && !own.includes('\n') && own.length <= maxTitle ? own.replace(comment, '') : undefined;
}

/** A key and the items of words alone that stand below it are one part: `ports:` and `- 80`. */
export function joinLists<U extends Span>(text: string, units: readonly U[]): U[] {
  const out: U[] = [];
  for (const unit of units) {
    const last = out.at(-1);
    const own = text.slice(text.lastIndexOf('\n', unit.start - 1) + 1, unit.end);
    const isJoined =
      last !== undefined &&
      scalarItem.test(own) &&
      unit.end - last.start <= maxJoined &&
      text.slice(last.end, unit.start).trim() === '' &&
      goesOnWithItem(text.slice(text.lastIndexOf('\n', last.start - 1) + 1, last.end), own);
    if (isJoined) out[out.length - 1] = { ...last, end: unit.end };
    else out.push(unit);
  }
  return out;
}

/** Whether a part ends with a key of a list, or with items of one whose key it has. */
function goesOnWithItem(part: string, own: string): boolean {
  const lines = part.split('\n');
  const last = lines.at(-1)!;
  if (opensList.test(last) && !comment.test(last)) return indentOf(last) <= indentOf(own);
  const first = lines.findLast((line) => !item.test(line));
  return scalarItem.test(last) && indentOf(last) === indentOf(own) && first !== undefined && opensList.test(first);
}
