import type { Candidate } from './features.ts';
import { coverage, type Question } from './question.ts';
import type { Scored } from './select.ts';

export const supportNames = [
  'best', // selection score of the first sentence
  'mean', // mean of the first three
  'gap', // first to fifth
  'density', // BM25 of the best passage, as a share of what the question could reach
  'strength', // the same, unnormalised, logarithmic
  'margin', // to the second passage
  'own', // coverage by the best sentence
  'topic', // with its context
  'passage', // by its passage
  'three', // by the first three with their titles
  'missing', // heaviest term that the best passage lacks, against the heaviest there can be
  'unknown', // share of terms the collection does not know
  'matched', // weight that is matched, against the heaviest term there can be
  'title',
  'pair',
  'terms', // ln(1 + number of terms)
] as const;
export type SupportName = (typeof supportNames)[number];

/** In the order of `supportNames`; undefined when there is nothing to judge. */
export function supportFeatures(question: Question, ranked: readonly Scored[], rows: number): Float64Array | undefined {
  const first = ranked[0];
  if (first === undefined || question.terms.length === 0) return undefined;
  const { candidate } = first;
  const top = ranked.slice(0, 3);
  const heaviest = Math.log(1 + 2 * rows);
  const together = new Float32Array(question.terms.length);
  for (const { candidate: shown } of top) {
    for (let j = 0; j < together.length; j++) {
      together[j] = Math.max(together[j]!, shown.match[j]!, shown.passage.titleMatch[j]!);
    }
  }
  let missing = 0;
  let unknown = 0;
  let matched = 0;
  question.terms.forEach((term, j) => {
    missing = Math.max(missing, term.weight * (1 - candidate.passage.match[j]!));
    if (term.documentFrequency === 0) unknown += term.weight;
    matched += term.weight * candidate.passage.match[j]!;
  });
  const densities = passageDensities(question, ranked);
  const density = densities[0]!;
  return Float64Array.of(
    first.score / 10,
    top.reduce((sum, { score }) => sum + score, 0) / top.length / 10,
    (first.score - (ranked[4] ?? ranked.at(-1)!).score) / 5,
    density,
    Math.log1p(density * question.weight) / 3,
    density === 0 ? 0 : (density - (densities[1] ?? 0)) / density,
    candidate.features[0]!,
    candidate.features[1]!,
    candidate.passage.coverage,
    coverage(question, together),
    missing / heaviest,
    unknown / question.weight,
    matched / heaviest / 3,
    candidate.passage.titleCoverage,
    ranked.reduce((most, { candidate: { features } }) => Math.max(most, features[14]!), 0),
    Math.log(1 + question.terms.length),
  );
}

/** BM25 (k1 1.2, b 0.75 against the mean length of the hits) of each passage over its upper bound, best first. */
function passageDensities(question: Question, ranked: readonly Scored[]): number[] {
  const passages = new Map<Candidate['passage'], { length: number; counts: Float32Array }>();
  for (const { candidate } of ranked) {
    let entry = passages.get(candidate.passage);
    if (!entry) {
      entry = { length: 0, counts: new Float32Array(question.terms.length) };
      for (let j = 0; j < entry.counts.length; j++) if (candidate.passage.titleMatch[j]! >= 0.75) entry.counts[j]!++;
      passages.set(candidate.passage, entry);
    }
    for (const token of candidate.tokens) {
      if (token.empty) continue;
      entry.length++;
      const row = question.matches.get(token.word);
      if (row) for (let j = 0; j < row.length; j++) if (row[j]! >= 0.75) entry.counts[j]! += row[j]!;
    }
  }
  let total = 0;
  for (const { length } of passages.values()) total += length;
  const average = total / passages.size || 1;
  const out: number[] = [];
  for (const { length, counts } of passages.values()) {
    let sum = 0;
    question.terms.forEach((term, j) => {
      const count = counts[j]!;
      if (count > 0) sum += (term.weight * count) / (count + 1.2 * (0.25 + (0.75 * length) / average));
    });
    out.push(sum / question.weight);
  }
  return out.sort((a, b) => b - a);
}
