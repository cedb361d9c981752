/** English nouns whose plural has another stem: one, then many. Those that are often another word (`lives`) are left out. */
const nouns =
  'child children|man men|woman women|foot feet|tooth teeth|goose geese|mouse mice|ox oxen|wife wives|knife knives|shelf shelves|thief thieves|wolf wolves|calf calves|loaf loaves|criterion criteria|phenomenon phenomena|analysis analyses|crisis crises|thesis theses|basis bases|index indices|appendix appendices|matrix matrices|vertex vertices';

const singulars = new Map(
  nouns.split('|').flatMap((pair) => {
    const [one = '', many = ''] = pair.split(' ');
    return [one, many].map((form): [string, string] => [form, one]);
  }),
);

/** The singular of an English noun, in lower case, whose plural has another stem: `child` for `children` and for `child`. */
export function irregularNoun(word: string): string | undefined {
  return singulars.get(word);
}
