/** Behind `most` or `fewest`, for a number: `tables I can join`; not `famous`. */
const thatMayBe = String.raw`(?=(?:\p{L}+ )?(?:\p{L}+s|money|time|memory|data|weight) (?:that )?(?:(?:an?|the) )?(?:\p{L}+ ){0,2}(?:can|may|could|allowed|permitted)\b)`;
const isThe = String.raw`\bwhat(?:['’]s| (?:is|are|was|were))`;

/** Asks for the number of things that are allowed: `What is the most tables I can join?` */
export const asksMostAllowed: RegExp = new RegExp(`${isThe} the (?:most|fewest) ${thatMayBe}`, 'iu');

/** Asks for a limit, or for the most or least of something; not how much there is. */
export const asksLimit: RegExp = new RegExp(
  String.raw`${isThe} (?:the |its |our |their )?(?:(?:maximum|minimum|max|min|largest|biggest|longest|highest|smallest|shortest|lowest|upper limit|lower limit)\b|(?:most|fewest) ${thatMayBe})`,
  'iu',
);

/** Anything that sets a limit, wherever in a sentence or over it. */
export const setsLimit: RegExp =
  /\b(?:most|max|min|maxim\p{L}*|minim\p{L}*|limit\p{L}*|capacity|capped?|at (?:most|least)|up to|(?:no|not) (?:more|less|fewer|longer|shorter|later) than|between|ranges?|from \p{N}+|exceed\p{L}*|must|may|can|cannot|only|least|\p{L}+est|allow\p{L}*|permit\p{L}*|under|over|below|above|within)\b|[≤≥<>]/iu;

/** Words that ask for a limit before what it limits: `largest` in `What is the largest card?`. */
export const upperAsked: RegExp = new RegExp(
  String.raw`\b(?:(?:largest|biggest|longest|highest|greatest|heaviest|tallest|widest|maximum|max)\s+|most ${thatMayBe})`,
  'iu',
);
export const lowerAsked: RegExp = new RegExp(
  String.raw`\b(?:(?:smallest|shortest|lowest|least|minimum|min)\s+|fewest ${thatMayBe})`,
  'iu',
);

/** `How many boats can be moored?`, `How many boats may a quay have?` */
export const countAllowed: RegExp =
  /\bhow many\s+(?=(?:\p{L}+ ){1,3}(?:can|may|could)\b[^?]*\b(?:be|have|has|hold|use|there)\b)/iu;

const amount = String.raw`(?:[$€£¥]\s?)?(?:\p{N}|one\b|two\b|three\b|four\b|five\b|six\b|seven\b|eight\b|nine\b|ten\b|twelve\b)`;

/** `up to 12 hours`, `The maximum length is 12 hours`, `does not take more than 12 hours` */
export const upperSaid: RegExp = new RegExp(
  String.raw`\b(?:up to|at most|a maximum of|(?:no|not) (?:more|larger|bigger|longer|higher|heavier|greater) than|(?:not|never|cannot|must not|may not) exceed|(?:not|never|cannot|can't|no)\b[^.;]{1,60}? more than|limited to|capped at)\s+(?:a total of\s+)?${amount}|\b(?:is|are) limited (?:to|by)\b[^.;]{1,60}?\b(?:is|are|set to|of)\s+${amount}|\b(?:maximum|max\.?|limit|largest|longest|highest|biggest)\b[^.;]{0,60}?\b(?:is|are|was|of|to|:)\s*${amount}`,
  'iu',
);
/** `at least 10 years`, `The minimum age is 10` */
export const lowerSaid: RegExp = new RegExp(
  String.raw`\b(?:at least|a minimum of|(?:no|not) (?:less|fewer|shorter|lower|smaller) than|(?:not|never|cannot|can't|no)\b[^.;]{1,60}? (?:less|fewer) than)\s+${amount}|\b(?:minimum|min\.?|smallest|shortest|lowest)\b[^.;]{0,60}?\b(?:is|are|was|of|to|:)\s*${amount}`,
  'iu',
);

/** Says how much, and not of what: `length` in `the maximum length of a name`. */
export const measureWord: RegExp =
  /^(?:length|number|amount|size|duration|time|age|height|width|weight|depth|quantity|total|capacity|limit|value|possible|allowed|permitted)$/iu;

/** Before a number that tells which ones are meant: `flights under four hours`, `more than 20 guests`. */
export const smallerThan: RegExp =
  /(?<!\p{L})(?:under|below|(?:less|fewer|shorter|smaller|lighter|younger) than|unter|(?:weniger|kürzer|kleiner|leichter|jünger) als|moins de|menos de|meno di)\s+$/iu;
export const greaterThan: RegExp =
  /(?<!\p{L})(?:over|above|(?:more|longer|larger|greater|heavier|older) than|at least|über|(?:mehr|länger|größer|schwerer|älter) als|mindestens|plus de|au moins|más de|al menos|più di|almeno)\s+$/iu;

/** Between the numbers of a range: `15 to 29 minutes`, `15–29`. */
export const toNumber: RegExp = /^\s?(?:[-–—]|to|bis|à|a|al|hasta|até)\s?$/iu;
/** Before the greatest or the least number of a range. */
export const endsRange: RegExp = /(?<!\p{L})(?:up to|to|bis(?: zu)?|jusqu['’]à|hasta|fino a|até|[≤])\s?$/iu;
export const beginsRange: RegExp = /(?<!\p{L})(?:from|ab|von|dès|à partir de|desde|a partir de|da|≥)\s?$/iu;
/** Behind the number and its unit: `60 minutes or more`, `60+`. */
export const orMore: RegExp =
  /^\s?(?:\+|\p{L}*\s?(?:(?:or|and|und|oder|ou|et|y|o|e) (?:more|over|above|longer|older|up|mehr|länger|älter|plus|más|più)(?!\p{L})))/iu;
export const orLess: RegExp =
  /^\s?\p{L}*\s?(?:or|and|und|oder|ou|et|y|o|e) (?:less|fewer|under|below|shorter|younger|weniger|kürzer|jünger|moins|menos|meno)(?!\p{L})/iu;
