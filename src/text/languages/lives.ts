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
