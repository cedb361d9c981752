/** Words for the seasons in English, German, French, Spanish and Italian; `spring` and `été` say other things as well. */
const seasons: readonly (readonly [words: RegExp, months: readonly number[]])[] = [
  [/(?<!\p{L})(?:springtime|in spring|frühlings?|frühjahrs?|printemps|primavera)(?!\p{L})/iu, [2, 3, 4, 5, 6]],
  [/(?<!\p{L})(?:summers?|summertime|sommers?|en été|verano|in estate)(?!\p{L})/iu, [4, 5, 6, 7, 8, 9]],
  [/(?<!\p{L})(?:autumns?|in the fall|herbst(?:es)?|automne|otoño|autunno)(?!\p{L})/iu, [8, 9, 10, 11, 12]],
  [/(?<!\p{L})(?:winters?|wintertime|hivers?|inviernos?|inverno)(?!\p{L})/iu, [1, 2, 3, 4, 10, 11, 12]],
];

/** The words for the one season that a text names, and the months that may be of it in the north. */
export function seasonIn(text: string): readonly [words: RegExp, months: readonly number[]] | undefined {
  const named = seasons.filter(([words]) => words.test(text));
  return named.length === 1 ? named[0] : undefined;
}

const named: readonly RegExp[] = [
  /^(?:spring|frühlings?|frühjahrs?)$/u,
  /^summer|^sommer/u,
  /^(?:autumn|fall$|herbst)/u,
  /^winter/u,
];

/** `winter` of `winter party`, and `winter` of `Winterfest`, with what it is: the next word, or the rest of its own. */
export function seasonOf(word: string, next: string): readonly [season: number, thing: string] | undefined {
  const season = named.findIndex((one) => one.test(word));
  if (season < 0) return undefined;
  const rest = word.replace(/^(?:summer|sommer|autumn|herbst|winter)(?:s$|time$)?/u, '');
  return rest === '' || season === 0 ? [season, next] : [season, rest];
}
