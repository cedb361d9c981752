/** Which elements of a file of XML are its records. */
import { Parser as Htmlparser } from 'htmlparser2';
import { localName } from './xml.ts';

interface XmlRecords {
  /** How many elements stand around each of them. */
  readonly depth: number;
  /** Their names; undefined where every element of the depth is one. */
  readonly names: ReadonlySet<string> | undefined;
}

/** Elements below the root. */
const BELOW_ROOT: XmlRecords = { depth: 1, names: undefined };
const DEEPEST = 5;
const MOST_OPEN = 1000;
const PIECE = 1 << 14;

/**
 * The elements below the root; where there is one alone, as the channel of a feed, the nearest in it that have a name in
 * common and elements of their own, such as the places of a map.
 */
export function recordsOf(source: string): XmlRecords {
  /** Of each depth: how many elements there are, and how many of each name hold elements. */
  const counts: number[] = [];
  const holding: Map<string, number>[] = [];
  const open: { readonly name: string; holds: boolean }[] = [];
  const parser = new Htmlparser(
    {
      onopentag(name) {
        const depth = open.length;
        const above = open.at(-1);
        if (above && !above.holds) {
          above.holds = true;
          const names = depth - 1 <= DEEPEST ? (holding[depth - 1] ?? new Map<string, number>()) : undefined;
          if (names) holding[depth - 1] = names.set(above.name, (names.get(above.name) ?? 0) + 1);
        }
        if (depth <= DEEPEST) counts[depth] = (counts[depth] ?? 0) + 1;
        open.push({ name, holds: false });
      },
      onclosetag: () => open.pop(),
    },
    { xmlMode: true, decodeEntities: false },
  );
  for (let at = 0; at < source.length; at += PIECE) {
    // Most files are known at once; one that is nested so deep is no list of records.
    if ((counts[1] ?? 0) > 1 || open.length > MOST_OPEN) return BELOW_ROOT;
    parser.write(source.slice(at, at + PIECE));
  }
  parser.end();
  const first = counts.findIndex((count) => count > 1);
  for (let depth = first; depth >= 2 && depth <= DEEPEST; depth++) {
    const names = [...(holding[depth] ?? [])].filter(([, count]) => count > 1).map(([name]) => localName(name));
    if (names.length > 0) return { depth, names: new Set(names) };
  }
  return BELOW_ROOT;
}
