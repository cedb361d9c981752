/*
 * Words before a number or a time that ask for the rows beyond it, each at the end of what stands before; in English,
 * German, French and Spanish.
 */
const before = (list: string): RegExp => new RegExp(`(?<!\\p{L})(?:${list})\\s+(?:the |dem |den |le |la |el )?$`, 'iu');

const comparing = (words: string, than: string): string => `(?:${words}) ${than}`;

/** `less than`, `under` */
export const belowAmount: RegExp = before(
  [
    'under|below|inferior to',
    comparing('less|fewer|cheaper|lower|smaller|shorter|narrower|lighter|younger|slower', 'than'),
    `unter|${comparing('weniger|billiger|günstiger|niedriger|kleiner|kürzer|leichter|jünger|langsamer', 'als')}`,
    "moins d(?:e|['’])|moins cher(?:s|es)? que|inférieure?s? à|sous",
    'menos de|menor(?:es)? (?:de|que)|inferior(?:es)? a|más barat[oa]s? (?:de|que)',
  ].join('|'),
);
/** `more than`, `over` */
export const aboveAmount: RegExp = before(
  [
    'over|above|exceed(?:s|ed|ing)?|in excess of',
    comparing(
      'more|greater|higher|taller|larger|bigger|longer|wider|deeper|heavier|older|faster|dearer|more expensive',
      'than',
    ),
    `über|${comparing('mehr|größer|höher|länger|schwerer|älter|teurer|schneller', 'als')}`,
    'plus de|plus chers? que|plus chères? que|supérieure?s? à|au-dessus de|dépassant|dépassent',
    'más de|mayor(?:es)? (?:de|que)|superior(?:es)? a|por encima de|superan?',
  ].join('|'),
);
/** `at most` */
export const mostAmount: RegExp = before(
  "at most|up to|(?:no|not) more than|a maximum of|höchstens|maximal|bis zu|nicht mehr als|au plus|jusqu['’]à|pas plus de|au maximum|como máximo|hasta|no más de",
);
/** `at least` */
export const leastAmount: RegExp = before(
  'at least|(?:no|not) (?:less|fewer) than|a minimum of|mindestens|nicht weniger als|au moins|pas moins de|au minimum|al menos|como mínimo|por lo menos|no menos de',
);
/** Before the first of two numbers or times: `between 10 and 20`; and what stands between the two. */
export const betweenBounds: RegExp = before('between|zwischen|entre');
export const andBound: RegExp = /^\s(?:and|und|et|y)\s(?:the |dem |den |le |la |el )?$/iu;

export const beforeTimeBound: RegExp = before(
  'before|prior to|earlier than|older than|vor|früher als|älter als|avant|antes de|antes del',
);
export const afterTimeBound: RegExp = before(
  "after|later than|newer than|younger than|nach|später als|neuer als|jünger als|après|después de|después del|más tarde de|plus tard qu[e'’]",
);
export const untilTimeBound: RegExp = before(
  "until|till|by|bis|bis zum|jusqu['’]en|jusqu['’]au|jusqu['’]à|hasta|hasta el",
);
/** `in 2016`, `of March`, `on 3 May` */
export const withinTimeBound: RegExp = before(
  "in|on|of|for|during|im|am|in|vom|von|aus|während|en|au|du|de|d['’]|le|pour|pendant|del|en el|durante|el",
);

/** Begins a question for rows, before what they are of: `Which of the`, `How many`, `List all`. */
export const asksForRows: RegExp =
  /^\W*(?:please |bitte )?(?:(?:which|what)(?: of (?:the|our|these|those|my|your)| (?:are|were) the)?|how many(?: of (?:the|our|these|those))?|(?:list|show|name|find|give|tell)(?: me)?(?: all)?(?: of)?(?: (?:the|our))?|(?:an|in|auf|für) welche[nrm]?|welche[rsnm]?(?: (?:der|unserer|sind die))?|wie ?viele(?: der| unserer)?|(?:nenne|nenn|liste|zeige|zeig)(?: mir)?(?: alle)?(?: die)?|quel(?:le)?s?(?: sont les)?|combien (?:de|d['’])|(?:listez?|citez?|montrez?|donnez?)(?:-moi)?(?: tou(?:s|tes))?(?: les)?|¿?(?:qué|cuáles(?: son)?(?: de)?(?: l[oa]s)?|cuánt[oa]s)|¿?(?:lista|muestra|dime|nombra|enumera)(?:me)?(?: tod[oa]s)?(?: l[oa]s)?) ?(?=\p{L})/iu;

/** Asks how many rows there are. */
export const countsRows: RegExp = /^\W*(?:how many|wie ?viele|combien|¿?cuánt[oa]s)(?!\p{L})/iu;

/** Asks for people by the first word alone. */
export const asksWho: RegExp =
  /^\W*(?:who|wer|qui|quién(?:es)?|chi)(?: (?:has|have|had|hat|haben|a|ont|ha|han))?(?!\p{L})/iu;

/** What people are called that a table has. */
export const peopleWord: RegExp =
  /^(?:people|persons?|employees?|members?|colleagues?|staff|workers?|personen?|leute|mitarbeiter(?:innen)?|angestellten?|mitglieder|employée?s?|salariée?s?|membres?|personnes?|emplead[oa]s?|personas?|miembros?)$/iu;
