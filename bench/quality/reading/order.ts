/** The order of two readings of one text, by the ends of their sentences. */
import { wordsOf } from './words.ts';

const WORDS_OF_AN_END = 4;

/** The last words of each sentence that has enough of them → where it stands, each time. */
function endsOf(text: string): Map<string, number[]> {
  const ends = new Map<string, number[]>();
  for (const [i, sentence] of text.split(/(?<=[.!?。！？][)"'\]”’»]*)\s+|\n\s*\n/u).entries()) {
    const words = wordsOf(sentence);
    if (words.length < WORDS_OF_AN_END) continue;
    const end = words.slice(-WORDS_OF_AN_END).join(' ');
    const places = ends.get(end) ?? [];
    ends.set(end, places);
    places.push(i);
  }
  return ends;
}

export interface Order {
  /** Ends of sentences that both have. */
  readonly ends: number;
  /** Kendall's τ: 1 for the same order, −1 for the opposite one. */
  readonly tau: number;
}

/** @returns undefined when the two share fewer than two ends of sentences */
export function compareOrder(ours: string, other: string): Order | undefined {
  const theirs = endsOf(other);
  // An end that stands as often in both is compared one by one.
  const both = [...endsOf(ours)].flatMap(([end, own]) => {
    const places = theirs.get(end) ?? [];
    return places.length === own.length ? own.map((place, i) => [place, places[i]!] as const) : [];
  });
  const places = both.sort((a, b) => a[0] - b[0]).map(([, place]) => place);
  const pairs = (places.length * (places.length - 1)) / 2;
  return pairs === 0 ? undefined : { ends: places.length, tau: 1 - (2 * inversions(places)) / pairs };
}

/** Pairs in the wrong order, counted while sorting. */
function inversions(values: number[]): number {
  if (values.length < 2) return 0;
  const middle = values.length >> 1;
  const [left, right] = [values.slice(0, middle), values.slice(middle)];
  let count = inversions(left) + inversions(right);
  for (let i = 0, l = 0, r = 0; i < values.length; i++) {
    const takeLeft = r === right.length || (l < left.length && left[l]! <= right[r]!);
    if (!takeLeft) count += left.length - l;
    values[i] = takeLeft ? left[l++]! : right[r++]!;
  }
  return count;
}
