import { defaultCandidates, defaultWeights, type Tuning } from '../retrieve/tuning.ts';

export interface SearchSetting {
  readonly name: string;
  /** Settings of one dimension exclude each other; the best of each are tried together. */
  readonly dimension: 'vectors' | 'window' | 'title' | 'characters' | 'candidates';
  readonly tuning: Tuning;
}

const times = (names: readonly (keyof typeof defaultWeights)[], factor: number): Tuning => ({
  weights: Object.fromEntries(names.map((name) => [name, round(defaultWeights[name] * factor)])),
});

const candidates = (factor: number): Tuning => ({
  candidates: {
    body: defaultCandidates.body * factor,
    window: defaultCandidates.window * factor,
    dense: defaultCandidates.dense * factor,
    read: defaultCandidates.read * factor,
  },
});

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

const around = (
  dimension: SearchSetting['dimension'],
  what: string,
  names: readonly (keyof typeof defaultWeights)[],
  factors: readonly number[],
): SearchSetting[] =>
  factors.map((factor) => ({
    name: factor === 0 ? `no ${what}` : `${what} × ${factor}`,
    dimension,
    tuning: times(names, factor),
  }));

/**
 * What is tried around the defaults, one dimension at a time.
 * @param own whether people asked the questions. Questions made from the documents repeat their words, and would do
 * without vectors and titles where people do not: nothing is switched off by them.
 */
export function searchSettings(own: boolean): readonly SearchSetting[] {
  const low = own ? [0, 0.5] : [0.5];
  return [
    ...around('vectors', 'vectors', ['cosine', 'feedback'], [...low, 1.5, 2, 3]),
    ...around('window', 'window', ['window'], [0.5, 2]),
    ...around('title', 'titles', ['title', 'titleShare', 'mention'], [...low, 2]),
    ...around('characters', 'character grams', ['characters'], [...low, 2]),
    ...[0.5, 2].map(
      (factor): SearchSetting => ({
        name: `candidates × ${factor}`,
        dimension: 'candidates',
        tuning: candidates(factor),
      }),
    ),
  ];
}

/** In tokens; the default stands apart. Those furthest from the default last. */
export const chunkSizes: readonly number[] = [480, 200, 720, 120];

/** One setting made of several, each of another dimension. */
export function together(settings: readonly SearchSetting[]): Tuning {
  const joined = {
    weights: Object.assign({}, ...settings.map(({ tuning }) => tuning.weights)) as NonNullable<Tuning['weights']>,
    candidates: Object.assign({}, ...settings.map(({ tuning }) => tuning.candidates)) as NonNullable<
      Tuning['candidates']
    >,
  }; // joined from parts of exactly these types
  return {
    ...(Object.keys(joined.weights).length > 0 ? { weights: joined.weights } : {}),
    ...(Object.keys(joined.candidates).length > 0 ? { candidates: joined.candidates } : {}),
  };
}
