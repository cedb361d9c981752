/** Lists of formats that have none: paragraphs, one after the other, that begin with marks. */

const MARKED = /<p>\s*((?:•\s*)+|(\d{1,3})[.)]\s+)([\s\S]*?)<\/p>/g;

interface Item {
  /** Of a number; undefined with a bullet. */
  readonly number: number | undefined;
  readonly depth: number;
  readonly text: string;
  readonly whole: string;
}

/** Such paragraphs of HTML as lists. */
export function withMarkedItems(html: string): string {
  const out: string[] = [];
  let run: Item[] = [];
  let at = 0;
  const flush = (): void => {
    // One number by itself may be that of a chapter.
    out.push(run.length > 1 ? listOf(run) : run.map(({ whole }) => whole).join(''));
    run = [];
  };
  for (const match of html.matchAll(MARKED)) {
    const [whole, marks = '', number, text = ''] = match;
    const between = html.slice(at, match.index);
    if (between.trim() !== '' || (number === undefined) !== (run[0]?.number === undefined)) flush();
    out.push(between);
    const depth = number === undefined ? marks.replace(/\s/g, '').length : 1;
    run.push({ number: number === undefined ? undefined : Number(number), depth, text, whole });
    at = match.index + whole.length;
  }
  flush();
  return out.join('') + html.slice(at);
}

const DEEPEST = 8;

function listOf(items: readonly Item[]): string {
  const [begin, end] = items[0]!.number === undefined ? ['<ul>', '</ul>'] : ['<ol>', '</ol>'];
  const out: string[] = [];
  let open = 0;
  for (const { number, depth, text } of items) {
    const level = Math.min(depth, DEEPEST);
    for (; open < level; open++) out.push(begin);
    for (; open > level; open--) out.push(end);
    out.push(number === undefined ? `<li>${text}</li>` : `<li value="${number}">${text}</li>`);
  }
  return out.join('') + end.repeat(open);
}
