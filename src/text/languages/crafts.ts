/** Words of who takes part in a work, by what they do, in English: a film has a director and an editor. */
export const crafts: readonly RegExp[] = [
  /(?<!\p{L})(?:direct(?:s|ed|or|ors|ing|ion)?|films? by)(?!\p{L})/iu,
  /(?<!\p{L})produc(?:e|es|ed|er|ers|ing)(?!\p{L})/iu,
  // the words and the music of a song are often by one person
  /(?<!\p{L})(?:wr(?:ite|ites|ote|itten|iter|iters|iting)|author(?:s|ed)?|screenplay|script|lyrics|lyricist|compos(?:e|es|ed|er|ers|ing)|music|score[ds]?|songs?|novels?|novellas?|books?|poems?|stor(?:y|ies)|essays?|play by|penned|words by)(?!\p{L})/iu,
  /(?<!\p{L})(?:edit(?:s|ed|or|ors|ing)?)(?!\p{L})/iu,
  /(?<!\p{L})(?:cinematograph\p{L}*|photograph\p{L}*|camera|shot|filmed)(?!\p{L})/iu,
  /(?<!\p{L})(?:star(?:s|red|ring)?|cast|act(?:s|ed|or|ors|ress|resses|ing)|portray\p{L}*|featur(?:es|ed|ing))(?!\p{L})/iu,
  /(?<!\p{L})(?:sing|sings|sang|sung|singers?|vocals|perform(?:s|ed|er|ers)?|record(?:s|ed|ing)?|(?:song|single|album|track)s? by)(?!\p{L})/iu,
  /(?<!\p{L})publish(?:es|ed|er|ers|ing)?(?!\p{L})/iu,
  /(?<!\p{L})illustrat(?:e|es|ed|or|ors|ions?)(?!\p{L})/iu,
  /(?<!\p{L})translat(?:e|es|ed|or|ors|ions?)(?!\p{L})/iu,
  /(?<!\p{L})distribut(?:e|es|ed|or|ors|ion)(?!\p{L})/iu,
  /(?<!\p{L})narrat(?:e|es|ed|or|ors|ion)(?!\p{L})/iu,
  /(?<!\p{L})choreograph\p{L}*/iu,
];

/** Asks who took part in a work, and how: `Who edited …`, `Who is the editor of …`. */
export const asksCraft: RegExp =
  /^\W*who (?:(?:is|was|are|were) the (?:\p{L}+ )?(?<noun>\p{L}+) (?:of|for|in)|(?<verb>\p{L}+))(?!\p{L})/iu;
