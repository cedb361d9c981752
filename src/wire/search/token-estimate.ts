/** Counts tokens exactly, as far as the caller can. */
export type TokenCounter = (text: string) => number;

const lettersPerToken = 5;
const foreignLettersPerToken = 2;

const kinds = { space: 0, lower: 1, upper: 2, digit: 3, foreign: 4, single: 5 } as const;
type Kind = (typeof kinds)[keyof typeof kinds];

function kindOf(code: number): Kind {
  if (code >= 0x61 && code <= 0x7a) return kinds.lower;
  if (code >= 0x41 && code <= 0x5a) return kinds.upper;
  if (code >= 0x30 && code <= 0x39) return kinds.digit;
  if (code === 0x20 || code === 0x09) return kinds.space;
  if (code < 0x80) return kinds.single; // punctuation, line ends
  return code < 0x1100 ? kinds.foreign : kinds.single; // from here on mostly scripts with a token per character
}

/**
 * Tokens of a text without a vocabulary, rather too many than too few (about a fifth more than true for English): a
 * word costs one token per five letters begun, a change of case starts a new word, digits and punctuation cost one
 * each, letters of other alphabets half a token, characters of scripts without spaces one. Random strings can exceed
 * it.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let run = 0;
  let previous: Kind = kinds.space;
  for (let i = 0; i < text.length; i++) {
    const kind = kindOf(text.charCodeAt(i));
    const goesOn = kind === previous || (previous === kinds.upper && kind === kinds.lower);
    if (!goesOn) run = 0;
    if (kind === kinds.digit || kind === kinds.single) tokens++;
    else if (kind !== kinds.space) {
      const perToken = kind === kinds.foreign ? foreignLettersPerToken : lettersPerToken;
      if (run % perToken === 0) tokens++;
    }
    run++;
    previous = kind;
  }
  return tokens;
}
