/**
 * What may be said without a source: these phrases and no others. They hold no name, no number and no claim, so nothing
 * in them can be wrong.
 */
export const phrases = {
  opening: ['This is what the documents say.', 'Let us begin.'],
  next: ['Let us go on.', 'The next subject, please.', 'And then?', 'What comes next?'],
  more: ['Tell me more.', 'What else do they say?', 'Is there more?', 'Go on, please.'],
  answer: ['There is more.', 'Yes.', 'I see.', 'That is clear.'],
  closing: ['That is all for now.', 'Thank you for listening.'],
} as const;

const known: ReadonlySet<string> = new Set<string>(Object.values(phrases).flat());

/** All of them, to be shown to who writes a script. */
export const allPhrases: readonly string[] = [...known];

export function isPhrase(text: string): boolean {
  return known.has(text.trim().replaceAll('’', "'"));
}
