import { type GuardedPattern, guarded } from '../guarded-pattern.ts';

/** Two things that a question compares, in its words, and the kind of unit in which it does. */
export interface Comparison {
  readonly one: string;
  readonly other: string;
  /** A key of `unitsSaid`; undefined where any difference is asked for. */
  readonly unit: string | undefined;
  /** Which of the two is asked for; undefined where both are. */
  readonly wanted: 'more' | 'less' | undefined;
}

const differences: readonly GuardedPattern[] = [
  /\bdifferences? between (?<one>.+?) and (?<other>[^?]+)$/iu,
  /\bhow (?:do|does|is|are) (?<one>.+?) (?:and|differ(?:ent)? from) (?<other>[^?]+?)(?: differ(?:ent)?)?$/iu,
  /\bcompare (?<one>.+?) (?:and|with|to) (?<other>[^?]+)$/iu,
  /\bchange[sd]?\b.* (?:between|from) (?<one>[\w.-]*\d[\w.-]*) (?:and|to) (?<other>[\w.-]*\d[\w.-]*)$/iu,
  /\bunterschied(?:e)? zwischen (?<one>.+?) und (?<other>[^?]+)$/iu,
  /\bunterscheide(?:n|t) sich (?<one>.+?) (?:und|von) (?<other>[^?]+)$/iu,
  /\bdifférences? entre (?<one>.+?) et (?<other>[^?]+)$/iu,
  /\bdiferencias? entre (?<one>.+?) y (?<other>[^?]+)$/iu,
  /\bdifferenz[ae] (?:fra|tra) (?<one>.+?) e (?<other>[^?]+)$/iu,
].map(guarded);

/** Tells two things apart in one sentence. */
export const tellsApart: RegExp =
  /(?<!\p{L})(?:differ(?:s|ed|ence|ences)?|unlike|whereas|while|in contrast|as opposed to|instead of|rather than|unterschied(?:e|en)?|unterscheide(?:t|n)|während|im gegensatz|dagegen|différences?|diffèrent?|tandis que|alors que|contrairement|diferencias?|mientras que|a diferencia|differenz[ae]|mentre|a differenza)(?!\p{L})/iu;

/** `Which is heavier, the crane or the winch?`, `Is the crane heavier than the winch?` */
const choices: readonly GuardedPattern[] = [
  /^\P{L}*(?:which|what|who|welche[rsmn]?|was|wer|quel(?:le)?s?|qu[eé]|cuál)(?!\p{L})(?<asked>[^,:?]+)[,:]\s*(?<one>[^?]+?) (?:or|oder|ou|o) (?<other>[^?]+)$/iu,
  /^\P{L}*(?:is|are|does|do|ist|sind) (?<one>.+?) (?<asked>(?:cost(?:s)? (?:more|less)|weighs? (?:more|less)|(?:more|less) \p{L}+|\p{L}+er)) (?:than|als) (?<other>[^?]+)$/iu,
].map(guarded);

const units: readonly (readonly [string, RegExp])[] = [
  [
    'money',
    /\b(?:cheaper|dearer|(?:more|less) expensive|costs? (?:more|less)|billiger|teurer|günstiger|moins chère?|plus chère?|más bara\p{L}+|más car\p{L}+)(?!\p{L})/iu,
  ],
  [
    'mass',
    /\b(?:heavier|lighter|weighs? (?:more|less)|schwerer|leichter|plus lourde?|plus légère?|más pesad\p{L}+)(?!\p{L})/iu,
  ],
  [
    'time',
    /\b(?!(?:is|are|was|were|ist|sind)\b)\p{L}+ (?:longer|länger|less time|le plus longtemps|más tiempo)(?!\p{L})/iu,
  ],
  ['length', /\b(?:longer|shorter|taller|higher|deeper|wider|höher|tiefer|breiter)\b/iu],
  ['speed', /\b(?:faster|slower|schneller|langsamer)\b/iu],
];

const less =
  /(?<!\p{L})(?:less|cheaper|lighter|shorter|slower|lower|smaller|billiger|günstiger|leichter|kürzer|niedriger|langsamer|moins|plus légère?s?|menos|más bara\p{L}+|meno)(?!\p{L})/iu;

/** `the noise of` before the first of two things; a name has a capital there. */
const aspect = /^the \p{Ll}{2,20}(?: \p{Ll}{2,20})? of (?:the )?(?=\p{Lu}|\p{N})/u;

/** The comparison in a question; undefined where there is none, or where no text can be looked up for it. */
export function comparisonIn(question: string): Comparison | undefined {
  const bare = question.replace(/[\s?]+$/u, '');
  for (const pattern of differences) {
    const groups = pattern.exec(bare)?.groups;
    if (groups)
      return { one: groups.one!.replace(aspect, ''), other: groups.other!, unit: undefined, wanted: undefined };
  }
  for (const pattern of choices) {
    const groups = pattern.exec(bare)?.groups;
    const unit = groups && units.find(([, asks]) => asks.test(groups.asked!))?.[0];
    if (groups && unit !== undefined) {
      const wanted = less.test(groups.asked!) ? 'less' : 'more';
      return { one: groups.one!, other: groups.other!, unit, wanted };
    }
  }
  return undefined;
}

const more =
  '(?:more|less|fewer|better|worse|louder|quieter|heavier|lighter|bigger|larger|smaller|faster|slower|cheaper|dearer|longer|shorter|higher|lower|older|younger|newer|stronger|weaker|warmer|colder|hotter|wider|deeper|taller|mehr|weniger|besser|schlechter|lauter|leiser|schwerer|leichter|größer|kleiner|schneller|langsamer|billiger|teurer|länger|kürzer|höher|tiefer|älter|jünger|neuer|stärker|schwächer|wärmer|kälter)';
/** Asks which of several has more of something, without naming them, in English and German. */
export const asksWhichIsMore: RegExp = new RegExp(
  `^\\W*(?:which|welche[rs]?)(?! (?:of|von)\\b)(?: \\p{L}+){1,2} (?:is|are|was|were|ist|sind|war|waren) (?:the |der |die |das )?${more}\\W*$`,
  'iu',
);
/** Compares, or says the most of something. */
export const saysMore: RegExp = new RegExp(
  `(?<!\\p{L})(?:${more}|than|most|least|\\p{L}{2,}est|als|am \\p{L}+sten|\\p{L}+ste[nrs]?)(?!\\p{L})`,
  'iu',
);
