const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** English words that carry no subject; left out of documents and queries alike. */
export const stopWords: ReadonlySet<string> = list(
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with',
);

/** `stopWords` and what only asks: question words, auxiliaries, pronouns. Left out of queries unless nothing else is in them. */
export const queryStopWords: ReadonlySet<string> = new Set([
  ...stopWords,
  ...list(
    'what which who whom whose when where why how do does did done has have had been being can could should would may might we you i he she its our your his her from than',
  ),
]);
