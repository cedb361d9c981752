const when = '(?:when|(?:in |on )?(?:what|which) (?:year|day|date))';
const where = '(?:where|in (?:what|which) (?:town|city|village|place))';
const born = '(?:born|birth|geboren|né|née|nacid?[oa]|nació|nat[oa])';
const died = '(?:die[ds]?|death|gestorben|starb|mort|morte|mourut|murió|morì|morreu)';
/** Asks when or where somebody was born (group `birth`) or died; groups `place` and `ort` where a place is asked for. */
export const asksLife: RegExp = new RegExp(
  `^\\W*(?:${when}|(?<place>${where})|wann|quand|cuándo|quando|(?<ort>wo|où|dónde|dove|onde))(?!\\p{L})[^?]*(?<!\\p{L})(?:(?<birth>${born})|${died})(?!\\p{L})`,
  'iu',
);
/** With a name, all that such a question says: `When did the wife of Ann Moor die?` is about somebody else. */
export const lifeWord: RegExp = new RegExp(`^(?:${born}|${died}|year|day|date|town|city|village|place)$`, 'iu');

/** `(born 4 May 1961 in Haven` */
export const birthIn: RegExp =
  /\((?:born|b\.|geboren|geb\.|née?|nacid[oa]|nat[oa]|nascid[oa]|\*)\s[^()]*\p{N}{3,4}[^()]*/iu;

/** A place, in a text between brackets. */
export const namesPlace: RegExp = /(?:(?<!\p{L})(?:in|at|near|zu|bei|à|en|a|em)\s+|,\s*)\p{Lu}/u;

/** `Place of birth: Haven` */
export const birthPlace: RegExp =
  /(?<!\p{L})(?:(?:[Pp]lace of [Bb]irth|[Bb]irthplace)|[Gg]eburtsort|[Ll]ieu de naissance|[Ll]ugar de nacimiento|[Ll]uogo di nascita|[Ll]ocal de nascimento)[:\s|–-]+\p{Lu}/u;

/** Asks about a birth or an age. */
export const asksBirth: RegExp =
  /(?<!\p{L})(?:born|birth\p{L}*|old|age|geboren|geburt\p{L}*|alt|alter|née?s?|naissance|naître|naquit|âge|nacid?[oa]s?|nació|nacimiento|edad|nat[oaie]|nacque|nascita|età|nasc\p{L}*|idade)(?!\p{L})/iu;

/** `born in Haven on 4 May 1961` */
export const bornThen: RegExp = new RegExp(
  `(?<!\\p{L})${born}(?!\\p{L})[^;()\\p{N}]{0,60}(?:\\p{N}{1,2}[^;()\\p{N}]{1,20})?(?:1\\p{N}|20)\\p{N}\\p{N}(?!\\p{N})`,
  'giu',
);

/** Asks when or where somebody was born, or how old somebody is, in English, German, French and Spanish. */
export const asksOwnBirth: RegExp =
  /^\W*(?:(?:when|where|in (?:what|which) (?:year|town|city|village|place|country)) (?:was|were|is) [^?]{1,80} born(?=\W*$| (?:and|at|in|on|to)\b)|(?:wann|wo) (?:ist|wurde) [^?]{1,80} geboren\b|(?:quand|où) est née? |(?:cuándo|dónde) nació )/iu;

/** A text that says something of a birth: a word for it, or the years of a life in brackets. */
export const saysBirth: RegExp = new RegExp(
  `(?<!\\p{L})(?:${born}|births?|birth(?:place|day|date)|b\\.|geb\\.|geburts\\p{L}+|natives?|bapti[sz]ed|christened|getauft|baptisée?|naissance|nacimiento)(?!\\p{L})|\\([^()]{0,80}?\\p{N}{3}[^()]{0,60}?(?:[–—-]|\\p{N}{4})|\\*\\s?\\p{N}`,
  'iu',
);

/** Asks when or where somebody died, in the same languages. */
export const asksOwnDeath: RegExp =
  /^\W*(?:(?:when|where|in (?:what|which) (?:year|town|city|village|place|country)) did [^?]{1,80} die(?=\W*$)|(?:wann|wo) (?:starb|verstarb|ist [^?]{1,80} (?:ver|ge)storben)(?!\p{L})|(?:quand|où) est morte? |(?:cuándo|dónde) murió )/iu;

/** A text that says something of a death: a word for it, or the years of a life in brackets. */
export const saysDeath: RegExp = new RegExp(
  `(?<!\\p{L})(?:${died}|dead|dying|deaths|d\\.|gest\\.|passed away|perished|lost (?:his|her|their) li(?:fe|ves)|(?:kill|murder|execut|hanged|shot|drown|assassin|behead|suicide|verstarb|verstorben|ermordet|hingericht|getötet|ertr[au]nk|tod(?:es)?|tot|décéd|décès|tuée?|fallec|muerte|muert[oa]|uccis|ucciso|decedut)\\p{L}*)(?!\\p{L})|†|\\([^()]{0,80}?\\p{N}{3}[^()]{0,60}?(?:[–—-]|\\p{N}{4})`,
  'iu',
);

/** All that a sentence says which only tells that somebody was born or died, beside names, numbers and function words. */
export const lifeEventWord: RegExp = new RegExp(
  `^(?:${born}|${died}|passed|away|aged?|years?|old|late|early|alt|jahren?)$`,
  'iu',
);

/** Asks about a life, its time or its end. */
export const asksOfLife: RegExp =
  /(?<!\p{L})(?:born|birth\p{L}*|old|age|died?|dying|death|dead|liv(?:e[ds]?|ing)|life|kill\p{L}*|happen\p{L}*|become|became|alive|who|geboren|geburt\p{L}*|alt|alter|gestorben|starb|tod|tot|leb\p{L}*|wer)(?!\p{L})/iu;

/** Asks how or of what somebody died. */
export const asksHowDied: RegExp =
  /^\W*(?:how (?:did|does) [^?]{1,80} die\b(?! out\b)|what did [^?]{1,80} die (?:of|from)\b|(?:wie|woran|wodurch) (?:starb|verstarb|ist [^?]{1,80} (?:ver|ge)storben)(?!\p{L}))/iu;

/** What somebody died of, or by whom: behind the word for it, or in a word that says both. */
export const saysHowDied: RegExp =
  /(?<!\p{L})(?:die[ds]?|dying|death|passed away|perished|starb|verstarb|Tod|gestorben)(?!\p{L})[^.;]{0,60}?(?<!\p{L})(?:of|from|by|after|following|when|while|during|because|due|through|trying|battle|an|durch|nach|als|bei|während)(?!\p{L})|(?<!\p{L})(?:kill|murder|execut|hanged|shot|drown|assassin|behead|poison|suicide|crash|accident|cancer|illness|disease|stroke|attack|fever|tuberculosis|pneumonia|wound|complication|overdos|burn|starv|struck|stabbed|guillotin|caus|ermordet|hingericht|erschoss|getötet|ertrank|ertrunken|unfall|krebs|krankheit)/iu;
