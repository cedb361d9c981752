import { GuardedPattern } from '../guarded-pattern.ts';

/** Two things of which a question asks the same. */
export interface ThingsCompared {
  readonly one: string;
  readonly other: string;
  /** What is asked of one of them, in several wordings, the likeliest first. */
  asks(thing: string): readonly string[];
  /** Whether the one with the earlier date or the smaller number is meant, or the other one; undefined for both. */
  readonly wanted: 'least' | 'most' | undefined;
  /** What is compared: numbers of one unit are amounts, those of things that are counted need none. */
  readonly by: 'date' | 'count' | 'amount';
}

type Groups = Readonly<Record<string, string | undefined>>;

interface Form {
  /** With the things in the groups `one` and `other`, and what makes the smaller one meant in `least`. */
  readonly pattern: GuardedPattern;
  /** What is asked of a thing. */
  readonly about: (thing: string, groups: Groups) => readonly string[];
  /** Both are meant; `names`: as long as they are names, since `before the fire` compares nothing. */
  readonly of?: 'both' | 'names';
}

const which = String.raw`(?:which|who|what)(?: \p{L}[\p{L}-]*){0,3}?`;
const first = 'first|earlier|earliest|sooner|before the other';
const last = 'last|later|latest|more recently|most recently';
const or = String.raw`[,:]? (?<one>\S.*?) or (?<other>.+)`;
const and = String.raw`(?<one>\S.*?) and (?<other>\S.*?)`;
const form = (source: string, about: Form['about'], of?: Form['of']): Form => ({
  pattern: new GuardedPattern(`^${source}$`, 'iu'),
  about,
  ...(of ? { of } : {}),
});

/** What is asked of one thing, by the word that compares two. */
const extents: Readonly<Record<string, string>> = {
  ...{ longer: 'long', shorter: 'long', taller: 'tall', higher: 'high', deeper: 'deep', wider: 'wide' },
  ...{ heavier: 'heavy', lighter: 'heavy', larger: 'large', bigger: 'large', smaller: 'large' },
  ...{ länger: 'lang', kürzer: 'lang', höher: 'hoch', tiefer: 'tief', breiter: 'breit' },
  ...{ schwerer: 'schwer', leichter: 'schwer', größer: 'groß', kleiner: 'groß' },
  ...{ longue: 'longueur', long: 'longueur', haut: 'hauteur', haute: 'hauteur', profond: 'profondeur' },
  ...{ profonde: 'profondeur', large: 'largeur', lourd: 'masse', lourde: 'masse' },
  ...{ largo: 'longitud', larga: 'longitud', alto: 'altura', alta: 'altura', profundo: 'profundidad' },
  ...{ profunda: 'profundidad', ancho: 'anchura', ancha: 'anchura' },
};
const extent = (way: string | undefined): string => extents[way!.toLowerCase()]!;

const bornWhen = (thing: string): string[] => [`When was ${thing} born?`];
const bornOrBegun = (thing: string): string[] => [
  ...bornWhen(thing),
  ...['founded', 'built', 'released'].map((verb) => `When was ${thing} ${verb}?`),
];
const begun = ['founded', 'established', 'built', 'opened'];
const begunWhen = (thing: string, verb: string): string[] =>
  [verb, ...(begun.includes(verb) ? begun.filter((one) => one !== verb) : [])].map(
    (one) => `When was ${thing} ${one}?`,
  );
const people = /^(?:inhabitants|people|residents)$/iu;
const countOf = (thing: string, noun: string): string[] => [
  `How many ${noun} does ${thing} have?`,
  ...(people.test(noun) ? [`What is the population of ${thing}?`] : []),
];
const extentOf = (thing: string, way: string | undefined): string[] => [
  `How ${extent(way)} is ${thing}?`,
  ...(extent(way) === 'long' ? [`How long does ${thing} run?`] : []),
  ...(extent(way) === 'large' ? [`What is the population of ${thing}?`] : []),
];
const isWhat = (thing: string): string[] => [`Who is ${thing}?`, `What is ${thing}?`];

const english: readonly Form[] = [
  form(`who (?:is|was) (?:the )?(?:(?<least>older|elder|oldest)|younger|youngest)(?: one)?${or}`, bornWhen),
  form(`${which} (?:is|was) (?:the )?(?:(?<least>older|elder|oldest)|younger|newer)(?: one)?${or}`, bornOrBegun),
  form(`${which} (?:is|was|were) born (?:(?<least>${first})|${last})${or}`, bornWhen),
  form(`${which} died (?:(?<least>${first})|${last})${or}`, (thing) => [`When did ${thing} die?`]),
  form(`${which} (?:came out|appeared|was out) (?:(?<least>${first})|${last})${or}`, (thing) => [
    `When was ${thing} released?`,
    `When was ${thing} published?`,
  ]),
  form(
    String.raw`${which} (?:was |were )?(?<verb>\p{L}{2,}(?:ed|en|un|lt|ld|rn)) (?:(?<least>${first})|${last})${or}`,
    (thing, { verb }) => begunWhen(thing, verb!),
  ),
  form(
    String.raw`${which} (?:was|were) (?:(?<least>first)|last) (?<verb>\p{L}{2,}(?:ed|en|un|lt|ld|rn))${or}`,
    (thing, { verb }) => begunWhen(thing, verb!),
  ),
  form(
    `${which} (?:is|was) (?:the )?(?<way>longer|taller|higher|deeper|wider|heavier|larger|bigger|(?<least>shorter|lighter|smaller))(?: one)?${or}`,
    (thing, { way }) => extentOf(thing, way),
  ),
  form(
    String.raw`${which} (?:has|have|had) (?:more|most|the most|(?<least>fewer|fewest|the fewest|less)) (?<noun>\p{L}[^,:]{0,60})[,:] (?<one>\S.*?) or (?<other>.+)`,
    (thing, { noun }) => countOf(thing, noun!),
  ),
  form(
    String.raw`${which} (?:has|have|had) (?:a|the) (?:larger|largest|higher|highest|greater|bigger|longer|(?<least>smaller|smallest|lower|lowest|shorter)) (?<noun>\p{L}[^,:]{0,60})[,:] (?<one>\S.*?) or (?<other>.+)`,
    (thing, { noun }) => [
      `What is the ${noun} of ${thing}?`,
      ...(noun === 'population' ? [`How many inhabitants does ${thing} have?`] : []),
    ],
  ),
  form(
    String.raw`(?:was|were|is|are) (?<one>\S.*?) (?<verb>\p{L}{2,}(?:ed|en|un|lt|rn)) (?:before|after|earlier than|later than) (?<other>.+)`,
    (thing, { verb }) => begunWhen(thing, verb!),
    'names',
  ),
  form(
    String.raw`did (?<one>\S.*?) die (?:before|after|earlier than|later than) (?<other>.+)`,
    (thing) => [`When did ${thing} die?`],
    'names',
  ),
  form(String.raw`(?:was|is) (?<one>\S.*?) (?:older|younger) than (?<other>.+)`, bornOrBegun, 'names'),
  form(
    `(?:was|is|are) (?<one>\\S.*?) (?<way>longer|shorter|taller|higher|deeper|wider|heavier|lighter|larger|bigger|smaller) than (?<other>.+)`,
    (thing, { way }) => extentOf(thing, way),
    'names',
  ),
  form(
    String.raw`(?:does|do|did) (?<one>\S.*?) have (?:more|fewer) (?<noun>\p{L}[^,:]{0,60}) than (?<other>.+)`,
    (thing, { noun }) => countOf(thing, noun!),
    'names',
  ),
  // whose director is older, or died first
  form(
    String.raw`${which} (?:has|have|had|with) (?:a|the) (?<role>\p{L}+) (?:(?:who|that|which) )?(?:is|was) (?:(?<least>older|elder|born (?:first|earlier))|younger|born (?:last|later))${or}`,
    (thing, { role }) => [`When was the ${role} of ${thing} born?`],
  ),
  form(
    String.raw`${which} (?:has|have|had|with) (?:a|the) (?<role>\p{L}+) (?:who|that) died (?:(?<least>first|earlier)|last|later)${or}`,
    (thing, { role }) => [`When did the ${role} of ${thing} die?`],
  ),
  form(
    `(?:are|were|is|was|do|did) (?:both )?${and} (?:both )?(?:come )?(?:from the same country|of the same nationality|(?:have|has|share) the same nationality)`,
    (thing) => [`What nationality is ${thing}?`, ...isWhat(thing)],
    'both',
  ),
  form(
    `(?:are|were|is|was) (?:both )?${and} born in the same (?:year|month|decade|century)`,
    (thing) => bornWhen(thing),
    'both',
  ),
  form(
    `(?:are|were|is|was) (?:both )?${and} born in the same (?:city|town|country|state|place|village)`,
    (thing) => [`Where was ${thing} born?`],
    'both',
  ),
  form(`did (?:both )?${and} die in the same (?:year|month|decade)`, (thing) => [`When did ${thing} die?`], 'both'),
  form(
    String.raw`(?:are|were|is|was) (?:both )?${and} (?<verb>\p{L}{2,}(?:ed|en|un|lt)) in the same (?:year|month|decade)`,
    (thing, { verb }) => begunWhen(thing, verb!),
    'both',
  ),
  form(
    `(?:are|were|is|was) (?:both )?${and} (?:both )?(?:located |situated )?in the same (?:city|town|country|state|region|county)`,
    (thing) => [`Where is ${thing}?`, ...isWhat(thing)],
    'both',
  ),
  form(
    String.raw`(?:do|does|did) (?:both )?${and} (?:have|share) the same (?<noun>\p{L}[\p{L} -]{1,40})`,
    (thing, { noun }) => [`What is the ${noun} of ${thing}?`, `Who is the ${noun} of ${thing}?`],
    'both',
  ),
  form(
    String.raw`(?:do|did) (?:both )?${and} (?<verb>(?!have|share|come|die)\p{L}+)(?: (?:in|at|on|for|to))? the same (?<noun>\p{L}[\p{L} -]{1,40})`,
    (thing, { verb, noun }) => [`Which ${noun} does ${thing} ${verb}?`, `What is the ${noun} of ${thing}?`],
    'both',
  ),
  form(`(?:are|were|is|was) ${and} both .+`, isWhat, 'both'),
  form(`(?:are|were|is|was) both ${and} (?:an?|in|from|located|\\p{L}+s) .+`, isWhat, 'both'),
  form(`what (?:do|did) ${and} (?:both )?have in common`, isWhat, 'both'),
];

/** `Of A and B, which is older`, `Which of A and B is older`, `Which is older between A and B`: as `Which is older, A or B`. */
const wordings: readonly (readonly [RegExp, string])[] = [
  [/^(?:between|of) (.+?) and (.+?), ((?:which|who|what) .+)$/iu, '$3, $1 or $2'],
  [/^(which|who) of (.+?) and (.+?) ((?:is|was|were|has|had|died|came) .+)$/iu, '$1 $4, $2 or $3'],
  [/^((?:which|who|what) .+?) between (.+?) and (.+)$/iu, '$1, $2 or $3'],
];

const oder = String.raw`[,:]? (?<one>\S.*?) oder (?<other>.+)`;
const wer = String.raw`(?:wer|was|welche[rs]?)(?: \p{L}[\p{L}-]*)?`;
const german: readonly Form[] = [
  form(`${wer} ist (?:(?<least>älter)|jünger)${oder}`, (thing) => [
    `Wann wurde ${thing} geboren?`,
    `Wann wurde ${thing} gegründet?`,
    `Wann wurde ${thing} gebaut?`,
  ]),
  form(
    `${wer} wurde (?:(?<least>zuerst|früher|eher)|später|zuletzt) (?<verb>ge\\p{L}+t|ge\\p{L}+en|\\p{L}+iert|er\\p{L}+t|ver\\p{L}+t|er\\p{L}+en)${oder}`,
    (thing, { verb }) => [`Wann wurde ${thing} ${verb}?`],
  ),
  form(`${wer} (?:starb|ist) (?:(?<least>zuerst|früher|eher)|später|zuletzt)(?: gestorben)?${oder}`, (thing) => [
    `Wann starb ${thing}?`,
  ]),
  form(`${wer} (?:erschien|kam) (?:(?<least>zuerst|früher|eher)|später|zuletzt)(?: heraus)?${oder}`, (thing) => [
    `Wann erschien ${thing}?`,
  ]),
  form(
    `${wer} ist (?<way>länger|höher|tiefer|breiter|schwerer|größer|(?<least>kürzer|leichter|kleiner))${oder}`,
    (thing, { way }) => [`Wie ${extent(way)} ist ${thing}?`],
  ),
  form(
    String.raw`${wer} hat (?:mehr|(?<least>weniger)) (?<noun>\p{L}[^,:]{0,60}), (?<one>\S.*?) oder (?<other>.+)`,
    (thing, { noun }) => [`Wie viele ${noun} hat ${thing}?`],
  ),
  form(
    String.raw`ist (?<one>\S.*?) (?<way>länger|höher|tiefer|breiter|schwerer|größer|kürzer|leichter|kleiner) als (?<other>.+)`,
    (thing, { way }) => [`Wie ${extent(way)} ist ${thing}?`],
    'names',
  ),
  form(
    String.raw`ist (?<one>\S.*?) (?:älter|jünger) als (?<other>.+)`,
    (thing) => [`Wann wurde ${thing} geboren?`, `Wann wurde ${thing} gegründet?`],
    'names',
  ),
  form(
    String.raw`(?:sind|wurden) (?<one>\S.*?) und (?<other>\S.*?) im (?:selben|gleichen) jahr geboren(?: worden)?`,
    (thing) => [`Wann wurde ${thing} geboren?`],
    'both',
  ),
  form(
    String.raw`(?:sind|waren) (?<one>\S.*?) und (?<other>\S.*?) beide .+`,
    (thing) => [`Wer ist ${thing}?`, `Was ist ${thing}?`],
    'both',
  ),
  form(
    String.raw`was haben (?<one>\S.*?) und (?<other>\S.*?) gemeinsam`,
    (thing) => [`Was ist ${thing}?`, `Wer ist ${thing}?`],
    'both',
  ),
];
const ou = String.raw`[,:]? (?<one>\S.*?) ou (?<other>.+)`;
const qui = String.raw`(?:qui|quel(?:le)?(?: \p{L}+)?)`;
const french: readonly Form[] = [
  form(`${qui} est (?:(?<least>le plus âgé|la plus âgée|l['’]aînée?)|le plus jeune|la plus jeune)${ou}`, (thing) => [
    `Quand est né ${thing} ?`,
    `Quand est née ${thing} ?`,
  ]),
  form(
    `${qui} est (?<verb>née?|morte?|sortie?|parue?) (?:(?<least>en premier|avant l['’]autre|plus tôt)|en dernier|plus tard)${ou}`,
    (thing, { verb }) => [`Quand est ${verb} ${thing} ?`],
  ),
  form(`${qui} est (?:le |la )?plus (?<way>longue?|haute?|profonde?|large|lourde?)${ou}`, (thing, { way }) => [
    `Quelle est la ${extent(way)} de ${thing} ?`,
  ]),
];
const o = String.raw`[,:]? (?<one>\S.*?) [ou] (?<other>.+)`;
const quien = String.raw`(?:quién|quien|qué \p{L}+|cuál)`;
const spanish: readonly Form[] = [
  form(`${quien} es (?:(?<least>mayor|más viejo|más vieja)|más joven|menor)${o}`, (thing) => [
    `¿Cuándo nació ${thing}?`,
  ]),
  form(
    `${quien} (?<verb>nació|murió|se estrenó|se publicó|se fundó) (?:(?<least>primero|antes)|después|más tarde)${o}`,
    (thing, { verb }) => [`¿Cuándo ${verb} ${thing}?`],
  ),
  form(`${quien} es más (?<way>larg[oa]|alt[oa]|profund[oa]|anch[oa])${o}`, (thing, { way }) => [
    `¿Cuál es la ${extent(way)} de ${thing}?`,
  ]),
];
const forms: readonly Form[] = [...english, ...german, ...french, ...spanish];
const mostWords = 12;
const asksWhen = /^\P{L}*(?:when|wann|quand|cuándo)(?!\p{L})/iu;

const isName = (thing: string): boolean =>
  /\p{Lu}/u.test(thing) && !/^(?:an?|eine?[mnrs]?|\p{N})(?!\p{L})/iu.test(thing);

/** `the directors of A` and `B`, as `the director of A` and `the director of B` */
function ofEach(one: string, other: string): [string, string] {
  const groups = /^(?:the )?(?<role>\p{L}{3,})s of (?:both )?(?<thing>.+)$/u.exec(one)?.groups;
  return groups ? [`the ${groups.role} of ${groups.thing}`, `the ${groups.role} of ${other}`] : [one, other];
}

/** The two things that a question compares by a date, an extent or what both are; undefined for other questions. */
export function thingsCompared(question: string): ThingsCompared | undefined {
  const bare = question.replace(/[\s?？!.]+$/u, '').replace(/^[\s¿]+/u, '');
  const asked = wordings.reduce((said, [pattern, by]) => said.replace(pattern, by), bare);
  for (const { pattern, about, of } of forms) {
    const groups = pattern.exec(asked)?.groups;
    if (groups === undefined) continue;
    const [one, other] = ofEach(groups.one!.trim(), groups.other!.trim());
    if ([one, other].some((name) => name.split(' ').length > mostWords)) return undefined;
    if (of === 'names' && ![one, other].every(isName)) continue;
    const wanted = of ? undefined : groups.least === undefined ? 'most' : 'least';
    const by = asksWhen.test(about(one, groups)[0]!) ? 'date' : groups.noun === undefined ? 'amount' : 'count';
    return { one, other, asks: (thing) => about(thing, groups), wanted, by };
  }
  return undefined;
}
