/** Counts short answers of training questions: which words stand at their edges, and which asking words ask for what. */
import {
  type Atom,
  answerTypes,
  askingKeys,
  edgeKey,
  type Question,
  shapes,
  spanEdges,
  type WholeLexicon,
  wordKey,
} from '../../src/internal.ts';

export interface Sample {
  readonly question: Question;
  /** Of the sentence that answers. */
  readonly atoms: readonly Atom[];
  /** Of the short answer: first and last atom. */
  readonly from: number;
  readonly to: number;
}

/** Occurrences that a word needs, and with a type of question; the same for asking words. */
const leastWords = 12;
const leastAsking = 5;
/** As many occurrences at the mean rate are added to each count. */
const prior = 10;
/** Smaller values are left out. */
const leastValue = 0.25;

/** Occurrences, and how many of them stand at the edge. */
interface Count {
  all: number;
  hits: number;
}

export function learnLexicon(samples: readonly Sample[]): WholeLexicon {
  const words = new Map<string, Count>();
  const totals = new Map<string, Count>();
  const plain = new Set<string>();
  const count = (map: Map<string, Count>, key: string, hit: boolean): void => {
    const known = map.get(key) ?? { all: 0, hits: 0 };
    known.all++;
    if (hit) known.hits++;
    map.set(key, known);
  };
  for (const { question, atoms, from, to } of samples) {
    const type = answerTypes.indexOf(question.type);
    atoms.forEach(({ word }, at) => {
      const key = wordKey(word);
      plain.add(key);
      [at + 1 === from, at === from, at === to, at - 1 === to].forEach((hit, edge) => {
        for (const group of [undefined, type]) {
          count(words, edgeKey(edge, group) + key, hit);
          count(totals, edgeKey(edge, group), hit);
        }
      });
    });
  }
  const rate = (edge: number, type: number | undefined): number => {
    const total = totals.get(edgeKey(edge, type));
    return total === undefined || total.hits === 0 ? 0 : total.hits / total.all;
  };
  const edges = new Map<string, ReadonlyMap<string, number>>();
  for (const word of plain) {
    const places = new Map<string, number>();
    spanEdges.forEach((_, edge) => {
      const known = words.get(edgeKey(edge, undefined) + word)!;
      if (known.all < leastWords) return;
      const value = logRatio(known, rate(edge, undefined), 1);
      if (Math.abs(value) >= leastValue) places.set(edgeKey(edge, undefined), value);
      answerTypes.forEach((__, type) => {
        const typed = words.get(edgeKey(edge, type) + word);
        if (typed === undefined || typed.all < leastWords || rate(edge, type) === 0) return;
        const own = logRatio(typed, rate(edge, type), Math.exp(value));
        if (Math.abs(own - value) >= leastValue) places.set(edgeKey(edge, type), own);
      });
    });
    if (places.size > 0) edges.set(word, places);
  }
  return { edges, asking: learnAsking(samples) };
}

/** How much more often than at `rate` a word stands at an edge, with a prior of `expected` times that rate. */
function logRatio({ all, hits }: Count, rate: number, expected: number): number {
  return Math.log((hits + prior * rate * expected) / (all + prior) / rate);
}

function learnAsking(samples: readonly Sample[]): Map<string, number[]> {
  const sums = new Map<string, { count: number; values: number[] }>();
  const means = shapes.map(() => 0);
  for (const { question, atoms, from, to } of samples) {
    const inside = atoms.slice(from, to + 1);
    const values = [
      inside.some(({ number }) => number) ? 1 : 0,
      inside.some(({ year, date }) => year || date) ? 1 : 0,
      inside.filter(({ capital }) => capital).length / inside.length,
      Math.log(inside.length),
    ];
    values.forEach((value, i) => {
      means[i]! += value / samples.length;
    });
    for (const key of askingKeys(question)) {
      const known = sums.get(key) ?? { count: 0, values: shapes.map(() => 0) };
      known.count++;
      values.forEach((value, i) => {
        known.values[i]! += value;
      });
      sums.set(key, known);
    }
  }
  return new Map(
    [...sums]
      .filter(([, { count }]) => count >= leastAsking)
      .map(([key, { count, values }]) => [
        key,
        values.map((value, i) => (value - count * means[i]!) / (count + prior)),
      ]),
  );
}
