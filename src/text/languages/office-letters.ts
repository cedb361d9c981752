/** Offices by their letters and written out, in English. */
const written: readonly (readonly [letters: string, words: string])[] = [
  ['CEO', 'chief executive(?: officer)?'],
  ['CFO', 'chief financ(?:e|ial) officer'],
  ['COO', 'chief operat(?:ing|ions) officer'],
  ['CTO', 'chief techn(?:ology|ical) officer'],
  ['CIO', 'chief information officer'],
  ['CMO', 'chief marketing officer'],
];

const offices = written.map(([letters, words]) => ({
  asked: new RegExp(`\\bwho\\b.*\\b(${letters}|${words})\\b`, 'iu'),
  short: new RegExp(`\\b${letters}\\b`, 'u'),
  long: new RegExp(`\\b${words}\\b`, 'iu'),
  letters,
}));

/** The office that a question asks for, as it writes it, and the other way to write it: `CEO`, and `chief executive`. */
export function officeOtherwise(question: string): readonly [asked: string, other: RegExp] | undefined {
  for (const { asked, short, long, letters } of offices) {
    const office = asked.exec(question)?.[1];
    if (office !== undefined) return [office.toLowerCase(), office.length === letters.length ? long : short];
  }
  return undefined;
}
