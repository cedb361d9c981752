const any = '에서(?:는|도)?|에게|께서|까지|부터|보다|처럼|만큼|으?로|이?라는|이?라고|입니다|[은는이가을를의에도만와과]';

/** What Korean writes on to a number, a date or a name in Latin letters, and longer particles behind two syllables. */
export const trailingParticle: RegExp = new RegExp(
  `(?<=[\\p{sc=Latin}\\p{N}%)])(?:${any})$|(?<=\\p{N}\\s?[년월일시분초명개원])(?:${any})$|(?<=\\p{sc=Hangul}{2})(?:에서(?:는|도)?|에게|까지|부터|보다|처럼|[을를])$`,
  'u',
);
