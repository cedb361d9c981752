/** Asks when something came to be, by whatever word. English. */
export const asksBeginning: RegExp =
  /\bwhen (?:did|do|does|will|is|are|was|were|has|had)\b.*\b(?:beg[iau]ns?|starts?|started|beginning|starting|come into (?:being|existence)|founded|created|established|launched|set up|formed|open(?:ed)?|com(?:e|ing) out|came out|released|published|issued)\W*$/iu;

/** Of what there may be several: `When was the first version released?` */
export const asksIssue: RegExp = /\b(?:com(?:e|ing) out|came out|released|published|issued)\b/iu;

/** Asks for a beginning to come, or one that comes again. */
export const asksNextBeginning: RegExp = /\bwhen (?:do|does|will|is|are)\b/iu;

/** Tells that something came to be, not what it began to do. */
export const saysBeginning: RegExp =
  /\b(?:(?:was|were|been) (?:first )?(?:begun|started|founded|created|established|launched|set up|formed|opened|released|published|issued)|(?:began|started|opened|came (?:into (?:being|existence)|out)) (?:in|on|as|at|with))\b|\b(?:goes|go) back to\b|\bdates? (?:back )?(?:to|from)\b/iu;

/** Tells from when on something will be or is, again and again. */
export const saysNextBeginning: RegExp =
  /\b(?:begins?|starts?|opens?|runs?|lasts?|takes? place) (?:in|on|at|with|from)\b/iu;

/** Words that ask for the beginning, of which an answer may have another one. */
export const beginningWord: RegExp =
  /^(?:beg[iau]ns?|starts?|started|beginning|starting|come|being|existence|founded|created|established|launched|set|formed|open(?:ed)?|com(?:e|ing)|came|out|released|published|issued|first|originally)$/iu;

const begins = 'began|started|founded|created|established|launched|set up|formed|initiated|invented';

/** Asks who began something, by whatever word. English. */
export const asksBeginner: RegExp = new RegExp(
  `^\\W*who (?:(?:first|originally) )?(?:${begins})\\b|^\\W*who (?:is|was|are|were) the (?:founder|creator|inventor|originator)s? of\\b`,
  'iu',
);

/** Words by which that is asked. */
export const beginnerWord: RegExp = /^(?:founders?|creators?|inventors?|originators?|up|originally)$/iu;

/** Tells who began something: the last word of a name stands in the group `by`, `who` or `founder`. */
export const saysBeginner: RegExp = new RegExp(
  `(?<!\\p{L})(?:begun|${begins}) by (?:\\p{Ll}+ ){0,6}(?<by>\\p{Lu}[\\p{L}’'.-]+)|(?<who>\\p{Lu}[\\p{L}’'-]+)(?:,[^,.;]{1,80},)? (?:first |then |had |also |later |officially )?(?:${begins})(?!\\p{L})|(?<founder>\\p{Lu}[\\p{L}’'-]+),? (?:the|was the|is the|as the) (?:\\p{Ll}+ ){0,2}(?:founder|creator|inventor|originator) of(?!\\p{L})`,
  'gu',
);

/** Asks from when on something is valid, in English and German. */
export const asksValidity: RegExp =
  /\bwhen (?:did|do|does|will|is|are|was|were)\b.*\b(?:appl(?:y|ies)|valid|effective|take effect|in force|(?:come|enter) into (?:force|effect))\b(?: from)?\W*$|\b(?:ab|seit) wann (?:gilt|gelten)\b|\bwann (?:tritt|treten)\b/iu;
/** Says from when on something is valid. */
export const saysValidity: RegExp =
  /\b(?:valid|effective|in (?:force|effect)|appl(?:y|ies|icable)|takes? effect|(?:comes?|enters?) into (?:force|effect))\b[^.;]{0,20}\b(?:from|on|as of|since|at)\b|(?<!\p{L})(?:gültig|gilt|gelten)\b[^.;]{0,20}\b(?:ab|seit|vom)\b|(?<!\p{L})tr(?:itt|eten) am\b/iu;
/** Words of what asks so. */
export const validityWord: RegExp =
  /^(?:appl(?:y|ies)|valid|effective|take|effect|force|come|enter|into|gilt|gelten|gültig|tritt|treten|kraft)$/iu;
