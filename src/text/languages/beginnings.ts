/** Asks when something came to be, by whatever word. English. */
export const asksBeginning: RegExp =
  /\bwhen (?:did|do|does|will|is|are|was|were|has|had)\b.*\b(?:beg[iau]ns?|starts?|started|beginning|starting|come into (?:being|existence)|founded|created|established|launched|set up|formed|open(?:ed)?)\W*$/iu;

/** Asks for a beginning to come, or one that comes again. */
export const asksNextBeginning: RegExp = /\bwhen (?:do|does|will|is|are)\b/iu;

/** Tells that something came to be, not what it began to do. */
export const saysBeginning: RegExp =
  /\b(?:(?:was|were|been) (?:first )?(?:begun|started|founded|created|established|launched|set up|formed|opened)|(?:began|started|opened|came into (?:being|existence)) (?:in|on|as|at|with))\b|\b(?:goes|go) back to\b|\bdates? (?:back )?(?:to|from)\b/iu;

/** Tells from when on something will be or is, again and again. */
export const saysNextBeginning: RegExp =
  /\b(?:begins?|starts?|opens?|runs?|lasts?|takes? place) (?:in|on|at|with|from)\b/iu;

/** Words that ask for the beginning, of which an answer may have another one. */
export const beginningWord: RegExp =
  /^(?:beg[iau]ns?|starts?|started|beginning|starting|come|being|existence|founded|created|established|launched|set|formed|open(?:ed)?|first|originally)$/iu;
