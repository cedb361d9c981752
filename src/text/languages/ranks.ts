const ranks =
  'first|last|only|largest|biggest|greatest|smallest|oldest|youngest|newest|earliest|latest|tallest|longest|shortest|highest|lowest|deepest|fastest|richest|busiest|best|worst';

/** Asks for the one of a rank, in English: `the first regatta`. */
export const rankAsked: RegExp = new RegExp(
  `(?<!\\p{L})(?<rank>${ranks}) (?<of>\\p{L}[\\p{L}\\p{N}-]+)(?!\\p{L})`,
  'iu',
);

const ordinals = String.raw`(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:nd|rd|th))`;
/** Asks for one that comes behind the first. */
export const ordinalIn: RegExp = new RegExp(`(?<!\\p{L})${ordinals}(?!\\p{L})`, 'iu');

/** Ends with what puts one behind another of its rank: `second-` before `largest`. */
export const ordinalBefore: RegExp = new RegExp(
  `(?<!\\p{L})(?<!(?:first|largest) (?:and|or|to) )${ordinals}[- ]$`,
  'iu',
);

/** Between a thing and the name of the range in which it has its rank, which stands in the group `where`. */
export const reachesTo: string = String.raw`(?:in|on|at|of|for|from|outside|within) (?:the )?(?<where>\p{L}[\p{L}-]+)`;
