/** Asks when something came to be, by whatever word. English. */
export const asksBeginning: RegExp =
  /\bwhen (?:did|was|were|has|had)\b.*\b(?:beg[iau]n|start(?:ed)?|come into (?:being|existence)|founded|created|established|launched|set up|formed|open(?:ed)?)\W*$/iu;

/** Tells that something came to be, not what it began to do. */
export const saysBeginning: RegExp =
  /\b(?:(?:was|were|been) (?:first )?(?:begun|started|founded|created|established|launched|set up|formed|opened)|(?:began|started|opened|came into (?:being|existence)) (?:in|on|as|at|with))\b|\b(?:goes|go) back to\b|\bdates? (?:back )?(?:to|from)\b/iu;

/** Words that ask for the beginning, of which an answer may have another one. */
export const beginningWord: RegExp =
  /^(?:beg[iau]n|start(?:ed)?|come|being|existence|founded|created|established|launched|set|formed|open(?:ed)?|first|originally)$/iu;
