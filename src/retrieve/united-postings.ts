import type { CallOptions } from '../core/types.ts';
import type { TermPostings } from '../lexical/contract.ts';
import { SizedCache } from '../lexical/lru.ts';
import type { LexicalReader } from '../lexical/reader.ts';
import { sizeOf } from '../lexical/skipped-postings.ts';

/** A term, and the words that count as it: itself, its other forms, or all that begin so. */
export interface NamedWords {
  readonly name: string;
  readonly words: readonly string[];
}

/** Bound of what is kept for one reader, in bytes. */
const KEPT = 8 * 2 ** 20;
const ENTRY_BYTES = 200;

const keptOfReader = new WeakMap<LexicalReader, SizedCache<string, TermPostings>>();

/** Of each, the rows that hold one of its words, with the occurrences of all. A single word of that name is as it is. */
export async function unitedPostings(
  reader: LexicalReader,
  all: readonly NamedWords[],
  options: CallOptions,
): Promise<readonly TermPostings[]> {
  const found = await reader.terms(
    all.flatMap(({ words }) => words),
    options,
  );
  let kept = keptOfReader.get(reader);
  if (kept === undefined) {
    kept = new SizedCache(KEPT);
    keptOfReader.set(reader, kept);
  }
  let at = 0;
  return all.map(({ name, words }) => {
    const own = found.slice(at, at + words.length);
    at += words.length;
    if (own.length === 1 && own[0]!.term === name) return own[0]!;
    const key = [name, ...words].join('\n');
    let united = kept.get(key);
    if (united === undefined) {
      united = union(name, own);
      kept.set(key, united, sizeOf(united) + ENTRY_BYTES);
    }
    return united;
  });
}

/** The postings of several terms as those of one. */
export function union(term: string, all: readonly TermPostings[]): TermPostings {
  // two by two, so that each posting is copied as often as the number of terms has binary digits
  let level = all.map(decoded);
  while (level.length > 1) {
    const next: Columns[] = [];
    for (let i = 0; i < level.length; i += 2)
      next.push(i + 1 < level.length ? merged(level[i]!, level[i + 1]!) : level[i]!);
    level = next;
  }
  const none = {
    ordinals: new Uint32Array(),
    text: new Uint16Array(),
    title: new Uint16Array(),
    headings: new Uint16Array(),
  };
  return { term, ...(level[0] ?? none) };
}

type Columns = Omit<TermPostings, 'term'>;

/** Each field once: those of a common term are made when they are asked for. */
function decoded({ ordinals, text, title, headings }: TermPostings): Columns {
  return { ordinals, text, title, headings };
}

function merged(a: Columns, b: Columns): Columns {
  const most = a.ordinals.length + b.ordinals.length;
  const ordinals = new Uint32Array(most);
  const fields = [new Uint16Array(most), new Uint16Array(most), new Uint16Array(most)] as const;
  const [text, title, headings] = fields;
  let count = 0;
  for (let i = 0, j = 0; i < a.ordinals.length || j < b.ordinals.length; count++) {
    const [left, right] = [a.ordinals[i] ?? 2 ** 32, b.ordinals[j] ?? 2 ** 32];
    const inA = left <= right ? i++ : -1;
    const inB = right <= left ? j++ : -1;
    ordinals[count] = Math.min(left, right);
    text[count] = Math.min(0xffff, (a.text[inA] ?? 0) + (b.text[inB] ?? 0));
    title[count] = Math.min(0xffff, (a.title[inA] ?? 0) + (b.title[inB] ?? 0));
    headings[count] = Math.min(0xffff, (a.headings[inA] ?? 0) + (b.headings[inB] ?? 0));
  }
  return {
    ordinals: ordinals.slice(0, count),
    text: text.slice(0, count),
    title: title.slice(0, count),
    headings: headings.slice(0, count),
  };
}
