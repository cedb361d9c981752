/** Offices by their letters and written out, in English. */
const offices: readonly (readonly [letters: string, words: string])[] = [
  ['CEO', 'chief executive(?: officer)?'],
  ['CFO', 'chief financ(?:e|ial) officer'],
  ['COO', 'chief operat(?:ing|ions) officer'],
  ['CTO', 'chief techn(?:ology|ical) officer'],
  ['CIO', 'chief information officer'],
  ['CMO', 'chief marketing officer'],
];

/** The office that a question asks for, as it writes it, and the other way to write it: `CEO`, and `chief executive`. */
export function officeOtherwise(question: string): readonly [asked: string, other: RegExp] | undefined {
  for (const [letters, words] of offices) {
    const asked = new RegExp(`\\bwho\\b.*\\b(${letters}|${words})\\b`, 'iu').exec(question)?.[1];
    if (asked !== undefined) {
      const isShort = asked.length === letters.length;
      return [asked.toLowerCase(), isShort ? new RegExp(`\\b${words}\\b`, 'iu') : new RegExp(`\\b${letters}\\b`, 'u')];
    }
  }
  return undefined;
}
