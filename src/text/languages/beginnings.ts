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

/** Asks when something came to its end, in English, German, French and Spanish. */
export const asksEnding: RegExp =
  /\bwhen (?:did|do|does|will|is|are|was|were)\b.*(?<!\p{L})(?:close|closed|end|ended|cease|fold|disband|disbanded|dissolve|dissolved|abolished|demolished|discontinued|shut|shut down|close down|closed down|go out of business|finish)\W*$|(?<!\p{L})wann (?:endete|schloss)(?!\p{L})|(?<!\p{L})wann wurden?\b.* (?:geschlossen|eingestellt|aufgelöst|abgerissen|stillgelegt)\W*$|(?<!\p{L})quand (?:a|est|ont)\b.* (?:fermé|pris fin|cessé|disparu)e?s?\W*$|(?<!\p{L})cuándo (?:cerró|terminó|acabó|desapareció)(?!\p{L})/iu;
/** Tells that something came to be, or only what it began as. */
export const tellsBeginning: RegExp =
  /(?<!\p{L})(?:founded|established|opened|published|started|launched|built|released|formed|created|introduced|began|begun|inaugurated|commissioned|gegründet|eröffnet|gebaut|erschien|fondée?s?|ouverte?s?|fundad[oa]s?|inaugurad[oa]s?)(?!\p{L})/iu;
/** Tells of an end, or of a time from one year to another. */
export const tellsEnding: RegExp =
  /(?<!\p{L})(?:clos(?:e[ds]?|ing|ure)|end(?:s|ed|ing)?|ceas\p{L}+|fold(?:s|ed)|disband\p{L}*|dissol\p{L}+|abolish\p{L}*|demoli\p{L}+|discontinu\p{L}+|shut|until|till|through|finish\p{L}*|last(?:ed|s)?|defunct|bankrupt\p{L}*|merged|expire[ds]?|over|geschlossen|schloss|bis|end(?:e|ete)|eingestellt|aufgelöst|abgerissen|stillgelegt|ferm\p{L}+|fin|jusqu\p{L}*|cess\p{L}+|cerr\p{L}+|termin\p{L}+|acab\p{L}+|hasta)(?!\p{L})|\p{N}{4}\s?[–—-]\s?\p{N}{2,4}|(?<!\p{L})(?:to|à|al?) \p{N}{4}/iu;
